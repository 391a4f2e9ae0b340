/** Code and commands of site generators in Markdown: they are never texts, and keep their lines. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FormatOptions, partsText } from '../../src/format.ts';
import { markdown } from '../../src/formats/markdown.ts';
import { describeFormat } from '../contracts/format.ts';

const PAGES = {
  jekyll:
    'Words.\n\n{% highlight ruby linenos %}\ndef show\n\n  # a comment\n\nputs here\n{% endhighlight %}\n\nMore.\n',
  hugo: 'Words.\n\n{{< highlight go "linenos=table" >}}\nfunc main() {\n\nreturn nothing\n}\n{{< /highlight >}}\n\nMore.\n',
  mermaid: '{{< mermaid >}}\ngraph LR\nA lot --> B\n{{< /mermaid >}}\n',
  vitepress: '[[toc]]\n\n<<< @/snippets/a.js{2,4}\n\nWords.\n\n[TOC]\n',
  abbreviations: 'The HTML.\n\n*[HTML]: Hyper Text Markup Language\n*[CSS]: Sheets\n',
  definitions: 'Term\n: Its meaning\n: Another *meaning*\n\nApple\nPear\n:   A fruit\n    to eat\n',
  json: '---json\n{\n  "title": "A title",\n  "x": 1\n}\n---\n\nWords.\n',
  braces: '{\n  "title": "A title",\n\n  "x": ["# One"]\n}\n\nWords.\n',
};

const options: FormatOptions = {
  file: 'page.md',
  sourceLanguage: undefined,
  language: undefined,
  role: 'source',
};

it.each([
  ['jekyll', ['Words.', 'More.']],
  ['hugo', ['Words.', 'More.']],
  ['mermaid', []],
  ['vitepress', ['Words.']],
  ['abbreviations', ['The HTML.']],
  ['definitions', ['Term\n: Its meaning\n: Another *meaning*', 'Apple Pear\n:   A fruit to eat']],
  ['json', ['Words.']],
  ['braces', ['Words.']],
] as const)('the texts of %s', (name, texts) => {
  const { segments } = markdown.parse(PAGES[name], options);
  expect(segments.map(({ parts }) => partsText(parts))).toEqual(texts);
});

it.each([
  ['{\nWords in braces\n}\n', 1],
  ['{% highlight %} without an end\n\nWords.\n', 2],
  ['```\n{{< highlight go >}}\n```\n\nWords.\n\n```\n{{< /highlight >}}\n```\n', 1],
  ['See [[toc]] here.\n', 1],
])('words that are no code stay texts: %j', (page, count) => {
  expect(markdown.parse(page, options).segments).toHaveLength(count);
});

describeFormat({
  format: markdown,
  file: 'page.md',
  fixtures: PAGES,
  generated: fc
    .array(fc.constantFrom(...Object.values(PAGES), '# A head\n', '- One\n- Two\n'), {
      maxLength: 5,
    })
    .map((all) => all.join('\n')),
  runs: 40,
});
