/** From places with texts to projects and routes: what a translation or a convention shows to be meant; the rest is offered. Pure. */
import { type LanguageTag, sameLanguage } from '../../language.ts';
import { catalogPlaces } from './catalogs.ts';
import { hasKeysForSources, keysWithoutText } from './contents.ts';
import { type DeclaredLanguages, declaredLanguages } from './declared-languages.ts';
import { type DeclaredSource, declaredSource } from './declared-source.ts';
import type { RouteSketch, SeenLanguage } from './layout-rules.ts';
import { findPlaces, likelySource, type Place, sourceIn, sourcesOf } from './layouts.ts';
import { reasonToOffer, UNTRANSLATED } from './reasons.ts';
import { ownPaths, type Repository } from './repository.ts';
import { unreadTwins } from './siblings.ts';
import { sourceNotes } from './source-notes.ts';
import { routeWith, type Spelled, spelledAlike, tokensFor, tokensOf } from './spelling.ts';

/** A route that a repository seems to ask for. */
export interface FoundRoute {
  /** `i18next`, `Rails`, `Android` … */
  readonly layout: string;
  readonly route: RouteSketch;
  /** What it would translate, relative to the repository. */
  readonly sources: readonly string[];
}

/** A route that nothing shows to be meant. */
export interface OfferedRoute extends FoundRoute {
  /** Why it is not taken. */
  readonly reason: string;
}

export interface ProposedProject {
  readonly name: string;
  readonly source: LanguageTag;
  readonly targets: readonly LanguageTag[];
  /** Languages that `{locale}` spells otherwise than their tag. */
  readonly spellings: ReadonlyMap<LanguageTag, string>;
  readonly routes: readonly FoundRoute[];
  /** Languages that are there and are not taken, with the reason. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** Folder of its paths; absent: that of the config. */
  readonly root?: string;
  /** Formality, model and the like, as the config has them. */
  readonly rules?: Readonly<Record<string, unknown>>;
}

export interface Proposal {
  readonly source: LanguageTag;
  readonly projects: readonly ProposedProject[];
  readonly offers: readonly OfferedRoute[];
  /** What is left to the person, in sentences. */
  readonly notes: readonly string[];
}

export interface Wishes {
  /** Of the first project. */
  readonly name: string;
  readonly source?: LanguageTag;
  /** Absent: those that are there. */
  readonly targets?: readonly LanguageTag[];
  /** Whether the service translates into a language. */
  isSupported(tag: LanguageTag): boolean;
}

/** Where nothing tells which languages are wanted. */
export const EXAMPLE_TARGETS = ['de', 'fr', 'es'] as readonly string[] as readonly LanguageTag[];

export function propose(repository: Repository, wishes: Wishes): Proposal {
  const seen = findPlaces(repository);
  const declared = wishes.source === undefined ? sourceOf(seen, { repository, wishes }) : undefined;
  const source = wishes.source ?? declared?.tag ?? likelySource(seen, wishes.targets);
  const paths = ownPaths(repository);
  const places = seen.flatMap((place) => catalogPlaces(place, source, paths));
  const found = places.map((place) => candidateFor(place, { repository, wishes, source }));
  const candidates = spelledAlike(found.filter((each) => each.kind === 'candidate'));
  const taken = candidates.filter(({ reason }) => reason === undefined);
  const groups = groupsOf(taken.filter(({ targets }) => targets.size > 0));
  const loners = taken.filter(({ targets }) => targets.size === 0);
  const left = loners.filter((each) => !joins(groups, each));
  const offered = candidates.filter(({ reason }) => reason !== undefined);
  const alone =
    groups.length > 0
      ? []
      : left.length > 0
        ? left
        : offered.filter((each) => namesLanguage(each) && !holdsKeys(each, repository));
  const named = declaredLanguages(repository);
  const isUntranslated = alone.every(({ targets }) => targets.size === 0);
  if (alone.length > 0) {
    const targets = spelledAsTags(firstTargets(named, { wishes, source }));
    groups.push(...groupsOf(alone.map((each) => (isUntranslated ? { ...each, targets } : each))));
  }
  const isOffered = (each: Candidate) => !alone.includes(each);
  const untranslated = left.filter(isOffered).map((each) => ({ ...each, reason: UNTRANSLATED }));
  const offers = [...offered.filter(isOffered), ...untranslated];
  const projects = projectsOf(groups, { name: wishes.name, source });
  return {
    source,
    projects,
    offers: offers.map(offerOf),
    notes: [
      ...(alone.length === 0
        ? []
        : !isUntranslated
          ? alone.flatMap(withCost)
          : wishes.targets === undefined
            ? [noTranslation(named)]
            : []),
      ...(wishes.targets === undefined ? unwritten(named, { wishes, projects, source }) : []),
      ...(wishes.source === undefined ? sourceNotes(source, { declared, taken, repository }) : []),
      ...found.flatMap((each) => (each.kind === 'sourceless' ? [each.note] : [])),
      ...(found.length === 0 ? unreadTwins(paths) : []),
    ],
  };
}

