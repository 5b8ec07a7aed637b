// Uses the explorer as people do, by keyboard and by mouse, on a desktop and on a phone.
//
// usage: node explorer.js URL FOLDER     (screenshots go to the folder)
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import axe from 'axe-core';
import { launch } from './chromium.js';

const [url, folder] = process.argv.slice(2);
const SERVICE = 'peregrine.conformance.v1';
const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 360, height: 740 };

mkdirSync(folder, { recursive: true });
const browser = await launch();

async function check(name, options, body) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(15000);
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // The browser reports each answer with an error status there, which the page shows anyway.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      problems.push(message.text());
    }
  });
  try {
    await body(page);
    if (problems.length > 0) {
      throw new Error(`the console says: ${problems.join(' | ')}`);
    }
    console.log(`ok ${name}`);
  } catch (error) {
    await page.screenshot({ path: path.join(folder, `failed-${name.replaceAll(/\W+/g, '-')}.png`) });
    console.log(`not ok ${name}: ${error.message.replaceAll('\n', ' | ')}`);
  } finally {
    await context.close();
  }
}

function expect(actual, expected, what) {
  const matches = expected instanceof RegExp ? expected.test(actual) : actual === expected;
  if (!matches) {
    throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${expected}`);
  }
}

const status = (page) => page.locator('.status');
const open = (page, method) => page.goto(`${url}#${SERVICE}.${method}`);

async function ended(page, expected) {
  await page.waitForFunction(
    () => / ms/.test(document.querySelector('.status')?.textContent));
  expect(await status(page).textContent(), expected, 'status');
}

async function fitsItsWidth(page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth) <= 0,
    true, 'nothing sticks out to the right');
}

/** Presses Tab until an element has the focus: what cannot be reached so does not exist for many. */
async function tabTo(page, selector) {
  for (let i = 0; i < 200; i += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((s) => document.activeElement?.matches(s), selector)) {
      return;
    }
  }
  throw new Error(`Tab never reached ${selector}`);
}

const shot = (page, name) => page.screenshot({ path: path.join(folder, `${name}.png`) });

await check('lists services, methods and their comments', { viewport: DESKTOP }, async (page) => {
  await page.goto(url);
  expect(await page.locator('main h2').allTextContents().then((all) => all.join()), /Probe.*Streams.*Shapes/, 'services');
  expect(await page.locator('main').textContent(), /Answers the payload unchanged\./, 'comments');
  await fitsItsWidth(page);
  await shot(page, 'overview');
});

await check('calls a unary method by mouse', { viewport: DESKTOP }, async (page) => {
  await page.goto(url);
  await page.click('nav >> text=SayHello');
  expect(new URL(page.url()).hash, '#helloworld.Greeter/SayHello', 'address');
  await page.getByLabel(/^name/).fill('Mouse');
  await page.click('button:text-is("Call")');
  await ended(page, /^OK · HTTP 200 · \d+ ms$/);
  expect(await page.locator('.messages pre').textContent(), /"message": "Hello Mouse!"/, 'reply');
  await page.click('summary:has-text("Headers (")');
  expect(await page.locator('dl.pairs').first().textContent(), /content-type.*application\/json/, 'headers');
  await shot(page, 'unary');
});

await check('calls a server stream by keyboard alone', { viewport: DESKTOP }, async (page) => {
  await page.goto(url);
  await page.keyboard.press('/');
  await page.keyboard.type('download');
  await tabTo(page, 'nav li a');
  await page.keyboard.press('Enter');
  await page.waitForSelector('h1:has-text("Download")');
  expect(await page.evaluate(() => document.activeElement.tagName), 'H1', 'focus after choosing');
  await tabTo(page, 'form input[inputmode]');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('3');
  await page.keyboard.press('Control+Enter');
  await ended(page, /^OK · HTTP 200 · \d+ ms · 3 messages$/);
  expect(await page.locator('.messages > li').count(), 3, 'messages shown');
  expect(await page.locator('.messages').textContent(), /"number": 2/, 'last message');
  await tabTo(page, 'button[type=submit]');
  await page.keyboard.press('Space');
  await page.waitForFunction(() => document.querySelectorAll('.messages > li').length === 3);
});

