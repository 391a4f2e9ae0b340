/** The source replaces or removes blocks that a person marked otherwise: they leave as a whole, and new texts are what they are there. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const page = (...blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;

const BLOCKS: Readonly<Record<string, readonly [en: string, de: string]>> = {
  'a list': ['- Machines keeps.\n- Starts until.', '*   Maschinen behalten.\n*   Startet bis.'],
  'a nested list': [
    '- Machines keeps.\n  - Names between.\n- Starts until.',
    '*   Maschinen behalten.\n    *   Namen zwischen.\n*   Startet bis.',
  ],
  'a list with code': [
    '- Machines.\n\n  ```sh\n  run 1\n  ```',
    '-   Maschinen.\n\n    ```sh\n    run 1\n    ```',
  ],
  'a quote': [
    '> Machines keeps.\n>\n> Starts until.',
    '>   Maschinen behalten.\n>\n>   Startet bis.',
  ],
  'a box': [
    '::: note Between when\nSo between care.\n:::',
    ':::: note Bis wenn\nEin Sorgfalt.\n::::',
  ],
  'numbered items': [
    '1. Machines keeps.\n2. Starts until.',
    '1)  Maschinen behalten.\n2)  Startet bis.',
  ],
};

const NEW: Readonly<Record<string, string>> = {
  nothing: '',
  'two paragraphs': 'Project you open.\n\nUntil when outside.',
  'a heading': '## Project you open\n\nUntil when outside.',
  'a list': '- Project you open\n- Until when outside',
  'a quote': '> Project you open.',
};

const bought = (en: string) => en.replace(/\p{L}+/gu, (word) => `${word}ä`);

/** A paragraph of a box, or an item, that becomes one of the same kind is an edited text in its place. */
const isEdit = (old: string, now: string) =>
  (/list|items/.test(old) && now === 'a list') ||
  (old === 'a box' && /paragraph|heading/.test(now));

const CASES = Object.keys(BLOCKS).flatMap((old) =>
  Object.keys(NEW).flatMap((now) => (isEdit(old, now) ? [] : [{ old, now }])),
);

test.each(CASES)('$old, then $now', async ({ old, now }) => {
  const [en = '', de = ''] = BLOCKS[old] ?? [];
  const added = NEW[now] ?? '';
  const source = (block: string) =>
    page('# Head', 'Words above.', ...(block === '' ? [] : [block]), '## Last part', 'The end.');
  const target = (block: string) =>
    page(
      '# Kopf',
      'Worte oben.',
      ...(block === '' ? [] : [block]),
      'Letzter Teil\n---',
      'Das Ende.',
    );
  const note = '<!-- Hinweis -->';
  for (const own of [[de], [note, de]] as const) {
    const files = { 'l/en.md': source(en), 'l/de.md': target(own.join('\n\n')) };
    const jobs = await TextJobs.of('{ from: "l/{locale}.md" }', files, 'de');
    expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], isWritten: false });
    await jobs.write('l/en.md', source(added));
    await jobs.run('l/en.md');
    const wanted = [...own.slice(0, -1), ...(added === '' ? [] : [bought(added)])].join('\n\n');
    expect(await jobs.read('l/de.md')).toBe(target(wanted));
    expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], isWritten: false });
  }
});

const ELEMENTS: readonly (readonly [en: string, de: string, now: string])[] = [
  [
    '<p>Words of one.</p>',
    '<p class="de">Worte von eins.</p>',
    '<ul>\n  <li>Quoted words</li>\n  <li>Other words</li>\n</ul>',
  ],
  [
    '<ul>\n  <li>Item one\n    <ul>\n      <li>Inner one</li>\n    </ul>\n  </li>\n</ul>',
    '<ul>\n    <li>Punkt eins\n        <ul>\n            <li>Innen eins</li>\n        </ul>\n    </li>\n</ul>',
    '<p>Quoted words.</p>',
  ],
];

test.each(ELEMENTS)('HTML: %j', async (en, de, now) => {
  const source = (block: string) => `<h1>Title</h1>\n${block}\n<p>End words.</p>\n`;
  const target = (block: string) => `<h1>Titel</h1>\n${block}\n<p>Endworte.</p>\n`;
  const files = { 'l/en.html': source(en), 'l/de.html': target(de) };
  const jobs = await TextJobs.of('{ from: "l/{locale}.html", lane: text }', files, 'de');
  expect(await jobs.run('l/en.html')).toMatchObject({ bought: [], isWritten: false });
  await jobs.write('l/en.html', source(now));
  await jobs.run('l/en.html');
  const words = now.replace(/(?<=>)[^<>\n]+/g, bought);
  expect(await jobs.read('l/de.html')).toBe(target(words));
  expect(await jobs.run('l/en.html')).toMatchObject({ bought: [], isWritten: false });
});

