import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Format, type FormatOptions, type Part, partsText } from '../../src/format.ts';
import { markdown } from '../../src/formats/markdown.ts';
import { mdx } from '../../src/formats/mdx.ts';
import { compose } from '../../src/formats/text/compose.ts';
import { type OpenFile, openFile } from '../../src/formats/text/open.ts';
import { describeFormat } from '../contracts/format.ts';

const page = `---
title: "A page: first"
# For search engines
description: About things
slug: /a-page
---

# Heading one #

A paragraph with *emphasis*, **strong text**, \`code\`, a [link](https://x.y "t"),
a soft break, an ![image](i.png), a hard break  
and \\*no emphasis\\*, snake_case, 2 * 3 &amp; &copy; &nbsp;end.

> A quote over
> two lines
> with [a reference] and [another][ref].

- Item one
- [ ] A task
  with more text

1. First
2. Second

| Head | Other |
| :--- | ----: |
| a \\| b | **c** text |

\`\`\`js
const notText = 'left alone';
\`\`\`

<div align="center">In a block</div>

Text with <kbd>Ctrl</kbd> and a footnote[^1] and https://example.com/path.

[a reference]: https://example.com
[ref]: https://example.com/ref
[^1]: The note text.

:::tip A hint
Inside the hint.
:::

> [!NOTE]
> Read this note.

Setext heading
==============

## With an id {#custom-id}

{{< shortcode "x" >}} Text behind {% tag %}.
`;

const marked = `{{% notice note %}}
A text in a box,
over two lines.
{{% /notice %}}

{{< note >}}
Another text
{{< /note >}}

A lead text
{: .lead}

* An item
{:toc}

- run \`x\` 
now

Between two
{% include a.html %}
lines, *with*{: .y} attributes.

Einstein said $E = m_1 * c_1^2 * x$ and it costs $5 to $6.

$$
a_i = b_i
$$

<a href="x">
  <img alt="words" src="y" />
</a>
`;

const words = fc.constantFrom(
  '$x = y$',
  '$$z$$',
  '{: .lead}',
  '{{% n %}}',
  '<a href="x">',
  'code `x` ',
  'word',
  'two words',
  '*em*',
  '**b**',
  '`c`',
  '[l](u)',
  '#',
  '- x',
  '1. y',
  '> q',
  '<b>',
  '&amp;',
  '\\*',
  '_u_',
  '~~s~~',
  '|',
  'http://a.b',
  '![i](j)',
  '![an image](j "t")',
  '![*em* b](j)',
  ':::note Title',
  '!!! note "Title"',
  '---',
  '[r]',
  'é',
  '\u{1f600}',
  '    code',
  '~',
  '=',
  '!',
);
const generated = fc
  .array(
    fc.array(words, { minLength: 1, maxLength: 6 }).map((line) => line.join(' ')),
    { maxLength: 8 },
  )
  .chain((lines) => fc.constantFrom('\n', '\n\n', '\r\n\r\n').map((end) => lines.join(end)))
  // A text that would become front matter is refused.
  .filter((text) => !/^---\r?\n/.test(text));

const hostile = ` "q" it's R&D; a*b* _c_ a#b x: y \`t\` [l](u) <b>z</b> ~~s~~ \u00e9 \u{1f600} \\* &amp; | # 1. !`;

describeFormat({
  format: markdown,
  file: 'page.md',
  fixtures: {
    page,
    marked,
    'with CRLF and a byte order mark': `\uFEFF${page.replaceAll('\n', '\r\n')}`,
  },
  generated,
  // micromark reads some 100 kB a second.
  runs: 40,
  hostile,
  malformed: [['---\ntitle: "x\n---\n', 3, undefined]],
  corpus: { folder: 'markdown' },
});

const component = `---
title: Title text
---
import { Tabs } from './tabs';

export const meta = { title: 'Kept' };

# Hello {name} there

<Tabs items={['a', 'b']}>
  Text *inside* a component.
</Tabs>

A <Badge text="kept">badge text</Badge> and 1 \\< 2 and \\{braces\\}.
`;

describeFormat({
  format: mdx,
  file: 'page.mdx',
  fixtures: { component },
  hostile: `${hostile} {x} <Y/> a < b`,
  malformed: [['# A\n\nText {unclosed\n', 3, undefined]],
  corpus: { folder: 'mdx', addresses: ['migrate-from-v10-to-v11'] },
});

