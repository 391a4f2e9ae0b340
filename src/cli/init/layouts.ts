/** Finds in a list of files which layouts they have: the files of each route, and their languages. Pure. */

import { fileNameOf } from '../../files/listing.ts';
import { type LanguageTag, sameLanguage, spellLanguage } from '../../language.ts';
import { SourcePattern } from '../../routes/source-pattern.ts';
import { gettextMatches } from './gettext.ts';
import {
  catalogMatches,
  LAYOUT_RULES,
  type LayoutMatch,
  languageOfCode,
  type RouteSketch,
  type SeenLanguage,
} from './known-layouts.ts';
import { isExample, ownPaths, type Repository } from './repository.ts';
import { plainSourceMatches, twinMatches } from './siblings.ts';
import { tableMatches } from './tables.ts';
import { templateMatches } from './template-files.ts';

/** The files of one route. */
export interface LayoutFiles extends Pick<LayoutMatch, 'layout' | 'route' | 'content'> {
  readonly isConvention: boolean;
  readonly isExample: boolean;
  readonly languages: ReadonlyMap<LanguageTag, LayoutLanguage>;
  /** Whether the place itself says that a file is the source. */
  readonly hasPlainSource: boolean;
  /** Names in the place of the language that are not languages, and second spellings of a language. */
  readonly unknown: readonly string[];
}

export interface LayoutLanguage {
  readonly spelled: string;
  readonly files: number;
}

export function findLayouts(repository: Repository): LayoutFiles[] {
  const all = ownPaths(repository);
  const templates = templateMatches(repository, all);
  const known = new Set(templates.map(({ path }) => path));
  const paths = all.filter((path) => !known.has(path));
  const plain = plainSourceMatches(paths);
  for (const { path } of plain) known.add(path);
  const rest = paths.filter((path) => !known.has(path));
  const ruled = [
    ...toolMatches(repository, rest),
    ...rest.flatMap((path) => layoutMatch(path, repository) ?? []),
    ...gettextMatches(rest),
    ...catalogMatches(repository, rest),
    ...tableMatches(repository, rest),
  ];
  for (const { path, unknown } of ruled) if (unknown === undefined) known.add(path);
  const twins = twinMatches(rest.filter((path) => !known.has(path)));
  const seen = withoutOverlaps([...templates, ...plain, ...namedTwice([...ruled, ...twins])]);
  return [...byRoute(seen).values()].flatMap((each) => layoutFilesOf(each) ?? []);
}

/** If both occur, `locales/{}.yml` becomes `locales/**\/{}.yml`: otherwise two routes would share targets. */
function withoutOverlaps(matches: readonly LayoutMatch[]): LayoutMatch[] {
  const deep = new Set(
    matches.map(({ route }) => route.from).filter((from) => from.includes('/**/{}.')),
  );
  return matches.map((seen) => {
    const from = seen.route.from.replace(/\/\{\}\./, '/**/{}.');
    return deep.has(from) ? { ...seen, route: { ...seen.route, from } } : seen;
  });
}

/** `de/de.json`: when all files of a route are named after their language folder, the route has the language twice. */
function namedTwice(matches: readonly LayoutMatch[]): LayoutMatch[] {
  return [...byRoute(matches).values()].flatMap((seen) => {
    const twice = seen.map((each) => ({ each, from: patternOfBoth(each) }));
    const [first] = twice;
    const isOne = twice.every(({ from }) => from !== undefined && from === first?.from);
    if (first?.from === undefined || !isOne) return seen;
    const { from } = first;
    return twice.map(({ each }) => ({ ...each, route: { ...each.route, from } }));
  });
}

function patternOfBoth({ path, route, language }: LayoutMatch): string | undefined {
  if (language === undefined || route.to !== undefined || route.embedded_source) return undefined;
  const { spelled } = language;
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const at = folders.indexOf(spelled);
  const [, mark, ext] =
    new RegExp(`(?:^|([._-]))${RegExp.escape(spelled)}\\.(\\w+)$`).exec(name) ?? [];
  if (at < 0 || ext === undefined) return undefined;
  const head = folders
    .slice(0, at)
    .map((folder) => `${folder}/`)
    .join('');
  return `${head}{}/**/${mark === undefined ? '' : `*${mark}`}{}.${ext}`;
}

