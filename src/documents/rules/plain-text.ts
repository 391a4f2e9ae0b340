/** What the readers of a text document see of it, for the price of its translation. Pure. */
import { codePoints } from '../../segments/bill.ts';
import { htmlTexts } from '../../syntax/html-texts.ts';
import { decodeXml, xmlTokens } from '../../xml-tokens.ts';

/**
 * Unicode code points that the service is expected to bill for a text document.
 * @param extension `txt`, `htm`, `html`, `srt`, `xlf` or `xliff`; everything else counts whole
 * @throws JobFailure `malformed` for XLIFF that is no XML
 */
export function textCharacters(extension: string, text: string, file: string): number {
  switch (extension) {
    case 'htm':
    case 'html':
      return htmlCharacters(text);
    case 'srt':
      return cueCharacters(text);
    case 'xlf':
    case 'xliff':
      return sourceCharacters(text, file);
    default:
      return codePoints(text);
  }
}

function htmlCharacters(text: string): number {
  const parts = htmlTexts(text).texts.flatMap((one) => one.parts);
  return sum(parts.map((part) => (typeof part === 'string' ? codePoints(part) : 0)));
}

const TIMING = /^[ \t]*\d+:\d{1,2}:\d{1,2}(?:[,.:]\d+)?[ \t]*-->/;

/** Everything but numbers, times and the blank lines between cues. */
function cueCharacters(text: string): number {
  const lines = text.split(/\r\n|\r|\n/);
  const isNumber = (at: number) => /^\s*\d+\s*$/.test(lines[at] ?? '') && isTiming(at + 1);
  const isTiming = (at: number) => TIMING.test(lines[at] ?? '');
  const words = lines.filter((line, at) => line !== '' && !isTiming(at) && !isNumber(at));
  return sum(words.map(codePoints));
}

/** The text of all `<source>` elements; what other modules call a source is none (XLIFF 2.1, 4.2). */
function sourceCharacters(text: string, file: string): number {
  let depth = 0;
  let foreign = 0;
  let characters = 0;
  for (const token of xmlTokens(text, file)) {
    if (token.kind === 'open' || token.kind === 'close') {
      const step = token.kind === 'open' ? 1 : -1;
      if (token.name === 'source') depth += step;
      else if (FOREIGN.test(token.name)) foreign += step;
    } else if (depth > 0 && foreign === 0 && token.kind === 'text') {
      characters += codePoints(decodeXml(text.slice(token.start, token.end)));
    }
  }
  return characters;
}

const FOREIGN = /^(?:alt-trans|(?:\w+:)?(?:match|glossary|changeTrack))$/;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
