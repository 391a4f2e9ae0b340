/** The bytes of a random file of keys: as its source has it, and as a person writes it. */
import type { Seeded } from '../seeded.ts';
import type { Entry, Group } from './random-keys.ts';

/** Some lines of a person's file. */
export interface Chunk {
  readonly text: string;
  /** Absent: the lines of the file itself. */
  readonly of?: Entry | Group;
  readonly kind?: 'note' | 'entry' | 'group';
}

export interface KeyedWriter {
  readonly route: string;
  readonly path: string;
  readonly hasGroups: boolean;
  /** The source text is the key. */
  readonly isBilingual?: true;
  /** How often an entry has its text: once for each plural form. */
  readonly forms: number;
  /** The lines of the file are compared without the comma at their end. */
  readonly hasCommas?: true;
  readonly source: (file: readonly Group[]) => string;
  readonly target: (file: readonly Group[], random: Seeded) => readonly Chunk[];
}

interface Style {
  readonly path: string;
  readonly hasGroups?: boolean;
  readonly hasCommas?: true;
  readonly forms?: number;
  readonly isBilingual?: true;
  /** Each entry has its source text beside it; the entries of a source have nothing else. */
  readonly hasSources?: true;
  /** No comma is behind the last entry. */
  readonly isStrict?: true;
  readonly more?: string;
  readonly head?: string;
  /** The head of a person's file. */
  readonly ownHead?: string;
  readonly tail?: string;
  readonly group?: readonly [open: (key: string) => string, close: string];
  /** The blanks before an entry. */
  readonly margin?: string;
  readonly comment?: (text: string) => string;
  readonly comments?: readonly ((text: string) => string)[];
  /** The first is how the source writes an entry; `text` is what it says, in the source or in the target. */
  readonly entries: readonly ((key: string, text: string, en: string) => string)[];
  readonly own?: readonly ((key: string, text: string, en: string) => string)[];
}

const json = (text: string) => JSON.stringify(text);
const ascii = (text: string) =>
  json(text).replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