/** Of a default that a config names, only what stands beside other languages can be the source. */
function sourceOf(
  places: readonly Place[],
  { repository, wishes }: Omit<Around, 'source'>,
): DeclaredSource | undefined {
  return declaredSource(
    repository,
    (tag) =>
      !wishes.targets?.includes(tag) &&
      places.some(
        ({ languages, hasPlainSource, content }) =>
          !hasPlainSource && content === 'strings' && languages.has(tag),
      ),
  );
}

/** Taken all the same where nothing else is there. */
function withCost({ route, reason }: Candidate): string[] {
  return reason === undefined
    ? []
    : [`${route.from}: ${reason}; "dragoman plan" says what the others cost.`];
}

function noTranslation(declared: DeclaredLanguages | undefined): string {
  const are = declared === undefined ? 'examples' : `those that ${declared.file} names`;
  return `No translation is there yet: the languages in "targets" are ${are}.`;
}

/** Where no translation tells which languages are wanted. */
function firstTargets(
  declared: DeclaredLanguages | undefined,
  { wishes, source }: Omit<Around, 'repository'>,
): LanguageTag[] {
  const others = (tags: readonly LanguageTag[]) => tags.filter((tag) => !sameLanguage(tag, source));
  const named = others(declared?.languages ?? []).filter((tag) => wishes.isSupported(tag));
  return named.length > 0 ? named : others(EXAMPLE_TARGETS);
}

/** Languages that the framework is told of and no project has: nothing is left out in silence. */
function unwritten(
  declared: DeclaredLanguages | undefined,
  { wishes, projects, source }: Omit<Around, 'repository'> & Pick<Proposal, 'projects'>,
): string[] {
  if (declared === undefined) return [];
  const taken = projects.flatMap(({ targets, leftOut }) => [...targets, ...leftOut.keys()]);
  const left = declared.languages.filter(
    (tag) => !sameLanguage(tag, source) && !taken.some((each) => isMeantBy(tag, each)),
  );
  const lacking = left.filter((tag) => !wishes.isSupported(tag));
  const wanted = left.filter((tag) => !lacking.includes(tag)).join(', ');
  return [
    ...(wanted === ''
      ? []
      : [`${declared.file} also names ${wanted}, of which no file is there: add it to "targets".`]),
    ...(lacking.length === 0
      ? []
      : [`${declared.file} names ${lacking.join(', ')}: the service does not translate into it.`]),
  ];
}

/** `de` in a config is `de-DE` of a file. */
function isMeantBy(tag: LanguageTag, file: string): boolean {
  return tag === file || file.startsWith(`${tag}-`);
}

export interface Candidate extends Spelled {
  readonly kind: 'candidate';
  readonly source: SeenLanguage | undefined;
  readonly targets: ReadonlyMap<LanguageTag, string>;
  readonly leftOut: ReadonlyMap<string, string>;
  readonly sources: readonly string[];
  /** Why it is only offered. */
  readonly reason: string | undefined;
}

interface Sourceless {
  readonly kind: 'sourceless';
  readonly note: string;
}

interface Around {
  readonly repository: Repository;
  readonly wishes: Wishes;
  readonly source: LanguageTag;
}

