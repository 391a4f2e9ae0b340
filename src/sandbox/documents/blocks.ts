/** Sentences that markup cuts into pieces: translated as one text, and split again so that every piece keeps its formatting. */

/** The pieces of one paragraph, in reading order. */
export type SentencePieces = readonly string[];

const LETTER = /\p{L}/u;

/** Numbers, punctuation and white space are not translated. */
export function blockHasWords(block: SentencePieces): boolean {
  return block.some((piece) => LETTER.test(piece));
}

/** One text for the engine; the pieces are in `<g>` elements, which engines keep like all tags. */
export function textForEngine(block: SentencePieces): string {
  if (block.length === 1) return block[0]?.trim() ?? '';
  return block.map((piece, index) => `<g id="${index}">${piece}</g>`).join('');
}

const ANSWERED_PIECE = /<g id="(\d+)">([\s\S]*?)<\/g>/g;

/**
 * Splits an answer into the pieces that were asked. Text that an engine wrote outside the tags (brackets, punctuation) joins the nearest
 * piece. If a tag is lost or doubled, the first piece with words gets the whole answer. White space at the edges of a piece is that of the
 * source, so that no `xml:space` has to change.
 */
export function answerPieces(block: SentencePieces, answer: string): readonly string[] {
  const answered =
    block.length === 1 ? [answer] : (cutAtTags(block, answer) ?? whole(block, answer));
  return block.map((piece, index) => keepEdges(piece, answered[index] ?? ''));
}

/** In the order of the answer: when an engine moved words, the reading order is more important than which words are bold. */
function cutAtTags(block: SentencePieces, answer: string): readonly string[] | undefined {
  const tags = [...answer.matchAll(ANSWERED_PIECE)];
  const ids = new Set(tags.map(([, id]) => Number(id)));
  if (tags.length !== block.length || !block.every((_, index) => ids.has(index))) return undefined;
  return tags.map((tag, index) => {
    const before = tags[index - 1];
    const start = before === undefined ? 0 : before.index + before[0].length;
    const end = tag.index + tag[0].length;
    const rest = index === tags.length - 1 ? answer.slice(end) : '';
    return answer.slice(start, tag.index) + (tag[2] ?? '') + rest;
  });
}

function whole(block: SentencePieces, answer: string): readonly string[] {
  const plain = answer.replace(/<\/?g\b[^>]*>/g, '');
  const first = block.findIndex((piece) => LETTER.test(piece));
  return block.map((_, index) => (index === first ? plain : ''));
}

function keepEdges(piece: string, answer: string): string {
  if (piece.trim() === '') return piece + answer.trim();
  const before = /^\s*/.exec(piece)?.[0] ?? '';
  const after = /\s*$/.exec(piece)?.[0] ?? '';
  return before + answer.trim() + after;
}
