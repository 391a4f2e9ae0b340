import * as fc from 'fast-check';
import { txt } from '../../src/formats/txt.ts';
import { describeFormat } from '../contracts/format.ts';

describeFormat({
  format: txt,
  file: 'notes.txt',
  fixtures: {
    paragraphs: 'Title\n=====\n\n  An indented line  \nSame\nSame\n1.2.3\nlast without end',
    'with CRLF and a byte order mark': '\uFEFFOne\r\n\r\n\tTwo\r\n',
    empty: '',
  },
  generated: fc
    .array(fc.string({ unit: 'grapheme' }), { maxLength: 8 })
    .chain((lines) => fc.constantFrom('\n', '\r\n', '\r').map((end) => lines.join(end)))
    .filter((text) => !text.includes('\0')),
  corpus: { folder: 'txt' },
});
