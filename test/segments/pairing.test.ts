/** Pairs the paragraphs of a translation with those of its source, when neither was seen before. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SegmentRecord } from '../../src/baseline.ts';
import type { FormatOptions } from '../../src/format.ts';
import { html } from '../../src/formats/html.ts';
import { txt } from '../../src/formats/txt.ts';
import { alignSequence } from '../../src/segments/align-sequence.ts';
import type { WantedSegment } from '../../src/segments/decision.ts';
import { featuresOf } from '../../src/segments/features.ts';
import type { Features } from '../../src/segments/likeness.ts';
import { pairByLikeness } from '../../src/segments/pairing.ts';
import { CellReader } from '../../src/segments/table-cells.ts';

const like = (text: string, place = '', ...anchors: string[]): Features => ({
  text,
  line: 1,
  place,
  anchors: new Set(anchors),
});

const SOURCE = [
  like('Getting started', '# '),
  like('Install the package with npm and then start the server on your machine.', '', 'npm'),
  like('Options', '## '),
  like('The server reads its settings from a file.', ''),
  like(
    'Set the port to 8080 when another program uses the usual one, which is 80.',
    '',
    '8080',
    '80',
  ),
  like('Help', '## '),
  like('Ask in the forum.', '', 'forum.example'),
];
const TARGET = [
  like('Erste Schritte', '# '),
  like(
    'Installieren Sie das Paket mit npm und starten Sie dann den Server auf Ihrem Rechner.',
    '',
    'npm',
  ),
  like('Einstellungen', '## '),
  like('Der Server liest seine Einstellungen aus einer Datei.', ''),
  like(
    'Stellen Sie den Port auf 8080, wenn ein anderes Programm den üblichen, 80, belegt.',
    '',
    '8080',
    '80',
  ),
  like('Hilfe', '## '),
  like('Fragen Sie im Forum.', '', 'forum.example'),
];

const paired = (source: readonly Features[], target: readonly Features[]) =>
  pairByLikeness(source, target)?.pairs.map(
    ({ a, b }) => `${source[a]?.text.slice(0, 4)}=${target[b]?.text.slice(0, 4)}`,
  );

const without = <T>(list: readonly T[], at: number) => list.filter((_, index) => index !== at);

test('front matter is paired by its keys, in any order', () => {
  const named = (text: string, name: string) => ({ ...like(text, `${name}: `), name });
  const source = [
    named('Guide', 'title'),
    named('How to begin', 'description'),
    named('Start', 'sidebar_label'),
  ];
  const target = [
    named('Los', 'sidebar_label'),
    named('Anleitung', 'title'),
    named('Eins', 'summary'),
  ];
  const pairing = pairByLikeness([...source, ...SOURCE], [...target, ...TARGET]);
  expect(pairing?.pairs).toEqual([
    { a: 0, b: 1 },
    { a: 2, b: 0 },
    ...SOURCE.map((_, at) => ({ a: at + 3, b: at + 3 })),
  ]);
  expect(pairing).toMatchObject({ doubts: [], added: { source: [1], target: [2] } });
});

test('a name that is new and occurs twice in the source says nothing about what a person added to the target', () => {
  const title: SegmentRecord = {
    ...{ id: 'title', source: 'Title', target: ['Titre'], origin: 'machine', state: 'ok' },
  };
  const wanted = ['Title', 'A white house', 'A red boat'].map((text): WantedSegment => {
    return { id: text === 'Title' ? 'title' : text, source: [text], treatment: 'translate' };
  });
  const found = [['Titre'], ['Mon bateau']];
  const image = (text: string) => ({ ...like(text, ''), name: 'meta og:image:alt' });
  const features = () => ({
    source: [like('Title', ''), image('A white house'), image('A red boat')],
    target: [like('Titre', ''), image('Mon bateau')],
  });
  const records = [title];
  const aligned = alignSequence({
    ...{ wanted, records, found, features, choices: new Map(), isOwn: () => true },
  });
  expect([...aligned.found]).toEqual([['title', ['Titre']]]);
});

test('a page and its translation are paired paragraph by paragraph', () => {
  const pairing = pairByLikeness(SOURCE, TARGET);
  expect(pairing?.pairs).toEqual(SOURCE.map((_, at) => ({ a: at, b: at })));
  expect(pairing).toMatchObject({ doubts: [], added: { source: [], target: [] } });
});

test('a paragraph that only the source has is found at any position', () => {
  const added = like(
    'This new paragraph is about logging, and it is rather a long one, so that its length tells it from all of the others around it, by far.',
    '',
  );
  for (let at = 1; at <= SOURCE.length; at++) {
    const source = SOURCE.toSpliced(at, 0, added);
    const pairing = pairByLikeness(source, TARGET);
    expect(pairing?.added, `at ${at}`).toEqual({ source: [at], target: [] });
    expect(pairing?.pairs.length).toBe(TARGET.length);
  }
});

test('a paragraph that only the translation has is found', () => {
  const target = TARGET.toSpliced(5, 0, like('Kurz.', '- '));
  expect(pairByLikeness(SOURCE, target)?.added).toEqual({ source: [], target: [5] });
});

test('as many paragraphs on both sides that are shifted are not paired by their number', () => {
  const source = SOURCE.toSpliced(
    1,
    0,
    like(
      'A first remark about licences that the translation lacks altogether, though it is long.',
      '> ',
    ),
  );
  const target = [...TARGET, like('Übersetzt von Jana', '- ')];
  const pairing = pairByLikeness(source, target);
  expect(pairing?.added).toEqual({ source: [1], target: [7] });
  expect(pairing?.pairs).toHaveLength(7);
});

test('a paragraph in two pieces, and two in one, are no new ones', () => {
  const long =
    'The server reads its settings from a file. It looks for that file in the folder where it was started, then in the home folder, and then it gives up.';
  const first = 'Der Server liest seine Einstellungen aus einer Datei.';
  const second =
    'Er sucht sie in dem Ordner, in dem er gestartet wurde, dann im Heimordner, und gibt dann auf.';
  const source = SOURCE.with(3, like(long));
  const target = TARGET.toSpliced(3, 1, like(first), like(second));
  const split = pairByLikeness(source, target);
  expect([...(split?.split ?? [])]).toEqual([3]);
  expect(split?.added).toEqual({ source: [], target: [4] });
  const halves = [
    'The server reads its settings from a file in the home folder of its user.',
    'It gives up when there is none, and it says so in its protocol, with the name.',
  ];
  const whole =
    'Der Server liest seine Einstellungen aus einer Datei im Heimordner seines Benutzers. Er gibt auf, wenn es keine gibt, und sagt das in seinem Protokoll, mit dem Namen.';
  const joined = pairByLikeness(
    SOURCE.toSpliced(3, 1, ...halves.map((half) => like(half))),
    TARGET.with(3, like(whole)),
  );
  expect([...(joined?.joined ?? [])]).toEqual([[4, 3]]);
  expect(joined?.added).toEqual({ source: [], target: [] });
});

test('paragraphs that could be either are held alone, and the others are paired', () => {
  const source = SOURCE.toSpliced(4, 0, like('The server writes its protocol into a file.', ''));
  const pairing = pairByLikeness(source, TARGET);
  expect(pairing?.doubts).toEqual([{ source: [3, 4], target: [3] }]);
  expect(pairing?.pairs).toHaveLength(TARGET.length - 1);
});

/** The middle paragraph of a page has its own code; its neighbours are sure. */
const aroundCode = (code: string[], text: string, more: readonly Features[] = []) => [
  ...SOURCE.slice(0, 2),
  like(text, '- ', ...code.map((each) => `\`${each}\``)),
  ...more,
  ...SOURCE.slice(4),
];