function candidateFor(
  place: Place,
  { repository, wishes, source }: Around,
): Candidate | Sourceless {
  const own = sourceIn(place, source);
  if (own === undefined && !place.hasPlainSource) return sourceless(place, { repository, source });
  const { targets: columns, leftOut } = languagesIn(place, { wishes, source });
  // Columns are named in the route: no file is spelled by them.
  const targets = isTable(place) ? spelledAsTags([...columns.keys()]) : columns;
  const spelled = [...place.languages.values()].map((each) => each.spelled);
  const isEmbedded = place.route.embedded_source === true;
  const entries = new Map(targets);
  if (own !== undefined && !isEmbedded && place.route.from.includes('{}')) {
    entries.set(source, own.spelled);
  }
  const fitting = tokensFor(tokensOf(place), entries);
  const [token] = fitting;
  const spelledRoute = routeWith(place, token);
  const searched = { ...spelledRoute, from: place.route.from };
  const languages = isEmbedded ? spelled : [own?.spelled ?? ''];
  const sources = [
    ...new Set(languages.flatMap((each) => sourcesOf(searched, each, repository.paths))),
  ];
  if (sources.length === 0) return sourceless(place, { repository, source });
  const route = completed(spelledRoute, { sources, repository, columns, own });
  const seen = { place, source: own, targets, leftOut, token, fitting, route, sources };
  const reason = reasonToOffer(seen, { repository, source });
  return { kind: 'candidate', ...seen, reason };
}

/** With the columns of its languages, and without the keys that hold no texts. */
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

function isTable({ route }: Place): boolean {
  return route.columns?.targets !== undefined;
}

function sourceless(
  { route, languages, layout }: Place,
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

/** Interface Builder keeps the source texts of `Main.strings` in the file that it shows. */
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
  return `Apple: the texts of ${strings} stand in ${drawn}: "ibtool --export-strings-file ${head}${source}.lproj/${name}.strings ${drawn}" writes a source; then "dragoman init" again`;
}

function languagesIn(
  place: Place,
  { wishes, source }: Omit<Around, 'repository'>,
): Pick<Candidate, 'targets' | 'leftOut'> {
  const targets = new Map<LanguageTag, string>();
  const leftOut = new Map<string, string>();
  for (const [tag, { spelled }] of place.languages) {
    if (tag === source) continue;
    // Converting variants of the source is a decision that nobody should find made.
    if (sameLanguage(tag, source)) {
      const isSource = !place.hasPlainSource && tag === sourceIn(place, source)?.tag;
      if (!isSource) {
        leftOut.set(spelled, `a variant of ${source}: with it in "targets", texts are converted`);
      }
    } else if (!wishes.isSupported(tag)) {
      leftOut.set(spelled, 'the service does not translate into it');
    } else targets.set(tag, spelled);
  }
  for (const spelled of place.unknown)
    leftOut.set(spelled, 'no language, or a second spelling of one');
  if (wishes.targets === undefined) return { targets, leftOut };
  // Nobody but a person makes the file of a language that is its own source.
  const asked = wishes.targets.filter(
    (tag) =>
      tag !== source && (!(place.route.embedded_source || isTable(place)) || targets.has(tag)),
  );
  return { targets: new Map(asked.map((tag) => [tag, targets.get(tag) ?? ''])), leftOut };
}

interface Group {
  readonly content: Place['content'];
  readonly members: Candidate[];
  readonly targets: Set<LanguageTag>;
  /** How `{locale}` is spelled in the routes that have it. */
  readonly spelled: Map<LanguageTag, string>;
}

/**
 * Routes with the same languages share a project: in another one, texts would be bought that nobody asked for.
 * @param languages `alike`: a language more or less is a translation that somebody is behind with
 */
export function groupsOf(
  candidates: readonly Candidate[],
  languages: 'alike' | 'equal' = 'alike',
): Group[] {
  const groups: Group[] = [];
  const sorted = candidates.toSorted((a, b) => b.targets.size - a.targets.size);
  for (const candidate of sorted) {
    const group = groups.find((each) => accepts(each, candidate, languages));
    if (group === undefined) groups.push(groupWith(candidate));
    else add(group, candidate);
  }
  return groups;
}

function groupWith(candidate: Candidate): Group {
  const group: Group = {
    content: candidate.place.content,
    members: [],
    targets: new Set(),
    spelled: new Map(),
  };
  add(group, candidate);
  return group;
}

function add(group: Group, candidate: Candidate): void {
  group.members.push(candidate);
  for (const tag of candidate.targets.keys()) group.targets.add(tag);
  for (const [tag, spelled] of localesOf(candidate)) group.spelled.set(tag, spelled);
}

