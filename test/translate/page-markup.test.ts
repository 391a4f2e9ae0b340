/** Destinations, attributes and code inside the sentences that a person translated: they are frame, as the lines between the sentences are. */
import { describe, expect, test } from 'vitest';
import type { PersonsInstructions } from '../../src/translate/text-case.ts';
import { TextJobs } from '../text-jobs.ts';

const ROUTE = '{ from: "docs/{locale}/*.{md,mdx,html,txt}", lane: text }';

interface Page {
  readonly name: string;
  readonly en: string;
  readonly de: string;
}

async function adopted({ name, en, de }: Page) {
  const jobs = await TextJobs.of(ROUTE, { [`docs/en/${name}`]: en, [`docs/de/${name}`]: de });
  const run = (word: PersonsInstructions = {}) => jobs.run(`docs/en/${name}`, 'de', word);
  expect(await run()).toMatchObject({ bought: [], isWritten: false, state: { kind: 'done' } });
  const change = async (now: string) => {
    await jobs.write(`docs/en/${name}`, now);
    return await run();
  };
  return { jobs, run, change, target: () => jobs.read(`docs/de/${name}`) };
}

const SENTENCES: readonly (Page & { readonly now: string; readonly after: string })[] = [
  {
    name: 'a.md',
    en: 'See [the guide](/guide/) and ![a picture](/a.png) here.\n',
    de: 'Siehe ![ein Bild](/de/a.png) und [den Leitfaden](/guide/) hier.\n',
    now: 'See [the guide](/guide-new/) and ![a picture](/a.png) here.\n',
    after: 'Siehe ![ein Bild](/de/a.png) und [den Leitfaden](/guide-new/) hier.\n',
  },
  {
    name: 'a.md',
    en: 'Use `--flag` and `npm run x`.\n',
    de: 'Nutze `npm run x` mit `--flag`.\n',
    now: 'Use `--flags` and `npm run x`.\n',
    after: 'Nutze `npm run x` mit `--flags`.\n',
  },
  {
    name: 'a.mdx',
    en: 'Look at <a href="/z" title="Zed">zed</a> too.\n',
    de: 'Schau auch <a title="Zett" href="/z">Zett</a> an.\n',
    now: 'Look at <a href="/zz" title="Zed" rel="next">zed</a> too.\n',
    after: 'Schau auch <a title="Zett" href="/zz" rel="next">Zett</a> an.\n',
  },
  {
    name: 'a.html',
    en: '<p>Look at <a href="/z" title="Zed">zed</a> too.</p>\n',
    de: '<p>Schau auch <a href="/z" title="Zett">Zett</a> an.</p>\n',
    now: '<p>Look at <a href="/zz" title="Zed">zed</a> too.</p>\n',
    after: '<p>Schau auch <a href="/zz" title="Zett">Zett</a> an.</p>\n',
  },
];

test.each(SENTENCES)(
  'when only the markup of a sentence changes, the person’s words get it, and nothing is bought: $en',
  async ({ now, after, ...page }) => {
    const { change, run, target } = await adopted(page);
    expect(await change(now)).toMatchObject({ bought: [], state: { kind: 'done' } });
    expect(await target()).toBe(after);
    expect(await run()).toMatchObject({ bought: [], isWritten: false, state: { kind: 'done' } });
  },
);

test('a sentence that a person edited gets new markup of its source without a conflict', async () => {
  const page = { name: 'a.md', en: 'See [it](/a/).\n', de: 'Sieh [es](/a/) an.\n' };
  const { change, jobs, run, target } = await adopted(page);
  await jobs.write('docs/de/a.md', 'Sieh [das](/a/) an.\n');
  await run();
  expect(await change('See [it](/b/).\n')).toMatchObject({ bought: [], state: { kind: 'done' } });
  expect(await target()).toBe('Sieh [das](/b/) an.\n');
});

const ANCHORS: readonly (readonly [en: string, de: string, now: string, kept: string])[] = [
  ['## Plain', '## Schlicht {#schlicht}', '## Plain one', ' {#schlicht}'],
  ['## Plain', '## Schlicht { #schlicht .wide }', '## Plain one', ' { #schlicht .wide }'],
  ['## Plain', '## Schlicht {: #schlicht}', '## Plain one', ' {: #schlicht}'],
  ['## Plain', '## Schlicht {#schlicht} ##', '## Plain one', ' {#schlicht} ##'],
  ['## Use it {#use-it}', '## Nutze es {#nutze-es}', '## Use this {#use-it}', ' {#nutze-es}'],
  [
    '## Use it {: #use-it}',
    '## Nutze es {: #nutze-es}',
    '## Use this {: #use-it}',
    ' {: #nutze-es}',
  ],
  [
    '## Use it { #use-it }',
    '## Nutze es { #nutze-es }',
    '## Use this { #use-it }',
    ' { #nutze-es }',
  ],
  [
    '## Use it {#use-it}',
    '## Nutze es {#es .wide}',
    '## Use this {#use-it .new}',
    ' {#es .new .wide}',
  ],
  [
    'Use it {#use-it}\n---',
    'Nutze es {#nutze-es}\n---',
    'Use this {#use-it}\n---',
    ' {#nutze-es}\n---',
  ],
  ['## [Use it](/a) {#a}', '## [Nutze es](/b) {#b}', '## [Use this](/a) {#a}', '](/b) {#b}'],
  ['- Use it {.lead}', '- Nutze es {.vorn}', '- Use this {.lead}', ' {.vorn}'],
];

