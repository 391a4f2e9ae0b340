/** Round trips through programs that turn one exchange format into another: nothing of a translator is lost, and nothing is a false conflict. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { execFileSync } from '../../in-time.ts';
import { type Checkout, Team } from '../../team.ts';

const EN = 'locales/en.json';
const DE = 'locales/de.json';

const PROJECT = `defaults: { settle_ms: 0, review: { want: [machine] } }
projects:
  app: { source: en, targets: [de], routes: [{ from: "locales/{locale}.json" }] }
  site: { root: site, source: en, targets: [de], routes: [{ from: "locales/{locale}.json" }] }`;

const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;
/** Three texts are equal, and each key has another translation. */
const SOURCES = {
  hello: 'Hello {name}',
  bye: 'Goodbye',
  open: 'Open',
  opened: 'Open',
  opening: 'Open',
};
const GERMAN = {
  hello: 'Hallo {name}',
  bye: 'Tschüss',
  open: 'Öffnen',
  opened: 'Offen',
  opening: 'Offen',
};

/** All texts are those of a person: nothing may replace them unseen. */
async function translated(): Promise<Checkout> {
  const { first } = await Team.start(PROJECT, {
    ...{ [EN]: json(SOURCES), [`site/${EN}`]: json(SOURCES) },
  });
  await first.run('once');
  await first.write({ [DE]: json(GERMAN), [`site/${DE}`]: json(GERMAN) });
  await first.run('once');
  const marked = await first.run('review', 'mark', DE, 'bye', '--reviewed');
  expect(marked.out).toContain('1 text marked');
  return first;
}

type Step = readonly [program: string, ...args: string[]];

const ROUNDS: readonly {
  readonly from: 'xliff' | 'po';
  readonly steps: readonly Step[];
}[] = [
  { from: 'xliff', steps: [['xliff2po', '0.xliff', '1.po']] },
  { from: 'po', steps: [['po2xliff', '0.po', '1.xlf']] },
  {
    from: 'po',
    steps: [
      ['po2xliff', '0.po', '1.xlf'],
      ['xliff2po', '1.xlf', '2.po'],
    ],
  },
  {
    from: 'xliff',
    steps: [
      ['xliff2po', '0.xliff', '1.po'],
      ['po2xliff', '1.po', '2.xlf'],
    ],
  },
  { from: 'po', steps: [['po2csv', '0.po', '1.csv']] },
  {
    from: 'po',
    steps: [
      ['po2csv', '0.po', '1.csv'],
      ['csv2po', '1.csv', '2.po'],
    ],
  },
  { from: 'po', steps: [['msgcat', '--sort-by-file', '-w', '30', '-o', '1.po', '0.po']] },
];

for (const { from, steps } of ROUNDS) {
  const programs = steps.map(([program]) => program);
  const isHere = programs.every((program) => existsSync(`/usr/bin/${program}`));
  test.skipIf(!isHere)(
    `texts of a person that went out as ${from} and through ${programs.join(' and ')} are unchanged, and each edited one is written to its place${isHere ? '' : ' (skipped: not installed)'}`,
    async () => {
      const first = await translated();
      const only = ['--only', 'done,unreviewed,reviewed'];
      await first.run('review', 'export', ...only, '--format', from, '-o', `0.${from}`);
      for (const [program, ...args] of steps)
        execFileSync(program, args, { stdio: 'pipe', cwd: first.root });
      const [file = ''] = steps
        .flat()
        .filter((arg) => /^\d\./.test(arg))
        .sort()
        .reverse();
      const same = await first.run('review', 'import', '--language', 'de', file);
      expect(same).toMatchObject({ code: 0, out: '0 texts written, 0 reviewed, 10 unchanged.' });

      const text = await first.read(file);
      const edited = text
        .replaceAll('Tschüss', 'Servus')
        .replaceAll('Offen', 'Geöffnet')
        .replaceAll('Öffnen', 'Aufmachen');
      await first.write({ [file]: edited });
      const written = await first.run('review', 'import', '--language', 'de', file);
      expect(written).toMatchObject({ code: 0, out: expect.stringContaining('8 texts written') });
      const now = { bye: 'Servus', open: 'Aufmachen', opened: 'Geöffnet', opening: 'Geöffnet' };
      for (const each of [DE, `site/${DE}`])
        expect(JSON.parse(await first.read(each))).toEqual({ ...GERMAN, ...now });
    },
  );
}

const ESCAPED = {
  pattern: 'Match \\d+ in C:\\temp\\new',
  bell: 'A bell \u0007 rings',
  plain: 'Nothing to escape',
};
const GERMAN_ESCAPED = {
  pattern: 'Findet \\d+ in C:\\temp\\new',
  bell: 'Eine Glocke \u0007 läutet',
  plain: 'Kein Pfad außer C:\\temp',
};

for (const programs of [['po2csv'], ['po2csv', 'csv2po']] as const) {
  const isHere = programs.every((program) => existsSync(`/usr/bin/${program}`));
  test.skipIf(!isHere)(
    `escapes that ${programs.join(' and ')} added to texts are removed${isHere ? '' : ' (skipped: not installed)'}`,
    async () => {
      const { first } = await Team.start(PROJECT, { [EN]: json(ESCAPED) });
      await first.run('once');
      await first.write({ [DE]: json(GERMAN_ESCAPED) });
      await first.run('once');
      await first.run('review', 'mark', DE, '--reviewed');
      const only = ['--only', 'done,unreviewed,reviewed'];
      await first.run('review', 'export', ...only, '--format', 'po', '-o', '0.po');
      const files = ['0.po', '1.csv', '2.po'];
      for (const [at, program] of programs.entries())
        execFileSync(program, [files[at] ?? '', files[at + 1] ?? ''], {
          ...{ stdio: 'pipe', cwd: first.root },
        });
      const file = files[programs.length] ?? '';
      const same = await first.run('review', 'import', '--language', 'de', file);
      expect(same).toMatchObject({ code: 0, out: '0 texts written, 0 reviewed, 3 unchanged.' });
      await first.write({ [file]: (await first.read(file)).replace('Findet', 'Sucht') });
      const edited = await first.run('review', 'import', '--language', 'de', file);
      expect(edited).toMatchObject({ code: 0, out: expect.stringContaining('1 text written') });
      const pattern = 'Sucht \\d+ in C:\\temp\\new';
      expect(JSON.parse(await first.read(DE))).toEqual({ ...GERMAN_ESCAPED, pattern });
    },
  );
}
