/** The visible text of a text document. Pure. */

import { decodeXml } from '../../../files/xml-characters.ts';
import { xmlTokens } from '../../../files/xml-tokens.ts';
import { htmlTexts } from '../../../formats/grammar/html-texts.ts';

/** Which texts to read: XLIFF has both side by side. */
export type TextSide = 'source' | 'translation';

/**
 * The texts that the service is expected to bill, or that it wrote.
 * @param extension `txt`, `htm`, `html`, `srt`, `xlf` or `xliff`; for others, the whole content is one text
 * @throws JobFailure `malformed` for XLIFF that is not XML
 */
export function plainTexts(
  text: string,
  { extension, file, side }: { extension: string; file: string; side: TextSide },
): string[] {
  switch (extension) {
    case 'htm':
    case 'html':
      return htmlTexts(text).texts.flatMap(({ parts }) =>
        parts.filter((part) => typeof part === 'string'),
      );
    case 'srt':
      return cueTexts(text);
    case 'xlf':
    case 'xliff':
      return elementTexts(text, side === 'source' ? 'source' : 'target', file);
    default:
      return [text];
  }
}

const TIMING = /^[ \t]*\d+:\d{1,2}:\d{1,2}(?:[,.:]\d+)?[ \t]*-->/;

/** All lines but numbers, times and the empty lines between cues. */
function cueTexts(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  const isNumber = (at: number) => /^\s*\d+\s*$/.test(lines[at] ?? '') && isTiming(at + 1);
  const isTiming = (at: number) => TIMING.test(lines[at] ?? '');
  return lines.filter((line, at) => line !== '' && !isTiming(at) && !isNumber(at));
}

/** The text of all elements with a name; not of elements with that name in other modules (XLIFF 2.1, 4.2). */
function elementTexts(text: string, name: string, file: string): string[] {
  let depth = 0;
  let foreign = 0;
  const texts: string[] = [];
  for (const token of xmlTokens(text, file)) {
    if (token.kind === 'open' || token.kind === 'close') {
      const step = token.kind === 'open' ? 1 : -1;
      if (token.name === name) depth += step;
      else if (FOREIGN.test(token.name)) foreign += step;
    } else if (depth > 0 && foreign === 0 && token.kind === 'text') {
      texts.push(decodeXml(text.slice(token.start, token.end)));
    }
  }
  return texts;
}

const FOREIGN = /^(?:alt-trans|(?:\w+:)?(?:match|glossary|changeTrack))$/;
