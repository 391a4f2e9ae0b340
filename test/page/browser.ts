/** A real Chromium without a window, where one is installed; tests that need it skip with a plain message elsewhere. */
import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
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

export interface Tab extends AsyncDisposable {
  readonly page: Page;
  /** What the browser logged. */
  readonly complaints: string[];
}

interface TabLook {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** The profile of the tabs of a browser. A blank page in it stays open: then a tab costs half of what a profile costs. */
interface TabProfile {
  readonly profile: BrowserContext;
  readonly blank: Page;
  open: number;
}

const profiles = new WeakMap<Browser, Promise<TabProfile>>();

/**
 * A tab that knows nothing of the tabs before it: cookies are removed, and session storage ends with its tab. The page has no other
 * storage. Tabs that are open at the same time share their session.
 */
export async function openTab(browser: Browser, look: TabLook = {}): Promise<Tab> {
  const { width = 1280, colorScheme = 'light' } = look;
  const known = profiles.get(browser) ?? openTabProfile(browser);
  profiles.set(browser, known);
  const tabs = await known;
  if (tabs.open === 0) await forgetTabs(tabs);
  tabs.open += 1;
  const page = await tabs.profile.newPage();
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return {
    page,
    complaints,
    async [Symbol.asyncDispose]() {
      await page.close();
      tabs.open -= 1;
    },
  };
}

async function openTabProfile(browser: Browser): Promise<TabProfile> {
  const profile = await openProfile(browser);
  return { profile, blank: await profile.newPage(), open: 0 };
}

/** Also closes tabs that a test opened beside its own. */
async function forgetTabs({ profile, blank }: TabProfile): Promise<void> {
  for (const page of profile.pages()) if (page !== blank) await page.close();
  await profile.clearCookies();
}