function localesOf({ token, targets, source, place, route }: Candidate): Map<LanguageTag, string> {
  const spelled = new Map<LanguageTag, string>();
  if (token !== 'locale') return spelled;
  for (const [tag, each] of targets) if (each !== '') spelled.set(tag, each);
  if (source !== undefined && route.from.includes('{locale}') && !place.route.embedded_source) {
    spelled.set(source.tag, source.spelled);
  }
  return spelled;
}

/** Share of languages that two routes have in common, from which one project serves both. */
const ALIKE = { same: 0.5, other: 0.8 };

function accepts(group: Group, candidate: Candidate, languages: 'alike' | 'equal'): boolean {
  const [first] = group.members;
  if (first === undefined || !isSpelledAlike(group, candidate)) return false;
  const shared = [...candidate.targets.keys()].filter((tag) => group.targets.has(tag)).length;
  const all = group.targets.size + candidate.targets.size - shared;
  const isStrict =
    languages === 'equal' ||
    group.content !== candidate.place.content ||
    group.content !== 'strings' ||
    [...group.members, candidate].some(({ route }) => route.embedded_source === true);
  if (isStrict) return shared === all;
  const isSameLayout = group.members.some(({ place }) => place.layout === candidate.place.layout);
  return shared >= all * (isSameLayout ? ALIKE.same : ALIKE.other);
}

function isSpelledAlike(group: Group, candidate: Candidate): boolean {
  const own = localesOf(candidate);
  return [...own].every(([tag, spelled]) => (group.spelled.get(tag) ?? spelled) === spelled);
}

/** A module without translations gets the languages of its like. */
function joins(groups: readonly Group[], candidate: Candidate): boolean {
  const group = groups.find(
    (each) =>
      each.members.some(({ place }) => place.layout === candidate.place.layout) &&
      isSpelledAlike(each, candidate),
  );
  group?.members.push(candidate);
  return group !== undefined;
}

function namesLanguage({ source, place }: Candidate): boolean {
  return source !== undefined && place.content !== 'readme';
}

/** Nothing good would come of it. */
function holdsKeys({ sources: [first = ''], source }: Candidate, { head }: Repository): boolean {
  return source !== undefined && hasKeysForSources(first, head(first), source.tag);
}

function spelledAsTags(tags: readonly LanguageTag[]): Map<LanguageTag, string> {
  return new Map(tags.map((tag) => [tag, '']));
}

export function projectsOf(
  groups: readonly Group[],
  { name, source }: Pick<ProposedProject, 'name' | 'source'>,
): ProposedProject[] {
  const names = new Set<string>();
  return groups.map((group, index) => {
    const own = unique(index === 0 ? name : nameFor(group), names);
    const spelled = [...group.spelled].map(([tag, file]): [LanguageTag, string] => [
      sameLanguage(tag, source) ? source : tag,
      file,
    ]);
    return {
      ...{ name: own, source, targets: [...group.targets].sort() },
      spellings: new Map(spelled.filter(([tag, file]) => file !== tag)),
      routes: group.members.map(({ place: { layout }, route, sources }) => ({
        ...{ layout, route, sources },
      })),
      leftOut: new Map(group.members.flatMap(({ leftOut }) => [...leftOut])),
    };
  });
}

/** Folders that every module has. */
const SAYS_NOTHING = /^(?:values|res|resources|main|src|lib|locales?|lang|i18n|l10n|.*\.lproj|en)$/;

function nameFor({ members: [first], content }: Group): string {
  if (content === 'store') return 'store';
  const fixed = first?.route.from.replace(/[*{].*$/, '') ?? '';
  const folder =
    fixed
      .split('/')
      .slice(0, -1)
      .findLast((each) => !SAYS_NOTHING.test(each)) ?? '';
  return folder.replaceAll(/[^\w.-]/g, '-').replace(/^[^A-Za-z0-9]+/, '') || content;
}

function unique(name: string, names: Set<string>): string {
  const free = [name, ...Array.from({ length: 1000 }, (_, n) => `${name}-${n + 2}`)];
  const own = free.find((each) => !names.has(each.toLowerCase())) ?? name;
  names.add(own.toLowerCase());
  return own;
}

export function offerOf({ place: { layout }, route, reason, sources }: Candidate): OfferedRoute {
  return { layout, route, reason: reason ?? UNTRANSLATED, sources };
}
