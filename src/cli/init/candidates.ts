/** Turns a place with texts into a candidate for a route: its languages, their spelling, its sources. Pure. */
import { type LanguageTag, sameLanguage } from '../../language.ts';
import { keysWithoutText } from './contents.ts';
import type { RouteSketch, SeenLanguage } from './known-layouts.ts';
import { type LayoutFiles, sourceIn, sourcesOf } from './layouts.ts';
import type { SuggestedRoute, Wishes } from './proposal.ts';
import { reasonToSuggest, UNTRANSLATED } from './reasons.ts';
import type { Repository } from './repository.ts';
import { routeWith, type Spelled, tokensFor, tokensOf } from './spelling.ts';

export interface Candidate extends Spelled {
  readonly kind: 'candidate';
  readonly source: SeenLanguage | undefined;
  readonly targets: ReadonlyMap<LanguageTag, string>;
  readonly leftOut: ReadonlyMap<string, string>;
  readonly sources: readonly string[];
  /** Why the route is only suggested; undefined: it is proposed. */
  readonly reason: string | undefined;
}

export interface Sourceless {
  readonly kind: 'sourceless';
  readonly note: string;
}

export interface Around {
  readonly repository: Repository;
  readonly wishes: Wishes;
  readonly source: LanguageTag;
}

export function candidateFor(
  layoutFiles: LayoutFiles,
  { repository, wishes, source }: Around,
): Candidate | Sourceless {
  const own = sourceIn(layoutFiles, source);
  if (own === undefined && !layoutFiles.hasPlainSource)
    return sourceless(layoutFiles, { repository, source });
  const { targets: columns, leftOut } = languagesIn(layoutFiles, { wishes, source });
  // The route names the columns of a table; no file name spells these languages.
  const targets = isTable(layoutFiles) ? spelledAsTags([...columns.keys()]) : columns;
  const spelled = [...layoutFiles.languages.values()].map((each) => each.spelled);
  const isEmbedded = layoutFiles.route.embedded_source === true;
  const entries = new Map(targets);
  if (own !== undefined && !isEmbedded && layoutFiles.route.from.includes('{}')) {
    entries.set(source, own.spelled);
  }
  const fitting = tokensFor(tokensOf(layoutFiles), entries);
  const [token] = fitting;
  const spelledRoute = routeWith(layoutFiles, token);
  const searched = { ...spelledRoute, from: layoutFiles.route.from };
  const languages = isEmbedded ? spelled : [own?.spelled ?? ''];
  const sources = [
    ...new Set(languages.flatMap((each) => sourcesOf(searched, each, repository.paths))),
  ];
  if (sources.length === 0) return sourceless(layoutFiles, { repository, source });
  const route = completed(spelledRoute, { sources, repository, columns, own });
  const seen = { layoutFiles, source: own, targets, leftOut, token, fitting, route, sources };
  const reason = reasonToSuggest(seen, { repository, source });
  return { kind: 'candidate', ...seen, reason };
}

/** Adds the columns of the languages, or the keys that hold no texts, to a route. */
function completed(
  route: RouteSketch,
  {
    sources: [first = ''],
    repository,
    columns,
    own,
  }: Pick<Candidate, 'sources'> & {
    readonly repository: Repository;
    readonly columns: ReadonlyMap<LanguageTag, string>;
    readonly own: SeenLanguage | undefined;
  },
): RouteSketch {
  if (route.columns?.targets !== undefined) {
    const { key, source: _, targets: __, ...others } = route.columns;
    const targets = Object.fromEntries(columns);
    return { ...route, columns: { key, source: own?.spelled ?? '', targets, ...others } };
  }
  const ignore = keysWithoutText(first, repository.head(first));
  return ignore.length === 0 || route.keys !== undefined ? route : { ...route, keys: { ignore } };
}

function isTable({ route }: LayoutFiles): boolean {
  return route.columns?.targets !== undefined;
}

