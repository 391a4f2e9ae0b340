/** Texts and names in the form of XML files, for generated files of the XML formats. */
import * as fc from 'fast-check';

/** Content of an element: entities, markup, CDATA, comments, blanks and line breaks. */
export const xmlContent: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 6 }).map(escaped),
      fc.constantFrom(
        '&amp;',
        '&#233;',
        '&#x1F600;',
        '&app;',
        '<b>bold</b>',
        '<i/>',
        ' ',
        '\n  ',
        'text',
      ),
    ),
    { maxLength: 5 },
  )
  .map((pieces) => pieces.join(''));

/** A key that another one of its file may have, too. */
export const xmlName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('a', 'b', 'a.b', '__proto__', 'toString', 'a#1', '[0]', 'a|b'),
  fc.stringMatching(/^[a-z][\w.]{0,6}$/),
);

export const lineEnd: fc.Arbitrary<string> = fc.constantFrom('', '\n', '\r\n    ', '\n\n\t');

function escaped(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(']]>', ']]&gt;');
}
