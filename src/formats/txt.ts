/** Plain text: every line with a letter is a segment; blanks around it and lines without letters are the frame. */
import type { Doc, Format, Part, Segment } from '../format.ts';
import { positionsOf } from './text/position.ts';
import { contentIds, encodeParts, makeSegment } from './text/segment.ts';

export const txt: Format = {
  name: 'txt',
  shape: 'sequence',
  foldsWhitespace: true,
  parse,
};

function parse(text: string): Doc {
  const idOf = contentIds();
  const positionAt = positionsOf(text);
  const segments = [...text.matchAll(/[^\r\n]+/g)].flatMap(({ 0: line, index }): Segment[] => {
    const content = line.trim();
    if (!/\p{L}/u.test(content)) return [];
    const start = index + line.length - line.trimStart().length;
    return [
      makeSegment(text, {
        id: idOf([content]),
        start,
        end: start + content.length,
        parts: [content],
        syntax: 'generic',
        line: positionAt(start).line,
        encode: encodeLine,
      }),
    ];
  });
  return { segments, warnings: [] };
}

function encodeLine(parts: readonly Part[]): string {
  return encodeParts(parts, (text) => text.replace(/(?<!\s)\s*[\r\n]+\s*/g, ' ')).trim();
}
