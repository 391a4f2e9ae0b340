import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compose } from '../../src/formats/text/compose.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { ttml } from '../../src/formats/ttml.ts';
import { parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';
import { lineEnd, xmlContent } from './xml-arbitraries.ts';

const captions = `<?xml version="1.0" encoding="UTF-8"?>
<tt xml:lang="en" xmlns="http://www.w3.org/ns/ttml">
  <head><metadata><desc>Never</desc></metadata></head>
  <body>
    <div>
      <p begin="00:00:01.000" end="00:00:02.000">Hello <span style="i">there</span>,<br/>you &amp; I</p>
      <p begin="3s" end="4s">
        Second
        caption
      </p>
      <p begin="5s"/>
    </div>
  </body>
</tt>
`;

describeFormat({
  format: ttml,
  file: 'captions.ttml',
  fixtures: { captions, 'with CRLF': captions.replaceAll('\n', '\r\n') },
  generated: fc
    .tuple(lineEnd, fc.array(xmlContent, { maxLength: 6 }))
    .map(([end, texts]) => `<tt>${end}${texts.map((text) => `<p>${text}</p>`).join(end)}</tt>`),
  malformed: [['<tt>\n<p></tt>', 2, undefined]],
  corpus: { folder: 'ttml' },
});

it('line breaks and spans are kept, timing is not touched, the language is named', () => {
  const options = {
    file: 'captions.ttml',
    sourceLanguage: parseLanguage('en'),
    language: parseLanguage('de'),
    role: 'target',
  } as const;
  const source = openFile(Buffer.from(captions), ttml, options);
  const [first, second] = source.doc.segments;
  expect(second?.parts).toEqual(['Second caption']);
  const placements = new Map(
    (first?.parts ?? []).length === 0 || first === undefined
      ? []
      : [
          [
            first.id,
            {
              kind: 'write',
              parts: first.parts.map((part) => (part === 'Hello ' ? 'Hallo ' : part)),
            } as const,
          ] as const,
        ],
  );
  const { text } = compose({ format: ttml, options, source, placements });
  expect(text).toBe(captions.replace('Hello', 'Hallo').replace('xml:lang="en"', 'xml:lang="de"'));
});