test.each<[source: string[], target: string[], isPair: boolean]>([
  [['Browse models'], ['浏览模型'], true],
  [['AI Service Provider', 'AI21 Labs'], ['AI 服务商', 'AI21labs'], true],
  [['rename', 'delete'], ['重命名', '删除'], true],
  [['Browse models'], ['Modelle durchsuchen'], true],
  [['npm run build'], ['npm run test'], false],
  [['Settings'], ['Options'], false],
  [['--force'], ['强制'], false],
  [['Settings', 'foo'], ['设置', 'bar'], false],
  [['Browse models'], ['模型', '设置'], false],
])('code %j that a person translated as %j is a pair: %s', (ours, theirs, isPair) => {
  const source = aroundCode(ours, 'Choose the entry that you need in this list.');
  const target = aroundCode(theirs, 'Wählen Sie den passenden Eintrag der Liste.');
  const { pairs, doubts } = pairByLikeness(source, target) ?? {};
  expect(pairs?.some(({ a, b }) => a === 2 && b === 2)).toBe(isPair);
  expect(doubts).toEqual(isPair ? [] : [{ source: [2], target: [2] }]);
});

test('translated names of buttons make no pair beside a paragraph that only one side has', () => {
  const other = like(
    'Then go on with the entry that is behind it in the list.',
    '- ',
    '`Next page`',
  );
  const source = aroundCode(['Browse models'], 'Choose the entry that you need in it.', [other]);
  const target = aroundCode(['浏览模型'], 'Wählen Sie den passenden Eintrag.');
  const { pairs } = pairByLikeness(source, target) ?? {};
  expect(pairs?.filter(({ b }) => b === 2)).toEqual([]);
});