const options: FormatOptions = {
  file: 'page.md',
  sourceLanguage: undefined,
  language: undefined,
  role: 'target',
};

function open(text: string, format: Format = markdown): OpenFile {
  return openFile(Buffer.from(text), format, options);
}

function partsOf(text: string, format: Format = markdown): (readonly Part[])[] {
  return open(text, format).doc.segments.map(({ parts }) => parts);
}

function written(source: string, parts: readonly Part[], format: Format = markdown): string {
  const file = open(source, format);
  const placements = new Map([[file.doc.segments[0]?.id ?? '', { kind: 'write', parts } as const]]);
  return compose({ format, options, source: file, placements }).text;
}

describe('what readers see of JSX and front matter', () => {
  const shown = (text: string, more: Partial<FormatOptions> = {}) =>
    openFile(Buffer.from(text), mdx, { ...options, ...more }).doc;
  const texts = (text: string, more?: Partial<FormatOptions>) =>
    shown(text, more).segments.map(({ parts }) => partsText(parts));

  it('strings in visible attributes are texts, expressions and others stay', () => {
    const text = `<Card title="A &amp; b" label='Press it' href="/x" icon={foo} alt={\`x \${y}\`}>\n  Inside\n</Card>\n\n<Tabs><TabItem aria-label="npm run" title="" /></Tabs>\n`;
    expect(texts(text)).toEqual(['A & b', 'Press it', 'Inside', 'npm run']);
    expect(texts(text, { attributes: ['href'] })).toEqual(['/x', 'Inside']);
  });

  it('the id behind a heading is no JavaScript and no text', () => {
    const text = '# Start {#start}\n\n## A `b` {#b .c} \n\n```md\n# x {#y}\n```\n\n{2 + 2}\n';
    expect(texts(text)).toEqual(['Start', 'A `b`']);
    expect(written(text, ['Anfang'], mdx)).toBe(text.replace('Start', 'Anfang'));
    expect(() => shown('Text {#id}\n')).toThrow('no JavaScript');
  });

  it('a translation in quotes of its own is escaped for the attribute', () => {
    const out = written('<Card title="One" />\n', ['Say "hi" & <b>'], mdx);
    expect(out).toBe('<Card title="Say &quot;hi&quot; & <b>" />\n');
  });

  it('an attribute has no backslashes before signs that the page writes with one', () => {
    const out = written('<Card title="One" />\n\nAbout \\~5 \\[m\\].\n', ['~6 [m]'], mdx);
    expect(out).toBe('<Card title="~6 [m]" />\n\nAbout \\~5 \\[m\\].\n');
  });

  it('attributes inside a sentence stay, and are reported', () => {
    const { segments, warnings } = shown('Text with <Badge title="New one" /> inline.\n');
    expect(segments.map(({ parts }) => partsText(parts))).toHaveLength(1);
    expect(warnings).toEqual([{ line: 1, message: expect.stringContaining('"New one" stays') }]);
  });

  it('a plain value of front matter may begin with a letter that YAML reserves, and is quoted when it is translated', () => {
    const text =
      '---\ntitle: `use` hook\nsummary: |\n  a: @b\nother: @x\ndescription: @x/y\n---\n\nHi\n';
    expect(texts(text)).toEqual(['`use` hook', 'a: @b\n', '@x/y', 'Hi']);
    expect(written(text, ['`use` Haken'])).toBe(text.replace('`use` hook', '"`use` Haken"'));
  });

  it('a page may begin with a rule', () => {
    const text = '---\n\n> - One\n> - Two\n\n- Three\n  - Four\n';
    expect(texts(text)).toEqual(['One', 'Two', 'Three', 'Four']);
  });

  it('nested keys of front matter are texts where site generators show them, or settings say so', () => {
    const text =
      '---\ntitle: One\nhero:\n  tagline: Two\n  title: Three\n  actions:\n    - text: Go\nsidebar:\n  label: Four\n---\n';
    expect(texts(text)).toEqual(['One', 'Two', 'Three', 'Four']);
    expect(texts(text, { frontMatter: ['title', 'hero.actions.*.text'] })).toEqual(['One', 'Go']);
    const home =
      '---\nlayout: home\nhero:\n  name: Brand\n  text: One\nfeatures:\n  - icon: x\n    title: Two\n    details: Three\n  - title: Four\n---\n';
    expect(texts(home)).toEqual(['One', 'Two', 'Three', 'Four']);
    const toml = '+++\ntitle = "One"\n[hero]\ntagline = "Two"\n+++\n';
    const plain = openFile(Buffer.from(toml), markdown, options).doc.segments;
    expect(plain.map(({ parts }) => partsText(parts))).toEqual(['One', 'Two']);
  });
});

