/** Formats with one mark for all plural forms of a message: the message is finished only when all its forms are. */
import { expect, test } from 'vitest';
import { type Checkout, Team } from '../../team.ts';

const PROJECT = `defaults: { settle_ms: 0, review: { want: [machine] } }
projects:
  app:
    source: en
    targets: [pl]
    routes: [{ from: "qt/app_{locale}.ts" }, { from: "po/app.pot", to: "po/{locale}.po" }]`;

const TS = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Main</name>
    <message numerus="yes">
        <source>%n files found</source>
        <translation type="unfinished"><numerusform></numerusform><numerusform></numerusform></translation>
    </message>
</context>
</TS>
`;
const POT = `msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

#, c-format
msgid "%d file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""
`;

const WANTED = '# dragoman: needs review';
const FILES = [
  ['qt/app_pl.ts', 'type="unfinished"'],
  ['po/pl.po', WANTED],
] as const;

async function translated(): Promise<Checkout> {
  const { first } = await Team.start(PROJECT, { 'qt/app_en.ts': TS, 'po/app.pot': POT });
  expect(await first.run('once')).toMatchObject({ code: 0 });
  return first;
}

async function keysOf(first: Checkout, file: string): Promise<string[]> {
  const { out } = await first.run(
    'review',
    'list',
    '--only',
    'unreviewed,reviewed',
    '--json',
    file,
  );
  const { files } = JSON.parse(out) as { files: { texts: { key: string }[] }[] };
  return files.flatMap(({ texts }) => texts.map(({ key }) => key));
}

test.each(FILES)(
  '%s: a review of one form keeps the mark of the message, and the review of the last form takes it away',
  async (file, mark) => {
    const first = await translated();
    const made = await first.read(file);
    expect(made).toContain(mark);
    const keys = await keysOf(first, file);
    expect(keys).toHaveLength(3);
    const review = async (key: string, word: string) =>
      expect(await first.run('review', 'mark', file, key, word)).toMatchObject({ code: 0 });
    for (const key of keys.slice(1)) {
      await review(key, '--reviewed');
      expect(await first.read(file)).toBe(made);
    }
    await review(keys[0] ?? '', '--reviewed');
    const finished = await first.read(file);
    expect(finished).not.toContain(mark);
    expect(await first.run('once')).toMatchObject({ code: 0, requests: 0 });
    expect(await first.read(file)).toBe(finished);
    // Any form puts the mark back.
    await review(keys[2] ?? '', '--wanted');
    expect(await first.read(file)).toContain(mark);
    await review(keys[2] ?? '', '--reviewed');
    expect(await first.read(file)).toBe(finished);
  },
);

test.each(FILES)(
  '%s: a form that comes back reviewed keeps the mark while another form is not reviewed',
  async (file, mark) => {
    const first = await translated();
    await first.run('review', 'export', file, '-o', 'pl.csv');
    const [head = '', ...rows] = (await first.read('pl.csv')).trimEnd().split('\r\n');
    expect(rows).toHaveLength(3);
    const back = async (texts: readonly string[]) => {
      const done = texts.map((row) => row.replace(',unreviewed,', ',reviewed,'));
      await first.write({ 'pl.csv': `${[head, ...done].join('\r\n')}\r\n` });
      expect(await first.run('review', 'import', 'pl.csv')).toMatchObject({ code: 0 });
    };
    await back(rows.slice(0, 1));
    expect(await first.read(file)).toContain(mark);
    await back(rows.slice(1));
    expect(await first.read(file)).not.toContain(mark);
  },
);

test('a form that comes back for a fuzzy message ends the guess: the other forms are empty, and the next run buys them', async () => {
  const file = 'po/pl.po';
  const first = await translated();
  // As msgmerge writes it for a new msgid that is like an old one.
  const guessed = (await first.read(file))
    .replace(`${WANTED}\n`, '')
    .replace('#, c-format', '#, fuzzy, c-format\n#| msgid "%d file"\n#| msgid_plural "%d files"')
    .replace('\nmsgid "%d file"', '\nmsgid "%d page"')
    .replace('\nmsgid_plural "%d files"', '\nmsgid_plural "%d pages"');
  await first.write({ [file]: guessed, 'po/app.pot': POT.replaceAll('file', 'page') });
  await first.run('review', 'export', file, '--only', 'missing', '-o', 'pl.csv');
  const [head = '', row = '', ...others] = (await first.read('pl.csv')).trimEnd().split('\r\n');
  expect(others).toHaveLength(2);
  const filled = row.replace(/,new,([^,]*),,/, ',unreviewed,$1,%d strona,');
  expect(filled).not.toBe(row);
  await first.write({ 'pl.csv': `${[head, filled].join('\r\n')}\r\n` });
  expect(await first.run('review', 'import', 'pl.csv')).toMatchObject({ code: 0 });
  const imported = await first.read(file);
  expect(imported).toContain('msgstr[0] "%d strona"\nmsgstr[1] ""\nmsgstr[2] ""');
  expect(imported).not.toMatch(/fuzzy|#\||file/);
  expect(await first.run('once')).toMatchObject({ code: 0 });
  expect(await first.read(file)).toMatch(
    /msgstr\[0\] "%d strona"\nmsgstr\[1\] ".+"\nmsgstr\[2\] ".+"/,
  );
});
