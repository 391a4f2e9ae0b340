/**
 * A person's translation is adopted to the byte; when the source changes, the target changes at the same places and nowhere else. One
 * file of each format, and pages of blocks as real documentation has them.
 */
import { expect, test } from 'vitest';
import { Seeded } from '../seeded.ts';
import { TextJobs } from '../text-jobs.ts';
import { type Block, MARKDOWN_BLOCKS, MDX_BLOCKS } from './human-page-blocks.ts';

/** `lost`: the lines of the target that the edit of the source replaces. */
const FILES: readonly [
  name: string,
  from: string,
  path: string,
  source: string,
  target: string,
  edit: (source: string) => string,
  lost: readonly string[],
  more?: string,
][] = [
  [
    'json',
    'l/{locale}.json',
    'l/en.json',
    '{\n  "b": "Second text",\n  "a": { "x": "First {name}", "y": "Kept text" },\n  "d": "Gone text",\n  "e": ""\n}\n',
    '{\n    "a":{"y":"Texte gardé","x":"Premier {name}"},\n    "b" : "Deuxi\\u00e8me texte", "d": "Texte parti",\n    "mine": "À moi", "e": "vide"\n}',
    (s: string) =>
      s.replace('Second text', 'Second line').replace('"d": "Gone text",\n', '"c": "New text",\n'),
    ['    "b" : "Deuxi\\u00e8me texte", "d": "Texte parti",'],
  ],
  [
    'json of MediaWiki',
    'l/{locale}.json',
    'l/en.json',
    '{\n  "@metadata": { "authors": ["Alice Smith", "Bob Brown"] },\n  "a": "One text",\n  "b": "Two texts"\n}\n',
    '{\n\t"@metadata": {\n\t\t"authors": [ "Xavier Dupont" ]\n\t},\n\t"a": "Un texte",\n\t"b": "Deux textes"\n}\n',
    (s: string) =>
      s.replace('Two texts', 'Two lines').replace('"Bob Brown"', '"Carol Jones", "Dan"'),
    ['\t"b": "Deux textes"'],
  ],
  [
    'json tabs crlf bom',
    'l/{locale}.json',
    'l/en.json',
    '{\n  "a": "One text",\n  "b": "Two texts"\n}\n',
    '\ufeff{\r\n\t"a": "Un texte",\r\n\t"b": "Deux textes"\r\n}',
    (s: string) => s.replace('Two texts', 'Two lines').replace('{\n', '{\n  "c": "New text",\n'),
    ['\t"b": "Deux textes"\r'],
  ],
  [
    'arb',
    'l/app_{locale}.arb',
    'l/app_en.arb',
    '{\n  "@@locale": "en",\n  "a": "One text {n}",\n  "@a": { "description": "x", "placeholders": { "n": {} } },\n  "b": "{n, plural, =1{One file} other{{n} files}}"\n}\n',
    '{\n  "@@locale": "fr",\n  "@@author": "Anna",\n  "a": "Un texte {n}",\n  "b": "{n, plural, =0{Aucun fichier} one{Un fichier} other{{n} fichiers}}"\n}\n',
    (s: string) => s.replace('One text', 'One line'),
    ['  "a": "Un texte {n}",'],
  ],
  [
    'yaml',
    'l/{locale}.yml',
    'l/en.yml',
    'en:\n  a: One text # comment\n  b: "Two texts"\n  c: |\n    Long text\n    of lines\n  d: Three\n',
    "fr:\n    # à nous\n    a:   Un texte   # commentaire\n    c: >-\n        Texte long\n        en lignes\n    b: 'Deux textes'\n    d: &d Trois\n    z: *d\n",
    (s: string) =>
      s.replace('Two texts', 'Two lines').replace('  d: Three\n', '  d: Three\n  e: New text\n'),
    ["    b: 'Deux textes'"],
  ],
  [
    'po',
    'po/{locale}.po',
    'po/en.po',
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n#: a.c:1\nmsgid "One text"\nmsgstr ""\n\nmsgid "Two texts"\nmsgstr ""\n',
    'msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Last-Translator: Anna\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n# remarque\n#: a.c:1\nmsgid "One text"\nmsgstr ""\n"Un "\n"texte"\n\nmsgid "Two texts"\nmsgstr "Deux textes"\n\n#~ msgid "Old"\n#~ msgstr "Vieux"\n',
    (s: string) => s.replace('Two texts', 'Two lines'),
    ['msgid "Two texts"', 'msgstr "Deux textes"'],
  ],
  [
    'properties',
    'l/a_{locale}.properties',
    'l/a_en.properties',
    '# c\na = One text\nb=Two texts\nc: Three texts\n',
    '! à nous\nb : Deux \\\n    textes\na=Un texte\nc Trois textes\n\nmine = x\n',
    (s: string) => s.replace('One text', 'One line').replace('b=', 'n=New text\nb='),
    ['a=Un texte'],
  ],
  [
    'ini',
    'l/{locale}.ini',
    'l/en.ini',
    '[s]\na = One text\nb = "Two texts"\n',
    '; à nous\n[s]\nb="Deux textes" ; fin\na=Un texte\n',
    (s: string) => `${s.replace('One text', 'One line')}n = New text\n`,
    ['a=Un texte'],
  ],
  [
    'ftl',
    'l/{locale}.ftl',
    'l/en.ftl',
    '# c\na = One text { $x }\nb = { $n ->\n    [one] One file\n   *[other] { $n } files\n}\nc = Three\n    .t = A title\n',
    '### à nous\nc = Trois\n    .t = Un titre\nb = { $n ->\n    [0] Aucun fichier\n    [one] Un fichier\n   *[many] { $n } fichiers\n}\na =\n    Un texte\n    { $x }\n',
    (s: string) => s.replace('A title', 'A new title'),
    ['    .t = Un titre'],
  ],
  [
    'toml',
    'l/{locale}.toml',
    'l/en.toml',
    'a = "One text"\n[s]\nb = "Two texts"\nc = """\nLong\ntext"""\n',
    '# à nous\na = \'Un texte\'\n\n[s] # s\n  b = "Deux textes"\n  c = "Long\\ntexte"\n  mine = 1\n',
    (s: string) => s.replace('Two texts', 'Two lines'),
    ['  b = "Deux textes"'],
  ],
  [
    'php',
    'l/{locale}/a.php',
    'l/en/a.php',
    "<?php\nreturn [\n  'a' => 'One :name',\n  'b' => ['c' => \"Two\\ntexts\"],\n];\n",
    "<?php\n// à nous\nreturn array(\n    'b' => array('c' => 'Deux\n textes'),\n    \"a\" => 'Un :name' . '',\n);\n",
    (s: string) => s.replace('Two', 'Three').replace("  'b'", "  'n' => 'New text',\n  'b'"),
    ["    'b' => array('c' => 'Deux", " textes'),"],
  ],
  [
    'ts',
    'l/{locale}.ts',
    'l/en.ts',
    "export default {\n  a: 'One text',\n  b: { c: `Two texts` },\n} as const;\n",
    'import x from \'./x\';\nexport default {\n  // à nous\n  b: { "c": \'Deux textes\', },\n  a: "Un texte",\n} satisfies X;\n',
    (s: string) => s.replace('One text', 'One line'),
    ['  a: "Un texte",'],
  ],
  [
    'android',
    'res/values-{locale}/s.xml',
    'res/values-en/s.xml',
    '<resources>\n    <!-- c -->\n    <string name="a">One \\\'text\\\'</string>\n    <string name="b"><b>Two</b> texts</string>\n    <plurals name="p">\n        <item quantity="one">%d file</item>\n        <item quantity="other">%d files</item>\n    </plurals>\n</resources>\n',
    '<?xml version="1.0" encoding="utf-8"?>\n<resources xmlns:tools="x">\n  <!-- à nous -->\n  <string name="b" tools:ignore="y"><b>Deux</b> textes</string>\n  <plurals name="p">\n    <item quantity="one">%d fichier</item>\n    <item quantity="other">%d fichiers</item>\n    <item quantity="many">%d de fichiers</item>\n  </plurals>\n  <string name="a">"Un \'texte\'"</string>\n</resources>\n',
    (s: string) => s.replace('</b> texts', '</b> lines'),
    ['  <string name="b" tools:ignore="y"><b>Deux</b> textes</string>'],
  ],
  [
    'strings',
    '{locale}.lproj/a.strings',
    'en.lproj/a.strings',
    '/* c */\n"a" = "One text";\n"b" = "Two %@";\n',
    '// à nous\n"b"="Deux %@";\n"a" = "Un texte"; // fin\n',
    (s: string) => `${s.replace('One text', 'One line')}"n" = "New text";\n`,
    ['"a" = "Un texte"; // fin'],
  ],
  [
    'xliff',
    'l/{locale}.xlf',
    'l/en.xlf',
    '<xliff version="1.2"><file original="a" source-language="en" target-language="en" datatype="plaintext"><body>\n<trans-unit id="a"><source>One text</source></trans-unit>\n<trans-unit id="b"><source>Two <x id="1"/> texts</source></trans-unit>\n</body></file></xliff>\n',
    '<xliff version="1.2"><file original="a" source-language="en" target-language="fr" datatype="plaintext"><body>\n<trans-unit id="a" approved="no"><source>One text</source><target state="translated">Un texte</target><note>à nous</note></trans-unit>\n<trans-unit id="b"><source>Two <x id="1"/> texts</source>\n  <target>Deux <x id="1"/> textes</target></trans-unit>\n</body></file></xliff>\n',
    (s: string) => s.replace('One text', 'One line'),
    [
      '<trans-unit id="a" approved="no"><source>One text</source><target state="translated">Un texte</target><note>à nous</note></trans-unit>',
    ],
  ],
  [
    'qt',
    'l/a_{locale}.ts',
    'l/a_en.ts',
    '<?xml version="1.0"?>\n<TS version="2.1" language="en">\n<context>\n    <name>M</name>\n    <message>\n        <source>One text</source>\n        <translation></translation>\n    </message>\n    <message>\n        <source>Two &amp;texts</source>\n        <translation></translation>\n    </message>\n</context>\n</TS>\n',
    '<?xml version="1.0"?>\n<TS version="2.1" language="fr_FR">\n<context>\n    <name>M</name>\n    <message>\n        <location filename="a.cpp" line="3"/>\n        <source>One text</source>\n        <translation>Un texte</translation>\n    </message>\n    <message>\n        <source>Two &amp;texts</source>\n        <translation type="unfinished">Deux &amp;textes</translation>\n    </message>\n</context>\n</TS>\n',
    (s: string) => s.replace('One text', 'One line'),
    ['        <translation>Un texte</translation>'],
  ],
  [
    'csv',
    'l/{locale}.csv',
    'l/en.csv',
    'key,text\na,One text\nb,"Two, texts"\n',
    'key,text\nb,"Deux, ""textes"""\na,Un texte\n',
    (s: string) => `${s.replace('One text', 'One line')}n,New text\n`,
    ['a,Un texte'],
    'columns: { key: key, source: text }',
  ],
  [
    'resx',
    'l/a.{locale}.resx',
    'l/a.en.resx',
    '<root>\n  <data name="a" xml:space="preserve">\n    <value>One text</value>\n  </data>\n  <data name="b" xml:space="preserve">\n    <value>Two texts</value>\n  </data>\n</root>\n',
    '<root>\n  <!-- à nous -->\n  <data name="b" xml:space="preserve"><value>Deux textes</value><comment>c</comment></data>\n  <data name="a" xml:space="preserve">\n    <value>Un texte</value>\n  </data>\n</root>',
    (s: string) => s.replace('One text', 'One line'),
    ['    <value>Un texte</value>'],
  ],
  [
    'ttml',
    'f/{locale}.ttml',
    'f/en.ttml',
    '<tt xml:lang="en"><body><div>\n<p begin="00:01" end="00:02">Hello there</p>\n<p begin="00:03" end="00:04">Second cue<br/>of two lines</p>\n</div></body></tt>\n',
    '<tt xml:lang="fr"><body region="r"><div>\n<p begin="00:01.5" end="00:02" style="s">Bonjour à vous</p>\n<!-- à nous -->\n<p begin="00:03" end="00:04">Deuxième réplique<br/>en deux lignes</p>\n</div></body></tt>\n',
    (s: string) => s.replace('Hello there', 'Hello again'),
    ['<p begin="00:01.5" end="00:02" style="s">Bonjour à vous</p>'],
  ],
  [
    'txt',
    't/{locale}.txt',
    't/en.txt',
    'Hello there\n\nA second paragraph\nof two lines\n\nBye\n',
    '  Bonjour à vous\r\n\r\nUn deuxième paragraphe\r\nde deux lignes\r\n\r\n\r\nSalut',
    (s: string) => s.replace('Bye', 'Bye for now'),
    ['Salut'],
  ],
  [
    'html',
    'h/{locale}.html',
    'h/en.html',
    '<html lang="en"><body>\n<h1 title="Tip">Hello there</h1>\n<p>A <b>bold</b> word<br>and more</p>\n<ul><li>One point<li>Two points</ul>\n<p>Unclosed words\n<ul><li>Inner</li></ul>\n</p>\n</body></html>\n',
    '<html lang="fr"><body class="x">\n<H1 title=\'Conseil\'>Bonjour à vous</H1>\n<p>Un mot <b>gras</b><br />et plus</p>\n<script>// à nous</script>\n<ul><li>Un point<li>Deux points</ul>\n<p>Mots ouverts\n<ul><li>Dedans</li></ul>\n</p>\n</body></html>\n',
    (s: string) => s.replace('Two points', 'Three points'),
    ['<ul><li>Un point<li>Deux points</ul>'],
  ],
  [
    'md html',
    'm/{locale}.md',
    'm/en.md',
    '# Node\n\n<p>Some <b>bold</b> words</p>\n<p>Unclosed words\n<ul>\n <li>One point\n <li>Two points</li>\n</ul>\n</p>\n\nText behind.</p>\n\n<p>\n\nInner *words* here.\n\n</p>\n',
    '# Nœud\n\n<p>Des mots <b>gras</b>\n</p>\n<p>Mots ouverts\n<ul>\n <li>Un point</li>\n <li>Deux points</li>\n</ul></p>\n\nTexte derrière.</p>\n\n<p>\n\nDes *mots* ici.</p>\n',
    (s: string) => s.replace('Two points', 'Three points'),
    [' <li>Deux points</li>'],
  ],
];

