/** Finds translations by their siblings: the same path in another language, or the same name with a code after it. Pure. */
import { fileNameOf } from '../../files/listing.ts';
import { extensionsOf, FORMATS } from '../../formats/all.ts';
import { laneOf } from '../../routes/extensions.ts';
import {
  type LayoutMatch,
  languageAtEnd,
  languageOfCode,
  type RouteSketch,
  type SeenLanguage,
} from './known-layouts.ts';

const SUBTITLES = new Set(['srt', 'vtt']);
const IN_FOLDERS = textsWithSiblings('folders').union(SUBTITLES);
const BY_NAMES = textsWithSiblings('names').union(SUBTITLES);
/** Settings of programs with a file for each site or profile: MkDocs, Jekyll, Hugo, Spring, containers, builds. */
const SETTINGS =
  /^(?:(?:_config|mkdocs|docker-compose|compose|hugo|netlify|log4j2?|renovate|tsconfig|manifest)\b.*|(?:application|bootstrap)(?:[-_].*)?\.(?:properties|ya?ml)|package\.json|theme\.properties)$/i;
const PAGES = extensionsOf('markdown');

function textsWithSiblings(where: 'folders' | 'names'): ReadonlySet<string> {
  return new Set(
    FORMATS.flatMap(({ extensions, siblings }) => (siblings?.includes(where) ? extensions : [])),
  );
}

/** The lane for formats that mostly hold settings or documents: the route must say that they hold texts. */
function laneFor(ext: string): Pick<RouteSketch, 'lane'> {
  const usual = laneOf(ext, undefined);
  return usual.kind === 'none' || usual.lane === 'document' ? { lane: 'text' } : {};
}

/** Translations beside a source whose path names no language; the rules of layouts do not match such a source. */
export function plainSourceMatches(paths: readonly string[]): LayoutMatch[] {
  const all = new Set(paths);
  return [...byRoot(all), ...bySuffix(all), ...byPrefix(all)];
}

/** Paths that differ only in the language. @param paths that no rule of a layout matches */
export function twinMatches(paths: readonly string[]): LayoutMatch[] {
  return [...byFolder(new Set(paths)), ...byName(paths)];
}

interface PathParts {
  readonly folder: string;
  readonly stem: string;
  readonly ext: string;
}

function pathParts(path: string): PathParts {
  const name = fileNameOf(path);
  const dot = name.lastIndexOf('.');
  return {
    folder: path.slice(0, path.length - name.length),
    stem: dot < 0 ? name : name.slice(0, dot),
    ext: dot < 0 ? '' : name.slice(dot + 1).toLowerCase(),
  };
}

function pageOr(ext: string): Pick<LayoutMatch, 'content' | 'layout'> {
  return PAGES.has(ext)
    ? { content: 'pages', layout: 'pages by language' }
    : { content: 'strings', layout: 'texts by folder' };
}

/** `text/en/a/b.json` beside `text/de/a/b.json`. */
function byFolder(all: ReadonlySet<string>): LayoutMatch[] {
  const twins = new Map<string, LayoutMatch[]>();
  for (const path of all) {
    const { ext } = pathParts(path);
    if (!IN_FOLDERS.has(ext) && !PAGES.has(ext)) continue;
    if (SETTINGS.test(fileNameOf(path))) continue;
    const folders = path.split('/').slice(0, -1);
    const at = folders.findIndex((folder) => languageOfCode(folder) !== undefined);
    const spelled = folders[at];
    const tag = spelled === undefined ? undefined : languageOfCode(spelled);
    if (spelled === undefined || tag === undefined) continue;
    const head = folders
      .slice(0, at)
      .map((folder) => `${folder}/`)
      .join('');
    const rest = path.slice(head.length + spelled.length);
    const twin = rest.replace(new RegExp(`([/._-])${RegExp.escape(spelled)}(?=\\.\\w+$)`), '$1{}');
    const route = { from: `${head}{}/**/*.${ext}`, ...laneFor(ext) };
    const key = `${head}{}${twin}`;
    const seen: LayoutMatch = {
      ...{ path, ...pageOr(ext), route, language: { tag, spelled } },
      leastLanguages: 2,
    };
    twins.set(key, [...(twins.get(key) ?? []), seen]);
  }
  // A file in one language counts only when its route also has files in several languages.
  const routes = new Set(
    [...twins.values()].filter(({ length }) => length > 1).map(([first]) => first?.route.from),
  );
  return [...twins.values()].flat().filter(({ route }) => routes.has(route.from));
}

