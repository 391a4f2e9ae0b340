/** Texts go to a translator in a file and come back: each row of the table of the import, through the program. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXCHANGE_FORMATS } from '../../../src/formats/exchange/all.ts';
import { encodeAs } from '../../../src/formats/text/decode.ts';
import type { LanguageTag } from '../../../src/language.ts';
import { type Checkout, Team } from '../../team.ts';

const EN = 'locales/en.json';
const DE = 'locales/de.json';
const LOCK = 'dragoman.lock/app/de';
const PAGE = 'docs/en/guide.md';
const GERMAN = 'docs/de/guide.md';

const PROJECT = `defaults: { settle_ms: 0, review: { want: [machine] } }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}.json" }, { from: "docs/{locale}/*.md" }]`;

const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;
const TEXTS = { hello: 'Hello {name}', bye: 'Goodbye', save: 'Save all files' };
const FREE = { requests: 0 };

async function translated(): Promise<{ team: Team; first: Checkout }> {
  const made = await Team.start(PROJECT, {
    [EN]: json(TEXTS),
    [PAGE]: '# Guide\n\nRead [the page](a.html) first.\n\nThen **go on**.\n',
  });
  expect(await made.first.run('once')).toMatchObject({ code: 0 });
  return made;
}

const german = async (checkout: Checkout) =>
  JSON.parse(await checkout.read(DE)) as Record<string, string>;

async function edit(checkout: Checkout, file: string, change: (text: string) => string) {
  const path = join(checkout.root, file);
  await writeFile(path, change(await readFile(path, 'utf8')));
}

const FORMATS = [
  ['xliff', 'xlf'],
  ['xliff2', 'xlf'],
  ['po', 'po'],
  ['csv', 'csv'],
  ['xlsx', 'xlsx'],
] as const;

test.each(FORMATS)(
  '%s goes out and comes back without a change to anything',
  async (format, extension) => {
    const { first } = await translated();
    first.commit('translate');
    const file = `out.${extension}`;
    const out = await first.run('review', 'export', '--format', format, '-o', file);
    expect(out).toMatchObject({ code: 0, ...FREE });
    expect(out.out).toMatch(/^out\.\w+: 6 texts, 1\d words, \d+ characters; none repeats another$/);
    const back = await first.run('review', 'import', file);
    expect(back).toMatchObject({
      code: 0,
      ...FREE,
      out: '0 texts written, 0 reviewed, 6 unchanged.',
    });
    await first.remove(file);
    expect(first.git('status', '--short')).toBe('');
  },
);

const FILES = '{n, plural, one {One <b>new</b> file} other {# new files of {name}}}';
const DATEIEN = '{n, plural, one {Eine <b>neue</b> Datei} other {# neue Dateien von {name}}}';

test.each(FORMATS)(
  '%s carries an ICU message as text that a person can translate, and it is checked when it comes back',
  async (format, extension) => {
    const { first } = await translated();
    await first.write({ [EN]: json({ files: FILES }) });
    await first.remove(PAGE);
    const file = `out.${extension}`;
    const out = await first.run('review', 'export', '--format', format, '-o', file);
    expect(out.out).toMatch(/: 1 text, 6 words, \d+ characters;/);
    const kind = EXCHANGE_FORMATS[format];
    const [row] = kind.read(await readFile(join(first.root, file)), file).rows;
    expect(row?.source).toBe(FILES);
    if (extension === 'xlf') expect(await first.read(file)).not.toContain('<ph');
    const { id = '', project = '', path = '', was = '' } = row ?? {};
    const put = async (target: string) => {
      const unit = { ...{ id, key: 'files', source: FILES, target, was, notes: [], codes: [] } };
      const units = [{ ...unit, state: 'unreviewed' as const }];
      const files = [{ project, path, units }];
      const document = { sourceLanguage: 'en', language: 'de' as LanguageTag, files };
      await first.writeBytes(file, kind.write(document));
      return await first.run('review', 'import', file);
    };
    expect(await put(DATEIEN.replace('# ', ''))).toMatchObject({
      code: 1,
      out: expect.stringContaining('{n} is missing in the branch "other"'),
    });
    expect(await put(DATEIEN)).toMatchObject({ code: 0, ...FREE });
    expect(await german(first)).toMatchObject({ files: DATEIEN });
  },
);

test('changed texts are put in place as a person wrote them, and reviewed ones are marked, in keyed files and in pages', async () => {
  const { team, first } = await translated();
  await first.run('review', 'export', '-o', 'de.xlf');
  const { hello = '', bye = '', save = '' } = await german(first);
  await edit(first, 'de.xlf', (text) =>
    text
      .replace(`>${bye}</target>`, '>Auf\nWiedersehen</target>')
      .replaceAll('needs-review-translation', 'final')
      .replace(/(<target state="final">)[^<]*(<ph id="1">\[<\/ph>)/, '$1Zuerst $2')
      // A tool of Windows saved it.
      .replaceAll('\n', '\r\n'),
  );
  const page = await first.read(GERMAN);
  const dry = await first.run('review', 'import', 'de.xlf', '--dry-run');
  expect(dry).toMatchObject({ code: 0, ...FREE });
  expect(await german(first)).toEqual({ hello, bye, save });

  const back = await first.run('review', 'import', 'de.xlf');
  expect(back).toMatchObject({ code: 0, ...FREE });
  expect(back.out).toContain('4 reviewed');
  expect(await german(first)).toEqual({ hello, bye: 'Auf\nWiedersehen', save });
  const now = await first.read(GERMAN);
  expect(now).not.toBe(page);
  expect(now).toContain('Zuerst \\[');
  expect(now).toContain('](a.html)');
  const lock = await first.read(LOCK);
  expect(lock.match(/ h\+$/gm)).toHaveLength(2);
  expect(lock.match(/ m\+$/gm)).toHaveLength(4);
  expect(await first.run('once')).toMatchObject({ code: 0, ...FREE });
  const settled = await first.read(LOCK);
  expect(settled.match(/ h\+$/gm)).toHaveLength(2);
  expect(settled.match(/ m\+$/gm)).toHaveLength(4);
  expect(settled).not.toContain('?');
  // A lock that the next run changes again makes the Review page read the whole file anew after each save.
  const ofKeys = (text: string) => text.split('\n# ').find((part) => part.startsWith(EN));
  expect(ofKeys(lock)?.trim()).toBe(ofKeys(settled)?.trim());
  first.commit('review');
  const other = await team.clone();
  expect(await other.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(other.git('status', '--short')).toBe('');
});

test('missing texts come from a translator without a request, also where no file exists yet', async () => {
  const { first } = await Team.start(PROJECT.replace(', { from: "docs/{locale}/*.md" }', ''), {
    [EN]: json(TEXTS),
  });
  await first.run('review', 'export', '-o', 'de.csv');
  await edit(first, 'de.csv', (text) =>
    text
      .replace('new,Hello {name},', ',Hello {name},Hallo {name}')
      .replace('new,Goodbye,', 'reviewed,Goodbye,Tschüss'),
  );
  const back = await first.run('review', 'import', 'de.csv');
  expect(back).toMatchObject({ code: 0, ...FREE });
  expect(back.out).toContain('2 texts written, 0 reviewed, 0 unchanged, 1 without a translation.');
  expect(await german(first)).toEqual({ hello: 'Hallo {name}', bye: 'Tschüss' });
  // What nobody translated is bought, and nothing else.
  expect(await first.run('once')).toMatchObject({ code: 0, texts: 1 });
  expect(await german(first)).toMatchObject({ hello: 'Hallo {name}', bye: 'Tschüss' });
  expect((await first.read(LOCK)).match(/ h\+$/gm)).toHaveLength(1);
});

test('a text whose source changed since the export is written, listed, and held as a conflict', async () => {
  const { first } = await translated();
  await first.run('review', 'export', '-o', 'de.po');
  await edit(first, 'de.po', (text) =>
    text.replace(/(msgid "Goodbye"\nmsgstr )".*"/, '$1"Bis bald"'),
  );
  await first.write({ [EN]: json({ ...TEXTS, bye: 'Goodbye for now' }) });
  const back = await first.run('review', 'import', 'de.po');
  expect(back).toMatchObject({ code: 2, ...FREE });
  expect(back.out).toMatch(/outdated +de\.po:\d+: locales\/de\.json bye: its source changed/);
  expect((await german(first))['bye']).toBe('Bis bald');
  expect((await first.run('once', '--frozen')).code).toBe(2);
  await first.run('once');
  expect((await german(first))['bye']).toBe('Bis bald');
  expect((await first.run('status')).out).toContain('conflict  locales/de.json bye');
  const { conflicts } = JSON.parse((await first.run('status', '--json')).out);
  expect(conflicts).toMatchObject([
    {
      old_source: 'Goodbye',
      new_source: 'Goodbye for now',
      human: 'Bis bald',
      from: { old_source: 'the state of this machine' },
    },
  ]);
});

test('a text that somebody changed on the disk since the export is a conflict that shows both, and stays', async () => {
  const { first } = await translated();
  await first.run('review', 'export', '-o', 'de.xlf');
  const texts = await german(first);
  await edit(first, 'de.xlf', (text) =>
    text.replace(`>${texts['bye']}</target>`, '>Bis bald</target>'),
  );
  await first.write({ [DE]: json({ ...texts, bye: 'Ciao' }) });
  const back = await first.run('review', 'import', 'de.xlf');
  expect(back).toMatchObject({ code: 2, ...FREE });
  expect(back.out).toContain('there     Ciao');
  expect(back.out).toContain('returned  Bis bald');
  expect((await german(first))['bye']).toBe('Ciao');
});

test('a damaged placeholder refuses its text with file and line, and the rest goes in', async () => {
  const { first } = await translated();
  await first.run('review', 'export', '-o', 'de.csv');
  const { hello = '', bye = '' } = await german(first);
  await edit(first, 'de.csv', (text) =>
    text.replace(`,${hello},`, ',Hallo Name,').replace(`,${bye},`, ',Bis bald,'),
  );
  const back = await first.run('review', 'import', 'de.csv');
  expect(back).toMatchObject({ code: 1, ...FREE });
  expect(back.out).toMatch(/refused +de\.csv:\d+: locales\/de\.json hello: \{name\} is missing/);
  expect(await german(first)).toMatchObject({ hello, bye: 'Bis bald' });
});

test('a text of which a tool translated only some segments is refused, also where every row counts as reviewed', async () => {
  const { first } = await translated();
  await first.run('review', 'export', EN, '--format', 'xliff2', '-o', 'de.xlf');
  const before = await german(first);
  await edit(first, 'de.xlf', (text) =>
    text.replace(
      /(<unit id="[^"]*" name="bye">[\s\S]*?<segment )[^>]*>[\s\S]*?<\/segment>/,
      '$1state="final"><source>Bye</source><target>Bis</target></segment><segment><source>, bye</source></segment>',
    ),
  );
  expect((await first.run('review', 'import', 'de.xlf')).out).toMatch(/de\.xlf:\d+.*still "new"/);
  const back = await first.run('review', 'import', 'de.xlf', '--as', 'reviewed');
  expect(back).toMatchObject({ code: 1, ...FREE });
  expect(back.out).toMatch(/refused +de\.xlf:\d+: .* bye: its segment 2 of 2 has no translation/);
  expect(await german(first)).toEqual(before);
});

test('rows of files that moved are found by their source, and rows of unknown files are reported', async () => {
  const { first } = await translated();
  await first.run('review', 'export', '--only', 'unreviewed', EN, '-o', 'de.xlf');
  const { bye = '' } = await german(first);
  await edit(first, 'de.xlf', (text) =>
    text
      .replace(/original="[^"]*"/, 'original="../../etc/passwd"')
      .replace(/id="......\.(........)\.1" resname="bye"/, 'id="gonegone.$1.1" resname="bye"')
      .replace(`>${bye}</target>`, '>Bis bald</target>')
      .replace(/id="[^"]*" resname="save"/, 'id="x" resname="save"')
      .replace('>Save all files<', '>Save nothing<'),
  );
  const back = await first.run('review', 'import', 'de.xlf');
  expect(back).toMatchObject({ code: 0, ...FREE });
  expect(back.out).toContain('no text of the project belongs to it');
  expect((await german(first))['bye']).toBe('Bis bald');
});

test('every row counts as reviewed, or only as a text of a person, where the import says so', async () => {
  const { first } = await translated();
  await first.run('review', 'export', EN, '-o', 'de.xlf');
  await edit(first, 'de.xlf', (text) => text.replaceAll('needs-review-translation', 'final'));
  expect((await first.run('review', 'import', 'de.xlf', '--as', 'human')).out).toContain(
    '3 unchanged',
  );
  expect((await first.run('review', 'import', 'de.xlf', '--as', 'reviewed')).out).toContain(
    '3 reviewed',
  );
  expect((await first.run('review', 'list', EN)).out).toContain('3 reviewed.');
});

test('only texts whose source changed since a commit go out, with words and repetitions counted', async () => {
  const { first } = await translated();
  first.commit('translate');
  await first.write({ [EN]: json({ ...TEXTS, bye: 'See you soon', again: 'See you soon' }) });
  const out = await first.run(
    'review',
    'export',
    '--only',
    'changed',
    '--since',
    'HEAD',
    '-o',
    'c.csv',
  );
  expect(out.out).toBe('c.csv: 2 texts, 6 words, 24 characters; 1 text (3 words) repeat others');
  expect(await first.read('c.csv')).not.toContain('Save all files');
  const since = ['--only', 'changed', '--since', 'HEAD'] as const;
  const listed = (await first.run('review', 'list', ...since)).out.split('\n');
  expect(listed).toEqual([
    expect.stringMatching(/ bye \(stale\): See you soon/),
    expect.stringMatching(/ again \(missing\): See you soon/),
    expect.stringMatching(/1 missing.*1 stale/),
  ]);
  expect(await first.run('review', 'list', '--since', 'HEAD')).toMatchObject({ code: 64 });
  const foreign = await first.run('review', 'import', 'c.csv', '--since', 'HEAD');
  expect(foreign).toMatchObject({
    code: 64,
    out: expect.stringContaining('--since is for review list and export, not for import'),
  });
  const alone = await first.run('review', 'export', '--only', 'changed', '-o', 'd.csv');
  expect(alone).toMatchObject({ code: 64 });
  const again = await first.run('review', 'export', '-o', 'c.csv');
  expect(again).toMatchObject({ code: 64 });
  expect(again.out).toContain('exists already');
});

test('files in the wrong language, without one, or in no known form are refused by name', async () => {
  const { first } = await translated();
  await first.run('review', 'export', EN, '-o', 'de.xlf');
  await edit(first, 'de.xlf', (text) =>
    text.replace('target-language="de"', 'target-language="fr"'),
  );
  expect((await first.run('review', 'import', 'de.xlf')).out).toContain(
    'which is no target language',
  );
  await first.write({ 'a.csv': 'id,target\nx,y\n', 'a.bin': 'nothing' });
  expect((await first.run('review', 'import', 'a.csv')).out).toContain('add --language');
  const lost = await first.run('review', 'import', 'a.csv', '--language', 'de');
  expect(lost).toMatchObject({ code: 1, ...FREE });
  expect(lost.out).toMatch(/^refused .*a\.csv:2: x: no text .*\n.* 1 refused\.$/);
  expect((await first.run('review', 'import', 'a.bin')).out).toContain('no file of translators');
});

test.each(FORMATS)(
  '%s in which a tool wrote the language with a region is imported, and one in another language is refused',
  async (format, extension) => {
    const { first } = await translated();
    const file = `out.${extension}`;
    await first.run('review', 'export', '--format', format, '-o', file);
    const kind = EXCHANGE_FORMATS[format];
    const { rows } = kind.read(await readFile(join(first.root, file)), file);
    const saveAs = async (language: string) => {
      const files = rows.map(({ id, project = '', path = '', source = '', target, was = '' }) => {
        const text = { key: '', state: 'unreviewed', notes: [], codes: [] } as const;
        const changed = target === 'Goodbye' ? target : `${target} !`;
        return { project, path, units: [{ ...text, id, source, target: changed, was }] };
      });
      const document = { sourceLanguage: 'en', language: language as LanguageTag, files };
      await first.writeBytes(file, kind.write(document));
    };
    await saveAs('fr-FR');
    const before = await first.read(DE);
    const refused = await first.run('review', 'import', file);
    expect(refused).toMatchObject({ code: 64, ...FREE });
    expect(refused.out).toContain(
      'is in French (France) (fr-FR), which is no target language of the config (de)',
    );
    const insisted = await first.run('review', 'import', file, '--language', 'de');
    expect(insisted).toMatchObject({ code: 64, ...FREE });
    expect(await first.read(DE)).toBe(before);
    await saveAs('de-DE');
    expect(await first.run('review', 'import', file)).toMatchObject({ code: 0, ...FREE });
    expect(await first.read(DE)).not.toBe(before);
  },
);

test('a regional variant that the service translates differently is imported only with --language, and a file in two languages never', async () => {
  const { first } = await translated();
  await first.run('review', 'export', '-o', 'de.csv');
  await edit(first, 'de.csv', (text) => text.replaceAll(/,de\r/g, ',de-CH\r'));
  const refused = await first.run('review', 'import', 'de.csv');
  expect(refused).toMatchObject({ code: 64 });
  expect(refused.out).toContain('If it is meant for de: --language de');
  expect(await first.run('review', 'import', 'de.csv', '--language', 'de')).toMatchObject({
    code: 0,
  });
  await edit(first, 'de.csv', (text) => text.replace(',de-CH\r', ',de\r'));
  expect((await first.run('review', 'import', 'de.csv')).code).toBe(64);
  await edit(first, 'de.csv', (text) => text.replaceAll(',de-CH\r', ',de-DE\r'));
  expect(await first.run('review', 'import', 'de.csv')).toMatchObject({ code: 0 });
  const two = ['id,target,language', 'a,b,de', 'c,d,fr', ''].join('\n');
  await first.write({ 'two.csv': two });
  const both = await first.run('review', 'import', 'two.csv');
  expect(both).toMatchObject({ code: 64, ...FREE });
});

test.each(['at once', 'after a run'])(
  'an import is taken back by undo %s: the texts are as before, nothing is bought, and no job is held',
  async (when) => {
    const { first } = await translated();
    const before = await german(first);
    await first.run('review', 'export', EN, '-o', 'de.csv');
    await edit(first, 'de.csv', (text) =>
      text.replace(`,Goodbye,${before['bye']},`, ',Goodbye,Auf Wiedersehen,'),
    );
    expect((await first.run('review', 'import', 'de.csv')).out).toContain('1 text written');
    const explained = await first.run('explain', DE, 'bye');
    expect(explained.out).toMatch(/by +human \(.+, 20[\d-]+T[\d:.]+Z, import\)/);
    if (when === 'after a run') expect(await first.run('once')).toMatchObject({ code: 0, ...FREE });
    expect(await first.run('undo', '--yes', '--language', 'de')).toMatchObject({ code: 0 });
    expect(await german(first)).toEqual(before);
    expect(await first.run('once')).toMatchObject({ code: 0, ...FREE });
    expect(await german(first)).toEqual(before);
    expect((await first.run('explain', DE, 'bye')).out).toMatch(/by +machine$/m);
  },
);

test.each(['at once', 'after a run'])(
  'in a new clone, where no job has run yet, undo takes back an import %s',
  async (when) => {
    const { team, first } = await translated();
    first.commit('translate');
    const other = await team.clone();
    const before = await german(other);
    await other.run('review', 'export', EN, '-o', 'de.csv');
    await edit(other, 'de.csv', (text) =>
      text.replace(`,Goodbye,${before['bye']},`, ',Goodbye,Auf Wiedersehen,'),
    );
    expect((await other.run('review', 'import', 'de.csv')).out).toContain('1 text written');
    expect((await german(other))['bye']).toBe('Auf Wiedersehen');
    if (when === 'after a run') expect(await other.run('once')).toMatchObject({ code: 0, ...FREE });
    expect(await other.run('undo', '--yes', '--language', 'de')).toMatchObject({ code: 0 });
    expect(await german(other)).toEqual(before);
    expect(await other.run('once')).toMatchObject({ code: 0, ...FREE });
    expect(await german(other)).toEqual(before);
    const list = await other.run('review', 'list', EN);
    expect(list.out).toContain('3 unreviewed');
  },
);

test('in a new clone, where no job has run yet, undo takes back a mark', async () => {
  const { team, first } = await translated();
  first.commit('translate');
  const other = await team.clone();
  const before = await other.read(LOCK);
  const marked = await other.run('review', 'mark', DE, '--reviewed');
  expect(marked.out).toContain('3 texts marked');
  expect(await other.read(LOCK)).not.toBe(before);
  expect(await other.run('undo', '--yes', '--language', 'de')).toMatchObject({ code: 0 });
  expect(await other.read(LOCK)).toBe(before);
  expect(await other.run('once')).toMatchObject({ code: 0, ...FREE });
  expect((await other.run('review', 'list', EN)).out).toContain('3 unreviewed');
});

test('undo takes back what an import marked in unchanged texts, in keyed files and in pages, and no later marks', async () => {
  const { first } = await translated();
  const before = await first.read(LOCK);
  await first.run('review', 'export', '-o', 'de.po');
  const back = await first.run('review', 'import', 'de.po', '--as', 'reviewed');
  expect(back.out).toContain('6 reviewed');
  expect((await first.read(LOCK)).match(/ m\+$/gm)).toHaveLength(6);
  expect(await first.run('undo', '--yes', '--language', 'de')).toMatchObject({ code: 0, ...FREE });
  expect(await first.read(LOCK)).toBe(before);
  expect((await first.run('review', 'list')).out).toContain('6 unreviewed');
  expect((await first.run('explain', DE, 'bye')).out).toMatch(/by +machine$/m);
  expect(await first.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(await first.read(LOCK)).toBe(before);

  await first.run('review', 'import', 'de.po', '--as', 'reviewed');
  await edit(first, DE, (text) => text.replace(/"bye": ".*"/, '"bye": "Tschüss"'));
  await first.run('review', 'mark', DE, 'bye', '--reviewed');
  const list = (await first.run('undo', '--list')).out;
  expect(list).toMatch(
    /Z {2}import or mark: 6 texts in 2 files \(docs\/de\/guide\.md, locales\/de\.json\)\n/,
  );
  expect(list).toMatch(/Z {2}import or mark: 1 text in 1 file \(locales\/de\.json\)$/);
  expect(list).toMatch(/^[\d:.TZ-]+ {2}run: 2 files \(/);
  const [imported = ''] = (await first.run('undo', '--list')).out.trim().split('\n').slice(-2);
  await first.run('undo', '--yes', '--language', 'de', '--run', imported);
  expect((await first.read(LOCK)).match(/ m\?$/gm)).toHaveLength(5);
  expect((await first.read(LOCK)).match(/ [hm]\+$/gm)).toEqual([' h+']);
});

test('undo of an import restores the lock for texts that existed, that were missing, and whose source had changed', async () => {
  const { first } = await translated();
  const seen = await german(first);
  await first.write({
    [EN]: json({ ...TEXTS, bye: 'Farewell to all', news: 'New here' }),
    [PAGE]: '# Guide\n\nRead [the page](a.html) twice.\n\nThen **go on**.\n',
  });
  const before = {
    lock: await first.read(LOCK),
    keys: await first.read(DE),
    page: await first.read(GERMAN),
  };
  await first.run('review', 'export', '-o', 'de.csv');
  const rows = await first.read('de.csv');
  expect(rows).toContain(',New here,,');
  await first.write({
    'de.csv': rows
      .replace(',New here,,', ',New here,Neu hier,')
      .replace(`,Farewell to all,${seen['bye']},`, ',Farewell to all,Lebt wohl,')
      .replace(`,Save all files,${seen['save']},`, ',Save all files,Alles sichern,')
      .replace(/^(.*,Guide),[^,]*,/m, '$1,Anleitung,'),
  });
  const back = await first.run('review', 'import', 'de.csv', '--as', 'reviewed');
  expect(back.out).toMatch(/^4 texts written, 3 reviewed/);
  expect(await first.read(LOCK)).not.toBe(before.lock);
  expect(await first.run('undo', '--yes', '--language', 'de')).toMatchObject({ code: 0, ...FREE });
  expect([await first.read(DE), await first.read(GERMAN)]).toEqual([before.keys, before.page]);
  expect(await first.read(LOCK)).toBe(before.lock);
});

test('a text of a list whose elements moved in the source does not take the place of another one', async () => {
  const listOf = (...list: readonly string[]) => `${JSON.stringify({ list }, null, 2)}\n`;
  const { first } = await Team.start(PROJECT.replace(', { from: "docs/{locale}/*.md" }', ''), {
    [EN]: listOf('Alpha', 'Bravo', 'Charlie'),
  });
  await first.write({ [DE]: listOf('Alfa', 'Brawo', 'Scharlie') });
  expect(await first.run('once')).toMatchObject({ code: 0, ...FREE });
  await first.write({ [EN]: listOf('New', 'Alpha', 'Bravo', 'Charlie') });
  await first.run('review', 'export', '--only', 'done', '-o', 'de.csv');
  await edit(first, 'de.csv', (text) => text.replace(',Bravo,Brawo,', ',Bravo,Besser,'));
  const early = await first.run('review', 'import', 'de.csv');
  expect(early).toMatchObject({ code: 1, ...FREE });
  expect(early.out).toMatch(/refused .*elements of its list were moved/);
  expect(await first.read(DE)).toBe(listOf('Alfa', 'Brawo', 'Scharlie'));
  expect((await first.run('once')).code).toBe(0);
  expect((await first.run('review', 'import', 'de.csv')).code).toBe(0);
  expect(JSON.parse(await first.read(DE))).toEqual({
    list: [expect.any(String), 'Alfa', 'Besser', 'Scharlie'],
  });
});

test('a file that cannot be read says to import it again, and one in the encoding that its header names is read', async () => {
  const { first } = await translated();
  await first.run('review', 'export', EN, '--format', 'po', '-o', 'de.po');
  await edit(first, 'de.po', (text) =>
    text
      .replace('charset=UTF-8', 'charset=ISO-8859-1')
      .replace(/(msgid "Goodbye"\nmsgstr )".*"/, '$1"Tschüss"'),
  );
  const latin = (await first.read('de.po')).replace(/[^\n -\u00ff]/g, '');
  await writeFile(join(first.root, 'de.po'), Buffer.from(latin, 'latin1'));
  await first.run('review', 'import', 'de.po');
  expect((await german(first))['bye']).toBe('Tschüss');
  await edit(first, 'de.po', (text) => `${text}\nmsgid "no end`);
  const broken = await first.run('review', 'import', 'de.po');
  expect(broken).toMatchObject({ code: 1, ...FREE });
  expect(broken.out).toMatch(/de\.po:\d+:\d+: .*\nNothing was imported\. Correct the file/);
  expect(broken.out).not.toContain('by itself');
});

test('a table that a spreadsheet saved in an encoding without some letters is refused by row, and one in the encoding of Windows is read', async () => {
  const { first } = await translated();
  await first.run('review', 'export', EN, '-o', 'de.csv');
  const exported = (await first.read('de.csv')).slice(1);
  const before = await first.read(DE);
  const inWindows = (text: string) =>
    first.writeBytes(
      'de.csv',
      Buffer.from(text.replace(/[^\r\n -~\u0080-\u00ff]/g, '?'), 'latin1'),
    );
  await inWindows(exported.replace(/(,Goodbye,)[^,]+/, '$1Men\u00fc?'));
  const lost = await first.run('review', 'import', 'de.csv');
  expect(lost).toMatchObject({ code: 1, ...FREE });
  expect(lost.out).toMatch(/de\.csv:\d+: .* hello: letters came back as "\?".*"CSV UTF-8"/);
  expect(lost.out).toMatch(/de\.csv:\d+: .* bye: its file lost letters elsewhere/);
  expect(await first.read(DE)).toBe(before);
  const [head = ''] = exported.split('\r\n');
  const [row = ''] = exported.split('\r\n').filter((line) => line.includes(',Goodbye,'));
  await inWindows(
    `${head}\r\n${row.replace(/(,Goodbye,)[^,]+/, '$1\u0084Tsch\u00fcss\u0093 5 \u0080')}\r\n`,
  );
  expect(await first.run('review', 'import', 'de.csv')).toMatchObject({ code: 0, ...FREE });
  expect((await german(first))['bye']).toBe('„Tschüss“ 5 €');
});

test('a table that is not Unicode is refused where its letters may be others, with the way to save it', async () => {
  const { first } = await Team.start(
    PROJECT.replace('[de]', '[de, ru, zh]').replace(', { from: "docs/{locale}/*.md" }', ''),
    { [EN]: json({ bye: 'Goodbye' }) },
  );
  expect(await first.run('once')).toMatchObject({ code: 0 });
  for (const [language, encoding, name, text] of [
    ['ru', 'windows-1251', 'Russian (ru)', 'До свидания'],
    ['zh', 'gbk', 'Chinese (zh)', '再见'],
    ['de', 'macintosh', 'Windows-1252, Mac Roman or another one', 'Tschüss'],
  ] as const) {
    const file = `${language}.csv`;
    await first.run('review', 'export', EN, '--language', language, '-o', file);
    const [head = '', row = ''] = (await first.read(file)).slice(1).split('\r\n');
    const table = `${head}\r\n${row.replace(/(,Goodbye,)[^,]+/, `$1${text}`)}\r\n`;
    await first.writeBytes(file, encodeAs(encoding, table) as Uint8Array);
    const target = `locales/${language}.json`;
    const before = await first.read(target);
    const { code, out } = await first.run('review', 'import', file);
    expect([language, code, out]).toEqual([language, 1, expect.stringContaining(name)]);
    expect(out).toMatch(
      /is not in UTF-8.*\nNothing was imported\. Save the table again: .*"CSV UTF-8/,
    );
    expect(await first.read(target)).toBe(before);
  }
});

test('a plural form may hold what another one does, and a text of gettext keeps the line breaks at its edges', async () => {
  const { first } = await Team.start(
    PROJECT.replace(
      /routes: .*/,
      'routes: [{ from: "x/{locale}.ftl" }, { from: "x/{locale}.po" }]',
    ),
    {
      'x/en.ftl': 'mails = { $n ->\n    [one] One mail\n   *[other] { $n } mails\n}\n',
      'x/en.po':
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "\\nOne\\n"\nmsgstr ""\n',
    },
  );
  await first.run('once');
  await first.run('review', 'export', '-o', 'de.csv');
  await edit(first, 'de.csv', (text) =>
    text.replace(/(,One mail,)[^,]+/, '$1{ $n } Brief').replace(/(,"\nOne\n",)"[^"]+"/, '$1Eins'),
  );
  const back = await first.run('review', 'import', 'de.csv');
  expect(back).toMatchObject({ code: 0, out: '2 texts written, 0 reviewed, 1 unchanged.' });
  expect(await first.read('x/de.ftl')).toContain('[one] { $n } Brief\n');
  expect(await first.read('x/de.po')).toContain('msgstr ""\n"\\n"\n"Eins\\n"');
  const again = await first.run('review', 'import', 'de.csv');
  expect(again).toMatchObject({ code: 0, out: '0 texts written, 0 reviewed, 3 unchanged.' });
});

