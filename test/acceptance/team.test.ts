/** Several people and runners with clones of one repository: purchases and edits of one of them count for all. */
import { expect, test } from 'vitest';
import { Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}.json" }]`;
const EN = 'locales/en.json';
const DE = 'locales/de.json';
const LOCK = 'dragoman.lock/app/de';

type Texts = Record<string, string>;
const json = (texts: Texts) => `${JSON.stringify(texts, null, 2)}\n`;

const NOTHING_ASKED = { code: 0, requests: 0 };

/** Texts that need no translation: one that dragoman copies, and one that a person's translation lacks. */
const SIGNS = { rate: '100%', comma: ',' };
const WITHOUT_SIGNS = {
  'locales/en.yml': 'a: One text\nrate: "100%"\nlast: false\nempty: ""\n',
  'locales/de.yml': 'a: Ein Text\n',
  'locales/en.md': '# One text\n\nhttps://a.example/\n',
  'locales/de.md': '# Ein Text\n\nhttps://a.example/\n',
};

test('texts that one clone bought are free for another, also after edits and after the loss of a state or a lock', async () => {
  const both = PROJECT.replace('.json', '.{json,yml,md}');
  const { team, first: a } = await Team.start(both, {
    [EN]: json({ ...SIGNS, hello: 'Hello', bye: 'Goodbye', save: 'Save all files' }),
    ...WITHOUT_SIGNS,
  });
  expect(await a.run('once')).toMatchObject({ code: 0, texts: 3 });
  a.commit('translate');
  expect(a.git('ls-files', 'dragoman.lock')).toBe(
    'dragoman.lock/.gitattributes\ndragoman.lock/app/de\n',
  );
  const before = await a.read(LOCK);
  expect(await a.run('once')).toMatchObject(NOTHING_ASKED);
  expect(await a.read(LOCK)).toBe(before);

  const b = await team.clone();
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  expect(b.git('status', '--short')).toBe('');

  await b.remove('dragoman.lock');
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  expect(b.git('status', '--short')).toBe('');
  await b.remove('.dragoman');
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  await b.write({ [LOCK]: `<<<<<<< HEAD\n${before}=======\n${before}>>>>>>> topic\n` });
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  const text = { ...SIGNS, hello: 'Hello you', bye: 'Goodbye', save: 'Save all files' };
  b.git('checkout', '--quiet', '.');
  await a.write({ [EN]: json(text) });
  expect(await a.run('once')).toMatchObject({ code: 0, texts: 1 });
  a.commit('change');
  b.pull();
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  expect(b.git('status', '--short')).toBe('');

  await b.write({ [EN]: json({ ...text, bye: 'Bye' }) });
  const stale = await team.clone();
  await stale.write({ [EN]: json({ ...text, bye: 'Bye' }) });
  expect(await stale.run('once', '--frozen')).toMatchObject({ code: 1, requests: 0 });
  expect(await b.run('once')).toMatchObject({ code: 0, texts: 1 });

  const c = await team.clone();
  const edited = JSON.parse(await c.read(DE)) as Texts;
  await c.write({ [DE]: json({ ...edited, save: 'Alles sichern' }) });
  expect(await c.run('once', '--frozen')).toMatchObject(NOTHING_ASKED);
  c.commit('a person edits, without dragoman');
  const d = await team.clone();
  await d.write({ [EN]: json({ ...text, save: 'Save every file' }) });
  expect(await d.run('once')).toMatchObject({ code: 2, texts: 0 });
  expect(JSON.parse(await d.read(DE))).toMatchObject({ save: 'Alles sichern' });
  await d.write({ [EN]: json(text) });
  expect(await d.run('once')).toMatchObject(NOTHING_ASKED);
});

const PAGES = `defaults: { settle_ms: 0 }
projects:
  docs:
    source: en
    targets: [de]
    routes: [{ from: "docs/{locale}/*.md" }]`;
const PAGE = 'docs/en/guide.md';
const GERMAN = 'docs/de/guide.md';
const page = (code: string, ...texts: string[]) =>
  `# The guide\n\n${texts.join('\n\n')}\n\n\`\`\`sh\n${code}\n\`\`\`\n\nThe last words of it.\n`;

