/** HTML segment by segment, for routes that say `lane: text`: sentences with their inline markup, and visible attributes. */
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
  const { texts, lang, left } = htmlTexts(text);
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
    warnings: left.map(({ start, end }) => ({
      line: positionAt(start).line,
      message: `"${text.slice(start, end)}" stays as it is: it is an attribute inside a sentence`,
    })),
    localeEdits: (language) => (lang === undefined ? [] : [{ ...lang, text: language }]),
  };
}
