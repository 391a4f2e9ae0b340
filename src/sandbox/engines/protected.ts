/** What no engine may touch: tags, entities, placeholders, ICU messages, addresses. */

/** Each takes linear time: repetitions are bounded, or start where nothing before could have started them. */
const PATTERNS = [
  '<[/!?]?[A-Za-z][^<>]*>', // tags
  '&(?:[A-Za-z][A-Za-z0-9]{0,31}|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});', // entities
  '[$%#]?\\{(?:[^{}]|\\{(?:[^{}]|\\{(?:[^{}]|\\{[^{}]*\\})*\\})*\\})*\\}', // {name}, {{name}}, ${name}, %{name}, ICU
  '\\$t\\([^()]*\\)', // i18next nesting
  '%\\([A-Za-z0-9_.]+\\)[a-zA-Z]', // %(name)s
  '%(?:[0-9]{1,3}\\$)?[-+0#]{0,4}[0-9]{0,4}(?:\\.[0-9]{1,4})?(?:hh|h|ll|l|q|z|j|t)?[@sdiufFeEgGxXocp]', // printf
  '(?:https?|ftp|file|mailto):[^\\s<>"{}]+', // addresses
  '(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+\\.[A-Za-z0-9.-]+', // mail
];

const PROTECTED = new RegExp(PATTERNS.join('|'), 'gu');

export interface Piece {
  readonly text: string;
  readonly kept: boolean;
}

/**
 * Cuts a text into pieces that may be translated and pieces that are kept.
 * @param ignoreTags names of elements whose whole content is kept.
 */
export function cut(text: string, ignoreTags: readonly string[] = []): readonly Piece[] {
  const pattern = ignoreTags.length === 0 ? PROTECTED : withElements(ignoreTags);
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > at) pieces.push({ text: text.slice(at, found.index), kept: false });
    pieces.push({ text: found[0], kept: true });
    at = found.index + found[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), kept: false });
  return pieces;
}

function withElements(names: readonly string[]): RegExp {
  const alternatives = names
    .filter((name) => /^[A-Za-z_][\w:.-]*$/u.test(name))
    .map((name) => name.replaceAll('.', '\\.').replaceAll('-', '\\-'));
  if (alternatives.length === 0) return PROTECTED;
  const element = `<(${alternatives.join('|')})(?:\\s[^<>]*)?>[^]*?</\\1>`;
  return new RegExp([element, ...PATTERNS].join('|'), 'gu');
}