/** `messages_de.properties` beside `messages.properties`. */
function bySuffix(all: ReadonlySet<string>): LayoutMatch[] {
  const isPage = new Map<string, LayoutMatch[]>();
  const bundles = [...all].flatMap((path): LayoutMatch[] => {
    const { folder, stem, ext } = pathParts(path);
    if (!BY_NAMES.has(ext) && !PAGES.has(ext)) return [];
    const end = codeBehind(stem);
    const source = end && `${folder}${end.stem}.${ext}`;
    if (end === undefined || source === undefined || !all.has(source)) return [];
    if (SETTINGS.test(fileNameOf(path))) return [];
    const { mark, language } = end;
    if (PAGES.has(ext) && !isReadme(end.stem)) {
      const key = `${mark}.${ext}`;
      const seen: LayoutMatch = {
        ...{ path, layout: 'pages by suffix', content: 'pages', language },
        route: { from: folder, to: mark, exclude: [ext] },
      };
      isPage.set(key, [...(isPage.get(key) ?? []), seen]);
      return [];
    }
    const seen: Omit<LayoutMatch, 'path'> = {
      layout: isReadme(end.stem) && PAGES.has(ext) ? 'readme' : 'texts by suffix',
      content: isReadme(end.stem) && PAGES.has(ext) ? 'readme' : 'strings',
      route: {
        from: source,
        to: `${folder}{name}${mark}{}.{ext}`,
        ...laneFor(ext),
      },
      // `rollup.config.es.json` and `docker-compose.de.yml` are settings.
      ...(/^(?:json|ya?ml)$/.test(ext) && !OF_VS_CODE.has(end.stem) ? { leastLanguages: 2 } : {}),
    };
    return [
      { path, ...seen, language },
      { path: source, ...seen },
    ];
  });
  return [...bundles, ...[...isPage].flatMap(([key, seen]) => pagesBySuffix(key, seen))];
}

/** Names of the texts of a Visual Studio Code extension: of its manifest and its program (code.visualstudio.com, "l10n"). */
const OF_VS_CODE = new Set(['package.nls', 'bundle.l10n']);

/** TYPO3: `de.locallang.xlf` beside `locallang.xlf`. */
function byPrefix(all: ReadonlySet<string>): LayoutMatch[] {
  return [...all].flatMap((path): LayoutMatch[] => {
    const { folder, stem, ext } = pathParts(path);
    const dot = stem.indexOf('.');
    const spelled = stem.slice(0, Math.max(0, dot));
    const source = `${folder}${stem.slice(dot + 1)}.${ext}`;
    const tag = languageOfCode(spelled);
    if (!/^xli?ff?$/.test(ext) || tag === undefined || !all.has(source)) return [];
    const route = { from: source, to: `${folder}{}.{name}.{ext}`, ...laneFor(ext) };
    const seen = { layout: 'texts by prefix', content: 'strings', route } as const;
    return [
      { path, ...seen, language: { tag, spelled } },
      { path: source, ...seen },
    ];
  });
}

const READMES = /^(?:README|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|CHANGELOG|LICENSE|SUPPORT)$/i;

function isReadme(stem: string): boolean {
  return READMES.test(stem);
}

interface CodeBehind {
  readonly stem: string;
  readonly mark: string;
  readonly language: SeenLanguage;
}

function codeBehind(stem: string): CodeBehind | undefined {
  const end = languageAtEnd(stem);
  if (end === undefined || end.stem.length < 2) return undefined;
  return { stem: end.stem.slice(0, -1), mark: end.stem.slice(-1), language: end.language };
}

