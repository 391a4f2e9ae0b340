/** Finds the placeholders in a text. The format decides which syntaxes it has. Pure. */
import type { PlaceholderSyntax } from '../../format.ts';
import { TAG } from '../../parsing/markup.ts';

/** A part of a text that is not translated. UTF-16 offsets. */
export interface Placeholder {
  readonly kind: PlaceholderKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The placeholders of a text, in order, without overlaps: the first rule that matches at a position wins. */
export function findPlaceholders(text: string, syntax: PlaceholderSyntax): readonly Placeholder[] {
  if (isPlainText(text, syntax)) return [];
  const key = `${syntax} ${text}`;
  const known = lately.get(key);
  if (known !== undefined) return known;
  if (lately.size >= LATELY) lately.clear();
  const found = search(text, syntax);
  lately.set(key, found);
  return found;
}

// A check looks for placeholders, tags, links, numbers and emoji in the same text and its translation. To remember the last results makes
// it twice as fast.
const LATELY = 16;
const lately = new Map<string, readonly Placeholder[]>();

function search(text: string, syntax: PlaceholderSyntax): Placeholder[] {
  return [...text.matchAll(patternOfSyntax(syntax))].map((match) => ({
    kind: Object.keys(match.groups ?? {}).find((name) => match.groups?.[name]) as PlaceholderKind,
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Every placeholder of the catalogue has one of these. Most texts have none, and are not searched further. */
const TELLTALE = /[\r\n{$%<&@]|:\/\//;
const TELLTALE_OF_LARAVEL = /[\r\n{$%<&@:|[]/;

/** Whether a text has no placeholder, line break or brace for sure: found out without a search. */
export function isPlainText(text: string, syntax: PlaceholderSyntax): boolean {
  return !(syntax === 'laravel' ? TELLTALE_OF_LARAVEL : TELLTALE).test(text);
}

const CONVERSION = '(?:hh|h|ll|l|L|q|j|z|t)?[@diouxXeEfFgGaAcCsSp]';
/** An accented letter also continues a word. */
const WORD_CHARACTER = String.raw`[\p{Script=Latin}\d]`;
/** `'` and `I` write digits as the language does (glibc, "Integer Conversions"). */
const PRINTF = String.raw`%[\-+0#'I]*(?:\d+|\*)?(?:\.(?:\d+|\*))?${CONVERSION}`;

/**
 * The catalogue, measured over 448,316 strings of real files. The space flag of printf is left out on purpose: "100% of" is text. If printf
 * is only one of several possible syntaxes, a letter behind it decides: "100%discount" is text, "%d个" is not. If the file is known to use
 * printf, "%dpx" holds a placeholder. The order is the order of the alternation.
 */
const RULES = {
  /** With the blanks around it: indentation is layout. */
  newline: String.raw`(?<![ \t])[ \t]*(?:\r\n|\n|\r)(?:[ \t]*(?:\r\n|\n|\r))*[ \t]*`,
  mustache: String.raw`\{\{[^{}\n]*\}\}`,
  template: String.raw`\$\{[^{}\n]*\}`,
  shell: String.raw`\$[A-Za-z_]\w*`,
  nesting: String.raw`\$t\([^()\n]*\)`,
  rubyName: String.raw`%\{[\w.\- ]+\}`,
  rubyFormat: String.raw`%<\w+>[\-+0#]*\d*(?:\.\d+)?[a-zA-Z]`,
  pythonName: String.raw`%\([\w .\-]+\)[\-#0+]*\d*(?:\.\d+)?[hlL]*[diouxXeEfFgGcrsa]`,
  pluralVariable: String.raw`%(?:\d{1,2}\$)?#@\w+@`,
  /** In substitutions of string catalogs: the number of the argument is given elsewhere. */
  argument: '%arg(?![A-Za-z])',
  position: String.raw`%\d{1,2}\$[\-+0#'I]*\d*(?:\.\d+)?${CONVERSION}`,
  /** Java groups digits with `,`: `%,d`, `%1$,.2f`. */
  grouped: String.raw`%(?:\d{1,2}\$)?[\-+0#(]*,[\-+0#(]*\d*(?:\.\d+)?[dfgG](?![\p{L}'’])`,
  /** Qt comes before printf: `%1s` is the first argument and an s. */
  qt: String.raw`%L?(?:\d{1,2}|n(?!${WORD_CHARACTER}))`,
  /** The same in the other formats, where a text has numbered places (`hasNumberedPlaces`). */
  place: String.raw`%\d{1,2}`,
  printf: PRINTF,
  maybePrintf: `${PRINTF}(?!${WORD_CHARACTER})`,
  percent: '%%',
  symfony: String.raw`%[A-Za-z_][\w.]*%`,
  /** Replaced when a program is configured or built (Autoconf, CMake `configure_file(… @ONLY)`, Maven). */
  built: String.raw`@[A-Z][A-Z\d_]*@`,
  comment: '<!--.*?-->',
  tag: TAG,
  numberedTag: String.raw`</?\d+\s*/?>`,
  entity: String.raw`&(?:#\d+|#x[\da-fA-F]+|[A-Za-z]\w*);`,
  brace: braces(6),
  /** Another text of the catalog, `@.lower:key` in another case (vue-i18n, "Linked messages"). */
  linked: String.raw`@(?:\.[A-Za-z]+)?:(?:\([^()\n]+\)|\{[^{}\n]*\}|[\w.]*\w)`,
  laravel: String.raw`(?<![\p{L}\d:]):[A-Za-z][A-Za-z_]+\b(?!:)`,
  /** `one|many` and `[1,19] some` (Laravel, "Pluralization"); `{0}` is a brace. */
  choice: String.raw`\|(?:[ \t]*\[(?:\d+|\*),[ \t]*(?:\d+|\*)\])?|^[ \t]*\[(?:\d+|\*),[ \t]*(?:\d+|\*)\]`,
  url: String.raw`(?:https?|ftp)://[^\s<>"'’»)\]{}]*[^\s<>"'’»)\]{}.,;:!?]`,
  /** The rest of an address behind a placeholder in it. The search back has an end, since each brace of a text begins one. */
  urlRest: String.raw`(?<=(?:https?|ftp)://[^\s<>"'’»]{0,2000}\})[^\s<>"'’»)\]{}]*[^\s<>"'’»)\]{}.,;:!?]`,
  /** At most 64 characters before the `@` (RFC 5321, 4.5.3.1.1): without an end, each letter of a long word begins a search. */
  email: String.raw`[\w.+\-]{1,64}@[\w\-]+(?:\.[\w\-]+)+`,
} as const;
type PlaceholderKind = keyof typeof RULES;

const MARKUP: readonly PlaceholderKind[] = ['newline', 'comment', 'tag', 'entity', 'url', 'email'];

/** All syntaxes that a framework may use in a file without a syntax of its own. A text may have tokens of two of them. */
const OPEN: readonly PlaceholderKind[] = [
  ...MARKUP,
  'numberedTag',
  'mustache',
  'template',
  'nesting',
  'rubyName',
  'rubyFormat',
  'pythonName',
  'position',
  'grouped',
  'percent',
  'symfony',
  'built',
  'brace',
  'linked',
  'urlRest',
];

/** One list for each syntax: `:name` and `%n` are ordinary text when the syntax does not have them. */
const SYNTAXES: Readonly<Record<PlaceholderSyntax, readonly PlaceholderKind[]>> = {
  none: ['newline'],
  subtitle: [],
  markup: MARKUP,
  generic: [...OPEN, 'maybePrintf'],
  numbered: [...OPEN, 'place', 'maybePrintf'],
  icu: [...OPEN, 'maybePrintf'],
  printf: [...OPEN, 'printf'],
  apple: [...OPEN, 'pluralVariable', 'argument', 'printf'],
  qt: [...MARKUP, 'qt', 'mustache', 'template', 'pythonName', 'maybePrintf', 'brace'],
  laravel: [...OPEN, 'maybePrintf', 'laravel', 'choice'],
  shell: [...OPEN, 'maybePrintf', 'shell'],
};

/**
 * Whether `%1x` in this text is the place `%1` and an x, not a hexadecimal number of width 1: `%1x%2`, `%0 of %1`. The numbers of all
 * `%N` begin with 0 or 1 and have no gap, and one `%N` at least cannot be of printf. So `%1d`, `%2d:%02d` and "%50 off" stay what they were.
 * The source decides for its translation too: in Turkish, `%1` is one percent.
 */
export function hasNumberedPlaces(text: string): boolean {
  const found = text.includes('%') ? [...text.matchAll(NUMBERED)] : [];
  if (found.every(([, , conversion]) => conversion !== undefined)) return false;
  const numbers = new Set(found.map(([, number]) => Number(number)));
  const first = Math.min(...numbers);
  return first <= 1 && Math.max(...numbers) - first + 1 === numbers.size;
}

const NUMBERED = new RegExp(
  String.raw`(?<!%)%(\d+)(?![\d$]|\.[\d*])(${CONVERSION}(?!${WORD_CHARACTER}))?`,
  'gu',
);

const patterns = new Map<PlaceholderSyntax, RegExp>();

/** Made at its first use: all of them take 1 ms of the start of a command. */
function patternOfSyntax(syntax: PlaceholderSyntax): RegExp {
  const pattern = patterns.get(syntax) ?? alternation(SYNTAXES[syntax]);
  patterns.set(syntax, pattern);
  return pattern;
}

function alternation(names: readonly PlaceholderKind[]): RegExp {
  const ordered = (Object.keys(RULES) as PlaceholderKind[]).filter((rule) => names.includes(rule));
  if (ordered.length === 0) return /(?!)/gu;
  return new RegExp(ordered.map((rule) => `(?<${rule}>${RULES[rule]})`).join('|'), 'gu');
}

/** `{…}` with braces inside braces: an ICU or choice argument that could not be split stays whole. */
function braces(depth: number): string {
  const inner = depth === 0 ? '[^{}]' : `(?:[^{}]|${braces(depth - 1)})`;
  return String.raw`\{${inner}*\}`;
}
