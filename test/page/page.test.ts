/** The page in a real browser: its content, its buttons, and its accessibility. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Rig } from '../rig.ts';
import { chromiumPath, launchBrowser, openProfile, openTab, type Tab } from './browser.ts';
import { addressOf, type Installation, installation, PERSONS_TEXT } from './installation.ts';

/** Each width and each set of colours once: neither depends on the other. */
const LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 380, colorScheme: 'dark' },
] as const;

describe.skipIf(chromiumPath === undefined)('the page', () => {
  let daemon: Installation & AsyncDisposable;
  let browser: Browser;

  beforeAll(async () => {
    [daemon, browser] = await Promise.all([installation(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await daemon?.[Symbol.asyncDispose]();
  });

  interface Look {
    readonly width?: number;
    readonly colorScheme?: 'light' | 'dark';
    readonly address?: string;
  }

  /** Opens the page in a tab of its own; what the browser complains about is collected. */
  async function visit({ address, ...look }: Look = {}): Promise<Tab> {
    const tab = await openTab(browser, look);
    tab.page.on('dialog', () => tab.complaints.push('a dialog opened'));
    await tab.page.goto(address ?? daemon.address);
    return tab;
  }

  const task = (page: Page, name: string | RegExp) =>
    page.locator('.tasks > li').filter({ hasText: name });

  test('takes the token out of the address, and a second tab needs none', async () => {
    await using tab = await visit();
    await tab.page.getByRole('heading', { name: 'Projects' }).waitFor();
    expect(tab.page.url()).toBe(daemon.address.replace(/#.*/, ''));
    const second = await tab.page.context().newPage();
    await second.goto(tab.page.url());
    await second.getByRole('heading', { name: 'Projects' }).waitFor();
    expect(await second.evaluate('document.cookie')).toBe('');
    expect(tab.complaints).toEqual([]);
  });

  test('without a token it says how to open it, and shows nothing', async () => {
    await using tab = await visit({ address: daemon.address.replace(/#.*/, '') });
    await tab.page.getByText('dragoman dashboard').waitFor();
    expect(await tab.page.textContent('body')).not.toContain('webshop');
  });

  test('shows what needs a person, why, what to do and what it has cost', async () => {
    await using tab = await visit();
    const failed = task(tab.page, 'broken <b>file</b>.json → de, fr, pt-BR');
    await failed.getByText('the file ends too early').waitFor();
    expect(await failed.textContent()).toContain(
      'Correct the file; a running daemon or the next run then continues.',
    );
    expect(await failed.textContent()).toMatch(/attempts? · 0 characters billed so far/);
    expect(await task(tab.page, 'terms.txt').textContent()).toContain(
      'about 60 characters to release',
    );
    expect(tab.complaints).toEqual([]);
  });

  test('shows each language of each project with a symbol and words', async () => {
    await using tab = await visit();
    const row = tab.page.getByRole('row', { name: /^webshop/ });
    await row.waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      expect.stringMatching(/✕ 1\/3\s+1 failed, 1 held/),
      expect.stringMatching(/✕ 2\/3\s+1 failed/),
      expect.stringMatching(/✕ 2\/3\s+1 failed/),
    ]);
  });

  test('figures of any length stay in the cell of their language', async () => {
    await using tab = await visit({ width: 380 });
    await tab.page.getByRole('row', { name: /^webshop/ }).waitFor();
    const wide =
      await tab.page.evaluate(`[...document.querySelectorAll('.matrix td:not(.none)')].flatMap((cell) => {
      cell.querySelector('.label').textContent = 'zh-Hans-HK ';
      cell.querySelector('.mark').textContent = '… 12,340/123,450';
      return cell.scrollWidth > cell.clientWidth ? cell.textContent : [];
    })`);
    expect(wide).toEqual([]);
  });

  test('a link has the colour of the page in all its places', async () => {
    await using tab = await visit();
    const link = tab.page.getByRole('link', { name: 'Review' });
    await link.waitFor();
    const [nav, other] = (await tab.page.evaluate(`[
      getComputedStyle(document.querySelector('nav a[href="#review"]')).color,
      getComputedStyle(document.querySelector('main').appendChild(Object.assign(document.createElement('a'), { href: '#review' }))).color,
    ]`)) as readonly string[];
    expect(other).toBe(nav);
  });

  test('shows what was billed, the budget, and where the month leads to', async () => {
    await using tab = await visit();
    const usage = tab.page.getByRole('region', { name: 'Billed characters' });
    await usage.getByText(/of 5,000 \(\d+ %\) of the month budget/).waitFor();
    expect(await usage.textContent()).toMatch(/At the pace of the last week: about [\d,]+ by/);
    expect(await usage.getByRole('img', { name: /per day: highest \d/ }).count()).toBe(1);
  });

  test('shows a conflict side by side, and the person’s choice settles it', async () => {
    await using one = await installation();
    await using tab = await visit({ address: one.address });
    expect(await task(tab.page, 'app.json').locator('.mark').innerText()).toBe('≠ conflict');
    expect(await task(tab.page, 'terms.txt').locator('.mark').innerText()).toBe('‖ held');
    await tab.page.getByRole('button', { name: /^Resolve locales\/en\/app.json/ }).press('Enter');
    const conflict = tab.page.locator('.conflicts > li');
    await conflict.getByText(PERSONS_TEXT).waitFor();
    const texts = await conflict.locator('dd').allInnerTexts();
    expect(texts.slice(0, 3)).toEqual([
      'Only what matters',
      'Only what matters to you',
      PERSONS_TEXT,
    ]);
    expect(texts[3]).toMatch(/^\[de .*\]$/);
    await conflict.getByRole('button', { name: 'Write another…' }).click();
    await conflict.getByLabel('New text').fill('Nur was Ihnen wichtig ist');
    await conflict.getByRole('button', { name: 'Save this text' }).click();
    await task(tab.page, 'app.json').waitFor({ state: 'detached' });
    await tab.page
      .getByRole('row', { name: /^webshop/ })
      .getByText('2/3')
      .nth(2)
      .waitFor();
    expect(one.rig.json('locales/de/app.json')).toMatchObject({
      lead: 'Nur was Ihnen wichtig ist',
    });
  });

  test.each([
    ['Keep the person’s file', 'Von Hand geschrieben.\n'],
    ['Take the machine’s', expect.stringMatching(/^\[de /)],
  ])('a whole file that a person edited: %s', async (button, written) => {
    await using rig = await Rig.start({
      config: `
page: { listen: "127.0.0.1:0" }
defaults: { settle_ms: 50 }
projects:
  app: { source: en, targets: [de], routes: [{ from: "en/*.txt", to: "{locale}/{name}.txt" }] }
`,
      files: { 'en/letter.txt': 'A letter.\n' },
    });
    await rig.once();
    rig.write('de/letter.txt', 'Von Hand geschrieben.\n');
    rig.write('en/letter.txt', 'Another letter.\n');
    const running = await rig.daemon();
    await running.logged(({ kind }) => kind === 'job-held');
    await using tab = await visit({ address: await addressOf(rig) });
    await tab.page.getByRole('button', { name: /^Resolve/ }).click();
    await tab.page.getByRole('button', { name: button }).click();
    await tab.page.getByRole('row', { name: /^app/ }).getByText('✓ 1/1').waitFor();
    expect(rig.read('de/letter.txt')).toEqual(written);
    expect(tab.complaints).toEqual([]);
  });

  test('asks with the price before it approves, and shows that it was done', async () => {
    await using one = await installation();
    await using tab = await visit({ address: one.address });
    const terms = task(tab.page, 'terms.txt');
    await terms.getByRole('button', { name: /^Approve/ }).click();
    await terms.getByText('This bills about 60 characters.').waitFor();
    expect(one.rig.exists('handbook/de/terms.txt')).toBe(false);
    await terms.getByRole('button', { name: / now: / }).click();
    await terms.waitFor({ state: 'detached' });
    await tab.page
      .getByRole('row', { name: /^handbook/ })
      .getByText('✓ 2/2')
      .waitFor();
    expect(one.rig.exists('handbook/de/terms.txt')).toBe(true);
  });

  test('all jobs that one budget holds are one item, and one approval releases them', async () => {
    await using rig = await Rig.start({
      config: `
page: { listen: "127.0.0.1:0" }
budget: { run: 10 }
defaults: { settle_ms: 50 }
projects:
  app: { source: en, targets: [de, fr], routes: [{ from: "{locale}/*.json" }] }
  later: { root: later, source: en, targets: [es], routes: [{ from: "{locale}/*.json" }] }
`,
    });
    rig.write('later/en/notes.md', 'A file of no route.\n');
    for (let nth = 10; nth < 22; nth++)
      rig.write(`en/${nth}.json`, `{ "a": "This is text ${nth}" }`);
    const running = await rig.daemon();
    await running.until(
      () => running.lines.filter(({ kind }) => kind === 'job-held').length === 24,
    );
    await using tab = await visit({ address: await addressOf(rig) });
    const held = task(tab.page, '12 files → de, fr');
    await held.getByText('and 7 more').waitFor();
    expect(await task(tab.page, '').count()).toBe(1);
    expect(await held.textContent()).toContain('has 10 characters left, this needs 360 characters');
    await held.getByRole('button', { name: /^Approve/ }).click();
    await held.getByText('This bills about 360 characters.').waitFor();
    await held.getByRole('button', { name: / now: / }).click();
    await tab.page.getByText('No task needs you; see the notes.').waitFor();
    await tab.page.getByRole('row', { name: /^app/ }).getByText('✓ 12/12').nth(1).waitFor();
    await tab.page
      .getByRole('row', { name: /^later/ })
      .getByText('no file yet')
      .waitFor();
    expect(tab.complaints).toEqual([]);
  });

  test('Retry tries again what the service refused, in all its languages', async () => {
    await using rig = await Rig.start({
      config: `
page: { listen: "127.0.0.1:0" }
defaults: { settle_ms: 50 }
projects:
  app: { source: en, targets: [de, fr], routes: [{ from: "{locale}/*.json" }] }
`,
      files: { 'en/a.json': '{ "a": "One" }', 'en/b.json': '{ "b": "Two" }' },
    });
    const operation = 'POST /v2/translate';
    rig.sandbox.faults.add([{ kind: 'status', status: 400, operation, times: 'always' }]);
    const running = await rig.daemon();
    await running.until(
      () => running.lines.filter(({ kind }) => kind === 'job-failed').length === 4,
    );
    await using tab = await visit({ address: await addressOf(rig) });
    const failed = task(tab.page, '2 files → de, fr');
    await failed.getByText('was asked to fail').waitFor();
    expect(await failed.textContent()).toMatch(/\d attempts? · 0 characters billed so far/);
    rig.sandbox.faults.clear();
    await failed.getByRole('button', { name: /^Retry/ }).click();
    await failed.getByText('This bills about 12 characters.').waitFor();
    await failed.getByRole('button', { name: /^Retry now: / }).click();
    await tab.page.getByText('Nothing needs you.').waitFor();
    await tab.page.getByRole('row', { name: /^app/ }).getByText('✓ 2/2').nth(1).waitFor();
    expect([rig.exists('de/a.json'), rig.exists('fr/b.json')]).toEqual([true, true]);
  });

  test('sources that disappeared together are given up by one decision, after a second question', async () => {
    await using rig = await Rig.start({
      config: `
page: { listen: "127.0.0.1:0" }
defaults: { settle_ms: 50 }
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }
`,
    });
    for (let nth = 0; nth < 24; nth++) rig.write(`en/${nth}.json`, `{ "a": "Text ${nth}" }`);
    await rig.once();
    rig.remove('en');
    rig.write('en/0.json', '{ "a": "Text 0" }');
    await rig.daemon();
    await using tab = await visit({ address: await addressOf(rig) });
    const gone = task(tab.page, 'vanished at once');
    await gone.getByRole('button', { name: /^Approve/ }).click();
    await gone.getByText('count as deleted, and so do their translations').waitFor();
    expect(rig.exists('de/1.json')).toBe(true);
    await gone.getByRole('button', { name: / now: / }).click();
    await tab.page.getByText('Nothing needs you.').waitFor();
    await tab.page.getByRole('row', { name: /^app/ }).getByText('✓ 1/1').waitFor();
    expect([rig.exists('de/0.json'), rig.exists('de/1.json')]).toEqual([true, false]);
  });

  test('shows what is being worked on while it lasts', async () => {
    await using tab = await visit();
    daemon.rig.sandbox.faults.add([
      { kind: 'slow_headers', operation: 'POST /v2/translate', ms: 2500, times: 3 },
    ]);
    daemon.rig.write('locales/en/slow.json', '{ "slow": "This takes its time" }\n');
    const section = tab.page.getByRole('region', { name: 'In progress' });
    await section.getByText('locales/en/slow.json').waitFor();
    expect(await section.textContent()).toMatch(/webshop, text: \d of 3 languages.*translating: /);
    await section.getByText('Nothing is being translated now.').waitFor();
    daemon.rig.remove('locales/en/slow.json');
    await tab.page
      .getByRole('row', { name: /^webshop/ })
      .getByText('2/3')
      .nth(1)
      .waitFor();
  });

  test('shows what was delivered lately, and what that changed', async () => {
    await using tab = await visit();
    const section = tab.page.getByRole('region', { name: 'Delivered lately' });
    const button = section.getByRole('button', { name: 'See the change: locales/fr/app.json' });
    await button.click();
    const change = section.getByRole('group', { name: 'Changed lines' });
    await change.waitFor();
    expect(await change.locator('ins').count()).toBeGreaterThan(0);
    await change.press('Escape');
    await change.waitFor({ state: 'detached' });
    expect(tab.complaints).toEqual([]);
  });

  test('pauses and resumes, and other pages see it', async () => {
    await using tab = await visit();
    await using other = await visit();
    await tab.page.getByRole('button', { name: 'Pause' }).click();
    await other.page.getByText('‖ paused').waitFor();
    await other.page.getByRole('button', { name: 'Resume' }).click();
    await tab.page.getByText('● running').waitFor();
    expect([...tab.complaints, ...other.complaints]).toEqual([]);
  });

  test('shows what is wrong with a changed config until it is corrected', async () => {
    await using one = await installation();
    await using tab = await visit({ address: one.address });
    const config = one.rig.read('dragoman.yaml');
    one.rig.write('dragoman.yaml', config.replace('settle_ms', 'setle_ms'));
    one.daemon.kill('SIGHUP');
    await tab.page.getByText(/did you mean "settle_ms"/).waitFor();
    const sections = await tab.page.locator('main > section > h2').allTextContents();
    expect(sections.slice(0, 3)).toEqual([
      'Config',
      expect.stringMatching(/^Needs attention/),
      'Billed characters',
    ]);
    expect(await task(tab.page, 'config').count()).toBe(0);
    one.rig.write('dragoman.yaml', config);
    one.daemon.kill('SIGHUP');
    await tab.page.getByRole('heading', { name: 'Config' }).waitFor({ state: 'detached' });
    expect(await tab.page.textContent('body')).not.toContain('setle_ms');
  });

  test('Escape closes what Resolve opened, and the focus goes back to the button', async () => {
    await using tab = await visit();
    const button = tab.page.getByRole('button', { name: /^Resolve/ });
    await button.click();
    await tab.page.getByText(PERSONS_TEXT).waitFor();
    await tab.page.keyboard.press('Escape');
    await tab.page.getByText(PERSONS_TEXT).waitFor({ state: 'detached' });
    expect(
      await button.evaluate((element) => element === element.ownerDocument.activeElement),
    ).toBe(true);
  });

  test('says when the daemon is gone', async () => {
    await using one = await installation();
    await using tab = await visit({ address: one.address });
    await tab.page.getByText('● running').waitFor();
    await one.daemon.stop();
    await tab.page.getByText(/connection lost/).waitFor();
    expect(await tab.page.getByRole('button', { name: /Pause|Resume/ }).isDisabled()).toBe(true);
  });

  test.each(LOOKS)(
    'has no fault that axe finds, and fits, at $width pixels in $colorScheme',
    async (look) => {
      await using tab = await visit(look);
      await tab.page.getByRole('button', { name: /^Resolve/ }).click();
      await tab.page.getByText(PERSONS_TEXT).waitFor();
      await tab.page
        .getByRole('button', { name: /^See the change/ })
        .first()
        .click();
      await tab.page.getByRole('group', { name: 'Changed lines' }).waitFor();
      await task(tab.page, 'terms.txt')
        .getByRole('button', { name: /^Approve/ })
        .click();
      await tab.page.getByText('This bills about 60 characters.').waitFor();
      await tab.page.evaluate(axe.source);
      const found = await tab.page.evaluate<AxeResult>('axe.run()');
      expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      const overflow = 'document.documentElement.scrollWidth - innerWidth';
      expect(await tab.page.evaluate(overflow)).toBe(0);
    },
  );

  test('a page of another site, by whatever name or port, reads nothing and does nothing', async () => {
    const evil = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<h1>other site</h1>');
    }).listen(0, '127.0.0.1');
    await once(evil, 'listening');
    const { port } = evil.address() as AddressInfo;
    const hostile = await launchBrowser('--host-resolver-rules=MAP evil.test 127.0.0.1');
    try {
      const context = await openProfile(hostile);
      const own = await context.newPage();
      await own.goto(daemon.address);
      await own.getByText('● running').waitFor();
      const rebound = await (await context.newPage()).goto(
        `http://evil.test:${new URL(daemon.address).port}/`,
      );
      expect(rebound?.status()).toBe(421);
      for (const host of ['evil.test', '127.0.0.1', 'localhost']) {
        const page = await context.newPage();
        await page.goto(`http://${host}:${port}/`);
        await page.evaluate(attackOn(new URL(daemon.address).origin));
      }
      await own.reload();
      await own.getByText('● running').waitFor();
      expect(await own.getByText('‖ paused').count()).toBe(0);
    } finally {
      await hostile.close();
      evil.close();
    }
  });

  test('no card is beside an empty space, and the buttons of tasks are below each other', async () => {
    await using tab = await visit();
    await tab.page.getByRole('button', { name: /^Resolve/ }).waitFor();
    const edges = (selector: string, side: string) =>
      tab.page.evaluate<number[]>(
        `[...document.querySelectorAll('${selector}')].map((each) => Math.round(each.getBoundingClientRect().${side}))`,
      );
    expect(new Set(await edges('main > section', 'width')).size).toBe(1);
    expect(await edges('.tasks > li button', 'right')).toHaveLength(3);
    expect(new Set(await edges('.tasks > li button', 'right')).size).toBe(1);
  });

  test('every button is reached with the tab key', async () => {
    await using tab = await visit();
    await tab.page.getByRole('button', { name: /^Resolve/ }).waitFor();
    const buttons = await tab.page.getByRole('button').count();
    const reached = new Set<string>();
    for (let presses = 0; presses < buttons + 4; presses++) {
      await tab.page.keyboard.press('Tab');
      reached.add(await tab.page.evaluate<string>('document.activeElement.outerHTML'));
    }
    expect([...reached].filter((html) => html.startsWith('<button')).length).toBe(buttons);
  });
});

/** Everything that a page may try with the session's cookie in the browser; what is readable is an error. */
function attackOn(origin: string): string {
  return `(async () => {
    const json = { 'content-type': 'application/json' };
    const tries = [
      fetch('${origin}/api/pause', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }),
      fetch('${origin}/api/pause', { method: 'POST', credentials: 'include', headers: json, body: '{}' }),
      fetch('${origin}/metrics', { credentials: 'include' }),
    ];
    const answers = await Promise.allSettled(tries);
    const readable = answers.filter(({ value }) => value !== undefined && value.type !== 'opaque');
    if (readable.length > 0) throw new Error('another site could read an answer');
  })()`;
}

interface AxeResult {
  readonly violations: readonly { id: string; nodes: readonly { html: string }[] }[];
}