test('a text in the place of a translation whose numbers or code are others is held alone', () => {
  for (const own of [
    like('Eigenes von Jana, Kapitel 501', '', '501'),
    like('Siehe dort', '', '`x`'),
  ]) {
    const pairing = pairByLikeness(SOURCE, TARGET.with(4, own));
    expect(pairing?.doubts).toEqual([{ source: [4], target: [4] }]);
    expect(pairing?.pairs).toHaveLength(TARGET.length - 1);
  }
});

const lines = (...texts: readonly string[]) => {
  const text = texts.join('\n');
  const options = { file: 'a.txt', sourceLanguage: 'en', language: 'en', role: 'source' } as const;
  return featuresOf(text, txt.parse(text, options as unknown as FormatOptions).segments);
};

test('a placeholder tells which line is the translation, beside a line of the person', () => {
  for (const [date, shop] of [
    ['@DATE@', '@SHOP@'],
    ['{date}', '{shop}'],
    ['%1$s', '%2$s'],
  ]) {
    const source = lines('First', `Printed on ${date} here`, `Sold by ${shop} to you`, 'Last');
    const own = 'Jana kauft hier schon seit vielen Jahren gern ein, und sie kommt immer wieder';
    const target = lines('Zuerst', `Von ${shop} an Sie verkauft`, own, 'Zuletzt');
    const pairing = pairByLikeness(source, target);
    expect(pairing?.pairs).toContainEqual({ a: 2, b: 1 });
    expect(pairing).toMatchObject({ doubts: [], added: { source: [1], target: [2] } });
  }
});

test('a line in the place of a translation with other placeholders is held alone', () => {
  const source = lines('First', 'Printed on @DATE@ here', 'Last');
  const target = lines('Zuerst', 'Von @SHOP@ gedruckt', 'Zuletzt');
  expect(pairByLikeness(source, target)?.doubts).toEqual([{ source: [1], target: [1] }]);
});

test('braces in a page are words that a person translates', () => {
  const page = (...texts: readonly string[]) => {
    const text = texts.map((each) => `<p>${each}</p>`).join('\n');
    const options = { file: 'a.html', sourceLanguage: 'en', language: 'en', role: 'source' };
    return featuresOf(text, html.parse(text, options as unknown as FormatOptions).segments);
  };
  const source = page('First', 'The name begins with {a,an,the}', 'Last');
  const target = page('Zuerst', 'Der Name beginnt mit {ein,der,die}', 'Zuletzt');
  expect(pairByLikeness(source, target)?.pairs).toHaveLength(3);
});

test('a small number in words, a name in other letters and another link are no reasons against a pair', () => {
  const pairs = [
    [like('It has 3 parts', '', '3'), like('Es hat drei Teile')],
    [like('The VAT number', '', 'VAT'), like('Die USt-IdNr', '', 'USt-IdNr')],
    [like('Read this', '', '…wiki/Boat'), like('Lies das', '', '…wiki/Boot')],
  ] as const;
  for (const [source, target] of pairs) {
    const pairing = pairByLikeness(SOURCE.with(3, source), TARGET.with(3, target));
    expect(pairing?.pairs).toHaveLength(SOURCE.length);
  }
});

test('among two paragraphs of equal length, the one with the ending of the translation is its source', () => {
  const settings = like('The server has all of its own settings in a single file:', '');
  const question = like('Does the server have its own settings in a single file?', '');
  const target = like('Hat der Server seine Einstellungen in einer einzigen Datei?', '');
  for (const source of [
    [settings, question],
    [question, settings],
  ]) {
    const pairing = pairByLikeness(SOURCE.toSpliced(3, 1, ...source), TARGET.with(3, target));
    expect(pairing?.doubts).toEqual([]);
    expect(pairing?.pairs).toContainEqual({ a: 3 + source.indexOf(question), b: 3 });
  }
});

