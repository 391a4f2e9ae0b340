/**
 * The law of upgrade. A user of 0.1.0 with an unchanged tree pays nothing, and finds every file, every paid fact and every open question as
 * before. `0.1.0/` was recorded by that version, with its answers to the questions that are asked here.
 */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CASES, projectsOf, type Words } from './answers.ts';
import { Installation } from './installation.ts';

const RECORDED = join(import.meta.dirname, '0.1.0');
const { words, said } = JSON.parse(readFileSync(join(RECORDED, 'answers.json'), 'utf8')) as {
  readonly words: Words;
  readonly said: Readonly<Record<string, unknown>>;
};

describe.concurrent('a folder that 0.1.0 left behind', () => {
  test.for(Object.entries(CASES))(
    '%s: the same as with 0.1.0',
    async ([name, { folder, date, ask }], { expect }) => {
      await using at = await Installation.open(join(RECORDED, folder), date);
      const answer: unknown = JSON.parse(JSON.stringify(await ask(at, words)));
      expect(answer).toEqual(asked(said[name]));
    },
  );
});

// New recordings of answers must not contain a purchase.
test.each(['a run', 'a run years later', 'the daemon'])(
  '%s on an unchanged tree buys nothing and writes nothing',
  (name) => expect(said[name]).toMatchObject({ bought: [], wrote: [] }),
);

test('purchases in flight are fetched and not sent again, except the text whose answer was lost and what a person approved', () => {
  const bought = [
    { operation: 'POST /v2/document', about: 'approved.txt' },
    { operation: 'POST /v2/translate', about: 'A text that was on its way' },
  ];
  expect(said['a run after a kill, on a service that knows what was sent']).toMatchObject({
    first: { bought, failed: [] },
    second: { bought: [], asked: [], wrote: [] },
  });
  expect(said['a run after a kill, on a service that forgot what was sent']).toMatchObject({
    bought,
    failed: [],
  });
});

/** A version may send fewer kinds of free requests than 0.1.0, and no others. */
function asked(recorded: unknown): unknown {
  if (typeof recorded !== 'object' || recorded === null || Array.isArray(recorded)) return recorded;
  return Object.fromEntries(
    Object.entries(recorded).map(([name, value]) => {
      if (name === 'projects') return [name, projectsOf(value as readonly object[])];
      if (name !== 'asked') return [name, asked(value)];
      const known = new Set(value as readonly string[]);
      // A run that asks the service anything tells of limits that are near; one with nothing to do stays silent.
      if (known.size > 0) known.add('GET /v2/usage');
      const isKnown = (kinds: readonly string[]) => kinds.every((kind) => known.has(kind));
      return [name, expect.toSatisfy(isKnown, `of ${[...known].join(', ')}`)];
    }),
  );
}