const HTML_BLOCKS: Readonly<Record<string, readonly [en: string, de: string]>> = {
  'a paragraph': ['<p>Words of one.</p>', '<p>Worte von eins.</p>'],
  'a list': [
    '<ul>\n  <li>Item one</li>\n  <li>Item two</li>\n</ul>',
    '<ul>\n  <li>Punkt eins</li>\n  <li>Punkt zwei</li>\n</ul>',
  ],
  'a table': [
    '<table>\n  <tr><th>Name</th><th>Use</th></tr>\n  <tr><td>Cat</td><td>An animal</td></tr>\n</table>',
    '<table>\n  <tr><th>Namen</th><th>Nutzen</th></tr>\n  <tr><td>Katze</td><td>Ein Tier</td></tr>\n</table>',
  ],
  'a tall table': [
    '<table>\n  <tr>\n    <td>Cat</td>\n    <td>An animal</td>\n  </tr>\n</table>',
    '<table>\n  <tr>\n    <td>Katze</td>\n    <td>Ein Tier</td>\n  </tr>\n</table>',
  ],
  'a heading with its text': [
    '<h2>Second head</h2>\n<p>Some body words.</p>',
    '<h2>Zweiter Kopf</h2>\n<p>Einige Worte darin.</p>',
  ],
};

const HTML_NEW: Readonly<Record<string, string>> = {
  nothing: '',
  'a list': '<ul>\n  <li>Quoted words</li>\n  <li>Other words</li>\n</ul>\n',
  'a paragraph': '<p>Quoted words fully.</p>\n',
  'a glossary': '<dl>\n  <dt>Dog word</dt>\n  <dd>Another animal here</dd>\n</dl>\n',
  'a section': '<section>\n  <h3>New third head</h3>\n  <p>Fresh words inside.</p>\n</section>\n',
};

const HTML_PERSONS: Readonly<Record<string, (block: string) => string>> = {
  'an attribute outside': (block) => block.replace(/<\w+/, '$& class="de"'),
  'attributes of the texts': (block) => block.replace(/<(p|li|td|th|h2)>/g, '<$1 class="de">'),
  'other indents': (block) => block.replace(/^ +/gm, '$&$&'),
};

/** The paragraph below the heading is an edited text in its place. */
const isEditOfHtml = (old: string, now: string) =>
  old === now || (old === 'a heading with its text' && now === 'a paragraph');

const HTML_CASES = Object.keys(HTML_BLOCKS).flatMap((old) =>
  Object.keys(HTML_NEW).flatMap((now) =>
    isEditOfHtml(old, now) ? [] : Object.keys(HTML_PERSONS).map((person) => ({ old, now, person })),
  ),
);

test.each(HTML_CASES)('HTML: $old with $person, then $now', async ({ old, now, person }) => {
  const [en = '', de = ''] = HTML_BLOCKS[old] ?? [];
  const added = HTML_NEW[now] ?? '';
  const own = HTML_PERSONS[person]?.(de) ?? de;
  const source = (block: string) => `<h1>Title</h1>\n${block}<p>End words.</p>\n`;
  const target = (block: string) => `<h1>Titel</h1>\n${block}<p>Endworte.</p>\n`;
  for (const note of ['', '<!-- Hinweis -->\n']) {
    const files = { 'l/en.html': source(`${en}\n`), 'l/de.html': target(`${note}${own}\n`) };
    const jobs = await TextJobs.of('{ from: "l/{locale}.html", lane: text }', files, 'de');
    expect(await jobs.run('l/en.html')).toMatchObject({ bought: [], isWritten: false });
    await jobs.write('l/en.html', source(added));
    expect(await jobs.run('l/en.html')).toMatchObject({ state: { kind: 'done' } });
    const words = added.replace(/(?<=>)[^<>\n]+/g, bought);
    expect(await jobs.read('l/de.html')).toBe(target(`${note}${words}`));
    expect(await jobs.run('l/en.html')).toMatchObject({ bought: [], isWritten: false });
  }
});

const BETWEEN = [
  {
    file: 'a.md',
    en: 'Alpha words one.\n\nBeta words two.',
    de: ['Alpha Worte eins.', 'Eigenes von Jana.', 'Beta Worte zwei.'],
    now: ['- Quite new\n- Other thing', '> Some quote here'],
  },
  {
    file: 'a.html',
    en: '<p>Alpha words one.</p>\n<p>Beta words two.</p>',
    de: ['<p>Alpha Worte eins.</p>', '<p>Eigenes von Jana.</p>', '<p>Beta Worte zwei.</p>'],
    now: ['<ul>\n  <li>Quite new</li>\n</ul>', '<h2>Some quote here</h2>'],
  },
];

test.each(BETWEEN)(
  'a paragraph of a person stays between replaced blocks: $file',
  async (given) => {
    const isPage = given.file === 'a.md';
    const gap = isPage ? '\n\n' : '\n';
    const made = (blocks: readonly string[], head: string, end: string) =>
      `${[isPage ? `# ${head}` : `<h1>${head}</h1>`, ...blocks, isPage ? end : `<p>${end}</p>`].join(gap)}\n`;
    const [from, to] = [`l/en/${given.file}`, `l/de/${given.file}`];
    const [first = '', own = '', last = ''] = given.de;
    const files = {
      [from]: made([given.en], 'Head', 'The end.'),
      [to]: made([first, last], 'Kopf', 'Das Ende.'),
    };
    const jobs = await TextJobs.of('{ from: "l/{locale}/*.{md,html}", lane: text }', files, 'de');
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(to, made(given.de, 'Kopf', 'Das Ende.'));
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(from, made(given.now, 'Head', 'The end.'));
    expect(await jobs.run(from)).toMatchObject({ state: { kind: 'done' } });
    const [above = '', below = ''] = given.now.map((block) =>
      isPage ? bought(block) : block.replace(/(?<=>)[^<>\n]+/g, bought),
    );
    expect(await jobs.read(to)).toBe(made([above, own, below], 'Kopf', 'Das Ende.'));
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
  },
);
