/** The reasons for only offering a route. Pure. */
import { type LanguageTag, sameLanguage } from '../../language.ts';
import type { LayoutFiles } from './layouts.ts';
import { isGenerated, type Repository } from './repository.ts';

export const UNTRANSLATED = 'it has no translation yet';

export interface Considered {
  readonly layoutFiles: LayoutFiles;
  readonly targets: ReadonlyMap<LanguageTag, string>;
  readonly sources: readonly string[];
}

interface SourceContext {
  readonly repository: Repository;
  readonly source: LanguageTag;
}

/** @returns undefined when the route is proposed */
export function reasonToSuggest(seen: Considered, around: SourceContext): string | undefined {
  const { layoutFiles, targets, sources } = seen;
  const { repository, source } = around;
  const [first = ''] = sources;
  const translated = [...layoutFiles.languages.keys()].filter((tag) => !sameLanguage(tag, source));
  if (layoutFiles.content === 'readme')
    return 'such pages are often translated with a structure of their own';
  if (layoutFiles.isExample) return 'it lies among examples';
  if (isGenerated(repository.head(first))) return `a program writes ${first}`;
  if (BUILT_ASSETS.test(first)) return 'a build writes scripts for browsers there';
  if (THEME.test(first)) return 'it belongs to a theme, which has a repository of its own';
  const beside = folderBeside(layoutFiles, around);
  if (beside !== undefined) {
    return `${beside} is the source; a file that is only in Base.lproj needs a route with that name`;
  }
  if (translated.length === 0) return layoutFiles.isConvention ? undefined : UNTRANSLATED;
  if (targets.size === 0) return 'the service translates into none of its languages';
  return layoutFiles.content === 'pages' ? missingPages(seen, translated) : undefined;
}

/** Folders into which i18n-js and asset pipelines copy the texts of YAML files. */
const BUILT_ASSETS = /(?:^|\/)(?:public\/(?:javascripts|assets|build|packs)|app\/assets\/builds)\//;

/** Folders of a Hugo theme; files of the site itself override them. */
const THEME = /(?:^|\/)themes\/[^/]+\/(?:i18n|exampleSite)\//;

/** The folder of the source language beside Base.lproj. Both would have the same targets, and Xcode prefers the folder of the language. */
function folderBeside(
  { route }: LayoutFiles,
  { repository, source }: SourceContext,
): string | undefined {
  const [, head = '', ext = ''] = /^(.*)Base\.lproj\/\*\.(\w+)$/.exec(route.from) ?? [];
  const folder = `${head}${source}.lproj`;
  const isThere = repository.paths.some(
    (path) => path.startsWith(`${folder}/`) && path.endsWith(`.${ext}`),
  );
  return ext !== '' && isThere ? folder : undefined;
}

/** Share of translated pages. Below it, a route would buy more pages than people translated so far. */
const LEAST_COVERAGE = 0.5;

function missingPages(
  { layoutFiles, sources }: Considered,
  translated: readonly LanguageTag[],
): string | undefined {
  const counts = translated.map((tag) =>
    Math.min(layoutFiles.languages.get(tag)?.files ?? 0, sources.length),
  );
  const pages = counts.reduce((sum, count) => sum + count, 0);
  const all = sources.length * translated.length;
  if (pages >= all * LEAST_COVERAGE) return undefined;
  return `${pages} of ${all} translated pages are there`;
}