test.each(FILES)(
  '%s: only what the source changed is changed',
  async (name, from, path, source, target, edit, lost, more) => {
    const there = path.replace(/(?<=[/_.-]|^)en(?=[./])/, 'fr');
    const jobs = await TextJobs.of(
      `{ from: "${from}", lane: text${more === undefined ? '' : `, ${more}`} }`,
      { [path]: source, [there]: target },
      'fr',
    );
    expect(await jobs.run(path, 'fr')).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(path, edit(source));
    const { bought } = await jobs.run(path, 'fr');
    expect(bought.length, name).toBeGreaterThan(0);
    const after = (await jobs.read(there)).split('\n');
    expect(target.split('\n').filter((line) => !after.includes(line))).toEqual(lost);
    expect(await jobs.run(path, 'fr')).toMatchObject({ bought: [], isWritten: false });
  },
);

const QT_EN = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Window</name>
    <message>
        <source>One text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Other</name>
    <message>
        <source>Two texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Three texts</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
`;

test('rails: a file without the form for millions or fractions is complete, and stays so when its source changes', async () => {
  const english = (word: string, more = '') =>
    `en:\n  files:\n    one: One ${word}\n    other: "%{count} ${word}s"\n${more}`;
  const current = {
    fr: 'fr:\n  files:\n    one: Un fichier\n    other: "%{count} fichiers"\n',
    cs: 'cs:\n  files:\n    one: Jeden soubor\n    few: "%{count} soubory"\n    other: "%{count} souborů"\n',
  };
  const jobs = await TextJobs.of(
    '{ from: "l/{locale}.yml" }',
    { 'l/en.yml': english('file'), 'l/fr.yml': current.fr, 'l/cs.yml': current.cs },
    'fr, cs',
  );
  for (const [language, text] of Object.entries(current)) {
    expect((await jobs.run('l/en.yml', language)).bought).toEqual([]);
    expect(await jobs.read(`l/${language}.yml`)).toBe(text);
  }
  await jobs.write(
    'l/en.yml',
    english('page', '  lists:\n    one: One list\n    other: "%{count} lists"\n'),
  );
  const changed = await jobs.run('l/en.yml', 'fr');
  expect(changed.bought).toHaveLength(5);
  const after = await jobs.read('l/fr.yml');
  expect(after.match(/^ {4}\w+/gm)).toEqual(
    ['one', 'other', 'one', 'many', 'other'].map((form) => `    ${form}`),
  );
  expect((await jobs.run('l/en.yml', 'fr')).bought).toEqual([]);
  expect(await jobs.read('l/fr.yml')).toBe(after);
});

test('qt: a message is in its context behind the name, also where all messages of it are new', async () => {
  const french = ['Un texte', 'Deux textes', 'Trois textes'];
  const target = french.reduce(
    (text, each) => text.replace('<translation type="unfinished">', `<translation>${each}`),
    QT_EN.replace('"en"', '"fr"'),
  );
  const jobs = await TextJobs.of(
    '{ from: "l/{locale}.ts", lane: text }',
    { 'l/en.ts': QT_EN, 'l/fr.ts': target },
    'fr',
  );
  await jobs.run('l/en.ts', 'fr');
  await jobs.write('l/en.ts', QT_EN.replace('One', 'A').replace('Two', 'Some'));
  const OPEN = ' type="unfinished">';
  const message = (source: string, translation: string) =>
    `    <message>\n        <source>${source}</source>\n        <translation${translation}</translation>\n    </message>\n`;
  const left = (old: string) => old.replace('<translation>', '<translation type="vanished">');
  await jobs.run('l/en.ts', 'fr');
  expect(await jobs.read('l/fr.ts')).toBe(
    target
      .replace(
        message('One text', '>Un texte'),
        (old) => `${message('A text', `${OPEN}Aä textä`)}${left(old)}`,
      )
      .replace(
        message('Two texts', '>Deux textes'),
        (old) => `${message('Some texts', `${OPEN}Someä textsä`)}${left(old)}`,
      ),
  );
});

test('xliff: a unit is behind the notes of its file, also where all units of it are new', async () => {
  const unit = (id: string, text: string, more = '') =>
    `      <trans-unit id="${id}">\n        <source>${text}</source>${more}\n      </trans-unit>\n`;
  const page = (units: string) =>
    `<?xml version="1.0"?>\n<xliff version="1.2">\n  <file original="a" source-language="en" target-language="fr" datatype="plaintext">\n    <header><note>N</note></header>\n    <body>\n${units}    </body>\n  </file>\n</xliff>\n`;
  const there = page(unit('a', 'One text', '\n        <target>Un texte</target>'));
  const jobs = await TextJobs.of(
    '{ from: "l/{locale}.xlf", lane: text }',
    { 'l/en.xlf': page(unit('a', 'One text')), 'l/fr.xlf': there },
    'fr',
  );
  await jobs.run('l/en.xlf', 'fr');
  await jobs.write('l/en.xlf', page(unit('b', 'Other words')));
  await jobs.run('l/en.xlf', 'fr');
  const after = await jobs.read('l/fr.xlf');
  expect(after.match(/<(?:file|header|body|trans-unit) /g)).toEqual(['<file ', '<trans-unit ']);
  expect(after).toContain('Otherä wordsä');
  expect(after).not.toContain('Un texte');
});

test('lines of a source that the page of a person cannot take are a conflict, until the person keeps the page', async () => {
  const page = (fence: string) =>
    `Paragraph one here\n\n${fence}\nl1\nl2\nl3\n${fence}\n\nParagraph two here\n`;
  const jobs = await TextJobs.of('{ from: "d/{locale}.md" }', { 'd/en.md': page('~~~') }, 'fr');
  await jobs.run('d/en.md', 'fr');
  const [first, second] = (await jobs.read('d/fr.md')).trim().split(/\n\n~~~[^~]*~~~\n\n/);
  const own = `${first}\n\n~~~\nl1\n~~~\n\n${second}\n\n~~~\nl2\nl3\n~~~\n`;
  await jobs.write('d/fr.md', own);
  expect(await jobs.run('d/en.md', 'fr')).toMatchObject({ bought: [], isWritten: false });
  await jobs.write('d/en.md', page('~~~~'));
  for (const run of [1, 2]) {
    const { state } = await jobs.run('d/en.md', 'fr');
    expect({ run, kind: state.kind }).toEqual({ run, kind: 'held' });
    expect(await jobs.read('d/fr.md')).toBe(own);
  }
});

test('two texts of a page that are in one paragraph at first contact: a change or loss of either is a conflict', async () => {
  const texts = [
    'Make a new file in the folder of your project, and give it the name `tables.js`.',
    'Put the following lines into that file, in the order in which they stand here:',
  ];
  const page = (own: readonly string[]) =>
    `# Tables\n\nEach table has rows, and a row has cells.\n\n## Your task\n\n${own.map((text) => `${text}\n\n`).join('')}\`\`\`js\nconst rows = 1;\n\`\`\`\n\nThen run \`node tables.js\` and look at it.\n`;
  const joined =
    'Faites un nouveau fichier dans le dossier de votre projet, et donnez-lui le nom `tables.js`.\nMettez dans ce fichier les lignes suivantes, dans l’ordre où elles se trouvent ici :';
  const target = page([joined])
    .replace('Tables', 'Tableaux')
    .replace('Each table has rows, and a row has cells.', 'Un tableau a des lignes de cellules.')
    .replace('Your task', 'Votre tâche')
    .replace(/Then run (.*) and look at it/, 'Lancez $1 et regardez');
  for (const now of [[texts[1]], [texts[0]], [`${texts[0]} Now.`, texts[1]]]) {
    const jobs = await TextJobs.of(
      '{ from: "docs/{locale}/*.md", lane: text }',
      { 'docs/en/a.md': page(texts), 'docs/fr/a.md': target },
      'fr',
    );
    const untouched = { bought: [], isWritten: false, state: { kind: 'done' } };
    expect(await jobs.run('docs/en/a.md', 'fr')).toMatchObject(untouched);
    await jobs.write('docs/en/a.md', page(now.map((text) => text ?? '')));
    const changed = await jobs.run('docs/en/a.md', 'fr');
    expect(await jobs.read('docs/fr/a.md')).toBe(target);
    if (now[0] !== texts[0]) expect(changed.state).toMatchObject({ kind: 'held' });
    expect(await jobs.run('docs/en/a.md', 'fr')).toMatchObject({ bought: [], isWritten: false });
  }
});

