/** Money: the plan agrees with the bill to the character, and no budget is broken. */
import { expect, test } from 'vitest';
import type { UsageSummary } from '../../src/control/usage.ts';
import { billed, requests } from '../counts.ts';
import { silence } from '../lanes/voice/voice-rig.ts';
import { Rig } from '../rig.ts';

const config = (rest: string) => `
defaults: { settle_ms: 0 }
${rest}
projects:
  app:
    source: en
    targets: [de, fr]
    routes:
      - { from: "locales/{locale}/**/*.json" }
      - { from: "text/en/**/*.txt", to: "text/{locale}/{dir}/{name}.{ext}", lane: text }
      - { from: "docs/en/**/*.md", to: "docs/{locale}/{dir}/{name}.{ext}", approve_over: 100 }
`;

const json = (texts: Record<string, unknown>) => `${JSON.stringify(texts, null, 2)}\n`;

interface PlanJson {
  readonly jobs: readonly { readonly estimated_characters: number; readonly would_hold?: string }[];
  readonly estimated_characters: number;
  readonly unchanged: number;
}

async function planOf(rig: Rig): Promise<PlanJson> {
  return JSON.parse((await rig.run('plan', '--json')).stdout) as PlanJson;
}

const FILES = {
  'locales/en/app.json': json({
    hello: 'Hello, {name}!',
    count: '{n, plural, one {# file} other {# files}}',
    emoji: 'Grüße 👋 aus Köln',
    again: 'Save',
    save: 'Save',
    number: '42',
  }),
  'locales/en/other.json': json({ save: 'Save', close: 'Close <b>now</b>' }),
  'text/en/note.txt': 'A first line.\n\nA second line.\n',
};

test('plan and once agree with the bill to the character', async () => {
  await using rig = await Rig.start({ config: config(''), files: FILES });
  const plan = await planOf(rig);
  expect(requests(rig, 'POST /v2/translate')).toBe(0);
  const run = await rig.once();
  expect(run.code).toBe(0);
  expect(run.billed_characters).toBe(plan.estimated_characters);
  expect(run.estimated_characters).toBe(plan.estimated_characters);
  expect(billed(rig)).toBe(plan.estimated_characters);
  expect(rig.sandbox.counters().asked_twice).toEqual([]);
  expect(await planOf(rig)).toMatchObject({ jobs: [], estimated_characters: 0, unchanged: 6 });
});

test('targets that are one language of the service buy each text once, and both are delivered', async () => {
  const locales = 'text/{locale}/*.json';
  await using rig = await Rig.start({
    config: `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [bn-BD, bn-IN, zh-HK, zh-TW, zh-CN]
    routes: [{ from: "${locales}" }]
`,
    files: { 'text/en/a.json': json({ hello: 'Hello there', n: 'Files' }) },
  });
  const characters = 'Hello there'.length + 'Files'.length;
  expect(await planOf(rig)).toMatchObject({ estimated_characters: 3 * characters });
  expect(await rig.once()).toMatchObject({
    code: 0,
    delivered: 5,
    billed_characters: 3 * characters,
  });
  expect(rig.read('text/bn-IN/a.json')).toBe(rig.read('text/bn-BD/a.json'));
  expect(rig.read('text/zh-TW/a.json')).toBe(rig.read('text/zh-HK/a.json'));
  expect(rig.read('text/zh-CN/a.json')).not.toBe(rig.read('text/zh-HK/a.json'));
  rig.write('text/en/a.json', json({ hello: 'Hello there', n: 'Another' }));
  expect(await rig.once('--language', 'bn-IN')).toMatchObject({ billed_characters: 7 });
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 2 * 7 });
  rig.remove('text/bn-IN/a.json');
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
  expect(rig.exists('text/bn-IN/a.json')).toBe(true);
  expect(await rig.once()).toMatchObject({ requests: 0 });
});

test('languages that the config spells alike buy a document once, and each other spelling buys it once more', async () => {
  await using rig = await Rig.start({
    config: `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [nb, nn, pt-PT, pt-MZ]
    locales: { nn: { api: NB }, pt-MZ: { api: pt-BR } }
    routes: [{ from: "doc/{locale}/*.txt", lane: document }]
`,
    files: { 'doc/en/a.txt': 'Hello there\n' },
  });
  const { estimated_characters } = await planOf(rig);
  expect(await rig.once()).toMatchObject({
    code: 0,
    delivered: 4,
    billed_characters: estimated_characters,
  });
  expect(rig.read('doc/nn/a.txt')).toBe(rig.read('doc/nb/a.txt'));
  expect(rig.read('doc/pt-MZ/a.txt')).not.toBe(rig.read('doc/pt-PT/a.txt'));
});

