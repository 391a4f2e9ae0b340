/**
 * The parts of one sentence of an ICU message. Texts are joined, a tag is one part, and a sample number stays only when it is unambiguous.
 * Pure.
 */
import { type Part, partsText, type Raw } from '../format.ts';
import { escapeIcu } from './icu-text.ts';
import { joinTexts } from './pieces.ts';

type Within = 'plural' | 'other';

export function sentenceParts(parts: readonly Part[], within: Within): readonly Part[] {
  return clearSamples(joinTexts(wholeTags(joinTexts(parts), within)));
}

const UNFINISHED_TAG = /<\/?[A-Za-z][^<>]*$/;

/** A tag with an argument in it, `<a href="{url}">`, becomes one raw part. */
function wholeTags(parts: readonly Part[], within: Within): readonly Part[] {
  const whole: Part[] = [];
  let rest = parts;
  for (let part = rest[0]; part !== undefined; part = rest[0]) {
    const start = typeof part === 'string' ? part.search(UNFINISHED_TAG) : -1;
    const end = start < 0 ? -1 : rest.findIndex((later, at) => at > 0 && closesTag(later));
    const last = rest[end];
    if (typeof part !== 'string' || typeof last !== 'string') {
      whole.push(part);
      rest = rest.slice(1);
      continue;
    }
    const tag = [part.slice(start), ...rest.slice(1, end), last.slice(0, last.indexOf('>') + 1)];
    whole.push(part.slice(0, start), { raw: tag.map((piece) => written(piece, within)).join('') });
    rest = [last.slice(last.indexOf('>') + 1), ...rest.slice(end + 1)];
  }
  return whole;
}

function closesTag(part: Part): boolean {
  return typeof part === 'string' && /^[^<>]*>/.test(part);
}

function written(part: Part, within: Within): string {
  return typeof part === 'string' ? escapeIcu(part, within) : part.raw;
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
