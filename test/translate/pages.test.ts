/** Running text (Markdown, MDX, HTML, plain text, TTML): a three-way merge of the texts and of everything between them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PersonsInstructions } from '../../src/translate/text-case.ts';
import { TextJobs } from '../text-jobs.ts';

const ROUTE = '{ from: "docs/{locale}/**/*.{md,mdx,html,txt,ttml}", lane: text }';

const EN = `# Getting started

Install the package with npm, then start the server.

\`\`\`js
// start here
run();
\`\`\`

## Options

The server reads its settings from [a file][x] that stands in your home folder.

Ask in the [forum](https://forum.example/en/) when it does not start.

[x]: /en/x/
`;

const DE = `# Erste Schritte

Installieren Sie das Paket mit npm, dann starten Sie den Server.

\`\`\`js
// hier beginnen
run();
\`\`\`

## Optionen

Der Server liest seine Einstellungen aus [einer Datei][x], die in Ihrem Heimordner liegt.

Fragen Sie im [Forum](https://forum.example/de/), wenn er nicht startet.

[x]: /de/x/
`;

async function pages(en: string, de?: string): Promise<TextJobs> {
  return await TextJobs.of(ROUTE, {
    'docs/en/a.md': en,
    ...(de === undefined ? {} : { 'docs/de/a.md': de }),
  });
}

const run = (jobs: TextJobs, word: PersonsInstructions = {}) =>
  jobs.run('docs/en/a.md', 'de', word);
const target = (jobs: TextJobs) => jobs.read('docs/de/a.md');