test('a text that occurs in files of several formats is bought once, as the plan said', async () => {
  await using rig = await Rig.start({
    config: config(''),
    files: {
      'locales/en/app.json': json({ save: 'Save the file', name: 'Hello {name}' }),
      'docs/en/page.md': '| Save the file |\n|---|\n| Close |\n\nHello {name}\n',
      'text/en/note.txt': 'Save the file\n',
    },
  });
  const plan = await planOf(rig);
  expect((await rig.once()).code).toBe(0);
  expect(billed(rig)).toBe(plan.estimated_characters);
  expect(rig.sandbox.counters().asked_twice).toEqual([]);
});

test('plan holds each job that a run would hold, also when only the jobs before it use up the budget', async () => {
  await using rig = await Rig.start({
    config: config('budget: { file: 12 }'),
    files: { 'locales/en/app.json': json({ a: 'Nine char' }) },
  });
  const plan = await planOf(rig);
  expect(plan.jobs.filter(({ would_hold }) => would_hold !== undefined)).toHaveLength(1);
  expect((await rig.run('plan')).stdout).toContain(
    '9 characters to be billed, 9 more when what is held is released',
  );
  expect(await rig.once()).toMatchObject({ code: 2, delivered: 1, billed_characters: 9 });
});

test('plan counts a text with the job that buys it, not with one that is held', async () => {
  await using rig = await Rig.start({
    config: config('budget: { file: 12 }').replace('[de, fr]', '[de]'),
    files: {
      'locales/en/a.json': json({ a: 'Shared text', b: 'Far too long for it' }),
      'locales/en/b.json': json({ a: 'Shared text' }),
    },
  });
  const plan = await planOf(rig);
  const bought = plan.jobs.filter(({ would_hold }) => would_hold === undefined);
  expect(bought).toMatchObject([{ estimated_characters: 'Shared text'.length }]);
  expect(await rig.once()).toMatchObject({ code: 2, billed_characters: 'Shared text'.length });
});

test('the books agree with the service to the character', async () => {
  await using rig = await Rig.start({ config: config(''), files: FILES });
  await rig.once();
  const usage = JSON.parse((await rig.run('usage', '--json')).stdout) as {
    billed_characters: number;
    by: { billed_characters: number }[];
    account: { character_count: number };
  };
  expect(usage.billed_characters).toBe(billed(rig));
  expect(usage.account.character_count).toBe(billed(rig));
  expect(usage.by.reduce((sum, line) => sum + line.billed_characters, 0)).toBe(billed(rig));
});

test('a run budget holds the jobs that would exceed it, bills no character more, and approve releases them', async () => {
  await using rig = await Rig.start({
    config: config('budget: { run: 20 }'),
    files: { 'locales/en/app.json': json({ a: 'Twelve chars' }) },
  });
  const run = await rig.once();
  expect(run).toMatchObject({ code: 2, delivered: 1, held: [{}] });
  expect(run.held[0]?.reason).toContain('budget');
  expect(billed(rig)).toBe(12);
  const approve = await rig.run('approve', '--all', '--yes', '--json');
  expect(approve.code).toBe(0);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(billed(rig)).toBe(24);
});

test('approve and retry release no job of a route that the config does not have: it is not bought when the route is back', async () => {
  await using rig = await Rig.start({
    config: config('budget: { run: 1 }'),
    files: { 'locales/en/app.json': json({ a: 'Twelve chars' }) },
  });
  expect(await rig.once()).toMatchObject({ code: 2, billed_characters: 0 });
  const whole = rig.read('dragoman.yaml');
  rig.write('dragoman.yaml', whole.replace('*.json" }', '*.json", exclude: ["**/app.json"] }'));
  for (const verb of ['approve', 'retry']) {
    const { code, stdout } = await rig.run(verb, '--all', '--yes');
    expect([code, stdout]).toEqual([0, `There is nothing to ${verb}.\n`]);
  }
  rig.write('dragoman.yaml', whole);
  expect(await rig.once()).toMatchObject({ code: 2, held: [{}, {}], billed_characters: 0 });
  expect((await rig.run('approve', '--all', '--yes')).code).toBe(0);
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 24 });
});

test('documents and recordings that a budget holds are not shown or released while the config does not ask for them', async () => {
  const routes = (more = '') => `
budget: { month: 1, voice_minutes: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "in/*.txt", to: "{locale}/{name}.txt" }${more}
`;
  const others = `
      - { from: "in/*.html", to: "{locale}/{name}.html", lane: document }
      - { from: "in/*.wav", to: { transcript: "{locale}/{name}.txt" } }`;
  await using rig = await Rig.start({
    config: routes(others),
    files: {
      'in/page.html': '<!doctype html><html><body><p>Some words.</p></body></html>\n',
      'in/talk.wav': silence(61),
    },
  });
  expect(await rig.once()).toMatchObject({ code: 2, held: [{}, {}] });
  const whole = rig.read('dragoman.yaml');
  rig.write('dragoman.yaml', whole.replace(others, ''));
  expect(JSON.parse((await rig.run('status', '--json')).stdout)).toMatchObject({
    jobs: { held: 0, queued: 0 },
    tasks: [],
  });
  for (const verb of ['approve', 'retry']) {
    const { code, stdout } = await rig.run(verb, '--all', '--yes');
    expect([code, stdout]).toEqual([0, `There is nothing to ${verb}.\n`]);
  }
  rig.write('dragoman.yaml', whole);
  expect(await rig.once()).toMatchObject({ code: 2, held: [{}, {}], billed_characters: 0 });
});

