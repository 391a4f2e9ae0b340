/** The layouts of repositories: one rule per layout, with a pattern for paths and the route that follows. Pure. */
import { type LanguageTag, languageName, parseLanguage } from '../../language.ts';
import type { Repository } from './repository.ts';

/** A route for the config. */
export interface RouteSketch {
  readonly from: string;
  readonly to?: string;
  readonly exclude?: readonly string[];
  readonly lane?: 'text';
  readonly keys?: { readonly ignore?: readonly string[]; readonly lock?: readonly string[] };
  readonly embedded_source?: true;
  /** With `targets`, one file holds all languages; the columns are filled in as soon as the languages are known. */
  readonly columns?: {
    readonly key: string | number;
    readonly source: string | number;
    readonly header?: boolean;
    readonly delimiter?: string;
    readonly targets?: Readonly<Record<string, string | number>>;
  };
}

/** A path that matches a rule. */
export interface LayoutMatch {
  /** Path of the file. */
  readonly path: string;
  /** Name of the layout, for people. */
  readonly layout: string;
  /** The route of this path and its siblings. `{}` stands for the language; in `exclude` for all languages. */
  readonly route: RouteSketch;
  /**
   * `pages`: documentation (often only a part of it is translated); `store`: listings of app stores; `readme`: files such as README.md.
   */
  readonly content: 'strings' | 'pages' | 'store' | 'readme';
  /** The language in the path; undefined when the place itself says that it is the source. */
  readonly language?: SeenLanguage;
  /** Such a place only holds texts to translate, so a route is proposed also before a translation exists. */
  readonly isConvention?: true;
  /** With fewer languages, the names match by accident. */
  readonly leastLanguages?: number;
  /** The name at the place of the language, if it is not a language. Then `language` is absent, and the path is not a source. */
  readonly unknown?: string;
}

export interface SeenLanguage {
  readonly tag: LanguageTag;
  readonly spelled: string;
}

type Parts = Readonly<Record<string, string | undefined>>;
type PathlessMatch = Omit<LayoutMatch, 'path'>;

interface Layout {
  readonly pattern: RegExp;
  match(parts: Parts, head: () => string | undefined): PathlessMatch | undefined;
}

export const CODE = '[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,2}';
const HOMES = 'locales?|i18n|l10n|langs?|languages?|translations|messages|_locales';
const TEXT_EXTENSIONS = 'json|json5|jsonc|ya?ml|ftl|properties|arb';
const MODULES = 'js|mjs|ts|php';