/** MDX has no attributes of headings, template calls, definition lists and HTML comments. */
const PLAIN_ONLY = /kramdown|Jekyll|definition|a comment|an anchor|shortcode|HTML/;
const POOLS: Readonly<Record<string, readonly Block[]>> = {
  md: MARKDOWN_BLOCKS,
  mdx: [...MARKDOWN_BLOCKS.filter(({ name }) => !PLAIN_ONLY.test(name)), ...MDX_BLOCKS],
};

test.each([...Array(24).keys()])(
  'page %i of a person: blocks that the source left alone stay to the byte',
  async (seed) => {
    const random = new Seeded(seed, 14);
    const extension = seed % 2 === 0 ? 'md' : 'mdx';
    const [added, ...blocks] = drawn(POOLS[extension] ?? [], random).slice(0, 13);
    if (added === undefined) throw new TypeError('no block');
    const [path, there] = [`docs/en/a.${extension}`, `docs/fr/a.${extension}`];
    const jobs = await TextJobs.of(
      '{ from: "docs/{locale}/*.{md,mdx}", lane: text }',
      { [path]: pageOf(blocks.map(({ en }) => en)), [there]: pageOf(blocks.map(({ fr }) => fr)) },
      'fr',
    );
    const adopted = await jobs.run(path, 'fr');
    expect(adopted).toMatchObject({ bought: [], isWritten: false, state: { kind: 'done' } });
    const place = random.below(blocks.length);
    const edited = new Set(blocks.filter((block) => block.edited !== undefined).slice(0, seed % 3));
    const now = blocks.map((block) =>
      edited.has(block) ? block.en.replace(...(block.edited ?? ['', ''])) : block.en,
    );
    const isTakenOut = seed % 4 === 3 && blocks[place] !== undefined && !edited.has(blocks[place]);
    now.splice(place, isTakenOut ? 1 : 0, ...(isTakenOut ? [] : [added.en]));
    await jobs.write(path, pageOf(now));
    await jobs.run(path, 'fr');
    const after = await jobs.read(there);
    let from = 0;
    for (const [index, block] of blocks.entries()) {
      if (edited.has(block) || (isTakenOut && index === place)) continue;
      const found = after.indexOf(block.fr, from);
      expect(found, `${block.name} in\n${after}`).toBeGreaterThanOrEqual(0);
      from = found + block.fr.length;
    }
    expect(await jobs.run(path, 'fr')).toMatchObject({ bought: [], isWritten: false });
  },
);

function drawn(blocks: readonly Block[], random: Seeded): Block[] {
  return blocks
    .map((block) => ({ block, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ block }) => block);
}

function pageOf(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}

test('a page whose code is written with other brackets, dots and capitals is adopted', async () => {
  const source =
    '# Server\n\nCall `start` and wait for `Ready`.\n\nThen use `stop()` for a while.\n\nOther words here.\n';
  const target =
    '# Server\n\nAppelez `start()` et attendez `ready`.\n\nPuis prenez `.stop` un moment.\n\nAutres mots ici.\n';
  const jobs = await TextJobs.of(
    '{ from: "docs/{locale}/*.md" }',
    { 'docs/en/a.md': source, 'docs/fr/a.md': target },
    'fr',
  );
  const untouched = { bought: [], isWritten: false, state: { kind: 'done' } };
  expect(await jobs.run('docs/en/a.md', 'fr')).toMatchObject(untouched);
  await jobs.write('docs/en/a.md', source.replace('Other words', 'More words'));
  expect(await jobs.run('docs/en/a.md', 'fr')).toMatchObject({ bought: ['More words here.'] });
  expect(await jobs.read('docs/fr/a.md')).toBe(
    target.replace('Autres mots ici', 'Moreä wordsä hereä'),
  );
});