test('a month budget counts what earlier runs were billed', async () => {
  await using rig = await Rig.start({
    config: config('budget: { month: 30 }'),
    files: { 'locales/en/app.json': json({ a: 'Twelve chars' }) },
  });
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 24 });
  rig.write('locales/en/app.json', json({ a: 'Twelve chars', b: 'Ten chars.' }));
  expect(await rig.once()).toMatchObject({ code: 2, billed_characters: 0 });
  expect(billed(rig)).toBe(24);
});

test('a file above approve_over waits for approval, with its price', async () => {
  await using rig = await Rig.start({
    config: config(''),
    files: { 'docs/en/long.md': `# Title\n\n${'A sentence of some length. '.repeat(10)}\n` },
  });
  const plan = await planOf(rig);
  expect(plan.jobs.every(({ would_hold }) => would_hold?.includes('approve_over'))).toBe(true);
  expect(await rig.once()).toMatchObject({ code: 2, delivered: 0, billed_characters: 0 });
  const priced = await rig.run('approve', 'docs/en/long.md');
  expect(priced).toMatchObject({ code: 2 });
  expect(priced.stdout).toMatch(/characters/);
  expect((await rig.run('approve', 'docs/en/long.md', '--yes')).code).toBe(0);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
});

test('--frozen fails when something would have to be done, does nothing, and passes when all is done', async () => {
  await using rig = await Rig.start({ config: config(''), files: FILES });
  expect((await rig.run('once', '--frozen')).code).toBe(1);
  expect(requests(rig)).toBe(0);
  await rig.once();
  expect((await rig.run('once', '--frozen')).code).toBe(0);
});

test('--language and paths narrow a run to what they name', async () => {
  await using rig = await Rig.start({ config: config(''), files: FILES });
  expect(await rig.once('--language', 'de', 'locales')).toMatchObject({ delivered: 2 });
  expect(rig.exists('locales/de/app.json')).toBe(true);
  expect(rig.exists('locales/fr/app.json')).toBe(false);
  expect(rig.exists('text/de/note.txt')).toBe(false);
});

test('--max-characters holds what would bill more in this run', async () => {
  await using rig = await Rig.start({
    config: config(''),
    files: { 'locales/en/app.json': json({ a: 'Twelve chars' }) },
  });
  expect(await rig.once('--max-characters', '15')).toMatchObject({
    code: 2,
    billed_characters: 12,
  });
});

test('a bulk change is held as one item with its price, and approve releases it', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 6 }, (_, n) => [`locales/en/f${n}.json`, json({ a: `Text number ${n}` })]),
  );
  await using rig = await Rig.start({
    config: config('guard: { files: 5, characters: 100000 }'),
    files,
  });
  const run = await rig.once();
  expect(run).toMatchObject({
    code: 2,
    delivered: 0,
    billed_characters: 0,
    held: [{ source: '*' }],
  });
  expect(run.held[0]?.reason).toContain('6 files changed at once');
  expect((await rig.run('approve', '--all', '--yes')).code).toBe(0);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 12 });
});

test('a translation that is too long is held after one purchase: asking again would not make it shorter', async () => {
  await using rig = await Rig.start({
    config: `
defaults: { settle_ms: 0, checks: { length: hold } }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/*.json", keys: { max_length: { "nav.*": 8 } } }
`,
    files: { 'locales/en/app.json': json({ nav: { home: 'Homepage' }, other: 'Fine' }) },
  });
  const run = await rig.once();
  expect(run).toMatchObject({ code: 2, billed_characters: 'HomepageFine'.length, held: [{}] });
  expect(run.held[0]?.reason).toMatch(/nav\.home .*at most 8 fit/);
  expect(requests(rig, 'POST /v2/translate')).toBe(1);
});