const single = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const doubled = (text: string) => `'${text.replaceAll("'", "''")}'`;
const csv = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const android = (text: string) => xml(text.replace(/['"\\]/g, '\\$&'));
const slash = (text: string) => `// ${text}`;
const hash = (text: string) => `# ${text}`;
const block = (text: string) => `/* ${text} */`;
const tag = (text: string) => `<!-- ${text} -->`;

const quantity = (name: string, text: string) =>
  `      <item quantity="${name}">${android(text)}</item>`;
const rule = (name: string, text: string) =>
  `        <key>${name}</key>\n        <string>${xml(text)}</string>`;
const stringsdict = (key: string, forms: readonly string[]) =>
  [
    `  <key>${key}</key>\n  <dict>`,
    '      <key>NSStringLocalizedFormatKey</key>\n      <string>%#@n@</string>',
    '      <key>n</key>\n      <dict>',
    '        <key>NSStringFormatSpecTypeKey</key>\n        <string>NSStringPluralRuleType</string>',
    '        <key>NSStringFormatValueTypeKey</key>\n        <string>d</string>',
    ...forms,
    '      </dict>\n  </dict>',
  ].join('\n');

const STYLES: Readonly<Record<string, Style>> = {
  json: {
    ...{
      path: 'l/LANG.json',
      hasGroups: true,
      hasCommas: true,
      isStrict: true,
      head: '{\n',
      tail: '}\n',
    },
    group: [(key) => `  "${key}": {`, '  },'],
    entries: [(key, text) => `    "${key}": ${json(text)},`],
    own: [
      (key, text) => `  "${key}" : ${ascii(text)},`,
      (key, text) => `    "${key}":${json(text)},`,
      (key, text) => `\n    "${key}":\n        ${json(text)},`,
    ],
  },
  json5: {
    margin: '    ',
    ...{ path: 'l/LANG.json5', hasGroups: true, hasCommas: true, head: '{\n', tail: '}\n' },
    ...{ comment: slash, comments: [slash, block, (text) => `/*\n     * ${text}\n     */`] },
    group: [(key) => `  ${key}: {`, '  },'],
    entries: [(key, text) => `    ${key}: ${single(text)},`],
    own: [
      (key, text) => `    "${key}": ${json(text)},`,
      (key, text) => `    '${key}' :${ascii(text)}, // kurz`,
      (key, text) => `\n    ${key}: ${single(text)}, /* lang */`,
    ],
  },
  arb: {
    ...{ path: 'l/app_LANG.arb', hasCommas: true, isStrict: true },
    ...{ head: '{\n  "@@locale": "LANG",\n', tail: '}\n' },
    ownHead: '{\n  "@@locale": "LANG",\n  "@@author": "Anna",\n',
    entries: [(key, text) => `  "${key}": ${json(text)},\n  "@${key}": { "description": "d" },`],
    own: [
      (key, text) => `  "${key}" : ${ascii(text)},`,
      (key, text) => `  "${key}": ${json(text)},\n  "@${key}": {\n    "x-von": "Anna ${key}"\n  },`,
      (key, text) => `  "@${key}": { "x-vor": "Anna ${key}" },\n  "${key}": ${json(text)},`,
    ],
  },
  yaml: {
    margin: '  ',
    ...{ path: 'l/LANG.yml', hasGroups: true, comment: hash },
    comments: [hash, (text) => `#${text}`, (text) => `## ${text}`],
    group: [(key) => `${key}:`, ''],
    entries: [(key, text) => `  ${key}: ${json(text)}`],
    own: [
      (key, text) => `  ${key}:   ${doubled(text)}   # kurz`,
      (key, text) => `  ${key}: |-\n    ${text}`,
      (key, text) => `  ${key}: >-\n      ${text.replace(' ', '\n      ')}`,
      (key, text) => `  "${key}": &a_${key} ${ascii(text)}`,
      (key, text) => `  ? ${key}\n  : ${json(text)}`,
      (key, text) => `  ${key}:\n    ${json(text)}`,
      (key, text) => `\n  ${key} : !!str ${json(text)}`,
    ],
  },
  toml: {
    ...{ path: 'l/LANG.toml', hasGroups: true, comment: hash },
    comments: [hash, (text) => `#${text}`],
    group: [(key) => `[${key}]`, ''],
    entries: [(key, text) => `${key} = ${json(text)}`],
    own: [
      (key, text) => `  ${key}=${json(text)} # kurz`,
      (key, text) => `"${key}" = """\n${text.replaceAll('\\', '\\\\')}"""`,
      (key, text) => (text.includes("'") ? `${key} = '''${text}'''` : `${key} = '${text}'`),
    ],
  },
  ini: {
    ...{ path: 'l/LANG.ini', hasGroups: true, comment: (text) => `; ${text}` },
    comments: [hash, (text) => `;${text}`],
    group: [(key) => `[${key}]`, ''],
    entries: [(key, text) => `${key} = "${text.replace(/["\\]/g, '\\$&')}"`],
    own: [
      (key, text) => `${key}="${text.replace(/["\\]/g, '\\$&')}" ; kurz`,
      (key, text) => `  ${key}   =   "${text.replace(/["\\]/g, '\\$&')}"`,
    ],
  },
  properties: {
    ...{ path: 'l/a_LANG.properties', comment: hash },
    comments: [hash, (text) => `! ${text}`, (text) => `#\n#${text}`],
    entries: [(key, text) => `${key}=${text.replaceAll('\\', '\\\\')}`],
    own: [
      (key, text) => `${key} : ${text.replaceAll('\\', '\\\\')}`,
      (key, text) => `  ${key}\t${text.replaceAll('\\', '\\\\').replace(' ', ' \\\n       ')}`,
      (key, text) => `${key} = ${ascii(text).slice(1, -1).replaceAll('\\"', '"')}`,
    ],
  },
  strings: {
    ...{ path: 'LANG.lproj/a.strings', comment: block },
    comments: [slash, block, (text) => `/*\n ${text}\n*/`],
    entries: [(key, text) => `"${key}" = ${json(text)};`],
    own: [
      (key, text) => `${key}=${json(text)}; // kurz`,
      (key, text) => `"${key}"   =\n  ${json(text)};`,
    ],
  },
  android: {
    margin: '    ',
    ...{
      path: 'res/values-LANG/s.xml',
      comment: tag,
      comments: [tag, (t) => `<!--\n    ${t} -->`],
    },
    ...{ head: '<resources>\n', tail: '</resources>\n' },
    ownHead: '<?xml version="1.0" encoding="utf-8"?>\n<resources xmlns:tools="x">\n',
    entries: [(key, text) => `    <string name="${key}">${android(text)}</string>`],
    own: [
      (key, text) => `  <string name='${key}' tools:ignore="y">${android(text)}</string>`,
      (key, text) => `    <string\n        name="${key}"\n        >${android(text)}</string>`,
      (key, text) =>
        `    <string name="${key}"><![CDATA[${text.replace(/['"\\]/g, '\\$&')}]]></string>`,
    ],
  },
  'android plurals': {
    margin: '    ',
    ...{ path: 'res/values-LANG/s.xml', comment: tag, comments: [tag], forms: 2 },
    ...{ head: '<resources>\n', tail: '</resources>\n' },
    entries: [
      (key, text) =>
        `    <plurals name="${key}">\n${quantity('one', text)}\n${quantity('other', text)}\n    </plurals>`,
    ],
    own: [
      (key, text) =>
        `    <plurals name='${key}'>\n${quantity('other', text)}\n${quantity('one', text)}\n    </plurals>`,
      (key, text) =>
        `    <plurals name="${key}">\n      <!-- Anna ${key} -->\n${quantity('one', text)}\n\n${quantity('other', text)}</plurals>`,
    ],
  },
  stringsdict: {
    margin: '  ',
    ...{ path: 'LANG.lproj/a.stringsdict', comment: tag, comments: [tag], forms: 2 },
    head: '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n<dict>\n',
    tail: '</dict>\n</plist>\n',
    entries: [(key, text) => stringsdict(key, [rule('one', text), rule('other', text)])],
    own: [
      (key, text) => stringsdict(key, [rule('other', text), rule('one', text)]),
      (key, text) =>
        stringsdict(key, [`        <!-- Anna ${key} -->`, rule('one', text), rule('other', text)]),
    ],
  },
  'json plurals': {
    ...{ path: 'l/LANG.json', hasCommas: true, isStrict: true, forms: 2 },
    ...{ head: '{\n', tail: '}\n' },
    entries: [(key, text) => `  "${key}_one": ${json(text)},\n  "${key}_other": ${json(text)},`],
    own: [
      (key, text) => `  "${key}_other": ${json(text)},\n  "${key}_one" : ${ascii(text)},`,
      (key, text) => `  "${key}_one":${json(text)},\n\n  "${key}_other" : ${json(text)},`,
    ],
  },
  resx: {
    margin: '  ',
    ...{ path: 'l/a.LANG.resx', comment: tag, comments: [tag, (t) => `<!-- ${t}\n  -->`] },
    ...{ head: '<?xml version="1.0"?>\n<root>\n', tail: '</root>\n' },
    entries: [
      (key, text) =>
        `  <data name="${key}" xml:space="preserve">\n    <value>${xml(text)}</value>\n  </data>`,
    ],
    own: [
      (key, text) =>
        `  <data name="${key}"><value>${xml(text)}</value>\n    <comment>Anna ${key}</comment></data>`,
      (key, text) =>
        `  <data xml:space='preserve' name='${key}'><value>${xml(text)}</value></data>`,
    ],
  },
  'xliff 1.2': {
    margin: '  ',
    ...{ path: 'l/LANG.xlf', comment: tag, comments: [tag], hasSources: true },
    head: '<xliff version="1.2"><file original="a" source-language="en" target-language="LANG" datatype="plaintext"><body>\n',
    tail: '</body></file></xliff>\n',
    entries: [
      (key, _, en) =>
        `  <trans-unit id="${key}">\n    <source>${xml(en)}</source>\n  </trans-unit>`,
    ],
    own: [
      (key, text, en) =>
        `  <trans-unit id="${key}" approved="no">\n    <source>${xml(en)}</source>\n    <target state="translated">${xml(text)}</target>\n    <note from="Anna">Anna ${key}</note>\n  </trans-unit>`,
      (key, text, en) =>
        `  <trans-unit id='${key}'><source>${xml(en)}</source>\n  <target>${xml(text)}</target>\n    <alt-trans><target>Anna ${key}</target></alt-trans></trans-unit>`,
    ],
  },
  'xliff 2.0': {
    margin: '  ',
    ...{ path: 'l/LANG.xlf', comment: tag, comments: [tag], hasSources: true },
    head: '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="LANG"><file id="f">\n',
    tail: '</file></xliff>\n',
    entries: [
      (key, _, en) =>
        `  <unit id="${key}">\n    <segment>\n      <source>${xml(en)}</source>\n    </segment>\n  </unit>`,
    ],
    own: [
      (key, text, en) =>
        `  <unit id="${key}">\n    <notes><note>Anna ${key}</note></notes>\n    <segment state="translated">\n      <source>${xml(en)}</source>\n      <target>${xml(text)}</target>\n    </segment>\n  </unit>`,
      (key, text, en) =>
        `  <unit id='${key}'><segment><source>${xml(en)}</source><target>${xml(text)}</target></segment></unit>`,
    ],
  },
  qt: {
    margin: '    ',
    ...{ path: 'l/a_LANG.ts', comment: tag, comments: [tag], isBilingual: true, hasSources: true },
    head: '<?xml version="1.0"?>\n<TS version="2.1" language="LANG">\n<context>\n    <name>M</name>\n',
    tail: '</context>\n</TS>\n',
    entries: [
      (_, __, en) =>
        `    <message>\n        <source>${xml(en)}</source>\n        <translation></translation>\n    </message>`,
    ],
    own: [
      (key, text, en) =>
        `    <message>\n        <location filename="${key}.cpp" line="3"/>\n        <source>${xml(en)}</source>\n        <translatorcomment>Anna ${key}</translatorcomment>\n        <translation>${xml(text)}</translation>\n    </message>`,
      (_, text, en) =>
        `  <message><source>${xml(en)}</source>\n  <translation type="unfinished">${xml(text)}</translation></message>`,
    ],
  },
  po: {
    ...{ path: 'po/LANG.po', comment: (text) => `#. ${text}`, isBilingual: true, hasSources: true },
    comments: [hash],
    head: 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n',
    ownHead:
      'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Last-Translator: Anna\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n',
    entries: [(_, __, en) => `msgid ${json(en)}\nmsgstr ""\n`],
    own: [
      (key, text, en) => `#: ${key}.c:1\nmsgid ${json(en)}\nmsgstr ""\n${json(text)}\n`,
      (_, text, en) => `msgid ""\n${json(en)}\nmsgstr ${json(text)}\n\n`,
    ],
    tail: '',
  },
  ftl: {
    ...{ path: 'l/LANG.ftl', comment: hash, comments: [hash] },
    entries: [(key, text) => `${key} = ${text}`],
    own: [
      (key, text) => `${key} =\n    ${text}`,
      (key, text) => `${key}   =   ${text}`,
      (key, text) => `${key} =\n    ${text.replace(' ', '\n    ')}\n`,
    ],
  },
  csv: {
    ...{ path: 'l/LANG.csv', more: 'columns: { key: key, source: text }' },
    ...{ head: 'key,text,note\n' },
    entries: [(key, text) => `${key},${csv(text)},`],
    own: [
      (key, text) => `${key},"${text.replaceAll('"', '""')}",Anna ${key}`,
      (key, text) => `"${key}",${csv(text)},"Anna, ${key}"`,
    ],
  },
  tsv: {
    ...{ path: 'l/LANG.tsv', more: 'columns: { key: key, source: text }' },
    ...{ head: 'note\tkey\ttext\n' },
    entries: [(key, text) => `\t${key}\t${csv(text)}`],
    own: [(key, text) => `Anna ${key}\t${key}\t"${text.replaceAll('"', '""')}"`],
  },
  php: {
    margin: '    ',
    ...{ path: 'l/LANG/a.php', hasGroups: true, hasCommas: true, comment: slash },
    ...{ head: '<?php\n\nreturn [\n', tail: '];\n', ownHead: '<?php // von Anna\nreturn [\n' },
    comments: [slash, hash, block],
    group: [(key) => `  '${key}' => [`, '  ],'],
    entries: [(key, text) => `    '${key}' => ${single(text)},`],
    own: [
      (key, text) => `    "${key}"   => ${single(text)}, // kurz`,
      (key, text) => `\n    '${key}'=>${json(text)},`,
      (key, text) => `    '${key}'\n        => ${single(text)},`,
    ],
  },
  ts: {
    margin: '    ',
    ...{ path: 'l/LANG.ts', hasGroups: true, hasCommas: true, comment: slash },
    ...{ head: 'export default {\n', tail: '};\n' },
    ownHead: "import { x } from './x';\n\nexport default {\n",
    comments: [slash, block],
    group: [(key) => `  ${key}: {`, '  },'],
    entries: [(key, text) => `    ${key}: ${single(text)},`],
    own: [
      (key, text) => `    '${key}': ${json(text)}, // kurz`,
      (key, text) => `\n    ${key}: \`${text.replace(/[\\`]/g, '\\$&')}\`,`,
      (key, text) => `    ${key}:\n      ${json(text)},`,
    ],
  },
};