test.each(ANCHORS)(
  'the anchor that a person gave %j stays when its words are bought again: %j',
  async (en, de, now, kept) => {
    const page = (text: string) => `# Head\n\n${text}\n\nLast words.\n`;
    const files = { name: 'a.md', en: page(en), de: page(de) };
    const { change, run, target } = await adopted(files);
    expect((await change(page(now))).bought).toHaveLength(1);
    const written = await target();
    const [, heading = ''] = written.split('\n\n');
    expect(heading.endsWith(kept)).toBe(true);
    expect(heading).toMatch(/ä/);
    expect(written.replace(heading, de)).toBe(files.de);
    expect(await run()).toMatchObject({ bought: [], isWritten: false, state: { kind: 'done' } });
  },
);

const CONTESTED: readonly (Page & { readonly now: string; readonly after: string })[] = [
  {
    name: 'a.md',
    en: 'See [the guide](/en/guide/) here.\n',
    de: 'Siehe [den Leitfaden](/de/leitfaden/) hier.\n',
    now: 'See [the guide](/en/guide-new/) here.\n',
    after: 'Siehe [den Leitfaden](/en/guide-new/) hier.\n',
  },
  {
    name: 'a.md',
    en: 'Use `--flag` and `npm run x` here.\n',
    de: 'Nutze hier `npm run x` und `--flagge`.\n',
    now: 'Use `--flags` and `npm run x` here.\n',
    after: 'Nutze hier `npm run x` und `--flags`.\n',
  },
  {
    name: 'a.html',
    en: '<p>Go <a href="/" title="Home title">home</a> now.</p>\n',
    de: '<p>Geh <a href="/" title="Start-Titel">heim</a>.</p>\n',
    now: '<p>Go <a href="/" title="Home heading">home</a> now.</p>\n',
    after: '<p>Geh <a href="/" title="Home heading">heim</a>.</p>\n',
  },
  {
    name: 'a.md',
    en: '## Use it here {#use-it}\n',
    de: '## Nutze es hier {#nutze-es}\n',
    now: '## Use it here {#use-this}\n',
    after: '## Nutze es hier {#use-this}\n',
  },
  {
    name: 'a.md',
    en: '## Use it here {#use-it .wide}\n',
    de: '## Nutze es hier {#nutze-es .wide}\n',
    now: '## Use it here {#use-this .wide}\n',
    after: '## Nutze es hier {#use-this .wide}\n',
  },
];

describe('a value that a person and the source both changed is a conflict', () => {
  test.each(CONTESTED)(
    'with both versions, and nothing is bought: $en',
    async ({ now, after, ...page }) => {
      for (const choice of ['human', 'machine'] as const) {
        const { change, run, target } = await adopted(page);
        const { bought, state, isWritten } = await change(now);
        expect({ bought, isWritten }).toEqual({ bought: [], isWritten: false });
        expect(state).toMatchObject({ kind: 'held', hold: { kind: 'conflict' } });
        expect((await run()).state).toEqual(state);
        const [key = ''] =
          state.kind === 'held' && state.hold.kind === 'conflict' ? state.hold.keys : [];
        const word = { choices: new Map([[key, choice]]) };
        expect(await run(word)).toMatchObject({ bought: [], state: { kind: 'done' } });
        expect(await target()).toBe(choice === 'human' ? page.de : after);
        expect(await run()).toMatchObject({
          bought: [],
          isWritten: false,
          state: { kind: 'done' },
        });
      }
    },
  );

  test('that ends when the person edits the sentence', async () => {
    const [page = { name: '', en: '', de: '', now: '' }] = CONTESTED;
    const { change, jobs, run, target } = await adopted(page);
    await change(page.now);
    const edited = page.de.replace('leitfaden', 'neuer-leitfaden');
    await jobs.write(`docs/de/${page.name}`, edited);
    expect(await run()).toMatchObject({ bought: [], isWritten: false, state: { kind: 'done' } });
    expect(await target()).toBe(edited);
  });

  test('also where its words changed with it: the machine’s version is bought and shown, and the page stays', async () => {
    for (const { now, ...page } of CONTESTED) {
      const { change, run, target } = await adopted(page);
      const { bought, state } = await change(now.replace(/here|now/, 'at last'));
      expect(bought).toHaveLength(1);
      expect(state).toMatchObject({ kind: 'held', hold: { kind: 'conflict' } });
      expect(await target()).toBe(page.de);
      expect(await run()).toMatchObject({ bought: [], isWritten: false, state });
    }
  });

  test('also in a sentence that was bought and kept the person’s value', async () => {
    const [page = { name: '', en: '', de: '', now: '' }] = CONTESTED;
    const { change, target } = await adopted(page);
    expect((await change(page.en.replace('here', 'there'))).bought).toHaveLength(1);
    const kept = await target();
    expect(kept).toContain('(/de/leitfaden/)');
    expect((await change(page.now.replace('here', 'there'))).state.kind).toBe('held');
    expect(await target()).toBe(kept);
  });
});

test('an anchor that the source gets where a person gave another one is a conflict', async () => {
  const page = { name: 'a.md', en: '## Use it\n', de: '## Nutze es {#nutze-es}\n' };
  const { change, run, target } = await adopted(page);
  expect((await change('## Use it {#use-it}\n')).state).toMatchObject({
    kind: 'held',
    hold: { kind: 'conflict' },
  });
  expect(await target()).toBe(page.de);
  expect((await run()).isWritten).toBe(false);
});

test('characters that look like markup in plain text are words', async () => {
  const page = { name: 'a.txt', en: 'Use `x` at [a](/b).\n', de: 'Nutze `x` bei [a](/b).\n' };
  const { change } = await adopted(page);
  expect((await change('Use `y` at [a](/c).\n')).bought).toHaveLength(1);
});