describe('what of Markdown is text', () => {
  it('sentences go whole: a soft break is a blank, escapes and entities are read', () => {
    expect(partsOf('One \\*two\nthree &amp; four.')).toEqual([['One *two three & four.']]);
  });

  it('emphasis and links are pairs, code and images are moved', () => {
    expect(partsOf('a [b](c) `d`')).toEqual([
      [
        'a ',
        { raw: '[', pair: { id: 1, side: 'open' } },
        'b',
        { raw: '](c)', pair: { id: 1, side: 'close' } },
        ' ',
        { raw: '`d`' },
      ],
    ]);
  });

  it('a reference keeps its target when its text is translated', () => {
    const source = 'See [the guide].\n\n[the guide]: https://x.y\n';
    const [parts = []] = partsOf(source);
    const german = parts.map((part) =>
      typeof part === 'string'
        ? part.replace('the guide', 'Anleitung').replace('See', 'Siehe')
        : part,
    );
    expect(written(source, german)).toBe(
      'Siehe [Anleitung][the guide].\n\n[the guide]: https://x.y\n',
    );
  });

  it('the description of an image is text, its address is not', () => {
    const parts = [
      { raw: '![', pair: { id: 1, side: 'open' } },
      'A cat',
      { raw: '](cat.png "Tom")', pair: { id: 1, side: 'close' } },
    ] as const;
    expect(partsOf('![A cat](cat.png "Tom")\n')).toEqual([parts]);
    expect(written('![A cat](cat.png "Tom")\n', [parts[0], 'Eine [große] Katze', parts[2]])).toBe(
      '![Eine \\[große\\] Katze](cat.png "Tom")\n',
    );
    expect(partsOf('See ![the `code`](x.png).\n')).toEqual([
      ['See ', { raw: '![the `code`](x.png)' }, '.'],
    ]);
    expect(partsOf('![Tom][]\n\n[tom]: x.png\n')).toEqual([
      [
        { raw: '![', pair: { id: 1, side: 'open' } },
        'Tom',
        { raw: '][Tom]', pair: { id: 1, side: 'close' } },
      ],
    ]);
  });

  it('front matter is translated where readers see it', () => {
    expect(partsOf('---\ntitle: A title\nslug: a-title\ntags: [x]\n---\n\nText\n')).toEqual([
      ['A title'],
      ['Text'],
    ]);
  });

  it.each([
    ['---\n\n# Title\n\nWords of the page.\n\n---\n', ['Title', 'Words of the page.']],
    [
      '---\n\n#EXCELLENT!\n\n`You` got it: the end\n\nNow, **more**:\n\n---\n',
      ['#EXCELLENT!', '`You` got it: the end', 'Now, **more**:'],
    ],
    ['---\n\n---\n\n# Title\n', ['Title']],
    ['---\n\n# What searches show\ntitle: A\n---\n\nB\n', ['A', 'B']],
    ['---\n\n\r\n"title" : A\n---\n\nB\n', ['A', 'B']],
    ['---\n# comment\n---\n\nB\n', ['B']],
  ])(
    'a rule at the start of a page with a blank line below it opens front matter only above a key: %j',
    (text, expected) => {
      const { doc } = openFile(Buffer.from(text), markdown, options);
      expect(doc.segments.map(({ parts }) => partsText(parts))).toEqual(expected);
    },
  );

  it('front matter in TOML is, too', () => {
    const source = '+++\ntitle = "A title"\ndate = 2020-01-01\nslug = \'x\'\n+++\n\nText\n';
    expect(partsOf(source)).toEqual([['A title'], ['Text']]);
    expect(written(source, ['Ein "Titel"'])).toContain('title = "Ein \\"Titel\\""\ndate');
    expect(() => partsOf('+++\ntitle = x\n+++\n')).toThrow(/page.md:2:/);
  });

  it('containers and alerts keep their marks', () => {
    expect(partsOf(':::note Careful\nSome text\n:::\n\n> [!TIP]\n> A tip\n')).toEqual([
      ['Careful'],
      ['Some text'],
      ['A tip'],
    ]);
  });

  it('an underlined heading that begins as a list does stays a heading', () => {
    expect(written('\\* Word\n---\n', ['* Wort'])).toBe('\\* Wort\n---\n');
    expect(written('Word\n===\n', ['1. Wort'])).toBe('1\\. Wort\n===\n');
    expect(written('# 1. Word\n', ['1. Wort'])).toBe('# 1. Wort\n');
    expect(written('> ## 1. Word\n', ['1. Wort'])).toBe('> ## 1. Wort\n');
  });

  it('an address on the line behind a container is set apart from what a translation puts beside it', () => {
    const parts = [{ raw: 'http://a.b' }, '⟦Text⟧'];
    expect(written(':::note\nhttp://a.b text\n', parts)).toBe(':::note\n<http://a.b>⟦Text⟧\n');
  });

  it('a container that follows a template call or another container directly keeps its mark', () => {
    expect(partsOf('Lead\n{{% n %}}\n:::note Careful\nText')).toEqual([
      ['Lead'],
      ['Careful'],
      ['Text'],
    ]);
    expect(partsOf(':::note\n:::tip Careful\nText')).toEqual([['Careful'], ['Text']]);
  });
});