test('a moved paragraph is known by its anchors', () => {
  const moved = SOURCE[4] ?? like('');
  expect(paired([...without(SOURCE, 4), moved], TARGET)).toContain('Set =Stel');
});

const sections = (...parts: readonly [title: string, text: string, ...anchors: string[]][]) =>
  parts.flatMap(([title, text, ...anchors]) => [like(title, '## '), like(text, '', ...anchors)]);
const INSTALL = [
  'Install',
  'Run `npm install` to install it on your machine.',
  '`npm install`',
] as const;
const CONFIGURE = [
  'Configure',
  'Write the settings into the file that is in your folder.',
] as const;
const START = ['Run', 'Start the server, and look at the page in your browser.'] as const;
const INSTALLIEREN = [
  'Installieren',
  'Mit `npm install` auf dem Rechner installieren.',
  '`npm install`',
] as const;
const KONFIGURIEREN = [
  'Konfigurieren',
  'Schreibe die Einstellungen in die Datei in deinem Ordner.',
] as const;
const STARTEN = ['Starten', 'Starte den Server, und sieh dir die Seite im Browser an.'] as const;

test('a section that stands elsewhere in the translation is known by code that only it has, with its heading', () => {
  const source = sections([...INSTALL], [...CONFIGURE], [...START]);
  const target = sections([...KONFIGURIEREN], [...INSTALLIEREN], [...STARTEN]);
  const found = pairByLikeness(source, target);
  expect(paired(source, target)?.toSorted()).toEqual([
    ...['Inst=Inst', 'Run =Mit ', 'Run=Star', 'Star=Star'],
  ]);
  // What is left in the place of the other section may be its translation, or a person's own.
  expect(found?.doubts).toEqual([{ source: [2, 3], target: [0, 1] }]);
});

test('a section that only one side has is new, and one of its shape at another place makes a doubt', () => {
  const ende = ['Hilfe', 'Frag uns jederzeit im Forum des Projekts danach.'] as const;
  const numbers = ['Ports', 'Use the ports 8080 and 9090 for both.', '8080', '9090'] as const;
  const zahlen = ['Ports', 'Nimm die Ports 8080 und 9090 für beide.', '8080', '9090'] as const;
  const whole = sections([...START], [...numbers], [...CONFIGURE]);
  const german = sections([...zahlen], [...KONFIGURIEREN], [...ende]);
  const doubt = pairByLikeness(whole, german);
  expect(doubt?.added.source).not.toContain(0);
  const without = sections([...zahlen], [...KONFIGURIEREN]);
  expect(pairByLikeness(whole, without)).toMatchObject({
    doubts: [],
    added: { source: [0, 1], target: [] },
  });
});

test('two pages that have nothing in common are not paired', () => {
  const other = Array.from({ length: 3 }, (_, at) =>
    like('x'.repeat(400 * (at + 1)), `${'#'.repeat(at + 1)} `),
  );
  expect(pairByLikeness(SOURCE, other)).toBeUndefined();
});

const page = fc.array(
  fc.record({
    line: fc.constant(1),
    text: fc.string({ minLength: 1, maxLength: 120 }),
    place: fc.constantFrom('', '# ', '## ', '- '),
    anchors: fc
      .uniqueArray(fc.constantFrom('1', '2', '3', 'npm'), { maxLength: 2 })
      .map((anchors) => new Set(anchors)),
  }),
  { maxLength: 20 },
);

test('every paragraph is paired once, alone on its side, joined, or in doubt', () => {
  fc.assert(
    fc.property(page, page, (source, target) => {
      const pairing = pairByLikeness(source, target);
      if (pairing === undefined) return;
      const { pairs, added, joined, doubts } = pairing;
      const a = [
        ...pairs.map((pair) => pair.a),
        ...added.source,
        ...joined.keys(),
        ...doubts.flatMap((d) => d.source),
      ];
      const b = [
        ...pairs.map((pair) => pair.b),
        ...added.target,
        ...doubts.flatMap((d) => d.target),
      ];
      expect(a.sort((x, y) => x - y)).toEqual(source.map((_, at) => at));
      expect(b.sort((x, y) => x - y)).toEqual(target.map((_, at) => at));
    }),
    { numRuns: 300 },
  );
});

