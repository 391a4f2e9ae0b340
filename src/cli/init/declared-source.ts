/** The source language of a repository, as the config of its framework says. Pure. */
import type { LanguageTag } from '../../language.ts';
import { languageAtEnd, languageOfCode } from './known-layouts.ts';
import { ownPaths, type Repository } from './repository.ts';
import { templateIn } from './template-files.ts';

export interface DeclaredSource {
  readonly file: string;
  readonly tag: LanguageTag;
  /**
   * The name of the file says that it is the source. Absent: the language is the default locale of a framework, which need not be the
   * source language.
   */
  readonly isSure?: true;
}

/** The config and setting of each framework: inlang, Rails, Lingui, Next.js, Nuxt, Astro, Docusaurus, Angular, browser extensions, Laravel, Hugo. */
const PLACES: readonly (readonly [file: RegExp, setting: RegExp])[] = [
  [
    /(?:^|\/)project\.inlang\/settings\.json$/,
    /"(?:baseLocale|sourceLanguageTag)"\s*:\s*"([^"]+)"/,
  ],
  [/(?:^|\/)config\/application\.rb$/, /^\s*config\.i18n\.default_locale\s*=\s*[:'"]+([\w-]+)/m],
  [/(?:^|\/)lingui\.config\.[cm]?[jt]s$/, /\bsourceLocale['"]?\s*:\s*['"]([\w-]+)['"]/],
  [
    /(?:^|\/)(?:i18n\/(?:routing|config|settings)|(?:next|next-i18next|docusaurus|nuxt|astro)\.config)\.[cm]?[jt]sx?$/,
    /\bdefaultLocale['"]?\s*[:=]\s*['"]([\w-]+)['"]/,
  ],
  [/(?:^|\/)angular\.json$/, /"sourceLocale"\s*:\s*(?:\{\s*"code"\s*:\s*)?"([^"]+)"/],
  [/(?:^|\/)manifest\.json$/, /"default_locale"\s*:\s*"([^"]+)"/],
  [/(?:^|\/)config\/app\.php$/, /'locale'\s*=>\s*(?:env\([^,]+,\s*)?'([^']+)'/],
  [/(?:^|\/)(?:hugo|config)\.toml$/, /^\s*defaultContentLanguage\s*=\s*["']([^"']+)["']/im],
];

/** @param isThere whether some file has the language; a default language without files is not the source */
export function declaredSource(
  repository: Repository,
  isThere: (tag: LanguageTag) => boolean,
): DeclaredSource | undefined {
  const paths = ownPaths(repository);
  const sure = paths.flatMap((file) => {
    const template = templateIn(file, repository);
    const tag = template === undefined ? undefined : languageInName(template);
    return tag === undefined ? [] : [{ file, tag, isSure: true } as const];
  });
  if (sure[0] !== undefined) return sure[0];
  return paths
    .flatMap((file) =>
      PLACES.flatMap(([name, setting]) => (name.test(file) ? [{ file, setting }] : [])),
    )
    .flatMap(({ file, setting }) => {
      const [, code = ''] = setting.exec(repository.head(file) ?? '') ?? [];
      const tag = languageOfCode(code);
      return tag === undefined ? [] : [{ file, tag }];
    })
    .find(({ tag }) => isThere(tag));
}

/** The language in a name such as `app_de.arb` or `fr.default.schema.json`. */
function languageInName(path: string): LanguageTag | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, code = ''] = /^(.+?)\.default\.(?:schema\.)?json$/.exec(name) ?? [];
  return code === ''
    ? languageAtEnd(name.replace(/\.\w+$/, ''))?.language.tag
    : languageOfCode(code);
}