function byRoute(matches: readonly LayoutMatch[]): Map<string, LayoutMatch[]> {
  return Map.groupBy(matches, ({ route }) => JSON.stringify(route));
}

function layoutMatch(path: string, { head }: Repository): LayoutMatch | undefined {
  let unknown: LayoutMatch | undefined;
  for (const { pattern, match } of LAYOUT_RULES) {
    const parts = pattern.exec(path);
    const seen = parts === null ? undefined : match(parts.groups ?? {}, () => head(path));
    if (seen !== undefined && seen.unknown === undefined) return { path, ...seen };
    if (seen !== undefined) unknown ??= { path, ...seen };
  }
  return unknown;
}

function layoutFilesOf(seen: readonly LayoutMatch[]): LayoutFiles | undefined {
  const [first] = seen;
  const languages = new Map<LanguageTag, LayoutLanguage>();
  const unknown = new Set<string>();
  for (const each of seen) {
    if (each.unknown !== undefined) unknown.add(each.unknown);
    if (each.language === undefined) continue;
    const { tag, spelled } = each.language;
    const before = languages.get(tag);
    if (before === undefined || before.spelled === spelled) {
      languages.set(tag, { spelled, files: (before?.files ?? 0) + 1 });
    } else unknown.add(spelled);
  }
  if (first === undefined || languages.size < (first.leastLanguages ?? 0)) return undefined;
  const hasPlainSource = seen.some(
    ({ language, unknown: other }) => language === undefined && other === undefined,
  );
  const isOwnSource = first.route.to !== undefined || first.route.embedded_source === true;
  // Without any language and source, the names are ordinary folders.
  if (languages.size === 0 && !hasPlainSource) return undefined;
  const { layout, route, content, isConvention = false } = first;
  return {
    ...{ layout, route, content, isConvention, languages },
    isExample: isExample(first.path),
    hasPlainSource: hasPlainSource || isOwnSource,
    unknown: [...unknown],
  };
}

/**
 * The source language when neither a person nor a config names it: English, else the language with the most places. Of several such
 * languages it is the first by code, so that the order of the listing does not matter.
 * @param targets languages that a person asked for: none of them is the source
 */
