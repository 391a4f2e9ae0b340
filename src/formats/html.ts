/** HTML segment by segment, for routes that say `lane: text`: sentences with their inline markup, and visible attributes. */
import { missingPart } from '../files/completeness.ts';
import type { Doc, Format } from '../format.ts';
import { htmlTexts } from './grammar/html-texts.ts';
import { positionsOf } from './text/position.ts';
import { contentIds, makeSegment } from './text/segment.ts';

export const html: Format = {
  name: 'html',
  shape: 'sequence',
  foldsWhitespace: true,
  parse,
};

function parse(text: string): Doc {
  const { texts, lang, left, unpaired } = htmlTexts(text);
  const idOf = contentIds();
  const positionAt = positionsOf(text);
  const segments = texts.map((found) =>
    makeSegment(text, {
      ...found,
      id: idOf(found.parts),
      syntax: 'markup',
      line: positionAt(found.start).line,
    }),
  );
  return {
    segments,
    unpaired,
    warnings: [
      ...left.map(({ start, end }) => ({
        line: positionAt(start).line,
        message: `"${text.slice(start, end)}" stays as it is: it is an attribute inside a sentence`,
      })),
      ...cutOff(text).map((message) => ({
        line: positionAt(text.length).line,
        ...{ message, isDamage: true as const },
      })),
    ],
    localeEdits: (language) => (lang === undefined ? [] : [{ ...lang, text: language }]),
  };
}

/** `</html>` may be missing (HTML Standard, "Optional tags"); such a page is still translated. */
function cutOff(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const reason = missingPart('html', { head: bytes, tail: bytes, size: bytes.length });
  return reason === undefined ? [] : [`${reason}: it may be cut off`];
}