function sourceless(
  { route, languages, layout }: LayoutFiles,
  { repository, source }: Omit<Around, 'wishes'>,
): Sourceless {
  const storyboard = storyboardFor(route.from, { repository, source });
  if (storyboard !== undefined) return { kind: 'sourceless', note: storyboard };
  const codes = [...languages.keys()].slice(0, 5).join(', ');
  const from = route.to === undefined ? route.from.replaceAll('{}', source) : route.from;
  if (/(?:^|\/)lang\/\{\}\.json$/.test(route.from)) {
    return {
      kind: 'sourceless',
      note: `Laravel: the keys of ${route.from.replace('{}', `{${codes.replaceAll(' ', '')}}`)} are its source texts; to translate it, write ${from} with each key as its own value, and a route from "${route.from.replace('{}', '{locale}')}"`,
    };
  }
  const advice = /docusaurus/i.test(layout)
    ? '"docusaurus write-translations" writes it'
    : 'another source language goes into a project of its own';
  return {
    kind: 'sourceless',
    note: `${layout}: ${codes} without a source: there is no ${from}; ${advice}`,
  };
}

/** The note about Interface Builder, which keeps the source texts of `Main.strings` in the storyboard. */
function storyboardFor(
  from: string,
  { repository: { paths }, source }: Omit<Around, 'wishes'>,
): string | undefined {
  const [, head = ''] = /^(.*)\{\}\.lproj\/\*\.strings$/.exec(from) ?? [];
  const drawn = paths.find(
    (path) => path.startsWith(`${head}Base.lproj/`) && /\.(?:storyboard|xib)$/.test(path),
  );
  const name = drawn?.replace(/^.*\/|\.\w+$/g, '');
  const strings = paths.find(
    (path) => path.startsWith(head) && path.endsWith(`.lproj/${name}.strings`),
  );
  if (drawn === undefined || strings === undefined) return undefined;
  return `Apple: the texts of ${strings} are in ${drawn}: "ibtool --export-strings-file ${head}${source}.lproj/${name}.strings ${drawn}" writes a source; then "dragoman init" again`;
}

function languagesIn(
  layoutFiles: LayoutFiles,
  { wishes, source }: Omit<Around, 'repository'>,
): Pick<Candidate, 'targets' | 'leftOut'> {
  const targets = new Map<LanguageTag, string>();
  const leftOut = new Map<string, string>();
  for (const [tag, { spelled }] of layoutFiles.languages) {
    if (tag === source) continue;
    // Only a person decides that texts are converted into a variant of the source.
    if (sameLanguage(tag, source)) {
      const isSource = !layoutFiles.hasPlainSource && tag === sourceIn(layoutFiles, source)?.tag;
      if (!isSource) {
        leftOut.set(spelled, `a variant of ${source}: add it to "targets" to have texts converted`);
      }
    } else if (!wishes.isSupported(tag)) {
      leftOut.set(spelled, 'the service does not translate into it');
    } else targets.set(tag, spelled);
  }
  for (const spelled of layoutFiles.unknown)
    leftOut.set(spelled, 'no language, or a second spelling of one');
  if (wishes.targets === undefined) return { targets, leftOut };
  // A file that holds its own source texts exists only when a person made it, so no such language is added.
  const asked = wishes.targets.filter(
    (tag) =>
      tag !== source &&
      (!(layoutFiles.route.embedded_source || isTable(layoutFiles)) || targets.has(tag)),
  );
  return { targets: new Map(asked.map((tag) => [tag, targets.get(tag) ?? ''])), leftOut };
}

export function spelledAsTags(tags: readonly LanguageTag[]): Map<LanguageTag, string> {
  return new Map(tags.map((tag) => [tag, '']));
}

export function suggestionOf({
  layoutFiles: { layout },
  route,
  reason,
  sources,
}: Candidate): SuggestedRoute {
  return { layout, route, reason: reason ?? UNTRANSLATED, sources };
}
