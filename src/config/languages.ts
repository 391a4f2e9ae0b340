/** Reads the language codes of a config: checks them against the names of Unicode, returns tags. */

import { type LanguageTag, languageName, parseLanguage } from '../language.ts';
import type { SettingPath } from '../setting.ts';
import { DETECTABLE } from './capabilities.ts';
import type { Report } from './shape.ts';

/** @returns the tag; undefined, with a report, when the code names no language */
export function readLanguage(
  code: string,
  { path, report }: { path: SettingPath; report: Report },
): LanguageTag | undefined {
  const tag = parseLanguage(code);
  // Unicode's names take 8 ms to load: only a rare code is looked up there.
  const isKnown =
    tag !== undefined && (DETECTABLE.includes(tag) || languageName(tag) !== undefined);
  if (isKnown) return tag;
  report(path, `"${code}" is no language code${suggestion(code.toLowerCase())}`);
  return undefined;
}

/** Country codes that people often write in place of the language code. */
const COUNTRIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    at: 'de',
    br: 'pt-BR',
    cn: 'zh-Hans',
    cz: 'cs',
    dk: 'da',
    gb: 'en-GB',
    gr: 'el',
    jp: 'ja',
    kr: 'ko',
    tw: 'zh-Hant',
    ua: 'uk',
    us: 'en-US',
    vn: 'vi',
  }),
);

function suggestion(code: string): string {
  const swapped = [...code].toReversed().join('');
  const meant =
    COUNTRIES.get(code) ??
    [...DETECTABLE, 'en-GB', 'en-US', 'pt-BR', 'pt-PT', 'zh-Hans', 'zh-Hant', 'es-419'].find(
      (known) => known === swapped || known.replace('-', '').toLowerCase() === code,
    );
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

/** @returns the tags in order, without unknown languages, repeated ones and the source; each of these is reported */
export function readTargets(
  codes: readonly string[],
  { path, report, source }: { path: SettingPath; report: Report; source: string },
): LanguageTag[] {
  const seen = new Map<LanguageTag, string>();
  for (const [index, code] of codes.entries()) {
    const here = [...path, index];
    const tag = readLanguage(code, { path: here, report });
    if (tag === undefined) continue;
    const before = seen.get(tag);
    if (before !== undefined) {
      report(here, `"${code}" is the same language as "${before}"`);
    } else if (tag === source) {
      report(here, `"${code}" is the source language`);
    } else {
      seen.set(tag, code);
    }
  }
  return [...seen.keys()];
}
