/** Languages that the config of a framework names, also those without files. Pure. */
import type { LanguageTag } from '../../language.ts';
import { languageOfCode } from './known-layouts.ts';
import { ownPaths, type Repository } from './repository.ts';

export interface DeclaredLanguages {
  /** The config that names them, relative to the repository. */
  readonly file: string;
  readonly languages: readonly LanguageTag[];
}

/** next-intl, Next.js, next-i18next, i18next-cli, Docusaurus, Nuxt, Astro, inlang (Paraglide). */
const FILES =
  /(?:^|\/)(?:i18n\/(?:routing|config|settings)|(?:next|next-i18next|i18next|i18next-parser|docusaurus|nuxt|astro)\.config)\.[cm]?[jt]sx?$|(?:^|\/)project\.inlang\/settings\.json$/;
const LIST =
  /\b(?:locales|lngs|supportedLngs|supportedLocales|languages)\b['"]?\s*(?:=|:)\s*\[([^\]]*)\]/g;

/** @returns the languages of the config that names most; undefined when no config names two */
export function declaredLanguages(repository: Repository): DeclaredLanguages | undefined {
  const found = ownPaths(repository)
    .filter((path) => FILES.test(path))
    .map((file) => ({ file, languages: languagesIn(repository.head(file) ?? '') }))
    .filter(({ languages }) => languages.length > 1);
  return found.toSorted((a, b) => b.languages.length - a.languages.length)[0];
}

function languagesIn(text: string): LanguageTag[] {
  const words = [...text.matchAll(LIST)].flatMap(([, list = '']) =>
    [...list.matchAll(/['"`]([\w-]+)['"`]/g)].map(([, word = '']) => word),
  );
  return [...new Set(words.flatMap((word) => languageOfCode(word) ?? []))];
}
