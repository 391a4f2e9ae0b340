/** Which language a repository is written in, as the config of its framework says. Pure. */
import type { LanguageTag } from '../../language.ts';
import { languageAtEnd, languageOf } from './layout-rules.ts';
import { ownPaths, type Repository } from './repository.ts';
import { templateIn } from './template-files.ts';

export interface DeclaredSource {
  readonly file: string;
  readonly tag: LanguageTag;
  /** The file is the source by its name, and no default of a program that may be another thing. */
  readonly isSure?: true;
}

/** Where each framework keeps it: inlang, Rails, Lingui, Next.js, Nuxt, Astro, Docusaurus, Angular, browser extensions, Laravel, Hugo. */
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

/** @param isThere whether a file has that language; a default of which nothing is there is no source */
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
      const tag = languageOf(code);
      return tag === undefined ? [] : [{ file, tag }];
    })
    .find(({ tag }) => isThere(tag));
}

/** `app_de.arb`, `fr.default.schema.json`. */
function languageInName(path: string): LanguageTag | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, code = ''] = /^(.+?)\.default\.(?:schema\.)?json$/.exec(name) ?? [];
  return code === '' ? languageAtEnd(name.replace(/\.\w+$/, ''))?.language.tag : languageOf(code);
}