await check('cancels a stream, and the focus comes back', { viewport: DESKTOP }, async (page) => {
  await open(page, 'Streams/Download');
  await page.getByLabel('items').fill('1000');
  await page.getByLabel('pauseMillis').fill('50');
  await page.focus('button[type=submit]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.messages > li:nth-child(2)');
  expect(await page.evaluate(() => document.activeElement.textContent), 'Cancel', 'focus while it runs');
  await page.keyboard.press('Enter');
  await ended(page, /^Cancelled after \d+ ms$/);
  expect(await page.evaluate(() => document.activeElement.textContent), 'Call', 'focus afterwards');
});

await check('shows code, text and details of an error', { viewport: DESKTOP }, async (page) => {
  await open(page, 'Probe/Fail');
  await page.getByLabel('code').fill('9');
  await page.getByLabel('text').fill('<b>100%</b> wrong 👋');
  await page.getByLabel('withDetail').selectOption('true');
  await page.click('button:text-is("Call")');
  await ended(page, /^failed_precondition · HTTP 400 · \d+ ms$/);
  expect(await page.locator('.error').textContent(), /<b>100%<\/b> wrong 👋.*peregrine\.conformance\.v1\.FailRequest/s, 'error');
});

await check('shows an error that ends a stream', { viewport: DESKTOP }, async (page) => {
  await open(page, 'Streams/Download');
  await page.getByLabel('items').fill('2');
  await page.getByLabel('code').fill('10');
  await page.getByLabel('text').fill('no more');
  await page.click('button:text-is("Call")');
  await ended(page, /^aborted · HTTP 200 · \d+ ms · 2 messages$/);
  expect(await page.locator('.error').textContent(), /no more/, 'error');
});

await check('sends headers and a timeout', { viewport: DESKTOP }, async (page) => {
  await open(page, 'Probe/Metadata');
  await page.click('summary:has-text("Headers and timeout")');
  await page.getByLabel('Headers', { exact: true }).fill('echo-a: one\necho-trailing-b: two');
  await page.click('button:text-is("Call")');
  await ended(page, /^OK/);
  await page.click('summary:has-text("Headers (")');
  await page.click('summary:has-text("Trailers (")');
  const pairs = (await page.locator('dl.pairs').allTextContents()).join('; ');
  expect(pairs, /echo-aone.*echo-trailing-btwo/, 'headers and trailers');

  await open(page, 'Probe/Sleep');
  await page.getByLabel('millis').fill('10000');
  await page.click('summary:has-text("Headers and timeout")');
  await page.getByLabel('Timeout').fill('200');
  await page.click('button:text-is("Call")');
  await ended(page, /^deadline_exceeded · HTTP 504/);
});

await check('fills every shape of field by form and by JSON', { viewport: DESKTOP }, async (page) => {
  await open(page, 'Shapes/Mirror');
  await page.getByLabel(/^name/).fill('Ünïcödé');
  await page.getByLabel('colour').selectOption('COLOUR_GREEN');
  await page.getByLabel('serial').fill('9007199254740993');
  await page.click('text=Add corners');
  expect(await page.evaluate(() => document.activeElement.tagName), 'INPUT', 'focus in the new element');
  await page.keyboard.type('4');
  await page.getByLabel('Which of fill').selectOption('picture');
  await page.getByLabel('picture').fill('iVBORw==');
  await page.click('text=Set Shape');
  await page.click('button:text-is("Call")');
  await ended(page, /^OK/);
  const reply = JSON.parse(await page.locator('.messages pre').textContent());
  expect(JSON.stringify([reply.name, reply.colour, reply.serial, reply.corners.length, reply.picture, reply.inner, reply.notes]),
    '["Ünïcödé","COLOUR_GREEN","9007199254740993",2,"iVBORw==",{},{"key":""}]', 'reply');

  await page.getByLabel('JSON', { exact: true }).check();
  const area = page.getByLabel('Request in JSON');
  expect(JSON.parse(await area.inputValue()).colour, 'COLOUR_GREEN', 'the JSON has what the form said');
  await area.fill('{"name": "by hand"');
  expect(await area.getAttribute('aria-invalid'), 'true', 'broken JSON is marked');
  await area.fill('{"name": "by hand", "corners": [{"x": 1}]}');
  await page.getByLabel('Form', { exact: true }).check();
  expect(await page.getByLabel(/^name/).inputValue(), 'by hand', 'the form has what the JSON said');
  await page.click('button:text-is("Clear")');
  expect(await page.locator('fieldset:has(> legend:has-text("corners")) input').count(), 0, 'corners after Clear');
});