export const WRITERS: Readonly<Record<string, KeyedWriter>> = Object.fromEntries(
  Object.entries(STYLES).map(([name, style]) => [name, writerOf(style)]),
);

function writerOf(style: Style): KeyedWriter {
  const { path, more, hasGroups = false, hasCommas, isBilingual, forms = 1 } = style;
  const from = path.replace('LANG', '{locale}');
  return {
    ...{ path, hasGroups, forms },
    ...(hasCommas === undefined ? {} : { hasCommas }),
    ...(isBilingual === undefined ? {} : { isBilingual }),
    route: `{ from: "${from}", lane: text${more === undefined ? '' : `, ${more}`} }`,
    source: (file) => sourceOf(file, style),
    target: (file, random) => targetOf(file, style, random),
  };
}

const named = (text: string | undefined, language: string) =>
  (text ?? '').replaceAll('LANG', language);

function sourceOf(file: readonly Group[], style: Style): string {
  const { group: [open, close] = [], comment, margin = '', entries } = style;
  const [write] = entries;
  const lines = file.flatMap((group) => [
    ...(open === undefined ? [] : [open(group.key)]),
    ...group.entries.flatMap(({ key, en, remark }) => [
      ...(comment === undefined || remark === undefined ? [] : [`${margin}${comment(remark)}`]),
      write?.(key, en, en) ?? '',
    ]),
    ...(close === undefined ? [] : [close]),
  ]);
  const text = lines.map((line) => `${line}\n`).join('');
  return `${named(style.head, 'en')}${withoutLastComma(text, style)}${named(style.tail, 'en')}`;
}