export function likelySource(
  places: readonly LayoutFiles[],
  targets: readonly LanguageTag[] = [],
): LanguageTag {
  const counts = new Map<LanguageTag, number>();
  const strings = places.filter(({ content }) => content === 'strings');
  for (const { languages, hasPlainSource, layout } of strings.length > 0 ? strings : places) {
    // If the place itself says which file is the source, the named languages are targets. The same holds for gettext catalogs.
    const isEnglish = [...languages.keys()].some((tag) => sameLanguage(tag, ENGLISH));
    if (hasPlainSource || (layout === 'gettext' && !isEnglish)) continue;
    for (const tag of languages.keys()) {
      if (!targets.includes(tag)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
  }
  const english = (['en', 'en-US', 'en-GB'] as LanguageTag[]).find((tag) => counts.has(tag));
  const [most] = [...counts].toSorted(([x, a], [y, b]) => b - a || (x < y ? -1 : 1));
  return english ?? most?.[0] ?? ENGLISH;
}

const ENGLISH = 'en' as LanguageTag;

/** The source language, or a variant of it, as a place spells it; undefined when the place lacks it. */
export function sourceIn(
  { languages }: LayoutFiles,
  source: LanguageTag,
): SeenLanguage | undefined {
  const own = [...languages].filter(([tag]) => tag === source || sameLanguage(tag, source));
  const tag =
    own.find(([each]) => each === source) ??
    own.find(([each]) => /-US$|^\w+$/.test(each)) ??
    own[0];
  return tag && { tag: tag[0], spelled: tag[1].spelled };
}

/** The route with the token in place of `{}`; in `exclude` with all languages of the place. */
export function spellRoute(
  route: RouteSketch,
  token: string,
  languages: readonly string[],
): RouteSketch {
  const spell = (text: string) => text.replaceAll('{}', token);
  const all = languages.length === 1 ? (languages[0] ?? '') : `{${languages.join(',')}}`;
  return {
    ...route,
    from: spell(route.from),
    ...(route.to === undefined ? {} : { to: spell(route.to) }),
    ...(route.exclude === undefined
      ? {}
      : { exclude: route.exclude.map((pattern) => pattern.replaceAll('{}', all)) }),
  };
}

/** The sources of a route. */
export function sourcesOf(
  { from, exclude = [] }: RouteSketch,
  spelled: string,
  paths: readonly string[],
): string[] {
  const pattern = new SourcePattern({ from: from.replaceAll('{}', spelled), exclude }, [
    spellLanguage('en' as LanguageTag),
  ]);
  return paths.filter((path) => pattern.reaches(path) && !pattern.excludes(path));
}

// Paths that the configs of i18n tools name: i18next, next-intl, Docusaurus.

/** Matches by such configs, also in folders with unusual names. */
function toolMatches(repository: Repository, paths: readonly string[]): LayoutMatch[] {
  return paths.flatMap((path) => {
    const name = fileNameOf(path);
    const folder = path.slice(0, path.length - name.length);
    const text = () => repository.head(path) ?? '';
    if (/^(?:i18next|i18next-parser)\.config\.\w+$/.test(name)) {
      return byPattern('i18next', { folder, patterns: outputsOf(text()) }, paths);
    }
    if (/(?:^|\/)i18n(?:\/request)?\.[jt]s$/.test(path)) {
      return byPattern('next-intl', { folder, patterns: importsOf(text()) }, paths);
    }
    if (/^docusaurus\.config\.\w+$/.test(name)) return [docusaurus(path, folder)];
    return [];
  });
}

/** `output: 'app/i18n/$LOCALE/$NAMESPACE.json'` (i18next-parser), `'{{language}}/{{namespace}}.json'` (i18next-cli). */
function outputsOf(text: string): string[] {
  return [...text.matchAll(/\boutput\s*:\s*['"`]([^'"`\n]+)['"`]/g)].map(([, output = '']) =>
    output
      .replace(/^\.\//, '')
      .replace(/\$LOCALE|\{\{(?:language|lng)\}\}/g, '{}')
      .replace(/\$NAMESPACE|\{\{(?:namespace|ns)\}\}/g, '*'),
  );
}

/** `` import(`../../messages/${locale}.json`) `` */
function importsOf(text: string): string[] {
  return [...text.matchAll(/import\(\s*`([^`\n]+)`/g)].map(([, path = '']) =>
    path
      .replace(/\$\{[^}]*\b(?:locale|lang|language)\b[^}]*\}/gi, '{}')
      .replace(/\$\{[^}]*\}/g, '*'),
  );
}

function byPattern(
  layout: string,
  { folder, patterns }: { readonly folder: string; readonly patterns: readonly string[] },
  paths: readonly string[],
): LayoutMatch[] {
  return patterns.flatMap((pattern) => {
    const from = resolved(folder, pattern);
    if (from === undefined || !from.includes('{}') || /[$[\]]/.test(from)) return [];
    const expression = new RegExp(
      `^${from
        .split(/(\{\}|\*)/)
        .map((part) => (part === '{}' ? '([^/]+)' : part === '*' ? '[^/]+' : RegExp.escape(part)))
        .join('')}$`,
    );
    const route: RouteSketch = { from };
    return paths.flatMap((path): LayoutMatch[] => {
      const spelled = expression.exec(path)?.[1];
      const tag = spelled === undefined ? undefined : languageOfCode(spelled);
      if (spelled === undefined || tag === undefined) return [];
      const seen = { path, layout, route, content: 'strings', isConvention: true } as const;
      return [{ ...seen, language: { tag, spelled } }];
    });
  });
}

/** The path from the root of the repository; undefined when it is outside. */
function resolved(folder: string, path: string): string | undefined {
  const names = folder.split('/').filter((name) => name !== '');
  for (const name of path.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return undefined;
    } else if (name !== '.' && name !== '') names.push(name);
  }
  return names.join('/');
}

/** The pages of a site: they are proposed only when a translation exists. */
function docusaurus(path: string, folder: string): LayoutMatch {
  return {
    ...{ path, layout: 'Docusaurus', content: 'pages' },
    route: {
      from: `${folder}docs/**/*.{md,mdx}`,
      to: `${folder}i18n/{}/docusaurus-plugin-content-docs/current/{dir}/{name}.{ext}`,
    },
  };
}