export const LAYOUT_RULES: readonly Layout[] = [
  {
    pattern: rule(
      `(?<head>(?:.*/)?)i18n/(?<code>${CODE})/docusaurus-plugin-content-(?<kind>docs|blog|pages)(?:-(?<id>[^/]+))?/(?<rest>.+)\\.mdx?`,
    ),
    match: matchDocusaurus,
  },
  {
    pattern: rule(
      `(?<head>(?:.*/)?i18n)/(?<code>${CODE})/(?:code|docusaurus-(?:theme|plugin)-.+)\\.json`,
    ),
    match: (parts) =>
      namedMatch(parts, 'Docusaurus', {
        from: `${parts['head']}/{}/**/*.json`,
        keys: { ignore: ['*.description'] },
      }),
  },
  {
    pattern: rule(`(?<head>(?:.*/)?_locales)/(?<code>${CODE})/messages\\.json`),
    match: (parts) =>
      namedMatch(parts, 'browser extension', {
        from: `${parts['head']}/{}/messages.json`,
        keys: { ignore: ['*.description', '*.placeholders.*'] },
      }),
  },
  {
    pattern: rule(`(?<head>(?:.*/)?(?:${HOMES}))/(?<code>${CODE})/.+\\.(?<ext>${TEXT_EXTENSIONS})`),
    match: (parts) =>
      namedMatch(parts, railsOr(parts, parts['ext'] === 'json' ? 'i18next' : 'texts'), {
        from: `${parts['head']}/{}/**/*.${parts['ext']}`,
      }),
  },
  {
    pattern: rule(`(?<head>(?:.*/)?(?:${HOMES}))/(?<code>${CODE})\\.(?<ext>${TEXT_EXTENSIONS})`),
    match: (parts) =>
      namedMatch(parts, railsOr(parts, 'texts'), { from: `${parts['head']}/{}.${parts['ext']}` }),
  },
  {
    pattern: rule(
      `(?<head>(?:.*/)?(?:${HOMES}))/(?<below>.+/)(?<code>${CODE})\\.(?<ext>${TEXT_EXTENSIONS})`,
    ),
    match: (parts) =>
      namedMatch(parts, railsOr(parts, 'texts'), {
        from: `${parts['head']}/**/{}.${parts['ext']}`,
      }),
  },
  {
    pattern: rule(
      `(?<head>(?:.*/)?(?:${HOMES}))/(?:.*/)?[^/]+\\.(?<code>${CODE})\\.(?<ext>${TEXT_EXTENSIONS})`,
    ),
    match: (parts) =>
      namedMatch(parts, railsOr(parts, 'texts'), {
        from: `${parts['head']}/**/*.{}.${parts['ext']}`,
      }),
  },
  {
    pattern: rule(
      `(?<head>(?:.*/)?(?:${HOMES}))/(?:.*/)?[^/]+\\.(?<code>${CODE})\\.(?<ext>xlf|xliff)`,
    ),
    match: (parts) =>
      namedMatch(parts, 'XLIFF', {
        from: `${parts['head']}/**/*.{}.${parts['ext']}`,
        lane: 'text',
      }),
  },
  {
    pattern: rule(`(?<head>(?:.*/)?)(?<name>[^/]+)\\.ts`),
    match: (parts, head) => (isQt(parts, head) ? matchQt(parts) : undefined),
  },
  {
    pattern: rule(`(?<head>(?:.*/)?(?:${HOMES}))/(?<code>${CODE})/.+\\.(?<ext>${MODULES})`),
    match: (parts) => matchModule(parts, `${parts['head']}/{}/**/*.${parts['ext']}`),
  },
  {
    pattern: rule(`(?<head>(?:.*/)?(?:${HOMES}))/(?<code>${CODE})\\.(?<ext>${MODULES})`),
    match: (parts) => matchModule(parts, `${parts['head']}/{}.${parts['ext']}`),
  },
  {
    pattern: rule('(?<head>(?:.*/)?)(?<name>[^/]+_[^/]+)\\.arb'),
    match: matchArb,
  },
  {
    pattern: rule(
      '(?<head>(?:.*/)?(?:res|composeResources))/values(?:-(?<qualifier>[^/]+))?/(?<file>[^/]+)\\.xml',
    ),
    match: matchAndroid,
  },
  {
    pattern: rule(
      `(?<head>(?:.*/)?resources/MR)/(?<code>base|${CODE})/(?<file>strings|plurals)\\.xml`,
    ),
    match: matchMoko,
  },
  {
    pattern: rule('(?<head>(?:.*/)?)(?<code>[^/]+)\\.lproj/[^/]+\\.(?<ext>strings|stringsdict)'),
    match: matchApple,
  },
  {
    pattern: rule(
      `(?<head>(?:.*/)?metadata/android)/(?<code>${CODE})/(?:title|short_description|full_description|changelogs/[^/]+)\\.txt`,
    ),
    match: (parts) =>
      inStore(parts, {
        from: `${parts['head']}/{}/**/*.txt`,
        exclude: ['video.txt'],
        lane: 'text',
      }),
  },
  {
    pattern: rule(
      `(?<head>(?:.*/)?fastlane/metadata)/(?<code>${CODE})/(?:${'name|subtitle|description|keywords|promotional_text|release_notes'})\\.txt`,
    ),
    match: (parts) =>
      inStore(parts, {
        from: `${parts['head']}/{}/{name,subtitle,description,keywords,promotional_text,release_notes}.txt`,
        lane: 'text',
      }),
  },
  {
    pattern: rule(`(?<head>(?:.*/)?i18n)/(?<code>${CODE})\\.toml`),
    match: (parts) => namedMatch(parts, 'Hugo', { from: `${parts['head']}/{}.toml`, lane: 'text' }),
  },
  {
    pattern: rule(
      `(?<head>(?:.*/)?(?:docs|content|contents|pages|src|posts|blog))/(?<code>${CODE})/.+\\.(?<ext>mdx?)`,
    ),
    match: (parts) => pages(parts, `${parts['head']}/{}/**/*.${parts['ext']}`),
  },
  {
    pattern: rule(
      `(?<head>(?:.*/)?(?:docs|content|pages))/(?:.*/)?[^/]+\\.(?<code>${CODE})\\.(?<ext>mdx?)`,
    ),
    match: (parts) => pages(parts, `${parts['head']}/**/*.{}.${parts['ext']}`),
  },
];

