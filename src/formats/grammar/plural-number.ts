/**
 * Separates the number in a plural form as a raw part with a sample number. The service gets the sample, which inflects the words around
 * it.
 */
import type { Part } from '../../format.ts';
import { normalizeParts } from '../text/parts.ts';

const NUMBER_IN_TEXT =
  /%(?:\d{1,2}\$)?[-+0#']*\d*(?:hh|h|ll|l|q|j|z|t)?[diu](?![A-Za-z])|%L?n(?![A-Za-z])|%\(\w+\)d|\{(?:n|num|count|number|0)\}/g;

/**
 * The parts with a sample in place of their number. The text stays as it is if it has no number. The same holds for several numbers,
 * because it is unknown which one counts, and for a sample that looks like another number of the text.
 */
export function withSample(parts: readonly Part[], sample: number): readonly Part[] {
  const texts = parts.filter((part) => typeof part === 'string').join('\n');
  const count = [...texts.matchAll(NUMBER_IN_TEXT)].length;
  if (count !== 1 || texts.replace(NUMBER_IN_TEXT, '').includes(`${sample}`)) return parts;
  return normalizeParts(
    parts.flatMap((part) => (typeof part === 'string' ? cutAtNumber(part, sample) : [part])),
  );
}

function cutAtNumber(text: string, sample: number): Part[] {
  const [found] = text.matchAll(NUMBER_IN_TEXT);
  if (found === undefined) return [text];
  const end = found.index + found[0].length;
  return [text.slice(0, found.index), { raw: found[0], sample: `${sample}` }, text.slice(end)];
}