it('template calls, attributes and math are none of the text', () => {
  const shown = partsOf(marked).map((parts) =>
    parts.map((part) => (typeof part === 'string' ? part : `⟨${part.raw}⟩`)).join(''),
  );
  expect(shown).toEqual([
    'A text in a box, over two lines.',
    'Another text',
    'A lead text',
    'An item',
    'run ⟨`x`⟩ now',
    'Between two⟨\n{% include a.html %}\n⟩lines, ⟨*⟩with⟨*⟩⟨{: .y}⟩ attributes.',
    'Einstein said ⟨$E = m_1 * c_1^2 * x$⟩ and it costs $5 to $6.',
    '⟨<a href="x">⟩⟨\n  ⟩⟨<img alt="⟩words⟨" src="y" />⟩⟨\n⟩⟨</a>⟩',
  ]);
});

it('texts inside blocks of HTML are translated with their markup', () => {
  expect(
    partsOf('<details>\n<summary>More <b>of it</b></summary>\n\nText\n\n</details>\n'),
  ).toEqual([
    [
      'More ',
      { raw: '<b>', pair: { id: 1, side: 'open' } },
      'of it',
      { raw: '</b>', pair: { id: 1, side: 'close' } },
    ],
    ['Text'],
  ]);
});

describe('a translation is never read as a mark', () => {
  it.each([
    ['- dash', '\\- dash'],
    ['# hash', '\\# hash'],
    ['1. one', '1\\. one'],
    ['> quote', '\\> quote'],
    ['a *b* c', 'a \\*b\\* c'],
    ['snake_case', 'snake_case'],
    ['a 2 * 3', 'a 2 * 3'],
    ['[x](y)', '\\[x\\](y)'],
    ['an [aside]', 'an [aside]'],
    ['a <b> c', 'a \\<b> c'],
    ['a < b', 'a < b'],
    ['&copy; R&D', '&amp;copy; R&D'],
  ])('%s is written %s', (text, markdownText) => {
    expect(written('Text\n', [text])).toBe(`${markdownText}\n`);
  });

  it('a bar in a table cell is escaped, elsewhere it is not, and so is what its line begins with', () => {
    expect(written('| Text |\n| --- |\n', ['a | b'])).toBe('| a \\| b |\n| --- |\n');
    const [head, row] = ['Text | 2\n--- | ---\n', '1 | 2\n--- | ---\nWords | 2\n'];
    expect(written(head, ['# a | b'])).toBe('\\# a \\| b | 2\n--- | ---\n');
    expect(written(row, ['- c'])).toBe('1 | 2\n--- | ---\n\\- c | 2\n');
    expect(written('Text\n', ['a | b'])).toBe('a | b\n');
  });

  it('in MDX braces and angle brackets are escaped, and a first word that would begin a module', () => {
    expect(written('Text\n', ['export {x} <y'], mdx)).toBe('&#101;xport \\{x\\} \\<y\n');
  });
});
