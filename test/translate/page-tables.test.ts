/** Tables that a person translated: a row is one thing, and the cells of other rows may have the same texts. */
import { describe, expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const ROUTE = '{ from: "docs/{locale}/*.{md,html}", lane: text }';

interface Table {
  /** Each ends with a line end. */
  readonly en: readonly string[];
  readonly de: readonly string[];
}

const FEATURES: Table = {
  en: [
    '| Feature | Free | Pro |\n| --- | --- | --- |\n',
    '| Backups | Yes | Yes |\n',
    '| Support | No | Yes |\n',
    '| Themes | No | Yes |\n',
  ],
  de: [
    '| Funktion      | Gratis | Pro |\n| ------------- | ------ | --- |\n',
    '| Sicherungen   | Ja     | Ja  |\n',
    '| Unterstützung | Nein   | Ja  |\n',
    '| Designs       | Nein   | Ja  |\n',
  ],
};

const OPTIONS: Table = {
  en: [
    '| Option | Default | Meaning |\n| --- | --- | --- |\n',
    '| `--prod` | off | Deploys it. |\n',
    '| `--yes` | off | Asks nothing. |\n',
  ],
  de: [
    '| Option   | Vorgabe | Bedeutung     |\n| -------- | ------- | ------------- |\n',
    '| `--prod` | aus     | Liefert aus.  |\n',
    '| `--yes`  | aus     | Nicht fragen. |\n',
  ],
};

const PARAMETERS: Table = {
  en: [
    '| Name | Type | Required | Description |\n| --- | --- | --- | --- |\n',
    '| `id` | string | Yes | The id |\n',
    '| `size` | number | No | The size |\n',
    '| `color` | string | No | The color |\n',
  ],
  de: [
    '| Name    | Typ    | Pflicht | Beschreibung |\n| ------- | ------ | ------- | ------------ |\n',
    '| `id`    | string | Ja      | Die Kennung  |\n',
    '| `size`  | number | Nein    | Die Größe    |\n',
    '| `color` | string | Nein    | Die Farbe    |\n',
  ],
};

const CODES: Table = {
  en: ['| Code | Meaning |\n| --- | --- |\n', '| 200 | It worked. |\n', '| 404 | Not found. |\n'],
  de: [
    '| Code | Bedeutung         |\n| ---- | ----------------- |\n',
    '| 200  | Geklappt.         |\n',
    '| 404  | Nicht gefunden.   |\n',
  ],
};

const HTML: Table = {
  en: [
    '<table>\n',
    '<tr><td><code>--prod</code></td><td>off</td><td>Deploys it.</td></tr>\n',
    '<tr><td><code>--yes</code></td><td>off</td><td>Asks nothing.</td></tr>\n',
    '</table>\n',
  ],
  de: [
    '<table>\n',
    '<tr><td><code>--prod</code></td><td>aus</td><td>Liefert aus.</td></tr>\n',
    '<tr><td><code>--yes</code></td><td>aus</td><td>Nicht fragen.</td></tr>\n',
    '</table>\n',
  ],
};

async function changed(name: string, { en, de }: Table, now: readonly string[]) {
  const page = (rows: readonly string[]) =>
    name === 'a.md' ? `# API\n\n${rows.join('')}` : rows.join('');
  const jobs = await TextJobs.of(ROUTE, {
    [`docs/en/${name}`]: page(en),
    [`docs/de/${name}`]: page(de),
  });
  const run = () => jobs.run(`docs/en/${name}`);
  expect(await run()).toMatchObject({ bought: [], isWritten: false, state: { kind: 'done' } });
  await jobs.write(`docs/en/${name}`, page(now));
  const { bought } = await run();
  const text = await jobs.read(`docs/de/${name}`);
  expect(await run()).toMatchObject({ bought: [], isWritten: false });
  return { bought, rows: text.slice(name === 'a.md' ? '# API\n\n'.length : 0) };
}

const TABLES: readonly (readonly [string, string, Table])[] = [
  ['with repeated cells', 'a.md', FEATURES],
  ['of options', 'a.md', OPTIONS],
  ['of parameters', 'a.md', PARAMETERS],
  ['of codes', 'a.md', CODES],
  ['in HTML', 'a.html', HTML],
];

describe.each(TABLES)('a table %s', (_what, name, table) => {
  const { en, de } = table;
  const last = name === 'a.html' ? en.length - 2 : en.length - 1;

  test('keeps its rows whole when two rows of the source change places', async () => {
    const swap = (rows: readonly string[]) =>
      rows.with(last, rows[last - 1] ?? '').with(last - 1, rows[last] ?? '');
    const { bought, rows } = await changed(name, table, swap(en));
    expect(bought).toEqual([]);
    expect([de.join(''), swap(de).join('')]).toContain(rows);
  });

  test.each([1, last])('loses a row of the source, number %i, and nothing else', async (at) => {
    const { bought, rows } = await changed(name, table, en.toSpliced(at, 1));
    expect(bought).toEqual([]);
    expect(rows).toBe(de.toSpliced(at, 1).join(''));
  });

  test.each([1, last, last + 1])('gets one new row at %i, and the others stay', async (at) => {
    const like = en[last] ?? '';
    const added = like
      .replace(/`--yes`|`color`|404|Themes/, (was) =>
        /`/.test(was) ? '`--new`' : was === '404' ? '500' : 'Brand new',
      )
      .replace('--yes</code>', '--new</code>')
      .replace(/Asks nothing|The color|Not found/, 'Brand new');
    const { bought, rows } = await changed(name, table, en.toSpliced(at, 0, added));
    expect(bought).toContain(/Brand new\.?/.exec(added)?.[0]);
    const lines = rows.split(/(?<=\n)/);
    const theirs = de.join('').split(/(?<=\n)/);
    expect(lines).toHaveLength(theirs.length + 1);
    expect(lines.filter((line) => theirs.includes(line))).toEqual(theirs);
    const [own = ''] = lines.filter((line) => !theirs.includes(line));
    expect(own).toContain('Brandä newä');
    expect(own.split(/\||<td>/)).toHaveLength(added.split(/\||<td>/).length);
    for (const each of added.match(/`--new`|500|--new</g) ?? []) expect(own).toContain(each);
  });
});

test('a new column that does not fit into a table of a person is held: no row gets other cells', async () => {
  const { en, de } = FEATURES;
  const [head = '', ...rows] = en;
  const wider = [
    head.replace('| Free', '| Since | Free').replace('| ---', '| --- | ---'),
    ...rows.map((row) => row.replace('|', '| v2').replace(/\| v2 (\w+)/, '| $1 | v2')),
  ];
  const { rows: now } = await changed('a.md', FEATURES, wider);
  expect(now).toBe(de.join(''));
});

const OWN_COLUMNS: readonly (readonly [
  name: string,
  before: string,
  own: string,
  source: string,
])[] = [
  [
    'alignments',
    '| A word | B word |\n| --- | --- |\n| One | Two |\n| Three | Four |\n',
    '| A-Wort | B-Wort |\n| :--- | ---: |\n| Eins | Zwei |\n| Drei | Vier |\n',
    '| A word | C word | B word |\n| --- | --- | --- |\n| One | Mid one | Two |\n| Three | Mid two | Four |\n',
  ],
  [
    'an attribute',
    '<table>\n<tr><td>One</td><td>Two</td></tr>\n</table>\n',
    '<table>\n<tr><td>Eins</td><td align="right">Zwei</td></tr>\n</table>\n',
    '<table>\n<tr><td>One</td><td>New cell</td><td>Two</td></tr>\n</table>\n',
  ],
];

test.each(OWN_COLUMNS)(
  'a new column beside %s of a person is held before it is bought',
  async (_name, before, own, source) => {
    const [en, de] = ['docs/en/a.md', 'docs/de/a.md'];
    const page = (head: string, table: string) => `# ${head}\n\n${table}\n`;
    const files = { [en]: page('Guide', before), [de]: page('Anleitung', own) };
    const jobs = await TextJobs.of(ROUTE, files, 'de');
    expect(await jobs.run(en)).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(en, page('Guide', source));
    for (let runs = 0; runs < 3; runs += 1) {
      const held = { bought: [], isWritten: false, state: { kind: 'held' } };
      expect(await jobs.run(en)).toMatchObject(held);
    }
    expect(await jobs.read(de)).toBe(page('Anleitung', own));
  },
);