test('pages: pulled pairs are free, stale texts and those of a person are distinguished, code follows unless a person changed it', async () => {
  const { team, first: a } = await Team.start(PAGES, {
    [PAGE]: page('run one', 'Read this first.', 'Then read that part.'),
  });
  expect(await a.run('once')).toMatchObject({ code: 0, texts: 4 });
  a.commit('translate');
  const b = await team.clone();
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  expect(b.git('status', '--short')).toBe('');

  await a.write({
    [PAGE]: page('run one', 'Read this at once.', 'New words here.', 'Then read that part.'),
  });
  expect(await a.run('once')).toMatchObject({ code: 0, texts: 2 });
  a.commit('change and add');
  b.pull();
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  expect(b.git('status', '--short')).toBe('');

  const c = await team.clone();
  await c.write({
    [PAGE]: page('run two', 'Read this at once.', 'New words here.', 'Then read that part.'),
  });
  expect(await c.run('once')).toMatchObject(NOTHING_ASKED);
  expect(await c.read(GERMAN)).toContain('run two');

  const d = await team.clone();
  const german = (await d.read(GERMAN)).replace('run one', 'run eins');
  await d.write({ [GERMAN]: german });
  d.commit('a person changes the code');
  const e = await team.clone();
  await e.write({
    [PAGE]: page('run two', 'Read this at once.', 'New words here.', 'Then read that part.'),
  });
  await e.run('once');
  expect(await e.read(GERMAN)).toContain('run eins');

  const f = await team.clone();
  const paragraph = (await f.read(GERMAN)).split('\n\n')[1] ?? '';
  await f.write({ [GERMAN]: (await f.read(GERMAN)).replace(paragraph, 'Von einer Person.') });
  f.commit('a person changes a paragraph');
  const g = await team.clone();
  await g.write({
    [PAGE]: page('run one', 'Read this now.', 'New words here.', 'Then read that part.'),
  });
  expect(await g.run('once')).toMatchObject({ code: 2, texts: 0 });
  expect(await g.read(GERMAN)).toContain('Von einer Person.');
  const h = await team.clone();
  await h.write({
    [PAGE]: page('run one', 'Read this at once.', 'Newer words here.', 'Then read that part.'),
  });
  expect(await h.run('once', '--frozen')).toMatchObject({ code: 1, requests: 0 });
  expect(await h.run('once')).toMatchObject({ code: 0, texts: 1 });
});

const OTHERS = `defaults: { settle_ms: 0 }
projects:
  media:
    source: en
    targets: [de]
    routes:
      - { from: "media/{locale}/*.{srt,html,json}" }
      - { from: "media/{locale}/*.mp3", to: { transcript: "media/{locale}/{name}.txt" } }`;
const cue = (nth: number, text: string) =>
  `${nth}\n00:00:0${nth},000 --> 00:00:0${nth},900\n${text}\n`;
const SRT = 'media/en/film.srt';
const HTML = 'media/en/letter.html';
const JSON_FILE = 'media/en/app.json';
const MP3 = 'media/en/talk.mp3';

