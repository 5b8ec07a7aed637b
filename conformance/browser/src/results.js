// Runs checks in a page, one after the other, and tells the driver by the console.

export async function check(name, body) {
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error('still running after 20 s')), 20000);
  });
  try {
    await Promise.race([body(), late]);
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`not ok ${name}: ${String(error && error.message || error).replaceAll('\n', ' | ')}`);
  }
}

export function equal(actual, expected, what) {
  const [a, e] = [actual, expected].map((value) => JSON.stringify(value));
  if (a !== e) {
    throw new Error(`${what}: ${a} instead of ${e}`);
  }
}

/** The error of a call that must fail. */
export async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('the call did not fail');
}

/** Bytes that are easy to compare: byte i is i modulo 251. */
export function pattern(length) {
  return Uint8Array.from({ length }, (_, i) => i % 251);
}

export const TEXT = '100% wrong\nand 👋';
