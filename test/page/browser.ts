/** A real Chromium without a window, where one is installed; tests that need it skip with a plain message elsewhere. */
import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
} from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** On a busy machine an expected change comes late; the time limit of the test ends the wait. */
const PATIENCE_MS = 150_000;

export const chromiumPath = PLACES.find((path) => existsSync(path));
if (chromiumPath === undefined) {
  console.warn('No Chromium here: the tests of the page are skipped (apt-get install chromium).');
}

/** @param flags further ones, such as names that resolve to this machine */
export function launchBrowser(...flags: readonly string[]): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('no Chromium is installed');
  return chromium.launch({
    executablePath: chromiumPath,
    args: [...FLAGS, ...flags],
    timeout: PATIENCE_MS,
  });
}

/** A browser profile of its own. */
export async function openProfile(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const profile = await browser.newContext(options);
  profile.setDefaultTimeout(PATIENCE_MS);
  return profile;
}