test('a long page is paired in milliseconds', () => {
  const long = Array.from({ length: 5000 }, (_, at) => like('x'.repeat(20 + ((at * 37) % 90)), ''));
  expect(pairByLikeness(long, without(long, 2500))?.added.source).toHaveLength(1);
});

/** Rows of `| a | b |`. */
const table = (...rows: readonly (readonly string[])[]): Features[] =>
  rows.flatMap((cells, row) =>
    cells.map((text, column) => ({ ...like(text, '| '), cell: { row, column: column + 1 } })),
  );

test('cells of a table are paired by row and column, however much their lengths differ', () => {
  const source = table(
    ['Feature', 'alpha', 'beta', 'gamma'],
    [
      'Routing',
      'Yes, supports localized paths out of the box',
      'No built-in, requires plugins or a custom router configuration',
      'Built-in',
    ],
    ['Loading', 'Yes, per locale', 'Yes (per route), need namespace management', 'Yes (async)'],
  );
  const target = table(
    ['Fonction', 'alpha', 'bêta', 'gamma'],
    ['Routage', 'Intégré, middleware', 'Plugins ou configuration manuelle', 'Intégré'],
    ['Chargement', 'Oui', 'Oui', 'Oui (messages de langue asynchrones)'],
  );
  for (const extra of [[], [like('A paragraph that is in the source alone, behind the table.')]]) {
    const pairing = pairByLikeness([...source, ...extra], target);
    expect(pairing?.pairs.toSorted((x, y) => x.a - y.a)).toEqual(
      source.map((_, at) => ({ a: at, b: at })),
    );
    expect(pairing?.doubts).toEqual([]);
  }
});

test('a cell that the row of the translation lacks is held, and never put in alone', () => {
  const source = table(
    ['Name', 'Sort', 'Price'],
    ['Apple', 'Fruit', 'Low'],
    ['Leek', 'Veg', 'High'],
  );
  const target = table(['Name', 'Art'], ['Apfel', 'Obst'], ['Lauch', 'Gemüse']);
  const pairing = pairByLikeness(source, target);
  expect(pairing?.added.source).toEqual([]);
  expect(pairing?.doubts.flatMap((doubt) => doubt.source).toSorted()).toEqual([2, 5, 8]);
});

test('rows and columns are read from bars and from tags, also where a row is several lines', () => {
  const read = (text: string, ...texts: string[]) => {
    const cells = new CellReader();
    let position = 0;
    return texts.map((each) => {
      const start = text.indexOf(each, position);
      const line = text.slice(text.lastIndexOf('\n', start) + 1, start);
      const cell = cells.next(text.slice(position, start), line, start);
      position = start + each.length;
      return cell?.column;
    });
  };
  expect(read('Intro\n\n| one | `x` | two |\n\nEnd', 'Intro', 'one', 'two', 'End')).toEqual([
    undefined,
    1,
    3,
    undefined,
  ]);
  const html =
    '<table><tr><td>\n<p>one</p></td>\n<td>12</td><td>two</td></tr><tr><th>three</th></tr></table><p>End</p>';
  expect(read(html, 'one', 'two', 'three', 'End')).toEqual([1, 3, 1, undefined]);
});

test('a paragraph with the number of its translation is paired or held, never added, when a much longer own text is beside it', () => {
  const numbers = [100, 101, 102, 103];
  const own = 'Jana hat hier sehr viel über den Hafen ihrer Stadt geschrieben. '.repeat(5).trim();
  const source = numbers.map((n) => like(`Paragraph ${n} about boats`, '', `${n}`));
  for (const lacks of numbers) {
    const target = numbers.map((n) =>
      n === lacks ? like(own) : like(`Absatz ${n} über Boote`, '', `${n}`),
    );
    const added = pairByLikeness(source, target)?.added.source ?? [];
    expect(added.filter((at) => numbers[at] !== lacks)).toEqual([]);
  }
});

