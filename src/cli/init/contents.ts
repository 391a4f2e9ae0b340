/** Looks into sources: which of their keys are not texts. Pure. */

/** Patterns of the keys that are not texts, for known kinds of JSON. @param head the beginning of the file */
export function keysWithoutText(path: string, head: string | undefined): readonly string[] {
  if (head === undefined || !/\.json[c5]?$/.test(path)) return [];
  return [
    ...HEADS.flatMap(([first, keys]) => (first.test(head) ? keys : [])),
    ...(WITH_DESCRIPTIONS.find(({ text, beside }) => isMadeOf(head, [text, ...beside]))?.ignore ??
      []),
  ];
}

/** Whether all strings of a file have these names; the first name and one other must occur. */
function isMadeOf(head: string, names: readonly string[]): boolean {
  const found = new Set([...head.matchAll(/"([^"\\]+)"\s*:\s*"/g)].map(([, name = '']) => name));
  const [text = ''] = names;
  return found.has(text) && found.size > 1 && [...found].every((name) => names.includes(name));
}

const HEADS: readonly (readonly [first: RegExp, keys: readonly string[]])[] = [
  // inlang and others: the address of a schema.
  [/^\s*\{\s*"\$schema"\s*:/, ['$schema']],
  // MediaWiki: who translated.
  [/^\s*\{\s*"@metadata"\s*:/, ['@metadata.*']],
];

/** Browser extensions and programs that share their format; messages that FormatJS extracted. Elsewhere a `description` is a text. */
const WITH_DESCRIPTIONS = [
  {
    ...{ text: 'message', beside: ['description', 'content', 'example', 'hash'] },
    ignore: ['*.description', '*.placeholders.*'],
  },
  { text: 'defaultMessage', beside: ['description', 'id', 'file'], ignore: ['*.description'] },
] as const;
