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

/** The start of a tag with one of these attributes. A value may be an expression in braces, as JSX has it. */
export function startTagWith(names: readonly string[]): RegExp {
  const braces = String.raw`=\s*\{(?:[^{}]|\{[^{}]*\})*\}`;
  const attributes = String.raw`(?:=\s*"[^"]*"|=\s*'[^']*'|${braces}|(?!=\s*["'{])[^<>])*`;
  return new RegExp(String.raw`<[A-Za-z](?:${attributes}|[^>]*)\s(?:${names.join('|')})\s*=`);
}
