/** Makes a text safe for one line of a terminal: a file name may hold a line break or an escape sequence. */

/** Characters that change how the rest of the line is shown: controls, line and paragraph separators, and those that reverse text. */
const UNSHOWN = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;
/** The same, without line ends, tabs and the colours of our own. */
const UNSHOWN_BESIDE_COLOURS = /(\p{Cc}\[\d{1,3}m|[\n\t])|[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** Text of several lines for a terminal. */
export function safeLines(text: string): string {
  return text.replace(UNSHOWN_BESIDE_COLOURS, (found, kept?: string) => {
    if (kept !== undefined && (kept.length === 1 || kept.startsWith(ESCAPE))) return kept;
    return spelled(found.slice(0, 1)) + found.slice(1);
  });
}

const ESCAPE = '\u001b';

/** @returns the text with control characters, and those that reverse text, spelled as JSON spells them: `new\nline.json` */
export function oneLine(text: string): string {
  return text.replace(UNSHOWN, spelled);
}

function spelled(character: string): string {
  const short = JSON.stringify(character).slice(1, -1);
  if (short !== character) return short;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