test('usage shows what the account counts beyond the books, and why', async () => {
  await using rig = await Rig.start({ config: config(''), files: FILES });
  await rig.once();
  const own = billed(rig);
  await rig.run('translate', 'Good morning', '--to', 'de');
  const { stdout } = await rig.run('usage', '--json');
  const { comparison, period } = JSON.parse(stdout) as UsageSummary;
  expect(comparison).toMatchObject({ own_characters: own, difference: 'Good morning'.length });
  expect(comparison?.reasons.at(-1)).toMatchObject({
    reason: expect.stringContaining('dragoman translate'),
    characters: 'Good morning'.length,
  });
  expect(period.forecast).toBeGreaterThan(period.used);
  const shown = await rig.run('usage', '--language', 'de');
  expect(shown.stdout).toMatch(/^app +de +text/m);
  expect(shown.stdout).not.toMatch(/^app +fr/m);
  expect((await rig.run('usage', '--language', 'xx')).code).toBe(64);
});

test('a text that failed its checks again after retry waits for the next retry: no run buys it by itself', async () => {
  await using rig = await Rig.start({
    config: config(''),
    files: { 'locales/en/app.json': json({ hello: 'Hello, {name}!' }) },
    sandbox: { faults: [{ kind: 'damage', how: 'drop', times: 'always' }] },
  });
  expect(await rig.once()).toMatchObject({ code: 2 });
  const first = billed(rig);
  expect((await rig.run('retry', '--all', '--yes')).code).toBe(0);
  expect(await rig.once()).toMatchObject({ code: 2 });
  const second = billed(rig);
  expect(second).toBeGreaterThan(first);
  expect(await rig.once()).toMatchObject({ code: 2, requests: 0 });
  expect(billed(rig)).toBe(second);
});

test('texts that a target cannot take are held before anything is billed, as the plan said, and all others go on', async () => {
  await using rig = await Rig.start({
    config: config(''),
    files: {
      'locales/en/a.json': json({ menu: { open: 'Open it', close: 'Close it' }, other: 'Another' }),
      'locales/de/a.json': json({ menu: 'Menü' }),
    },
  });
  const plan = JSON.parse((await rig.run('plan', '--json', '--language', 'de')).stdout) as {
    jobs: readonly { texts?: { held: number; bought: number } }[];
    estimated_characters: number;
  };
  expect(plan.jobs).toMatchObject([{ texts: { held: 2, bought: 1 } }]);
  expect(plan.estimated_characters).toBe('Another'.length);
  const run = await rig.once('--language', 'de');
  expect(run).toMatchObject({ code: 2, billed_characters: 'Another'.length });
  expect(run.held[0]?.reason).toContain('where the source has a group');
  expect(JSON.parse(rig.read('locales/de/a.json'))).toEqual({
    menu: 'Menü',
    other: expect.any(String),
  });
});

test('texts that a target could not take are bought when a person has made room for them, as the plan says', async () => {
  await using rig = await Rig.start({
    config: config(''),
    files: {
      'locales/en/a.json': json({ menu: { open: 'Open it', close: 'Close it' }, other: 'Another' }),
      'locales/de/a.json': json({ menu: 'Menü' }),
    },
  });
  expect(await rig.once('--language', 'de')).toMatchObject({ code: 2 });
  expect(await rig.once('--language', 'de')).toMatchObject({ code: 2, requests: 0 });
  const { other } = rig.json('locales/de/a.json');
  rig.write('locales/de/a.json', json({ menu: { open: 'Öffnen' }, other }));
  const plan = JSON.parse((await rig.run('plan', '--json', '--language', 'de')).stdout);
  expect(plan.estimated_characters).toBe('Close it'.length);
  const run = await rig.once('--language', 'de');
  expect(run).toMatchObject({ code: 0, held: [], billed_characters: 'Close it'.length });
  expect(rig.json('locales/de/a.json')).toEqual({
    menu: { open: 'Öffnen', close: expect.any(String) },
    other,
  });
  expect(await rig.once('--language', 'de')).toMatchObject({ code: 0, requests: 0 });
});

test('a page that cannot be merged bills no more than its plan said', async () => {
  const page = (...lines: readonly string[]) => `${lines.join('\n\n')}\n`;
  const code = (info: string, line: string) => `\`\`\`${info}\n${line}\n\`\`\``;
  const last = code('ts', 'open("http");');
  await using rig = await Rig.start({
    config: config(''),
    files: {
      'docs/en/a.md': page(
        '# Title',
        'The first words.',
        '### Relative URLs',
        code('ts code={["a", "b"]}', 'go("/about", 1);'),
        '### Partial Override',
        'You can also provide.',
        code('ts code="a"', 'x();'),
        '### Absolute URLs',
        last,
      ),
      'docs/de/a.md': page(
        '# Titel',
        'Die ersten Worte.',
        '### Relative URLs',
        code('ts', 'go("/about", 1);'),
        code('ts', 'x();'),
        '### Absolute URLs',
        last,
      ),
    },
  });
  const plan = JSON.parse((await rig.run('plan', '--json', '--language', 'de')).stdout) as {
    estimated_characters: number;
  };
  expect(await rig.once('--language', 'de')).toMatchObject({
    billed_characters: plan.estimated_characters,
  });
});