function rule(source: string): RegExp {
  return new RegExp(`^${source}$`, 'u');
}

/** A match with its language, or with `unknown` when the code is not a language. */
function namedMatch({ code = '' }: Parts, layout: string, route: RouteSketch): PathlessMatch {
  const seen = { layout, route, content: 'strings', isConvention: true } as const;
  const tag = languageOfCode(code);
  return tag === undefined
    ? { ...seen, unknown: code }
    : { ...seen, language: { tag, spelled: code } };
}

function railsOr({ head = '', ext = '' }: Parts, other: string): string {
  return head.endsWith('config/locales') && /^ya?ml$/.test(ext) ? 'Rails' : other;
}

/** Pages are not a convention: a folder in one language may be the only one. */
function pages(parts: Parts, from: string): PathlessMatch {
  const { isConvention: _, ...seen } = namedMatch(parts, 'pages by language', { from });
  return { ...seen, content: 'pages' };
}

function inStore(parts: Parts, route: RouteSketch): PathlessMatch {
  const { isConvention: _, ...seen } = namedMatch(parts, 'fastlane', route);
  return { ...seen, content: 'store' };
}

function matchDocusaurus(parts: Parts): PathlessMatch {
  const { head = '', kind = 'docs', id, rest = '' } = parts;
  const plugin = `docusaurus-plugin-content-${kind}${id === undefined ? '' : `-${id}`}`;
  const version = kind === 'docs' ? rest.slice(0, rest.indexOf('/')) : '';
  const folder = {
    docs:
      version === 'current'
        ? (id ?? 'docs')
        : `${id === undefined ? '' : `${id}_`}versioned_docs/${version}`,
    blog: id ?? 'blog',
    pages: 'src/pages',
  }[kind as 'docs' | 'blog' | 'pages'];
  const below = version === '' ? plugin : `${plugin}/${version}`;
  const { isConvention: _, ...seen } = namedMatch(parts, 'Docusaurus', {
    from: `${head}${folder}/**/*.{md,mdx}`,
    to: `${head}i18n/{}/${below}/{dir}/{name}.{ext}`,
  });
  return { ...seen, content: 'pages' };
}

/** Program files: such a folder holds texts only when there is one of another language beside it. */
function matchModule(parts: Parts, from: string): PathlessMatch {
  const isLaravel = parts['ext'] === 'php' && /(?:^|\/)lang$/.test(parts['head'] ?? '');
  const layout = isLaravel ? 'Laravel' : 'modules';
  const { isConvention: _, ...seen } = namedMatch(parts, layout, { from, lane: 'text' });
  return { ...seen, leastLanguages: 2 };
}

function isQt({ name = '' }: Parts, head: () => string | undefined): boolean {
  return languageAtEnd(name) !== undefined && /<!DOCTYPE TS|<TS[\s>]/.test(head() ?? '');
}

/** Each file of Qt holds its source texts: `lupdate` writes them into every file. */
function matchQt({ head = '', name = '' }: Parts): PathlessMatch | undefined {
  const end = languageAtEnd(name);
  if (end === undefined) return undefined;
  const route = { from: `${head}${end.stem}{}.ts`, embedded_source: true } as const;
  return { layout: 'Qt', route, content: 'strings', language: end.language, isConvention: true };
}

function matchArb({ head = '', name = '' }: Parts): PathlessMatch | undefined {
  const end = languageAtEnd(name);
  if (end === undefined) return undefined;
  const route = { from: `${head}${end.stem}{}.arb` };
  return {
    layout: 'Flutter',
    route,
    content: 'strings',
    language: end.language,
    isConvention: true,
  };
}

/** `my_app_pt_BR` -> `my_app_` and pt-BR: takes the longest end that names a language. */
export function languageAtEnd(
  name: string,
): { readonly stem: string; readonly language: SeenLanguage } | undefined {
  for (const { index } of [{ index: -1 }, ...name.matchAll(/[-_.]/g)]) {
    const spelled = name.slice(index + 1);
    const tag = languageOfCode(spelled);
    if (tag !== undefined) return { stem: name.slice(0, index + 1), language: { tag, spelled } };
  }
  return undefined;
}

