/** The versions of the readers: a reader that finds other texts has another version, so that texts of delivered files wait for approval. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseFormat } from '../../src/formats/all.ts';
import { VISIBLE_ATTRIBUTES, VISIBLE_FRONT_MATTER } from '../../src/formats/grammar/shown-keys.ts';
import type { LanguageTag } from '../../src/language.ts';
import { mayShowMore, readerVersionOf } from '../../src/plan/reader-version.ts';
import type { Route } from '../../src/project.ts';
import { splitIcu } from '../../src/segments/inline/icu.ts';

const FILES = join(import.meta.dirname, '../upgrade/sources/settled/app/en');
/** In other encodings, or a program. */
const OF_OTHERS = /^(?:windows|latin|Utf16|typed)\./;
const EN = 'en' as LanguageTag;
const DE = 'de' as LanguageTag;
const ROUTE = {} as Route;

/** Files that name all default keys and attributes, and messages as each reader may take them. */
const WRITTEN: Readonly<Record<string, string>> = {
  'keys.md': `---\n${nested(VISIBLE_FRONT_MATTER)}\nslug: not-shown\n---\n\n# Head\n\nSee [a](b "Its title").\n\n[b]: c "Another title"\n`,
  'keys-toml.md': `+++\n${VISIBLE_FRONT_MATTER.filter((key) => !key.includes('*'))
    .map((key) => `${key} = "Text of ${key}"`)
    .join('\n')}\n+++\n\nWords.\n`,
  'attributes.mdx': `${VISIBLE_ATTRIBUTES.map((name) => `<Tab ${name}="Text of ${name}" id="x" />`).join('\n\n')}\n`,
  'modules.md': `import Tab from './tab';\n\nexport const a = 1;\n\n<Tab\n  label="A label">\n  A text\n</Tab>\n\n<Tab label={'One'} title={"Two"}>Words</Tab>\n`,
  'boxes.md':
    '# Head\n\n!!! note "Title"\n\n    A text.\n\n=== "Tab"\n\n    ??? tip\n\n        Another text.\n\n!!! note "Title"\n    - An item\n    - Another\n',
  'containers.md':
    '::: tip Title\nText\n:::\n\n- :::note[Label **bold**]{.a}\n  Text\n  :::\n\n> [!NOTE] Title\n> Text\n\n!!! note "Title"\n    Text\n',
  'slash-blocks.md':
    '/// tip\n\nA text\n\n///\n\n/// note | Title\nA text\n///\n\n{* ../app.py hl[9] *}\n\n--8<-- "a.md"\n',
  'tagged.yaml': 'a: ! tagged text\nb: !html <b>bold</b>\nc: plain\n',
  'messages.json': JSON.stringify({
    plain: "It's {name}",
    branches: "{n, plural, one {<a href='x'>one</a>} other {<b>#</b> more}}",
    quoted: "{n, select, a {'{'a} other {it''s}}",
  }),
};

/** `hero.title` and `hero.tagline` as one map. */
function nested(keys: readonly string[]): string {
  const groups = Map.groupBy(keys, (key) => key.split('.')[0] ?? '');
  return [...groups]
    .map(([first, all]) => {
      const inner = all.flatMap((key) => key.split('.').slice(1).join('.') || []);
      if (inner.length === 0) return `${first}: Text of ${first}`;
      const ofList = inner.map((key, at) => `  ${at === 0 ? '-' : ' '} ${key.slice(2)}: A ${key}`);
      if (inner[0]?.startsWith('*.')) return `${first}:\n${ofList.join('\n')}`;
      return `${first}:\n${inner.map((key) => `  ${key}: Text of ${first}.${key}`).join('\n')}`;
    })
    .join('\n');
}

/** What the readers find in a file, one line for each text. */
async function textsOf(file: string, text: string): Promise<string[]> {
  const format = await chooseFormat(file, text);
  if (format === undefined) throw new Error(`no format reads ${file}`);
  const languages = { sourceLanguage: EN, language: EN, role: 'source' } as const;
  return format.parse(text, { file, ...languages }).segments.flatMap((segment) => {
    const sentences = splitIcu(segment, DE)?.texts ?? [segment];
    return sentences.map(({ parts }) => `${file} ${segment.id} ${JSON.stringify(parts)}`);
  });
}

/** A hash of all texts that are found, by the kind of reader and its version. */
async function found(): Promise<Readonly<Record<string, string>>> {
  const written = Object.entries(WRITTEN);
  const files = readdirSync(FILES).filter((name) => !OF_OTHERS.test(name));
  const read = files.map((name) => [name, readFileSync(join(FILES, name), 'utf8')] as const);
  const texts = new Map<string, string[]>();
  for (const [name, text] of [...written, ...read]) {
    const kind = /^\.(?:mdx?|markdown)$/.test(extname(name)) ? 'pages' : 'others';
    const reader = `${/\.ya?ml$/.test(name) ? 'yaml' : kind} ${readerVersionOf(name, ROUTE)}`;
    texts.set(reader, [...(texts.get(reader) ?? []), ...(await textsOf(name, text))]);
  }
  return Object.fromEntries(
    [...texts].map(([reader, lines]) => [
      reader,
      createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16),
    ]),
  );
}

/**
 * When this fails, a reader finds other texts than before. Where it finds more, raise its version in `plan/reader-version.ts`, and let
 * `mayShowMore` find the files. Otherwise, the new texts of delivered files are bought without approval. Then write the new line here.
 */
const FOUND = {
  'pages 7 - -': 'b63662d1c74b98ed',
  'yaml 2': '1253c95a6a761d8c',
  'others 1': '0df3563d601b066d',
};

test('a reader that finds other texts has another version', async () => {
  expect(await found()).toEqual(FOUND);
});

test.each(VISIBLE_FRONT_MATTER.filter((key) => key.includes('.') || key === 'sidebar_label'))(
  'a page with %s in its front matter may have texts that an earlier version did not find',
  (key) => {
    const [first = '', second] = key.split('.');
    const yaml = second === undefined ? `${first}: A` : `${first}:\n  ${second}: A`;
    expect(mayShowMore(`---\n${yaml}\n---\n`, 'a.md', ROUTE)).toBe(true);
    expect(mayShowMore(`+++\n${key} = "A"\n+++\n`, 'a.md', ROUTE)).toBe(true);
  },
);

test('a page with no other front matter than the first version read is not read again', () => {
  expect(
    mayShowMore('---\ntitle: A\ndescription: B\nslug: c\n---\n\n# Words\n', 'a.md', ROUTE),
  ).toBe(false);
});
