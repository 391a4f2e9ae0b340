/**
 * The parts of one sentence of an ICU message. Texts are joined, a tag is one part, and a sample number stays only when it is unambiguous.
 * Pure.
 */

import { type Part, partsText } from '../../format.ts';
import { append } from '../../parsing/append.ts';
import { TAG } from '../../parsing/markup.ts';
import { escapeIcu, type IcuSpelling } from './icu-text.ts';
import { joinTexts } from './pieces.ts';

export function sentenceParts(parts: readonly Part[], spelling: IcuSpelling): readonly Part[] {
  return clearSamples(joinTexts(wholeTags(joinTexts(parts), spelling)));
}

/** A tag with an argument in it, `<a href="{url}">`, becomes one raw part. */
function wholeTags(parts: readonly Part[], spelling: IcuSpelling): readonly Part[] {
  const text = parts.map(heldOpen).join('');
  if (!text.includes('<')) return parts;
  const whole: Part[] = [];
  const next = partsUpTo(parts);
  for (const { index, 0: tag } of text.matchAll(TAGS)) {
    append(whole, next(index));
    const pieces = next(index + tag.length);
    if (pieces.length === 1) append(whole, pieces);
    else whole.push({ raw: pieces.map((piece) => written(piece, spelling)).join('') });
  }
  return [...whole, ...next(text.length)];
}

const TAGS = new RegExp(TAG, 'g');

/** A raw part counts as one character that is not syntax of a tag. */
function heldOpen(part: Part): string {
  return typeof part === 'string' ? part : '\uFFFC';
}

/**
 * A function that gives the parts from the end of its last call to an offset. Offsets are those of the text in which each raw part is one
 * character.
 */
function partsUpTo(parts: readonly Part[]): (end: number) => Part[] {
  let [nth, from, position] = [0, 0, 0];
  return (end) => {
    const found: Part[] = [];
    for (let part = parts[nth]; part !== undefined && position < end; part = parts[nth]) {
      const behind = from + heldOpen(part).length;
      found.push(typeof part === 'string' ? part.slice(position - from, end - from) : part);
      position = Math.min(behind, end);
      if (behind > end) break;
      [nth, from] = [nth + 1, behind];
    }
    return found;
  };
}

function written(part: Part, spelling: IcuSpelling): string {
  return typeof part === 'string' ? escapeIcu(part, spelling) : part.raw;
}

/** Removes samples that could be mistaken for another number of the sentence. */
function clearSamples(parts: readonly Part[]): readonly Part[] {
  const numbers = new Set(parts.flatMap((part) => partsNumbers(part)));
  const sampled = Map.groupBy(parts, (part) =>
    typeof part === 'string' ? undefined : part.sample,
  );
  const doubled = new Set(
    [...sampled]
      .filter(([, same]) => new Set(same.map((each) => partsText([each]))).size > 1)
      .map(([sample]) => sample),
  );
  return parts.map((part) => {
    if (typeof part === 'string' || part.sample === undefined) return part;
    return numbers.has(part.sample) || doubled.has(part.sample) ? { raw: part.raw } : part;
  });
}

function partsNumbers(part: Part): readonly string[] {
  return typeof part === 'string' ? (part.match(/\d+/g) ?? []) : [];
}
