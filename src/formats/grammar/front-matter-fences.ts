/** Where the front matter of a page begins and ends. Pure. */

/**
 * What is below a rule at the start of a page: a blank line, and then no key. With comments alone, or prose, between two rules, the lines up
 * to the second one are a part of the page. The first line that is neither blank nor a comment decides, if there is one.
 */
const RULE = String.raw`[ \t]*[\r\n](?:[ \t]*(?:#[^\r\n]*)?[\r\n])*(?![ \t]*(?:#[^\r\n]*)?[\r\n])(?!["']?[\w.-]+["']?[ \t]*:(?:[ \t\r\n]|$))`;

/**
 * A page may begin with a rule. The extension would then search for the end of front matter, and read each list and quote of the page as
 * one line of text.
 */
export const FRONT_MATTERS = [
  {
    kind: 'yaml',
    whole: new RegExp(
      String.raw`^---[ \t]*(?:\r\n|\n|\r)(?!${RULE})(?:[\s\S]*?[\r\n])??---[ \t]*(?:[\r\n]|$)`,
    ),
  },
  {
    kind: 'toml',
    whole: /^\+\+\+[ \t]*(?:\r\n|\n|\r)(?:[\s\S]*?[\r\n])??\+\+\+[ \t]*(?:[\r\n]|$)/,
  },
] as const;

/** The length of the front matter at the start of a page; 0 without one. */
export function frontMatterLength(text: string): number {
  return Math.max(0, ...FRONT_MATTERS.map(({ whole }) => whole.exec(text)?.[0].length ?? 0));
}
