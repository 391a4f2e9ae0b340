/** What the sources themselves tell of a route: which of their keys are no texts, and why some cannot be translated. Pure. */
import { type LanguageTag, sameLanguage } from '../../language.ts';
import { languageOf } from './layout-rules.ts';

/** Patterns of keys that stand beside the texts, in JSON of a certain kind. */
export function keysWithoutText(path: string, head: string | undefined): readonly string[] {
  if (head === undefined || !/\.json[c5]?$/.test(path)) return [];
  return [
    ...HEADS.flatMap(([first, keys]) => (first.test(head) ? keys : [])),
    ...(WITH_DESCRIPTIONS.find(({ text, beside }) => isMadeOf(head, [text, ...beside]))?.ignore ??
      []),
  ];
}

/** Whether all strings of a file stand under these names, of which the first and one other are there. */
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

/** Browser extensions and programs that share their texts with one; FormatJS, as it extracts. An app's own `description` is a text. */
const WITH_DESCRIPTIONS = [
  {
    ...{ text: 'message', beside: ['description', 'content', 'example', 'hash'] },
    ignore: ['*.description', '*.placeholders.*'],
  },
  { text: 'defaultMessage', beside: ['description', 'id', 'file'], ignore: ['*.description'] },
] as const;

/** Whether the texts of an XLIFF source stand where translations go, as Symfony has it where its texts have names. */
export function hasKeysForSources(
  path: string,
  head: string | undefined,
  source: LanguageTag,
): boolean {
  if (head === undefined || !/\.xli?ff?$/.test(path)) return false;
  const [, code = ''] = /\b(?:target-language|trgLang)\s*=\s*["']([^"']+)["']/.exec(head) ?? [];
  const language = languageOf(code);
  if (language === undefined || !sameLanguage(language, source)) return false;
  const units = [...head.matchAll(/<source\b[^>]*>([^<]*)<\/source>\s*<target\b[^>]*>([^<]+)</g)];
  const keys = units.filter(([, key = '', text]) => key !== text && /^[\w.+-]+$/.test(key));
  return keys.length * 2 > units.length;
}
