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