test('subtitles and documents of the team are up to date, and are stale in every checkout when their source changed', async () => {
  const { team, first: a } = await Team.start(OTHERS, {
    [SRT]: [cue(1, 'Good morning.'), cue(2, 'How are you?')].join('\n'),
    [HTML]: '<p>Dear reader</p>\n',
    [JSON_FILE]: json({ nav: 'Home', save: 'Save' }),
    [MP3]: 'Sound of a person',
    'media/de/talk.txt': 'Von einer Person geschrieben.\n',
  });
  expect(await a.run('once')).toMatchObject({ code: 0 });
  a.commit('translate');
  const b = await team.clone();
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  expect(b.git('status', '--short')).toBe('');

  const c = await team.clone();
  await c.write({
    [SRT]: [cue(1, 'Good morning.'), cue(2, 'Where are you?')].join('\n'),
    [HTML]: '<p>Dear friend</p>\n',
    [JSON_FILE]: json({ nav: 'Start page', save: 'Save' }),
    [MP3]: 'Sound of another',
  });
  const { code, out, requests } = await c.run('once', '--frozen');
  expect({ code, requests }).toEqual({ code: 1, requests: 0 });
  expect(out).toContain('media/en/film.srt:6: stale: Where are you?');
  expect(out).not.toContain('new');
  expect(out).toContain('letter.html -> de');
  expect(out).toContain('media/en/app.json:2: stale: nav');
  expect(out).toContain('talk.mp3 -> de');
  expect(await c.run('once', '--frozen', '--json')).toMatchObject({ code: 1, requests: 0 });
  const checked = await c.run('check');
  expect(checked).toMatchObject({ code: 1, requests: 0 });
  for (const [file, said] of [
    ['en/film.srt:6', '"Where are you?" in de: stale'],
    ['de/app.json:2', 'nav: stale'],
    ['de/letter.html:1', 'stale'],
    ['de/talk.txt:1', 'stale'],
  ] as const) {
    expect(checked.out).toMatch(new RegExp(`${file}.*${said.replaceAll('?', '\\?')}`));
  }

  const d = await team.clone();
  await d.write({ 'media/de/letter.html': '<p>Von einer Person</p>\n' });
  expect(await d.run('once')).toMatchObject(NOTHING_ASKED);
  d.commit('a person writes the letter');
  const e = await team.clone();
  await e.write({ [HTML]: '<p>Dear friend</p>\n' });
  expect(await e.run('once')).toMatchObject({ code: 2, texts: 0 });
  expect(await e.read('media/de/letter.html')).toContain('Von einer Person');
});

test('the lock is updated without buying, and lines about removed texts leave it', async () => {
  const two = PROJECT.replace('[de]', '[de, fr]').replace('locales/{locale}', '{locale}/*');
  const { team, first: a } = await Team.start(two, {
    'en/a.json': json({ hello: 'Hello', bye: 'Goodbye' }),
    'en/b.json': json({ more: 'More' }),
  });
  await a.run('once');
  a.commit('translate');
  const before = await a.read(LOCK);
  const b = await team.clone();
  await b.remove('dragoman.lock/app');
  await b.write({ 'de/a.json': json({ hello: 'Servus', bye: 'Ade' }) });
  expect(await b.run('lock')).toMatchObject(NOTHING_ASKED);
  // The last commit tells what a person wrote since.
  const written = await b.read(LOCK);
  expect(written.match(/ h$/gm)).toHaveLength(2);
  expect(written.match(/ m$/gm)).toHaveLength(1);
  expect(await b.run('lock')).toMatchObject({ code: 0, out: expect.stringMatching(/^0 files/) });

  await a.write({ [LOCK]: `<<<<<<< HEAD\n${before}=======\n${before}>>>>>>> topic\n` });
  expect(await a.run('check')).toMatchObject({ code: 1, out: expect.stringContaining('markers') });
  expect(await a.run('lock')).toMatchObject(NOTHING_ASKED);
  expect(await a.read(LOCK)).toBe(before);

  // A merge by lines may put a line under another source: it is still true.
  const lines = before.split('\n\n');
  const [line = ''] = lines.filter((each) => each.endsWith(' m\n'));
  await a.write({ [LOCK]: [lines[0], lines[1], ...lines.slice(2, -2), line].join('\n\n') });
  await a.write({ 'en/a.json': json({ hello: 'Hello' }), 'en/c.json': json({ new: 'New' }) });
  await a.run('once');
  const next = await a.read(LOCK);
  expect(next.match(/ m$/gm)).toHaveLength(3);
  expect(next).toContain(line.trim());

  await a.remove('en/b.json');
  await a.write({ 'dragoman.yaml': (await a.read('dragoman.yaml')).replace('[de, fr]', '[de]') });
  await a.run('once', '--language', 'de');
  expect(a.has('dragoman.lock/app/fr')).toBe(true);
  expect(await a.read(LOCK)).toContain(line.trim());
  await a.run('lock', '--prune');
  expect(a.has('dragoman.lock/app/fr')).toBe(false);
  expect(await a.read(LOCK)).not.toContain(line.trim());
});