function targetOf(file: readonly Group[], style: Style, random: Seeded): readonly Chunk[] {
  const { group: [open, close] = [], comments = [] } = style;
  const hasRemarks = random.isOneIn(2);
  const chunks = shuffled(file, random).flatMap((group): Chunk[] => {
    const all = [...group.entries, ...(group.own === undefined ? [] : [group.own])];
    const inner = shuffled(all, random).flatMap((entry) =>
      entryChunks(entry, { style, random, hasRemarks }),
    );
    if (open === undefined) return inner;
    const note =
      group.note === undefined || comments.length === 0 ? [] : [random.pick(comments)(group.note)];
    return [
      ...note.map((text): Chunk => ({ text: `${text}\n`, of: group, kind: 'note' })),
      { text: `${open(group.key)}\n`, of: group, kind: 'group' },
      ...inner,
      { text: `${close}\n`, of: group, kind: 'group' },
    ];
  });
  return [
    { text: named(style.ownHead ?? style.head, 'de') },
    ...withoutLastCommas(chunks, style),
    { text: named(style.tail, 'de') },
  ];
}

interface EntryWriting {
  readonly style: Style;
  readonly random: Seeded;
  /** The person copied the comments of the source. */
  readonly hasRemarks: boolean;
}

function entryChunks(entry: Entry, { style, random, hasRemarks }: EntryWriting): Chunk[] {
  const { comment, comments = [], margin = '', entries, own = [] } = style;
  const { key, en, de = '', note, remark } = entry;
  const notes = [
    ...(!hasRemarks || comment === undefined || remark === undefined ? [] : [comment(remark)]),
    ...(note === undefined || comments.length === 0 ? [] : [random.pick(comments)(note)]),
  ];
  const ways = style.hasSources ? own : [...own, ...entries];
  const written = `${random.pick(ways)(key, de, en)}\n`;
  // A blank line would separate the entry from the comment above it.
  const text = notes.length === 0 ? written : written.replace(/^\n/, '');
  return [
    ...notes.map((line): Chunk => ({ text: `${margin}${line}\n`, of: entry, kind: 'note' })),
    { text, of: entry, kind: 'entry' },
  ];
}

/** JSON has no comma behind the last entry of an object. */
function withoutLastComma(text: string, { isStrict }: Style): string {
  return isStrict ? text.replace(/,(?=\n\s*\}|\n$)/g, '') : text;
}

function withoutLastCommas(chunks: readonly Chunk[], style: Style): readonly Chunk[] {
  return chunks.map((chunk, at) => {
    const next = chunks[at + 1];
    const isLast = next === undefined || next.text.trim().startsWith('}');
    return isLast ? { ...chunk, text: withoutLastComma(chunk.text, style) } : chunk;
  });
}

function shuffled<T>(all: readonly T[], random: Seeded): readonly T[] {
  if (random.isOneIn(2)) return all;
  return all
    .map((one) => ({ one, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ one }) => one);
}
