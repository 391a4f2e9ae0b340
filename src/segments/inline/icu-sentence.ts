/**
 * The parts of one sentence of an ICU message. Texts are joined, a tag is one part, and a sample number stays only when it is unambiguous.
 * Pure.
 */

import { type Part, partsText, type Raw } from '../../format.ts';
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
  let position = 0;
  for (const { index, 0: tag } of text.matchAll(TAGS)) {
    const end = index + tag.length;
    const pieces = partsBetween(parts, index, end);
    if (pieces.length === 1) continue;
    append(whole, partsBetween(parts, position, index));
    whole.push({ raw: pieces.map((piece) => written(piece, spelling)).join('') });
    position = end;
  }
  return [...whole, ...partsBetween(parts, position, text.length)];
}

const TAGS = new RegExp(TAG, 'g');

/** A raw part counts as one character that is not syntax of a tag. */
function heldOpen(part: Part): string {
  return typeof part === 'string' ? part : '\uFFFC';
}

/** Offsets are those of the text in which each raw part is one character. */
function partsBetween(parts: readonly Part[], start: number, end: number): Part[] {
  let position = 0;
  return parts.flatMap((part): Part[] => {
    const from = position;
    position += heldOpen(part).length;
    if (position <= start || from >= end) return [];
    return [typeof part === 'string' ? part.slice(Math.max(0, start - from), end - from) : part];
  });
}

function written(part: Part, spelling: IcuSpelling): string {
  return typeof part === 'string' ? escapeIcu(part, spelling) : part.raw;
}

/** Removes samples that could be mistaken for another number of the sentence. */
function clearSamples(parts: readonly Part[]): readonly Part[] {
  const numbers = new Set(parts.flatMap((part) => partsNumbers(part)));
  return parts.map((part) => {
    if (typeof part === 'string' || part.sample === undefined) return part;
    const isClear = !numbers.has(part.sample) && !parts.some((other) => isDouble(part, other));
    return isClear ? part : { raw: part.raw };
  });
}

function partsNumbers(part: Part): readonly string[] {
  return typeof part === 'string' ? (part.match(/\d+/g) ?? []) : [];
}

function isDouble(part: Raw, other: Part): boolean {
  return (
    typeof other !== 'string' && other.sample === part.sample && partsText([other]) !== part.raw
  );
}