// Folder names such as `new` and `bin` are language codes, too. Of the codes with three letters, only these are accepted.
const THREE_LETTERS = new Set('ast ceb ckb fil gsw haw hsb kab yue'.split(' '));

/** @returns the tag; undefined when the code names no language, or is a rare one of three letters */
export function languageOfCode(code: string): LanguageTag | undefined {
  if (/^[A-Za-z]{3}(?![A-Za-z])/.test(code) && !THREE_LETTERS.has(code.slice(0, 3).toLowerCase())) {
    return undefined;
  }
  const tag = parseLanguage(code);
  return tag !== undefined && languageName(tag) !== undefined ? tag : undefined;
}

/** Codes of three letters that older tools wrote (`values-heb`). Most other words of three letters there are no languages (`car`). */
const LONG_CODES: ReadonlyMap<string, string> = new Map(
  Object.entries({ heb: 'he', ind: 'id', tgl: 'fil' }),
);
const FORMER_CODES: ReadonlyMap<string, string> = new Map(
  Object.entries({ iw: 'he', in: 'id', ji: 'yi' }),
);
/** Folders of builds for developers. */
const DEBUG = /(?:^|\/)src\/(?:debug|staging|benchmark|dev)\//;
const ANDROID_TEXTS = /^(?:strings|plurals|strings[-_].+|.+[-_]strings)$/;

function matchAndroid(parts: Parts, head: () => string | undefined): PathlessMatch | undefined {
  const { head: res = '', qualifier, file = '' } = parts;
  if (/do_?not|untranslat|no_?translat/i.test(file)) return undefined;
  if (
    file !== 'arrays' &&
    !ANDROID_TEXTS.test(file) &&
    !/<(?:string|plurals|string-array)\s/.test(head() ?? '')
  )
    return undefined;
  const seen: PathlessMatch = {
    layout: 'Android',
    route: { from: `${res}/values/${file}.xml`, to: `${res}/values-{}/{name}.{ext}` },
    content: 'strings',
    // Arrays often hold names of classes and settings: only an existing translation shows that they are texts.
    ...(ANDROID_TEXTS.test(file) && !DEBUG.test(res) ? { isConvention: true } : {}),
  };
  if (qualifier === undefined) return seen;
  const code = qualifier.replace(/^b\+/, '').replaceAll('+', '-').replace('-r', '-');
  const tag = languageOfCode(FORMER_CODES.get(code) ?? LONG_CODES.get(code) ?? code);
  return tag && { ...seen, language: { tag, spelled: qualifier } };
}

function matchMoko({ head, code = '', file }: Parts): PathlessMatch | undefined {
  const route = { from: `${head}/base/${file}.xml`, to: `${head}/{}/{name}.{ext}` };
  const seen = { layout: 'moko-resources', route, content: 'strings', isConvention: true } as const;
  if (code === 'base') return seen;
  const tag = languageOfCode(code);
  return tag && { ...seen, language: { tag, spelled: code } };
}

function matchApple({ head, code = '', ext }: Parts): PathlessMatch | undefined {
  const seen = { layout: 'Apple', content: 'strings', isConvention: true } as const;
  if (code === 'Base') {
    const route = { from: `${head}Base.lproj/*.${ext}`, to: `${head}{}.lproj/{name}.{ext}` };
    return { ...seen, route };
  }
  const tag = languageOfCode(code);
  const route = { from: `${head}{}.lproj/*.${ext}` };
  return tag && { ...seen, route, language: { tag, spelled: code } };
}

/** Matches of string catalogs, which hold all languages in one file. */
export function catalogMatches({ head }: Repository, paths: readonly string[]): LayoutMatch[] {
  return paths
    .filter((path) => path.endsWith('.xcstrings'))
    .flatMap((path) => {
      const seen = { path, layout: 'Apple', route: { from: path }, content: 'strings' } as const;
      const codes = (head(path) ?? '').matchAll(
        /"([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)"\s*:\s*\{\s*"(?:stringUnit|variations|substitutions)"/g,
      );
      const languages = [...new Set([...codes].map(([, code = '']) => code))].flatMap((spelled) => {
        const tag = languageOfCode(spelled);
        return tag === undefined ? [] : [{ tag, spelled }];
      });
      return [
        { ...seen, isConvention: true as const },
        ...languages.map((language): LayoutMatch => ({ ...seen, isConvention: true, language })),
      ];
    });
}