describe('a page that a person translated', () => {
  test('is adopted whole, and nothing is bought', async () => {
    const jobs = await pages(EN, DE);
    expect(await run(jobs)).toMatchObject({
      bought: [],
      isWritten: false,
      state: { kind: 'done' },
    });
    expect(await run(jobs)).toMatchObject({
      bought: [],
      isWritten: false,
      state: { kind: 'done' },
    });
  });

  test('gets a paragraph that its source got, with its code, and keeps all else', async () => {
    const added =
      'Restart the server after every change of its settings, since it reads them only once.\n\n```sh\nnpm restart\n```\n\n';
    const jobs = await pages(EN, DE);
    await run(jobs);
    await jobs.write('docs/en/a.md', EN.replace('## Options', `${added}## Options`));
    const { bought } = await run(jobs);
    expect(bought).toHaveLength(1);
    const after = await target(jobs);
    expect(after).toMatch(/Restartä .*\n\n```sh\nnpm restart\n```\n\n## Optionen/);
    expect(after.replace(/Restartä[\s\S]*restart\n```\n\n/, '')).toBe(DE);
  });

  test('that lacks a paragraph at first contact gets it, and no other is touched', async () => {
    const lacking = DE.replace(/Der Server liest.*\n\n/, '');
    const jobs = await pages(EN, lacking);
    const { bought, state } = await run(jobs);
    expect(bought).toEqual([expect.stringContaining('The server reads its settings')]);
    expect(state.kind).toBe('done');
    expect((await target(jobs)).replace(/Theä .*\n\n/, '')).toBe(lacking);
  });

  test('keeps line ends and byte order mark, also in what is bought', async () => {
    const windows = `\ufeff${DE.replaceAll('\n', '\r\n')}`;
    const jobs = await pages(EN, windows);
    expect(await run(jobs)).toMatchObject({ isWritten: false });
    await jobs.write('docs/en/a.md', EN.replace('## Options', 'A new paragraph.\n\n## Options'));
    expect((await run(jobs)).bought).toEqual(['A new paragraph.']);
    const after = await target(jobs);
    expect(after.replace(/Aä newä.*\r\n\r\n/, '')).toBe(windows);
  });

  test('whose paragraphs cannot be paired is held at those alone, with their lines', async () => {
    const en = EN.replace(
      'Ask in',
      'The server writes its protocol to another file, in the same folder.\n\nAsk in',
    );
    const jobs = await pages(en, DE);
    const { bought, state, isWritten } = await run(jobs);
    expect({ bought, isWritten }).toEqual({ bought: [], isWritten: false });
    expect(state).toMatchObject({ kind: 'held', hold: { kind: 'damaged-segments' } });
    expect(JSON.stringify(state)).toMatch(/lines 12, 14 of the source, line 12 of the target/);
    await jobs.write(
      'docs/de/a.md',
      DE.replace('Fragen', 'Der Server schreibt sein Protokoll.\n\nFragen'),
    );
    expect(await run(jobs)).toMatchObject({
      bought: [],
      isWritten: false,
      state: { kind: 'done' },
    });
  });
});

test('a paragraph that is bought again keeps the link destination that a person gave it', async () => {
  const jobs = await pages(EN, DE);
  await run(jobs);
  await jobs.write('docs/en/a.md', EN.replace('when it does not start', 'when it stops'));
  expect((await run(jobs)).bought).toHaveLength(1);
  expect(await target(jobs)).toContain('[forumä](https://forum.example/de/)');
  expect(await run(jobs)).toMatchObject({ bought: [], isWritten: false, state: { kind: 'done' } });
});

describe('a delivered page', () => {
  test('follows its source in all lines that nobody touched', async () => {
    const jobs = await pages(EN);
    await run(jobs);
    const before = await target(jobs);
    await jobs.write('docs/en/a.md', EN.replace('run();', 'run(1);').replace('/en/x/', '/en/y/'));
    expect(await run(jobs)).toMatchObject({ bought: [], state: { kind: 'done' } });
    expect(await target(jobs)).toBe(
      before.replace('run();', 'run(1);').replace('/en/x/', '/en/y/'),
    );
  });

  test('keeps what a person changed between the texts, while the source changes elsewhere', async () => {
    const jobs = await pages(EN);
    await run(jobs);
    const edited = (await target(jobs))
      .replace('// start here', '// hier')
      .replace('/en/x/', '/de/x/');
    await jobs.write('docs/de/a.md', edited);
    expect(await run(jobs)).toMatchObject({ bought: [], isWritten: false });
    await jobs.write('docs/en/a.md', EN.replace('# Getting started', '# First steps'));
    expect((await run(jobs)).bought).toEqual(['First steps']);
    expect(await target(jobs)).toBe(edited.replace('Gettingä startedä', 'Firstä stepsä'));
  });

  test('is a conflict with both versions where a person and the source changed one line', async () => {
    const jobs = await pages(EN);
    await run(jobs);
    const edited = (await target(jobs)).replace('// start here', '// hier');
    await jobs.write('docs/de/a.md', edited);
    await run(jobs);
    await jobs.write('docs/en/a.md', EN.replace('// start here', '// begin here'));
    const { state, isWritten } = await run(jobs);
    expect({ state, isWritten }).toMatchObject({
      state: { kind: 'held', hold: { kind: 'conflict' } },
      isWritten: false,
    });
    expect((await run(jobs)).state).toEqual(state);
    const key =
      state.kind === 'held' && state.hold.kind === 'conflict' ? (state.hold.keys[0] ?? '') : '';
    const choices = new Map([[key, 'machine' as const]]);
    expect(await run(jobs, { choices })).toMatchObject({ state: { kind: 'done' } });
    expect(await target(jobs)).toBe(edited.replace('// hier', '// begin here'));
  });

  test('a conflict between the texts ends when a person edits the line again, or chooses it', async () => {
    for (const way of ['edit', 'choose']) {
      const jobs = await pages(EN);
      await run(jobs);
      const edited = (await target(jobs)).replace('// start here', '// hier');
      await jobs.write('docs/de/a.md', edited);
      await jobs.write('docs/en/a.md', EN.replace('// start here', '// begin here'));
      const { state } = await run(jobs);
      const key =
        state.kind === 'held' && state.hold.kind === 'conflict' ? (state.hold.keys[0] ?? '') : '';
      const last = way === 'edit' ? edited.replace('// hier', '// hier beginnen') : edited;
      await jobs.write('docs/de/a.md', last);
      const word = way === 'edit' ? {} : { choices: new Map([[key, 'human' as const]]) };
      expect((await run(jobs, word)).state.kind).toBe('done');
      expect((await run(jobs)).state.kind).toBe('done');
      expect(await target(jobs)).toBe(last);
    }
  });

  test('a paragraph that a person took out is not bought and not restored until its source changes', async () => {
    const jobs = await pages(EN);
    await run(jobs);
    const without = (await target(jobs)).replace(/Theä .*\n\n/, '');
    await jobs.write('docs/de/a.md', without);
    for (const _again of [1, 2]) {
      expect(await run(jobs)).toMatchObject({
        bought: [],
        isWritten: false,
        state: { kind: 'done' },
      });
    }
    await jobs.write('docs/en/a.md', EN.replace('## Options', '## Settings'));
    expect((await run(jobs)).bought).toEqual(['Settings']);
    expect(await target(jobs)).toBe(without.replace('Optionsä', 'Settingsä'));
    await jobs.write(
      'docs/en/a.md',
      EN.replace('## Options', '## Settings').replace('home folder', 'own folder'),
    );
    expect((await run(jobs)).bought).toHaveLength(1);
    expect(await target(jobs)).toMatch(/Settingsä\n\nTheä .*\n\nAskä/);
  });

  test('a paragraph that a person put in stays, also where the source gets one', async () => {
    const jobs = await pages(EN);
    await run(jobs);
    const edited = (await target(jobs)).replace('## ', 'Übersetzt von Jana.\n\n## ');
    await jobs.write('docs/de/a.md', edited);
    expect(await run(jobs)).toMatchObject({
      bought: [],
      isWritten: false,
      state: { kind: 'done' },
    });
    await jobs.write('docs/en/a.md', EN.replace('## Options', 'Then look around.\n\n## Options'));
    expect((await run(jobs)).bought).toEqual(['Then look around.']);
    expect(await target(jobs)).toBe(
      edited.replace('Jana.\n\n', 'Jana.\n\nThenä lookä aroundä.\n\n'),
    );
  });

  test('a paragraph that left its source leaves the target, beside what a person wrote', async () => {
    const jobs = await pages(EN);
    await run(jobs);
    await jobs.write('docs/de/a.md', (await target(jobs)).replace('// start here', '// hier'));
    await jobs.write('docs/en/a.md', EN.replace(/Ask in .*\n\n/, ''));
    expect(await run(jobs)).toMatchObject({ bought: [], isWritten: true });
    const after = await target(jobs);
    expect(after).toContain('// hier');
    expect(after).not.toContain('Askä');
  });

  test('a pair that a colleague changed on both sides is taken as it is', async () => {
    const jobs = await pages(EN, DE);
    await run(jobs);
    await jobs.write(
      'docs/en/a.md',
      EN.replace('## Options', 'Have a look at the tour, too.\n\n## Options'),
    );
    const theirs = DE.replace('## Optionen', 'Sehen Sie sich auch die Tour an.\n\n## Optionen');
    await jobs.write('docs/de/a.md', theirs);
    expect(await run(jobs)).toMatchObject({
      bought: [],
      isWritten: false,
      state: { kind: 'done' },
    });
  });
});

describe('texts that earlier settings left alone', () => {
  const route = (setting: string) => `{ from: "docs/{locale}/**/*.mdx", lane: text, ${setting} }`;
  const CARD = '<Card title="A title" note="A note">\n\nHello there.\n\n</Card>\n';

  async function delivered(): Promise<TextJobs> {
    const jobs = await TextJobs.of(route('attributes: [title]'), { 'docs/en/a.mdx': CARD });
    expect((await jobs.run('docs/en/a.mdx')).bought).toEqual(['A title', 'Hello there.']);
    jobs.reroute(route('attributes: [title, note]'));
    return jobs;
  }

  test('wait for approval in a delivered page, with their price, and everything else goes on', async () => {
    const jobs = await delivered();
    await jobs.write('docs/en/a.mdx', CARD.replace('there', 'you'));
    const { bought, state } = await jobs.run('docs/en/a.mdx');
    expect(bought).toEqual(['Hello you.']);
    expect(state).toMatchObject({
      kind: 'held',
      hold: { kind: 'approval', characters: 'A note'.length, texts: 1 },
    });
    expect((await jobs.run('docs/en/a.mdx')).state).toEqual(state);
    const approved = await jobs.run('docs/en/a.mdx', 'de', { approved: true });
    expect(approved).toMatchObject({ bought: ['A note'], state: { kind: 'done' } });
    expect(await jobs.read('docs/de/a.mdx')).toContain('note="Aä noteä"');
  });

  test('are adopted where a person translated them', async () => {
    const jobs = await delivered();
    const page = (await jobs.read('docs/de/a.mdx')).replace('A note', 'Hinweis');
    await jobs.write('docs/de/a.mdx', page);
    expect(await jobs.run('docs/en/a.mdx')).toMatchObject({
      bought: [],
      isWritten: false,
      state: { kind: 'done' },
    });
  });
});

const word = fc.constantFrom('Hello', 'the server', 'a file', 'runs', 'today', 'with npm');
const sentence = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
const code = fc.constantFrom('\n', '  ', '\r\n');

interface Shape {
  readonly file: string;
  page(texts: readonly string[], noise: string): string;
}

/** One builder for each format: the same texts in a frame of its own. */
const SHAPES: readonly Shape[] = [
  {
    file: 'a.md',
    page: (texts, noise) =>
      `---\nid: ${noise.length}\n---\n${texts.map((text) => `${text}\n\n${'`'.repeat(3)}\n// ${noise}\n${'`'.repeat(3)}\n`).join('\n')}`,
  },
  {
    file: 'a.mdx',
    page: (texts, noise) =>
      `import X from '${noise.trim()}'\n\n${texts.map((text) => `<X a="${noise.trim()}" />\n\n${text}\n`).join('\n')}`,
  },
  {
    file: 'a.html',
    page: (texts, noise) =>
      `<html lang="en"><!-- ${noise} --><body>${texts.map((text) => `<p class="${noise.trim()}">${text}</p>`).join(noise)}</body></html>`,
  },
  { file: 'a.txt', page: (texts, noise) => texts.join(`${noise.replace(/\w/g, '*')}\n----\n`) },
  {
    file: 'a.ttml',
    page: (texts, noise) =>
      `<tt><body><div>${texts.map((text, at) => `${noise}<p begin="${at}s">${text}</p>`).join('\n')}</div></body></tt>`,
  },
];

test.each(SHAPES)(
  '$file: a target that misses nothing and gets nothing keeps every byte, in this run and the next',
  async ({ file, page }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sentence, { minLength: 1, maxLength: 5 }),
        code,
        code,
        fc.boolean(),
        async (texts, ours, theirs, hasMark) => {
          const jobs = await TextJobs.of(ROUTE);
          await jobs.write(`docs/en/${file}`, page(texts, `${ours}x`));
          const translated = page(
            texts.map((text) => `${text} übersetzt`),
            `${theirs}y`,
          );
          const human = hasMark ? `\ufeff${translated.replaceAll(/\r?\n/g, '\r\n')}` : translated;
          await jobs.write(`docs/de/${file}`, human);
          for (const _run of [1, 2]) {
            expect(await jobs.run(`docs/en/${file}`)).toMatchObject({
              bought: [],
              isWritten: false,
            });
            expect(await jobs.read(`docs/de/${file}`)).toBe(human);
          }
        },
      ),
      { numRuns: 25 },
    );
  },
);

describe('titles of links in a paragraph that is bought again', () => {
  const EN = 'docs/en/a.md';
  const DE = 'docs/de/a.md';

  test('stay as a person wrote them, and are not bought', async () => {
    const jobs = await TextJobs.of(ROUTE, {
      [EN]: 'See [the guide](/en/guide "The guide") and ![a picture](a.png "A picture").\n',
      [DE]: 'Siehe [die Anleitung](/de/guide "Zur Anleitung") und ![ein Bild](a-de.png).\n',
    });
    await jobs.run(EN);
    await jobs.write(
      EN,
      'Read [the guide](/en/guide "The guide") and ![a picture](a.png "A picture").\n',
    );
    const { bought } = await jobs.run(EN);
    expect(bought).toHaveLength(1);
    expect(await jobs.read(DE)).toBe(
      'Readä [theä guideä](/de/guide "Zur Anleitung") andä ![aä pictureä](a-de.png).\n',
    );
    await jobs.write(EN, 'Read [the guide](/en/guide "The guide"), do.\n');
    await jobs.run(EN);
    expect(await jobs.read(DE)).toContain('](/de/guide "Zur Anleitung")');
  });

  test('are bought where the source has others', async () => {
    const jobs = await TextJobs.of(ROUTE, {
      [EN]: 'See [the guide](/en/guide "The guide").\n',
      [DE]: 'Siehe [die Anleitung](/de/guide "Zur Anleitung").\n',
    });
    await jobs.run(EN);
    await jobs.write(EN, 'See [the guide](/en/guide "A new guide").\n');
    expect((await jobs.run(EN)).bought).toContain('A new guide');
    expect(await jobs.read(DE)).toContain('](/de/guide "Aä newä guideä")');
  });
});

test('at first contact, a section that stands elsewhere in the page of a person is adopted, held or left, and never inserted again', async () => {
  const [en, de] = ['docs/en/manual.md', 'docs/de/manual.md'];
  const sections = (...parts: readonly string[]) => `# Manual\n\n${parts.join('\n\n')}\n`;
  const install = '## Install\n\nRun `npm install` to install it.';
  const configure = '## Configure\n\nWrite `config.yaml`, see [docs](https://x.org/cfg).';
  const start = '## Run\n\nStart `widgets run` on port 8080.';
  const installieren = '## Installieren\n\nMit `npm install` installieren.';
  const konfigurieren =
    '## Konfigurieren\n\nSchreiben Sie `config.yaml`, siehe [Doku](https://x.org/cfg).';
  const starten = '## Starten\n\n`widgets run` startet auf Port 8080.';
  const page = sections(konfigurieren, installieren, starten).replace('Manual', 'Handbuch');
  const jobs = await TextJobs.of(ROUTE, { [en]: sections(install, configure, start), [de]: page });
  expect(await jobs.run(en)).toMatchObject({ bought: [], isWritten: false });
  await jobs.write(en, sections(install.replace('it.', 'this.'), configure, start));
  expect((await jobs.run(en)).bought).toEqual(['Run `npm install` to install this.']);
  const [text = ''] = /Runä `npm install`.*/.exec(await jobs.read(de)) ?? [];
  expect(await jobs.read(de)).toBe(page.replace('Mit `npm install` installieren.', text));
});
