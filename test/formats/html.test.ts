import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { html } from '../../src/formats/html.ts';
import { compose } from '../../src/formats/text/compose.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';

const page = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="description" content="What it's about">
  <title>The title</title>
  <script>var notText = "left alone";</script>
</head>
<body>
  <!-- a comment -->
  <h1>Hello <em>big</em> world</h1>
  <p>One sentence
     over two lines &amp; more&nbsp;text &copy; 2024, <code>x = 1</code>,
     <a href="/x" title="inside">a link</a><br>
     behind a break.</p>
  <ul><li>One<li>Two <b>bold</ul>
  <img src="x.png" alt="A &quot;picture&quot;">
  <p translate="no">Brand</p>
  <input type="submit" value='Send it'>
  <table><tr><td>Cell</td></tr></table>
  <pre>  left
  alone</pre>
</body>
</html>
after the end
`;

const pieces = fc.constantFrom(
  '<p>',
  '</p>',
  '<b>',
  '</b>',
  '<i>',
  '</i>',
  '<br>',
  '<table>',
  '<td>',
  '</table>',
  '<div title="a b">',
  '</div>',
  'text ',
  ' more',
  '&amp;',
  '&copy;',
  '&#x41;',
  '&',
  '<',
  '\n  ',
  '<!-- c -->',
  '<script>x</script>',
  '<a href=x>',
  '</a>',
  '<li>',
  '</body>',
  '<img alt="y z">',
);

describeFormat({
  format: html,
  file: 'page.html',
  fixtures: {
    page,
    'with CRLF and a byte order mark': `\uFEFF${page.replaceAll('\n', '\r\n')}`,
    fragment: '<p>Just <b>this</b></p>\n',
    'an image between the rows of a table': '<table>\n  <img alt="y z">\n  <tr><td>a\n</table>\n',
    'a tag behind the body': "<html><body>a</body>\n<img alt='y z'>\n b</html>\n",
  },
  generated: fc.array(pieces, { maxLength: 12 }).map((found) => found.join('')),
  corpus: { folder: 'html' },
});

const [en, de] = [parseLanguage('en'), parseLanguage('de')];
const options = { file: 'page.html', sourceLanguage: en, language: de, role: 'target' } as const;

it('a run is one text with its inline markup as pairs, and the language of the page follows', () => {
  const source = openFile(Buffer.from('<html lang="en"><p>Hello <em>big</em> world</p>'), html, {
    ...options,
    role: 'source',
  });
  const [segment] = source.doc.segments;
  expect(segment?.parts).toEqual([
    'Hello ',
    { raw: '<em>', pair: { id: 1, side: 'open' } },
    'big',
    { raw: '</em>', pair: { id: 1, side: 'close' } },
    ' world',
  ]);
  const parts = ['Hallo ', { raw: '<em>' }, 'große', { raw: '</em>' }, ' <Welt> & &copy;'];
  const placements = new Map([[segment?.id ?? '', { kind: 'write', parts } as const]]);
  const { text } = compose({ format: html, options, source, placements });
  expect(text).toBe('<html lang="de"><p>Hallo <em>große</em> &lt;Welt> & &amp;copy;</p>');
});

it('the description of an image in a sentence is text, and a value without quotes gets some', () => {
  const options = { file: 'a.html', sourceLanguage: undefined, language: undefined } as const;
  const text =
    '<p>See <img src="a.png" alt="the cat" width=1> here.</p><input placeholder=Name value=x>';
  const file = openFile(Buffer.from(text), html, { ...options, role: 'source' });
  const [sentence, placeholder] = file.doc.segments;
  expect(sentence?.parts).toEqual([
    'See ',
    { raw: '<img src="a.png" alt="', pair: { id: 1, side: 'open' } },
    'the cat',
    { raw: '" width=1>', pair: { id: 1, side: 'close' } },
    ' here.',
  ]);
  const parts = (sentence?.parts ?? []).map((part) =>
    part === 'the cat' ? 'die "Katze" & <Co>' : part,
  );
  expect(sentence?.encode(parts)).toBe(
    'See <img src="a.png" alt="die &quot;Katze&quot; & <Co>" width=1> here.',
  );
  expect(placeholder?.encode(['Ihr "Name"'])).toBe('"Ihr &quot;Name&quot;"');
});
