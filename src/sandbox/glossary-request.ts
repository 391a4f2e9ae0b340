/** The common fields of both glossary APIs: name, language pair, entries, with their limits. */
import { baseLanguage, type LanguageTag } from '../language.ts';
import type { Fields } from './fields.ts';
import { parseEntries, sizeOfEntries } from './glossary-entries.ts';
import type { Dictionary, LanguagePair } from './glossary-store.ts';
import { languagesOf } from './language-features.ts';
import { targetLanguage } from './language-table.ts';
import { badParameter, Refusal } from './refusal.ts';
import type { SandboxWorld } from './resource.ts';

export function readName(fields: Fields, world: SandboxWorld): string {
  const name = fields.requiredText('name');
  if (Buffer.byteLength(name) <= world.limits.phrase_bytes) return name;
  throw fields.bad('name', `may hold at most ${world.limits.phrase_bytes} UTF-8 bytes`);
}

/** One dictionary input. */
export function readDictionary(fields: Fields, world: SandboxWorld): Dictionary {
  const pair = readLanguagePair((name) => fields.requiredText(name));
  const entries = fields.requiredText('entries');
  const entries_format = fields.oneOf('entries_format', ['csv', 'tsv']);
  if (entries_format === undefined) throw fields.bad('entries_format', 'is required');
  fields.refuseUnknown(world.dialect);
  const { phrase_bytes: phraseBytes } = world.limits;
  return { ...pair, entries: parseEntries({ entries, entries_format }, { pair, phraseBytes }) };
}

/** Dictionaries have base codes; a variant becomes its base. @throws Refusal 400 that names the parameter or the pair. */
export function readLanguagePair(read: (name: string) => string): LanguagePair {
  const source_lang = readBase(read('source_lang'), 'source_lang');
  const target_lang = readBase(read('target_lang'), 'target_lang');
  if (source_lang !== target_lang) return { source_lang, target_lang };
  throw badParameter('target_lang', `equals source_lang: ${source_lang} to ${target_lang}`);
}

/** @throws Refusal 413 when the dictionaries of one glossary have more bytes than allowed. */
export function checkSize(
  dictionaries: readonly Dictionary[],
  world: SandboxWorld,
): readonly Dictionary[] {
  const size = dictionaries.reduce((sum, each) => sum + sizeOfEntries(each.entries), 0);
  const { glossary_bytes: most } = world.limits;
  if (size <= most) return dictionaries;
  throw new Refusal(413, `Request size exceeds the limit: a glossary holds at most ${most} bytes.`);
}

function readBase(code: string, parameter: string): LanguageTag {
  const base = baseLanguage(targetLanguage(code, parameter));
  if (languagesOf('glossary').some((each) => each.lang === base)) return base;
  throw badParameter(parameter, `has no glossaries: '${code}'`);
}
