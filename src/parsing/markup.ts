/**
 * Patterns for tags of XML, HTML and JSX in a text. A `>` in a quoted value does not end a tag (XML 1.0, 3.1; HTML Standard, "Attribute
 * value (double-quoted) state"). Each character can be matched in one way only, so the time is linear. Pure.
 */

/** The characters that may be in a tag after its name. Append `?` to match as little as possible. */
export const ATTRIBUTES = String.raw`(?:=\s*"[^"]*"|=\s*'[^']*'|(?!=\s*["'])[^<>])*`;

/** The same, where a quote may have no end. */
export const TAG_REST = `(?:${ATTRIBUTES}|[^<>]*)`;

/** Text without a tag or a part of one. */
export const NO_TAG = '[^<>]*';

/** A tag of a text. If a quote has no end, the first `>` ends the tag. */
export const TAG = (() => {
  const quoted = ['"', "'"].map((quote) => String.raw`=\s*${quote}[^${quote}]*${quote}(?=[\s/>])`);
  const start = '</?[A-Za-z]';
  return String.raw`${start}(?:${quoted.join('|')}|(?!=\s*["'])[^<>])*>|${start}[^<>]*>`;
})();

/** The version in the start tag of XLIFF; undefined: there is no such tag. @param head the first bytes of a file */
export function xliffVersion(head: string): string | undefined {
  return XLIFF.exec(head)?.[1];
}

const XLIFF = new RegExp(
  String.raw`<(?:[\w.-]+:)?xliff(?=\s)${ATTRIBUTES}?\sversion\s*=\s*["']([^"']*)["']`,
);

/**
 * Whether a text has a tag with one of these attributes. A value may be an expression in braces, as JSX has it. What comes before the
 * attribute may be anything but a `>` outside of values.
 * @returns a function of the text, in linear time
 */
export function tagSearch(names: readonly string[]): (text: string) => boolean {
  const attribute = String.raw`\s(?:${names.join('|')})\s*=`;
  const braces = String.raw`=\s*\{(?:[^{}]|\{[^{}]*\})*\}`;
  const other = String.raw`=\s*"[^"]*"|=\s*'[^']*'|${braces}|(?!=\s*["'{])[^<>\s]|\s`;
  const piece = new RegExp(`(${attribute})|${other}`, 'y');
  const last = new RegExp(attribute);
  return (text) => hasPiece(text, piece) || hasRun(text, { without: '>', first: TAG_START, last });
}

const TAG_START = /<[A-Za-z]/;

/** Reads each tag once. One pattern for a whole tag would also begin inside of the values that it has read. */
function hasPiece(text: string, piece: RegExp): boolean {
  const start = new RegExp(TAG_START, 'g');
  while (start.test(text)) {
    piece.lastIndex = start.lastIndex;
    for (let found = piece.exec(text); found !== null; found = piece.exec(text)) {
      if (found[1] !== undefined) return true;
      start.lastIndex = piece.lastIndex;
    }
  }
  return false;
}

/**
 * Whether a part of a text has a match of `first`, and behind it one of `last`. One pattern for both would look from each match of `first`
 * to the end of the part, which takes quadratic time.
 * @param without one of these characters ends a part
 */
export function hasRun(
  text: string,
  {
    without,
    first,
    last,
  }: { readonly without: string; readonly first: RegExp; readonly last: RegExp },
): boolean {
  return text.split(new RegExp(`[${without}]`)).some((part) => {
    const at = part.search(first);
    return at >= 0 && last.test(part.slice(at + 1));
  });
}