test('runners of pull requests with other glossaries leave the one on the service as it is', async () => {
  const shop = PROJECT.replace(
    'targets: [de]',
    'targets: [de]\n    glossary: { name: shop, csv: "l10n/en-{locale}.csv" }',
  );
  const { team, first: main } = await Team.start(shop, {
    [EN]: json({ cart: 'Your cart' }),
    'l10n/en-de.csv': 'cart,Warenkorb\n',
  });
  await main.run('once');
  main.commit('translate');
  const diff = async () => (await main.run('glossary', 'diff')).code;
  expect(await diff()).toBe(0);
  for (const word of ['Korb', 'Wagen']) {
    const runner = await team.clone();
    await runner.write({
      'l10n/en-de.csv': `cart,${word}\n`,
      [EN]: json({ cart: 'Your cart', more: `More ${word}` }),
    });
    expect(await runner.run('once', '--no-sync')).toMatchObject({ code: 0, texts: 1 });
    await runner.write({ 'dragoman.yaml': `sync: off\n${await runner.read('dragoman.yaml')}` });
    expect(await runner.run('once')).toMatchObject(NOTHING_ASKED);
    expect(await runner.run('glossary', 'push', '--yes')).toMatchObject({
      code: 1,
      out: expect.stringContaining('sync is off'),
    });
    expect(await diff()).toBe(0);
  }
});

test('where the lock says nothing, the history shows whose text is newer and for which source it was written', async () => {
  const both = PROJECT.replace('"locales/{locale}.json"', '"locales/{locale}.{json,md}"');
  const MD = 'locales/en.md';
  const pages = (first: string) => `${first}\n\nThe last paragraph of it.\n`;
  const { team, first: a } = await Team.start(both, {
    [EN]: json({ one: 'First', two: 'Second', three: 'Third' }),
    [MD]: pages('A paragraph.'),
  });
  await a.run('once');
  a.commit('translate');
  const german = JSON.parse(await a.read(DE)) as Texts;
  const page = await a.read('locales/de.md');
  const write = (source: Texts, target: Texts) =>
    a.write({ [EN]: json(source), [DE]: json(target) });
  // Without dragoman: one with its source, one before its source changed.
  await write(
    { one: 'First!', two: 'Second', three: 'Third' },
    { ...german, one: 'Erstens!', two: 'Zwei' },
  );
  await a.write({
    [MD]: pages('A paragraph!'),
    'locales/de.md': page.replace(/^.*\n/, 'Ein Absatz einer Person!\n'),
  });
  a.commit('a person changes both sides, and a translation');
  await write(
    { one: 'First!', two: 'Second!', three: 'Third' },
    { ...german, one: 'Erstens!', two: 'Zwei' },
  );
  a.commit('the source of that translation changes');

  const shallow = await team.clone('--depth=1');
  const unknown = await shallow.run('once');
  expect(unknown).toMatchObject({ code: 2, texts: 0 });
  const status = await shallow.run('status');
  expect(`${unknown.out}${status.out}`).toContain('fetch-depth: 0');

  const whole = await team.clone();
  expect(await whole.run('once')).toMatchObject({ code: 2, texts: 0 });
  const { conflicts } = JSON.parse((await whole.run('status', '--json')).out);
  const note = expect.stringContaining('of commit');
  expect(conflicts).toMatchObject([{ key: 'two', old_source: 'Second', human: 'Zwei', note }]);
  expect(JSON.parse(await whole.read(DE))).toMatchObject({ one: 'Erstens!', two: 'Zwei' });
  expect(await whole.read('locales/de.md')).toContain('Ein Absatz einer Person!');
  expect(await whole.read(LOCK)).toMatch(/ h\?$/m);
});

test('a form of a plural, and a text in the place of forms, that a person edits and commits are no older than their source', async () => {
  const { first: a } = await Team.start(PROJECT.replace('[de]', '[pl]'), {
    [EN]: json({ file_one: 'One file', file_other: 'Many files', boat: 'A boat' }),
  });
  expect(await a.run('once')).toMatchObject({ code: 0 });
  a.commit('translate');
  const pl = 'locales/pl.json';
  const texts = JSON.parse(await a.read(pl)) as Texts;
  for (const edit of [{ file_few: 'Pliki' }, { file_few: 'Pliki', file_many: 'Plików' }]) {
    await a.write({ [pl]: json({ ...texts, ...edit }) });
    a.commit('edit');
    expect(await a.run('once')).toMatchObject(NOTHING_ASKED);
    expect(await a.read(pl)).toBe(json({ ...texts, ...edit }));
  }
});