/** One route for all such pages, below their common folder. */
function pagesBySuffix(key: string, seen: readonly LayoutMatch[]): LayoutMatch[] {
  const mark = key[0] ?? '.';
  const ext = key.slice(key.lastIndexOf('.') + 1);
  const [first = '', ...folders] = seen.map(({ route }) => route.from.split('/').slice(0, -1));
  const shared = folders.reduce<readonly string[]>(
    (common, folder) => common.slice(0, common.findIndex((name, at) => folder[at] !== name) >>> 0),
    first === '' ? [] : first,
  );
  const head = shared.map((folder) => `${folder}/`).join('');
  const route = {
    from: `${head}**/*.${ext}`,
    to: `${head}{dir}/{name}${mark}{}.{ext}`,
    exclude: [`**/*${mark}{}.${ext}`],
  };
  return seen.map((each) => ({ ...each, route }));
}

/** `docs/de/guide.md` beside `docs/guide.md`: the source language has no folder of its own. */
function byRoot(all: ReadonlySet<string>): LayoutMatch[] {
  const found: LayoutMatch[] = [];
  for (const path of all) {
    const { ext } = pathParts(path);
    if (!PAGES.has(ext)) continue;
    const folders = path.split('/').slice(0, -1);
    const at = folders.findIndex(
      (folder, index) => index > 0 && languageOfCode(folder) !== undefined,
    );
    const spelled = folders[at] ?? '';
    const tag = languageOfCode(spelled);
    if (at < 1 || tag === undefined) continue;
    const head = folders
      .slice(0, at)
      .map((folder) => `${folder}/`)
      .join('');
    if (!hasTwin(all, `${head}${path.slice(head.length + spelled.length + 1)}`)) continue;
    found.push({
      ...{ path, layout: 'pages by language', content: 'pages' },
      language: { tag, spelled },
      route: {
        from: `${head}**/*.{md,mdx}`,
        to: `${head}{}/{dir}/{name}.{ext}`,
        exclude: [`${head}{}`],
      },
    });
  }
  return found;
}

/** Whether the page exists, as Markdown or as MDX. */
function hasTwin(all: ReadonlySet<string>, path: string): boolean {
  return (
    all.has(path) || all.has(path.replace(/\.mdx?$/, (ext) => (ext === '.md' ? '.mdx' : '.md')))
  );
}

/** `strings/en.json` beside `strings/de.json`, `app_en.properties` beside `app_de.properties`. */
function byName(paths: readonly string[]): LayoutMatch[] {
  return paths.flatMap((path): LayoutMatch[] => {
    const { folder, stem, ext } = pathParts(path);
    const end = IN_FOLDERS.has(ext) || BY_NAMES.has(ext) ? languageAtEnd(stem) : undefined;
    if (end === undefined || SETTINGS.test(fileNameOf(path))) return [];
    // Each recording has its own name, so the route takes all names.
    const name = SUBTITLES.has(ext) && end.stem.endsWith('.') ? '*.' : end.stem;
    return [
      {
        ...{ path, layout: 'texts by name', content: 'strings', leastLanguages: 2 },
        language: end.language,
        route: { from: `${folder}${name}{}.${ext}`, ...laneFor(ext) },
      },
    ];
  });
}

/** Extensions of pictures, sound and generated files, which hold no texts. */
const NO_TEXTS =
  /\.(?:png|jpe?g|gif|svg|webp|ico|mp3|ogg|wav|flac|mp4|webm|ttf|otf|woff2?|mo|qm|gmo|dll|class|jar|zip|gz|map|js|ts|php|html?|txt|csv|tsv|xml)$/i;

/** Notes about files in several languages whose extension no format reads; shown when nothing else is found. */
export function unreadTwins(paths: readonly string[]): string[] {
  const seen = paths.flatMap((path) => {
    const { folder, stem, ext } = pathParts(path);
    const end = ext === '' || NO_TEXTS.test(path) ? undefined : languageAtEnd(stem);
    return end === undefined
      ? []
      : [{ ext, place: `${folder}${end.stem}{}.${ext}`, ...end.language }];
  });
  return [...Map.groupBy(seen, ({ place }) => place)].flatMap(([place, found]) => {
    const [first] = found;
    if (first === undefined || found.length < 2 || isReadable(first.ext)) return [];
    const codes = found.map(({ spelled }) => spelled).sort();
    return [
      `${place.replace('{}', `{${codes.join(',')}}`)} look like translations: .${first.ext} is no format that dragoman reads.`,
    ];
  });
}

function isReadable(ext: string): boolean {
  return FORMATS.some(({ extensions }) => extensions.includes(ext));
}