test('texts of XLIFF files, whose lane their content says, are listed, counted and reviewed as all others', async () => {
  const { first } = await Team.start(
    PROJECT.replace(/routes: .*/, 'routes: [{ from: "x/{locale}.xlf" }]'),
    {
      'x/en.xlf': `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="a" source-language="en" datatype="plaintext"><body>
<trans-unit id="a"><source>Hello</source></trans-unit>
<trans-unit id="b"><source>Goodbye</source></trans-unit>
</body></file></xliff>
`,
    },
  );
  await first.run('once');
  expect((await first.run('review', 'list')).out).toContain('2 unreviewed');
  expect((await first.run('status')).out).toContain('app de: 2 unreviewed');
  await first.run('review', 'export', '-o', 'de.csv');
  await edit(first, 'de.csv', (text) => text.replace(/,Goodbye,[^,]*,/, ',Goodbye,Tschüss,'));
  expect(await first.run('review', 'import', 'de.csv')).toMatchObject({ code: 0, ...FREE });
  expect(await first.read('x/de.xlf')).toContain('<target state="translated">Tschüss</target>');
  expect((await first.run('review', 'mark', 'x/de.xlf', '--reviewed')).code).toBe(0);
  expect((await first.run('review', 'list', '--only', 'reviewed')).out).toContain('2 reviewed');
});

