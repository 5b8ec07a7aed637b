// Opens the page of checks in Chromium and prints what it finds.
//
// usage: node clients.js ORIGIN OTHER_ORIGIN CLOSED_ORIGIN
//   ORIGIN serves the page; the other is the same server elsewhere, with CORS on; the last is off.
import { launch } from './chromium.js';

const [origin, other, closed] = process.argv.slice(2);
const PAGE_TIMEOUT_MILLIS = 240000;

const browser = await launch();
for (const [where, server, more] of [
  ['same origin', origin, ''],
  ['other origin', other, ''],
  ['other origin', closed, '&refused'],
]) {
  const page = await browser.newPage();
  const ended = new Promise((resolve, reject) => {
    page.on('console', (message) => {
      const text = message.text();
      if (text === 'done') {
        resolve();
      } else if (/^(not )?ok /.test(text)) {
        console.log(text);
      }
    });
    page.on('pageerror', (error) => {
      console.log(`not ok ${where}: the page broke: ${error.message}`);
      reject(error);
    });
    setTimeout(() => reject(new Error(`${where}: no end`)), PAGE_TIMEOUT_MILLIS).unref();
  });
  const query = new URLSearchParams({ server, where });
  await page.goto(`${origin}/browser/checks.html?${query}${more}`);
  await ended;
  await page.close();
}
await browser.close();
console.log('done');