test('a pair beside its place is a doubt where only code above it or its length speaks for it', () => {
  // Korean has the verb at the end, so the code stands above the text that names it.
  const source = [
    like('To keep things organized, let us create a folder for this workshop.'),
    like('Run this command to make a directory called `own` (or something else):', '', '`own`'),
    like('Change directory into the `own` folder:', '', '`own`', '¶mkdir own'),
    like('Create a file named `start.js`:', '', '`start.js`', '¶cd own'),
    like('Or on other machines:', '', '¶touch start.js'),
  ];
  const target = [
    like('정돈을 위해 이 워크숍을 위한 폴더를 만듭시다.'),
    like(
      '위 명령어를 실행해 `own`이라는 디렉터리(다른 이름도 됩니다)를 만드세요.',
      '',
      '`own`',
      '¶mkdir own',
    ),
    like('을 통해 `own` 폴더 안으로 디렉터리를 변경하세요.', '', '`own`', '¶cd own'),
    like('를 입력해 `start.js`이라는 파일을 만드세요.', '', '`start.js`', '¶touch start.js'),
    like('윈도우라면', ''),
  ];
  const pairing = pairByLikeness(source, target);
  expect(pairing?.pairs.filter(({ a, b }) => a !== b)).toEqual([]);
});

test('a short translation does not push the next ones to other texts', () => {
  const source = [
    like('Additional help:', '## '),
    like(
      'Did you type the name of the file correctly? You can check by running `ls name`, and if you see: cannot access name: No such file or directory, then you should create a new file, rename the present one, or change to the folder that has the file.',
      '- ',
      '`ls name`',
    ),
    like(
      'Make sure you did not omit any parens, or the compiler will not be able to parse it.',
      '- ',
    ),
    like('Make sure you do not have any typos in the string itself.', '- '),
    like('More help:', '## '),
  ];
  const target = [
    like('遇到了奇怪的错误？', '## '),
    like('确保你的文件名是正确的', '- '),
    like('确保你没有省略必要的括号，否则编译器将无法理解它们', '- '),
    like('确保你在字符串中没有笔误（可能叫键盘误更好一些）', '- '),
    like('更多帮助：', '## '),
  ];
  const pairing = pairByLikeness(source, target);
  expect(pairing?.pairs.filter(({ a, b }) => a !== b)).toEqual([]);
});

test('a pair beside its place is sure where code that its neighbours do not have speaks for it', () => {
  const own = (name: string) => `\`${name}\``;
  const source = ['one', 'two', 'three', 'four'].map((name) =>
    like(`Set ${own(name)} to start the server on your machine.`, '- ', own(name)),
  );
  const target = ['two', 'three', 'four', 'five'].map((name) =>
    like(`Setzen Sie ${own(name)}, um den Server auf Ihrem Rechner zu starten.`, '- ', own(name)),
  );
  const pairing = pairByLikeness(source, target);
  expect(pairing?.pairs).toEqual([0, 1, 2].map((b) => ({ a: b + 1, b })));
});

test('a paragraph is not paired with one below a heading that the translation lacks, where an earlier one fits as well', () => {
  const source = [
    like('Settings', '## '),
    like('The server reads one file of text at its start.', ''),
    like('It looks at the file again when it was changed.', ''),
    like('Quoting', '### '),
    like('A value with blanks in it is put into quotes.', ''),
    like('Help', '## '),
    like('Ask in the forum.', '', 'forum.example'),
  ];
  const target = [
    like('Einstellungen', '## '),
    like('Der Server liest beim Start eine Datei ein.', ''),
    like('Hilfe', '## '),
    like('Fragen Sie im Forum.', '', 'forum.example'),
  ];
  const pairing = pairByLikeness(source, target);
  expect(pairing?.pairs).not.toContainEqual({ a: 4, b: 1 });
  expect(pairing?.doubts).toEqual([{ source: [1, 2, 3, 4], target: [1] }]);
  expect(pairing?.pairs).toContainEqual({ a: 5, b: 2 });
});

test('sections that the translation lacks as a whole make no doubt about the paragraphs beside them', () => {
  const source = [
    like('Settings', '## '),
    like('The server reads one file of text at its start.', ''),
    like('Quoting', '### '),
    like('A value with blanks in it is put into quotes.', ''),
    like('Help', '## '),
    like('Ask in the forum.', '', 'forum.example'),
  ];
  const target = [
    like('Einstellungen', '## '),
    like('Der Server liest beim Start eine Datei aus Text ein.', ''),
    like('Hilfe', '## '),
    like('Fragen Sie im Forum.', '', 'forum.example'),
  ];
  const pairing = pairByLikeness(source, target);
  expect(pairing?.pairs).toContainEqual({ a: 1, b: 1 });
  expect(pairing).toMatchObject({ doubts: [], added: { source: [2, 3], target: [] } });
});
