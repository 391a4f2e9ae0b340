/** The faults of YAML in plain words: the library speaks of tokens and collections. Pure. */
import type { ErrorCode } from 'yaml';

/** What the YAML library says of a text. */
export interface YamlComplaint {
  readonly code: ErrorCode;
  readonly message: string;
}

const USE_QUOTES = 'put a text with such characters between quotes';

/** By the code of the library. */
const FAULT_OF_CODE: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias (*name) can have no anchor and no tag',
  BAD_ALIAS: `an anchor (&name) or an alias (*name) needs a name that does not end with ":"; ${USE_QUOTES}`,
  BAD_COLLECTION_TYPE: 'the tag (!name) does not fit the value behind it',
  BAD_DIRECTIVE: `a line that begins with "%" is for the version of YAML; ${USE_QUOTES}`,
  BAD_DQ_ESCAPE:
    'a "\\" between double quotes begins an escape, and there is none like this: write "\\\\", or use single quotes',
  BAD_INDENT: 'the lines of one block must begin in the same column',
  BAD_PROP_ORDER: 'an anchor (&name) or a tag (!name) must be behind the "-", "?" or ":"',
  BAD_SCALAR_START: `a text cannot begin with this character; ${USE_QUOTES}`,
  BLOCK_AS_IMPLICIT_KEY: `a line can have one setting; ${USE_QUOTES}, such as ": "`,
  BLOCK_IN_FLOW:
    'between brackets or braces, write what is inside also with brackets, braces and commas',
  DUPLICATE_KEY: 'this name is there twice in the same block',
  IMPOSSIBLE: 'this cannot be read as YAML',
  KEY_OVER_1024_CHARS: 'a name can have at most 1024 characters',
  MISSING_CHAR: 'a ":", a comma, a space or a closing quote is missing here',
  MULTILINE_IMPLICIT_KEY: 'a name and its ":" must be on one line',
  MULTIPLE_ANCHORS: 'a value can have one anchor (&name)',
  MULTIPLE_DOCS: 'a file can have one document: remove the second "---"',
  MULTIPLE_TAGS: 'a value can have one tag (!name)',
  NON_STRING_KEY: 'a name must be a text',
  RESOURCE_EXHAUSTION: 'this is too much to read',
  TAB_AS_INDENT: 'a line must be indented with spaces, not with tabs',
  TAG_RESOLVE_FAILED: `no such tag (!name) is known here, or the value does not fit it; ${USE_QUOTES}`,
  UNEXPECTED_TOKEN: `this does not belong here; ${USE_QUOTES}`,
};

/** Messages that tell more than their code. */
const FAULT_OF_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/^Flow seq/, 'a "[" is not closed by a "]" before this, or its lines are not indented'],
  [/^Flow map/, 'a "{" is not closed by a "}" before this, or its lines are not indented'],
  [/^Missing closing/, 'a quote is not closed'],
  [/^Implicit map keys need/, 'a ":" is missing behind a name'],
  [/^Block scalar header/, 'behind "|" or ">" the text begins in the next line'],
];

export function yamlWords({ code, message }: YamlComplaint): string {
  return FAULT_OF_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ?? FAULT_OF_CODE[code];
}

/** The words for what the library throws when it makes data of a text. */
export function yamlDataWords(message: string): string {
  const alias = /^Unresolved alias .*: (.+)$/.exec(message)?.[1];
  if (alias !== undefined) return `the alias *${alias} has no anchor &${alias} before it`;
  if (message.startsWith('Excessive alias count')) return 'has too many aliases of aliases';
  if (message.startsWith('Merge sources'))
    return '"<<" takes a block of settings, or an alias of one';
  return message.includes('call stack') ? 'is nested too deeply' : FAULT_OF_CODE.IMPOSSIBLE;
}
