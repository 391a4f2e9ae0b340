/** Makes a text safe for one line of a terminal: a file name may hold a line break or an escape sequence. */

/** @returns the text with control characters (Unicode category Cc) spelled as JSON spells them: `new\nline.json` */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, spelled);
}

function spelled(character: string): string {
  const short = JSON.stringify(character).slice(1, -1);
  if (short !== character) return short;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
