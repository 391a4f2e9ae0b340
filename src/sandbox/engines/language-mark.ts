/**
 * The frame around an answer: `[de·more·style-1a2b3c4d.3 text ~~]` shows the language and the applied options, and allows the frame to be
 * removed again. White space and tags at the edges stay outside.
 */
import type { EngineRecipe } from '../engine.ts';
import type { ProtectedPiece } from './protected.ts';

export interface Framed {
  readonly lead: string;
  readonly core: readonly ProtectedPiece[];
  readonly tail: string;
}

/** Splits off white space, tags and whole kept elements at both ends. */
export function splitEdges(pieces: readonly ProtectedPiece[]): Framed {
  const first = pieces.findIndex((piece) => !isEdge(piece));
  if (first < 0) return { lead: textOfPieces(pieces), core: [], tail: '' };
  const last = pieces.findLastIndex((piece) => !isEdge(piece));
  const core = pieces.slice(first, last + 1);
  const before = blanksOf(core[0], (text) => text.slice(0, -text.trimStart().length));
  const after = blanksOf(core.at(-1), (text) => text.slice(text.trimEnd().length));
  return {
    lead: textOfPieces(pieces.slice(0, first)) + before,
    core: core.map((piece, i) => ({
      ...piece,
      text: piece.text.slice(
        i === 0 ? before.length : 0,
        i === core.length - 1 ? piece.text.length - after.length : undefined,
      ),
    })),
    tail: after + textOfPieces(pieces.slice(last + 1)),
  };
}

export function textOfPieces(pieces: readonly ProtectedPiece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** @param padding characters that the frame adds at its end, for languages whose texts are longer. */
export function markedText(core: string, recipe: EngineRecipe, padding: number): string {
  const header = [recipe.target, ...recipe.marks].join('·');
  return `[${header} ${core}${padding === 0 ? '' : ` ${'~'.repeat(padding)}`}]`;
}

/** Removes the frame; undefined when there is none. */
export function unframe(text: string): { core: string; target: string } | undefined {
  const found = FRAME.exec(text);
  const [core, target] = [found?.[2], found?.[1]];
  return core === undefined || target === undefined ? undefined : { core, target };
}

const FRAME = /^\[([a-z]{2,3}(?:-[A-Za-z0-9]+)*)(?:·[^\s·]+)* ([\s\S]*?)(?: ~+)?\]$/u;

/** Placeholders and entities belong to the words around them. */
function isEdge({ text, kept }: ProtectedPiece): boolean {
  return kept ? /^(?:<|\]\]>)/u.test(text) : text.trim() === '';
}

function blanksOf(piece: ProtectedPiece | undefined, edge: (text: string) => string): string {
  return piece === undefined || piece.kept ? '' : edge(piece.text);
}
