/** Lines and elements that a person made otherwise, while the source moves what is beside them: none comes twice, is lost or is emptied. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const page = (...blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;

async function moved(
  name: string,
  { before, own, source }: Record<'before' | 'own' | 'source', string>,
) {
  const [from, to] = [`docs/en/${name}`, `docs/de/${name}`];
  const jobs = await TextJobs.of(
    '{ from: "docs/{locale}/*.{md,mdx,html}", lane: text }',
    { [from]: before, [to]: own },
    'de',
  );
  expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
  await jobs.write(from, source);
  const { bought, state } = await jobs.run(from);
  const now = await jobs.read(to);
  // What a person has to decide stays, however many runs there are.
  for (let runs = 0; runs < 2; runs += 1) {
    expect(await jobs.run(from)).toMatchObject({ bought: [], state: { kind: state.kind } });
    expect(await jobs.read(to)).toBe(now);
  }
  return { jobs, now, bought, state };
}

const CONFLICT = { kind: 'held', hold: { kind: 'conflict' } };

const CODE = '```yaml\na: 1\n```';
const OWN_LINES = [
  ['<img src="a.png" />', '<img src="de.png" />'],
  ['<!-- more -->', '<!-- mehr -->'],
  ['[p]: /en/p', '[p]: /de/p'],
  ['```sh\n# go\nrun\n```', '```sh\n# los\nrun\n```'],
  ['---', '***'],
] as const;

test.each(OWN_LINES)('code that the source moves past %j', async (line, own) => {
  const words = ['Own words.', 'Middle words.', 'Last words.'];
  const worte = ['Eigene Worte.', 'Mittlere Worte.', 'Letzte Worte.'];
  const [first = '', middle = '', last = ''] = words;
  const [erste = '', mitte = '', letzte = ''] = worte;
  const { now, state } = await moved('a.md', {
    before: page(first, CODE, middle, line, last),
    own: page(erste, CODE, mitte, own, letzte),
    source: page(first, middle, line, CODE, last),
  });
  if (now === page(erste, CODE, mitte, own, letzte)) expect(state).toMatchObject(CONFLICT);
  for (const block of [CODE, own]) expect(now.split(`${block}\n`)).toHaveLength(2);
  expect(now.split(line).length).toBe(1);
  for (const text of worte) expect(now).toContain(text);
});

test.each(OWN_LINES.filter(([line]) => line !== '---'))(
  'a paragraph that changes places with %j of a person, and a decision for the person',
  async (line, own) => {
    const kept = page('Eigene Worte.', 'Mittlere Worte.', own, 'Letzte Worte.');
    const { jobs, now, state } = await moved('a.md', {
      before: page('Own words.', 'Middle words.', line, 'Last words.'),
      own: kept,
      source: page('Own words.', line, 'Middle words.', 'Last words.'),
    });
    if (now === page('Eigene Worte.', own, 'Mittlere Worte.', 'Letzte Worte.')) return;
    expect([now, state]).toMatchObject([kept, CONFLICT]);
    const keys = state.kind === 'held' && 'keys' in state.hold ? state.hold.keys : [];
    const choices = new Map(keys.map((key) => [key, 'human' as const]));
    const done = { bought: [], isWritten: false, state: { kind: 'done' } };
    expect(await jobs.run('docs/en/a.md', 'de', { choices })).toMatchObject(done);
    expect(await jobs.run('docs/en/a.md')).toMatchObject(done);
  },
);

test('a person who moves the code that stayed ends the conflict', async () => {
  const [line, own] = ['<img src="a.png" />', '<img src="de.png" />'];
  const { jobs, state } = await moved('a.md', {
    before: page('Own words.', CODE, 'Middle words.', line, 'Last words.'),
    own: page('Eigene Worte.', CODE, 'Mittlere Worte.', own, 'Letzte Worte.'),
    source: page('Own words.', 'Middle words.', line, CODE, 'Last words.'),
  });
  expect(state).toMatchObject(CONFLICT);
  const done = page('Eigene Worte.', 'Mittlere Worte.', own, CODE, 'Letzte Worte.');
  await jobs.write('docs/de/a.md', done);
  expect(await jobs.run('docs/en/a.md')).toMatchObject({ bought: [], state: { kind: 'done' } });
  expect(await jobs.read('docs/de/a.md')).toBe(done);
});

const ITEMS: readonly (readonly [name: string, before: string, own: string, source: string])[] = [
  [
    'a.html',
    '<select><option value="a">Apple</option><option value="b">Banana</option></select>\n',
    '<select><option value="a">Apfel</option><option value="b" selected>Banane</option></select>\n',
    '<select><option value="a">Apple</option><option value="c">Cherry</option><option value="b">Banana</option></select>\n',
  ],
  [
    'a.html',
    '<ul><li>Apple</li><li>Banana</li></ul>\n',
    '<ul><li class="x">Apfel</li><li>Banane</li></ul>\n',
    '<ul><li>Banana</li><li>Apple</li></ul>\n',
  ],
  [
    'a.mdx',
    page('<Aside>\n\nFirst words.\n\n</Aside>', 'Middle words.', 'Last words.'),
    page('<Aside type="danger">\n\nErste Worte.\n\n</Aside>', 'Mittlere Worte.', 'Letzte Worte.'),
    page('Middle words.', 'Last words.', '<Aside>\n\nFirst of all words.\n\n</Aside>'),
  ],
];

test.each(ITEMS)(
  'in %s no element of a person is emptied: %j',
  async (name, before, own, source) => {
    const { now } = await moved(name, { before, own, source });
    expect(now).not.toMatch(/<(\w+)[^>]*>\s*<\/\1>/);
  },
);

test('a text that cannot move stays, and a person decides', async () => {
  const [, before = '', own = '', source = ''] = ITEMS[1] ?? [];
  const { now, state } = await moved('a.html', { before, own, source });
  expect(now).toBe(own);
  expect(state).toMatchObject({ kind: 'held', hold: { kind: 'conflict' } });
});

const FRONT: readonly (readonly [before: string, own: string, source: string])[] = [
  [
    'title: One\ntags: [a, b]\nweight: 1',
    'weight: 1\ntags: [a, b]\ntitle: Eins',
    'title: One\ntags: [a, c]\nweight: 1',
  ],
  [
    'title: One\nimage: /en/a.png\ndescription: Some words\nslug: one',
    'description: Ein paar Worte\nimage: /de/a.png\nslug: eins\ntitle: Eins',
    'title: One\nimage: /en/b.png\ndescription: Some words\nslug: two',
  ],
];

test.each(FRONT)('no key of the front matter comes twice: %j', async (...sides) => {
  const [before = '', own = '', source = ''] = sides.map((keys) => `---\n${keys}\n---\n\nWords.\n`);
  const { now } = await moved('a.md', { before, own, source });
  const keys = [...now.matchAll(/^(\w+):/gm)].map(([, key]) => key);
  expect(new Set(keys).size).toBe(keys.length);
});
