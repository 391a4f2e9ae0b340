/** `usage: run <file>`: a word in angle brackets that is not a tag. People translate it (`<Datei>`). Pure. */
import type { Difference } from './contents.ts';

/**
 * Takes words in angle brackets out of the difference of tags, with their translations. It takes as many words as the translation has in
 * brackets without a source. The others stay in it, since they are lost, or added.
 */
export function withoutWords(
  compared: Difference,
  { source, target }: { readonly source: string; readonly target: string },
): Difference {
  const { missing, extra } = compared;
  const isWord = (name: string) => isBracketedWord(name, source + target);
  const lost = missing.filter(isWord);
  if (lost.length === 0) return compared;
  const known = new Set(source.match(BRACKETED));
  const own = (target.match(BRACKETED) ?? []).filter((name) => !known.has(name) && isWord(name));
  const left = new Set(lost.slice(own.length));
  const added = new Set(own.slice(lost.length));
  return {
    ...compared,
    missing: missing.filter((name) => !isWord(name) || left.has(name)),
    extra: extra.filter((name) => !isWord(name) || added.has(name)),
  };
}

const BRACKETED = /<\p{L}[^<>/="']*>/gu;

function isBracketedWord(name: string, texts: string): boolean {
  const word = /^<(\p{L}[^<>/="']*)>$/u.exec(name)?.[1];
  return word !== undefined && !HTML.test(word) && !texts.includes(`</${word}>`);
}

/** Elements that texts have without their other half: it is in the next text, or HTML does not need it. */
const HTML =
  /^(?:a|abbr|b|big|body|br|center|code|dd|div|dl|dt|em|font|h[1-6]|hr|html|i|img|input|kbd|li|nobr|ol|p|pre|qt|s|small|span|strong|sub|sup|table|td|th|tr|tt|u|ul|wbr)$/i;
