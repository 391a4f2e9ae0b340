/** Refuses a file with a text that is nested too deeply, before anything else is done with it. Pure. */
import { type Doc, excerptOf, keyName, type Part, partsText, type Segment } from '../../format.ts';
import { TAG } from '../../parsing/markup.ts';
import { malformed } from './position.ts';

/**
 * Braces, or tags, in each other. People write fewer than ten. The time of some steps grows with the square of this number. A message with
 * 5,000 levels was bought, and then could not be checked in time.
 */
export const MOST_LEVELS = 100;

/** @throws JobFailure `malformed` with the place of the first text that is nested more deeply */
export function refuseDeepTexts(file: string, text: string, { segments }: Doc): void {
  for (const segment of segments) {
    const found = deepest(segment);
    if (found === undefined) continue;
    const name = excerptOf(keyName(segment.id), 60);
    const message = `the text "${name}" has ${found} in each other, and dragoman reads at most ${MOST_LEVELS}`;
    throw malformed(file, { text, offset: segment.start }, message);
  }
}

function deepest({ parts, source = [] }: Segment): string | undefined {
  for (const side of [parts, source]) {
    const written = partsText(side);
    if (written.length < MOST_LEVELS) continue;
    const braces = levelsOf(written.matchAll(BRACES), ([brace]) => brace === '{');
    if (braces > MOST_LEVELS) return `${braces} pairs of braces`;
    const tags = levelsOf(tagSides(side), (isStart) => isStart);
    if (tags > MOST_LEVELS) return `${tags} tags`;
  }
  return undefined;
}

const BRACES = /[{}]/g;
const TAGS = new RegExp(TAG, 'g');

/** The tags of a text and the paired codes of its format, in order: whether each begins something. */
function* tagSides(parts: readonly Part[]): Generator<boolean> {
  for (const part of parts) {
    if (typeof part !== 'string' && part.pair !== undefined) yield part.pair.side === 'open';
    else if (typeof part === 'string') {
      for (const [tag] of part.matchAll(TAGS)) {
        if (!tag.endsWith('/>')) yield !tag.startsWith('</');
      }
    }
  }
}

/** How many pairs are in each other at most. A side without its other side is text. */
function levelsOf<Side>(sides: Iterable<Side>, isStart: (side: Side) => boolean): number {
  /** For each open side, the levels inside of it. */
  const open: number[] = [];
  let most = 0;
  for (const side of sides) {
    if (isStart(side)) open.push(0);
    else {
      const inside = open.pop();
      if (inside === undefined) continue;
      most = Math.max(most, inside + 1);
      const around = open.pop();
      if (around !== undefined) open.push(Math.max(around, inside + 1));
    }
  }
  return most;
}