test('texts that 0.1.0 did not find are listed with their price, and bought when a person approves', async () => {
  await using at = await Installation.open(join(RECORDED, 'settled'), '2026-08-21T09:00:00Z');
  const planned = async () => {
    const { new_texts } = JSON.parse((await at.run('plan', '--json')).stdout) as Planned;
    return new_texts.map(({ source, language, texts, price_characters }) =>
      [source, language, texts, price_characters].join(' '),
    );
  };
  expect(await planned()).toEqual([
    'en/page.md de 1 22',
    'en/page.md pl 1 22',
    'en/page.mdx de 1 10',
    'en/page.mdx pl 1 10',
  ]);
  expect(at.gateway.seen.filter(({ operation }) => operation === 'POST /v2/translate')).toEqual([]);
  await at.run('approve', 'app/en/page.md', '--yes');
  const { stdout } = await at.run('once', '--json', 'app/en/page.md');
  expect(JSON.parse(stdout)).toMatchObject({ delivered: 2, billed_characters: 44 });
  expect(at.rig.read('app/de/page.md')).toMatch(/^\[ref\]: https:\/\/example\.com\/ref "\[de /m);
  expect(await planned()).toEqual(['en/page.mdx de 1 10', 'en/page.mdx pl 1 10']);
});

test('messages whose tags have apostrophes stay unchanged, and are bought when a person approves', async () => {
  const folder = join(import.meta.dirname, 'quoted-tags');
  await using at = await Installation.open(folder, '2026-11-28T09:00:00Z');
  const files = ['l/de/a.json', 'l/de/b.arb'];
  const targets = () => files.map((path) => (at.rig.exists(path) ? at.rig.read(path) : ''));
  const bought = () =>
    at.gateway.seen.filter(({ operation }) => operation === 'POST /v2/translate').length;
  const left = targets();
  const once = async () => JSON.parse((await at.run('once', '--json')).stdout) as unknown;
  expect(await once()).toMatchObject({ delivered: 0, billed_characters: 0, failed: [] });
  expect({ bought: bought(), targets: targets() }).toEqual({ bought: 0, targets: left });
  const planned = async () =>
    (JSON.parse((await at.run('plan', '--json')).stdout) as Planned).new_texts;
  const characters = '1 file'.length + '2 files'.length;
  expect(await planned()).toEqual([
    expect.objectContaining({ source: 'l/en/a.json', texts: 1, price_characters: characters }),
  ]);
  at.rig.write('l/en/a.json', at.rig.read('l/en/a.json').replace('Hello there', 'Hello'));
  expect(await once()).toMatchObject({ delivered: 1, billed_characters: 'Hello'.length });
  await at.run('approve', 'l/en/a.json', '--yes');
  expect(await once()).toMatchObject({ delivered: 1, billed_characters: characters });
  expect(at.rig.json('l/de/a.json')['files']).toMatch(/one \{<b class='y'>\[de # .*<\/b>\} other/);
  await at.run('retry', 'l/de/b.arb', '--yes');
  expect(await once()).toMatchObject({ delivered: 1, held: [], failed: [] });
  expect(at.rig.json('l/de/b.arb')['link']).toMatch(/^<a href='x'>\[de /);
});

interface Planned {
  readonly new_texts: readonly {
    readonly source: string;
    readonly language: string;
    readonly texts: number;
    readonly price_characters: number;
  }[];
}

test('pages of Docusaurus whose statements were read as words stay unchanged; later their statements follow the source', async () => {
  await using at = await Installation.open(
    join(import.meta.dirname, 'mdx-pages'),
    '2026-11-29T09:00:00Z',
  );
  const pages = ['adopted', 'bought'] as const;
  const targets = () => pages.map((name) => at.rig.read(`d/de/${name}.md`));
  const left = targets();
  const once = async () => JSON.parse((await at.run('once', '--json')).stdout) as unknown;
  expect(await once()).toMatchObject({ delivered: 0, billed_characters: 0, failed: [] });
  expect(targets()).toEqual(left);
  for (const name of pages) {
    const source = at.rig.read(`d/en/${name}.md`);
    at.rig.write(
      `d/en/${name}.md`,
      source
        .replace("TabItem';", "TabItem';\nimport More from './more';")
        .replace('an apple', 'one'),
    );
  }
  expect(await once()).toMatchObject({ delivered: 2, billed_characters: 'This is one.'.length });
  const statements = `${[
    "Tabs from '@theme/Tabs'",
    "TabItem from '@theme/TabItem'",
    "More from './more'",
  ]
    .map((each) => `import ${each};`)
    .join('\n')}\n\n#`;
  for (const page of targets()) expect(page.slice(0, statements.length)).toBe(statements);
  expect(at.rig.read('d/de/adopted.md')).toContain('label="Apfel"');
});

test('pages of MkDocs whose boxes were read as code stay unchanged; their texts wait for approval, or are those of a person', async () => {
  await using at = await Installation.open(
    join(import.meta.dirname, 'mkdocs-pages'),
    '2026-11-30T09:00:00Z',
  );
  const pages = ['adopted', 'bought'] as const;
  const targets = () => pages.map((name) => at.rig.read(`docs/de/${name}.md`));
  const left = targets();
  const json = async (...args: readonly string[]) => {
    return JSON.parse((await at.run(...args, '--json')).stdout) as Record<string, unknown>;
  };
  const price = 'Folded words.an item'.length;
  expect(await json('once')).toMatchObject({ delivered: 0, billed_characters: 0, failed: [] });
  expect(targets()).toEqual(left);
  expect(await json('plan')).toMatchObject({
    new_texts: [{ source: 'docs/en/bought.md', texts: 2, price_characters: price }],
  });
  await at.run('approve', 'docs/en/bought.md', '--yes');
  expect(await json('once')).toMatchObject({ delivered: 1, billed_characters: price });
  expect(targets()[0]).toBe(left[0]);
  expect(targets()[1]).toMatch(/^ {4}\[de .*\n\n {4}- \[de /m);

  const source = at.rig.read('docs/en/adopted.md');
  at.rig.write('docs/en/adopted.md', source.replace('this first', 'that first'));
  const changed = 'Read that first.'.length;
  expect(await json('once')).toMatchObject({ delivered: 1, billed_characters: changed });
  expect(targets()[0]).toContain('    Nimm die Paketverwaltung.');
});

const CONTAINERS = ['adopted', 'bought'] as const;

/** @param hasState false: a fresh checkout, which has only the lock */
async function openPages(name: string, hasState: boolean): Promise<Installation> {
  const folder = join(import.meta.dirname, name);
  const at = await Installation.open(folder, '2026-11-30T09:00:00Z');
  if (!hasState) await rm(join(at.rig.root, '.dragoman'), { recursive: true });
  return at;
}

test.each([
  ['container-pages', 'with its state folder', true],
  ['container-pages', 'in a fresh checkout', false],
  ['direct-content-pages', 'with its state folder', true],
  ['direct-content-pages', 'in a fresh checkout', false],
  ['slash-block-pages', 'with its state folder', true],
  ['slash-block-pages', 'in a fresh checkout', false],
] as const)(
  '%s, whose boxes were read as one text, stay unchanged %s',
  async (name, _, hasState) => {
    await using at = await openPages(name, hasState);
    const targets = () => CONTAINERS.map((name) => at.rig.read(`docs/de/${name}.md`));
    const left = targets();
    expect((await at.run('once', '--frozen')).code).toBe(0);
    const once = JSON.parse((await at.run('once', '--json')).stdout) as unknown;
    expect(once).toMatchObject({ delivered: 0, billed_characters: 0, held: [], failed: [] });
    expect(targets()).toEqual(left);
    expect((await at.run('once', '--frozen')).code).toBe(0);
  },
);

test('later, only the texts of such boxes that change are bought, and titles of people stay', async () => {
  await using at = await openPages('container-pages', true);
  const changes = [
    ['Read this tip', 'Read that tip'],
    ['Do it now', 'Do it soon'],
    ['Show the', 'Show a'],
    ['Read the box', 'Read a box'],
  ] as const;
  const titles = (page: string) => page.match(/^ *:::.*$|^!!!.*$|^> .*$/gm);
  const before = titles(at.rig.read('docs/de/adopted.md'));
  for (const name of CONTAINERS) {
    const path = `docs/en/${name}.md`;
    const page = changes.reduce((text, [old, now]) => text.replace(old, now), at.rig.read(path));
    at.rig.write(path, page);
  }
  const price = 'Read that tip carefully.Do it soon.Show a summaryRead a box.'.length;
  const once = JSON.parse((await at.run('once', '--json')).stdout) as unknown;
  expect(once).toMatchObject({ delivered: 2, billed_characters: price });
  const now = at.rig.read('docs/de/adopted.md');
  const summary = before?.findIndex((line) => line.includes('details')) ?? -1;
  expect(titles(now)).toEqual(
    before?.with(summary, expect.stringMatching(/^:{4} details \[de .* \{open\}$/)),
  );
  for (const words of ['Lies diesen', 'Tu es', 'Lies den']) expect(now).not.toContain(words);
});

test('later, only the items below the title of a box that change are bought, and a list stays a list', async () => {
  await using at = await openPages('direct-content-pages', true);
  const changes = [
    ['The first of them', 'The very first of them'],
    ['Do that later', 'Do that soon'],
    ['A word  ', 'Words   '],
    ['Words below it', 'Words under it'],
  ] as const;
  const before = at.rig.read('docs/de/adopted.md');
  const path = 'docs/en/adopted.md';
  const source = changes.reduce((text, [old, now]) => text.replace(old, now), at.rig.read(path));
  at.rig.write(path, source);
  const price = 'The very first of them.Do that soon.WordsWords under it'.length;
  const once = JSON.parse((await at.run('once', '--json')).stdout) as unknown;
  expect(once).toMatchObject({ delivered: 1, billed_characters: price });
  const lines = at.rig.read('docs/de/adopted.md').split('\n');
  const bought = ['Das erste davon', 'Tu das später', 'Ein Wort', 'Worte darunter'];
  expect(lines).toEqual(
    before.split('\n').map((line) => {
      const isBought = bought.some((words) => line.includes(words));
      const [mark = ''] = /^ *(?:- |\d\. |\| eins \| )?/.exec(line) ?? [];
      return isBought
        ? expect.stringMatching(new RegExp(`^${mark.replace(/[.|]/g, '\\$&')}.*de `))
        : line;
    }),
  );
});

test('lists below titles of boxes that were bought as one line become lists again when their page changes', async () => {
  await using at = await openPages('direct-content-pages', true);
  const path = 'docs/en/bought.md';
  const source = at.rig.read(path).replace('The first of them', 'The very first of them');
  at.rig.write(path, source);
  const once = JSON.parse((await at.run('once', '--json')).stdout) as unknown;
  expect(once).toMatchObject({ delivered: 1, held: [], failed: [] });
  const signs = (page: string) => page.split('\n').map((line) => /^[-\s!?=#|\d.]*/.exec(line)?.[0]);
  const plain = (page: string) => page.replace(/^\|.*\|$/gm, (row) => row.replace(/[^|\n]+/g, ' '));
  expect(signs(plain(at.rig.read('docs/de/bought.md')))).toEqual(
    signs(plain(source).replace('    Read these words,\n', '')),
  );
});

test.each([true, false])(
  'blocks with slashes and includes that were read as words follow the source as lines later; state folder: %s',
  async (hasState) => {
    await using at = await openPages('slash-block-pages', hasState);
    const once = async () => JSON.parse((await at.run('once', '--json')).stdout) as unknown;
    if (!hasState) await once();
    const before = at.rig.read('docs/de/adopted.md');
    const changes = [
      ['This is the tip', 'This is a tip'],
      ['Technical words', 'Technical details'],
      ['hl[9:12]', 'hl[9:13]'],
    ] as const;
    const path = 'docs/en/adopted.md';
    at.rig.write(
      path,
      changes.reduce((text, [old, now]) => text.replace(old, now), at.rig.read(path)),
    );
    const price = 'This is a tip for you.Technical details'.length;
    expect(await once()).toMatchObject({ delivered: 1, billed_characters: price, failed: [] });
    const lines = at.rig.read('docs/de/adopted.md').replace(/\[de .*$/gm, '[de');
    expect(lines).toBe(
      before
        .replace('Das ist der Tipp für Sie.', '[de')
        .replace('Technische Worte', '[de')
        .replace('hl[9:12]', 'hl[9:13]'),
    );
  },
);

test('a page whose blocks and includes were bought as words gets their lines back when it changes', async () => {
  await using at = await openPages('slash-block-pages', true);
  const path = 'docs/en/bought.md';
  const source = at.rig.read(path).replace('This is the tip', 'This is a tip');
  at.rig.write(path, source);
  const once = JSON.parse((await at.run('once', '--json')).stdout) as unknown;
  expect(once).toMatchObject({ delivered: 1, held: [], failed: [] });
  const signs = (page: string) =>
    page.split('\n').map((line) => /^ *(?:\/{3,}[^[|]*|\{\*.*|\* |)/.exec(line)?.[0]);
  expect(signs(at.rig.read('docs/de/bought.md'))).toEqual(
    signs(source.replace('Hidden words,\n', '')),
  );
});
