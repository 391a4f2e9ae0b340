/** The parts of a paragraph that are not text: template calls and attributes on lines of their own, math. UTF-16 offsets. */
export interface MarkerSpan {
  readonly start: number;
  readonly end: number;
}

/** Hugo's `{{% notice %}}` and `{{< note >}}`, Jekyll's and Nunjucks' `{% note %}`, kramdown's `{:toc}` and `{: .lead}`. */
export const MARKER = String.raw`(?:\{\{[<%](?:(?!\}\}).)*\}\}|\{%(?:(?!%\}).)*%\}|\{:[^{}\r\n]*\})`;
const LINE_PREFIX = String.raw`[ \t>]*`;
const LEADING = new RegExp(
  String.raw`^${LINE_PREFIX}(?:${MARKER}[ \t]*)+(?:\r\n|\n|\r)${LINE_PREFIX}`,
);
const TRAILING = new RegExp(
  String.raw`(?<![ \t])[ \t]*(?:\r\n|\n|\r)${LINE_PREFIX}(?:${MARKER}[ \t]*)+$`,
);

/** The range of a text without such lines at both ends; they keep their places. */
export function withoutMarkerLines(text: string, { start, end }: MarkerSpan): MarkerSpan {
  let own = text.slice(start, end);
  let from = start;
  for (let found = LEADING.exec(own); found !== null; found = LEADING.exec(own)) {
    own = own.slice(found[0].length);
    from += found[0].length;
  }
  for (let found = TRAILING.exec(own); found !== null; found = TRAILING.exec(own)) {
    own = own.slice(0, found.index);
  }
  return { start: from, end: from + own.length };
}

/**
 * `$$…$$` and `$x = y$`. A single `$` opens before a non-blank, and closes behind a non-blank with no letter or digit behind it: "costs $5
 * to $6" is text.
 */
const MATH =
  /(`+)(?!`)[\s\S]*?[^`]\1(?!`)|\\.|\$\$[\s\S]+?\$\$|(?<![\w$])\$(?![\s$])(?:\\.|[^\\$\r\n])*?(?<!\s)\$(?![\w$])/g;

export function mathIn(text: string, { start, end }: MarkerSpan): MarkerSpan[] {
  const own = text.slice(start, end);
  if (!own.includes('$')) return [];
  return [...own.matchAll(MATH)]
    .filter(([found]) => found.startsWith('$'))
    .map(({ 0: found, index }) => ({ start: start + index, end: start + index + found.length }));
}

/** A fenced block, code in backticks or a comment. */
export const CODE_OR_COMMENT =
  /^[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})[^\r\n]*[\r\n](?:[\s\S]*?[\r\n])??[ \t>]*\1[`~]*[ \t]*$|(`+)(?!`)[^\r\n]*?[^`\r\n]\2(?!`)|<!--[\s\S]*?-->/gm;

export function commentsIn(text: string, { start, end }: MarkerSpan): MarkerSpan[] {
  const own = text.slice(start, end);
  if (!own.includes('<!--')) return [];
  return [...own.matchAll(CODE_OR_COMMENT)]
    .filter(([found]) => found.startsWith('<!--'))
    .map(({ 0: found, index }) => ({ start: start + index, end: start + index + found.length }));
}