await check('says what it cannot call', { viewport: DESKTOP }, async (page) => {
  await open(page, 'Streams/Chat');
  expect(await page.locator('main').textContent(), /unary and server-streaming methods only/, 'word');
  expect(await page.locator('form').count(), 0, 'forms');
});

await check('leads to messages and enums, and says what is unknown', { viewport: DESKTOP }, async (page) => {
  await open(page, 'Shapes/Mirror');
  await page.click('summary:has-text("Request:")');
  await page.click('dl.fields a:text-is("Colour")');
  await page.waitForSelector('h1:has-text("Colour")');
  expect(await page.locator('main').textContent(), /As the sky\./, 'comment of a value');
  await page.goto(`${url}#no.Such/Thing`);
  await page.waitForSelector('h1:has-text("Not found")');
});

await check('works on a phone', { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }, async (page) => {
  await page.goto(url);
  await fitsItsWidth(page);
  expect(await page.locator('nav').isVisible(), false, 'the list is folded');
  await page.tap('summary:has-text("Services")');
  await page.tap('nav >> text=Repeat');
  await page.waitForSelector('h1:has-text("Repeat")');
  expect(await page.locator('nav').isVisible(), false, 'the list folds again');
  await fitsItsWidth(page);
  await shot(page, 'phone-form');
  await page.getByLabel('count').fill('2');
  await page.tap('button:text-is("Call")');
  await ended(page, /^OK · HTTP 200 · \d+ ms · 2 messages$/);
  await fitsItsWidth(page);
  await status(page).scrollIntoViewIfNeeded();
  await shot(page, 'phone-stream');
});

await check('is dark where that is wanted', { viewport: DESKTOP, colorScheme: 'dark' }, async (page) => {
  await page.goto(`${url}#helloworld.Greeter/SayHello`);
  const [red] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  expect(red < 64, true, 'a dark page');
  await page.getByLabel(/^name/).fill('Night');
  await page.keyboard.press('Control+Enter');
  await ended(page, /^OK/);
  await shot(page, 'dark');
});

for (const [name, options] of Object.entries({
  'a desktop': { viewport: DESKTOP },
  'a dark desktop': { viewport: DESKTOP, colorScheme: 'dark' },
  'a phone': { viewport: PHONE, isMobile: true },
})) {
  await check(`has no fault in accessibility on ${name}`, options, async (page) => {
    for (const place of ['', `#${SERVICE}.Shapes`, `#${SERVICE}.Shape`, `#${SERVICE}.Shapes/Repeat`]) {
      await page.goto(url + place);
      await page.waitForSelector('h1');
      if (place.includes('/')) {
        await page.keyboard.press('Control+Enter');
        await page.focus('form input');
        await page.keyboard.press('Control+Enter');
        await ended(page, /^OK/);
      }
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => window.axe.run());
      expect(violations.map((one) => `${one.id} at ${one.nodes.map((node) => node.target).join()}`).join('; '),
        '', `faults at ${place}`);
    }
  });
}

await browser.close();
console.log('done');