test('an export takes its language in any spelling that names it', async () => {
  const two = PROJECT.replace('targets: [de]', 'targets: [de, he]');
  const { first } = await Team.start(two, { [EN]: json(TEXTS), [PAGE]: '# Guide\n' });
  const out = await first.run('review', 'export', '--language', 'iw', '-o', 'he.csv');
  expect(out).toMatchObject({ code: 0, ...FREE });
  expect(out.out).toContain('he.csv: 4 texts');
});

test('two projects with files of the same names are one PO file that is read back, and a table without its columns reaches the right one', async () => {
  const project = (root: string) =>
    `{ root: ${root}, source: en, targets: [de], routes: [{ from: "{locale}.json" }] }`;
  const { first } = await Team.start(
    `defaults: { settle_ms: 0, review: { want: [machine] } }
projects: { web: ${project('web')}, site: ${project('site')} }`,
    { 'web/en.json': json(TEXTS), 'site/en.json': json(TEXTS) },
  );
  await first.run('once');
  await first.run('review', 'export', '-o', 'de.po');
  const back = await first.run('review', 'import', 'de.po');
  expect(back).toMatchObject({ code: 0, out: '0 texts written, 0 reviewed, 6 unchanged.' });
  const contexts = (await first.read('de.po')).match(/^msgctxt .*/gm);
  expect(new Set(contexts).size).toBe(6);
  await first.run('review', 'export', '--project', 'web', '-o', 'de.csv');
  const [, id = ''] = /\n([\w.-]+),web,en\.json,bye,/.exec(await first.read('de.csv')) ?? [];
  const site = await first.read('site/de.json');
  await first.write({ 'de.csv': `id,target\n${id},Servus\n` });
  await first.run('review', 'import', '--language', 'de', 'de.csv');
  expect(JSON.parse(await first.read('web/de.json'))).toMatchObject({ bye: 'Servus' });
  expect(await first.read('site/de.json')).toBe(site);
});
