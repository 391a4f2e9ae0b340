/** Makes projects and routes from places with texts. A place with a translation, or of a known convention, becomes a route; others are suggested. Pure. */
import { type LanguageTag, sameLanguage } from '../../language.ts';
import {
  type Around,
  type Candidate,
  candidateFor,
  spelledAsTags,
  suggestionOf,
} from './candidates.ts';
import { catalogPaths } from './catalogs.ts';
import { type DeclaredLanguages, declaredLanguages } from './declared-languages.ts';
import { type DeclaredSource, declaredSource } from './declared-source.ts';
import { candidateGroups, joins, namesLanguage, projectsOf } from './groups.ts';
import { findLayouts, type LayoutFiles, likelySource } from './layouts.ts';
import { EXAMPLE_TARGETS, type Proposal, type Wishes } from './proposal.ts';
import { UNTRANSLATED } from './reasons.ts';
import { ownPaths, type Repository } from './repository.ts';
import { unreadTwins } from './siblings.ts';
import { sourceNotes } from './source-notes.ts';
import { spelledAlike } from './spelling.ts';

export function propose(repository: Repository, wishes: Wishes): Proposal {
  const seen = findLayouts(repository);
  const declared =
    wishes.source === undefined ? chosenSource(seen, { repository, wishes }) : undefined;
  const source = wishes.source ?? declared?.tag ?? likelySource(seen, wishes.targets);
  const paths = ownPaths(repository);
  const places = seen.flatMap((layoutFiles) => catalogPaths(layoutFiles, source, paths));
  const found = places.map((layoutFiles) =>
    candidateFor(layoutFiles, { repository, wishes, source }),
  );
  const candidates = spelledAlike(found.filter((each) => each.kind === 'candidate'));
  const taken = candidates.filter(({ reason }) => reason === undefined);
  const groups = candidateGroups(taken.filter(({ targets }) => targets.size > 0));
  const loners = taken.filter(({ targets }) => targets.size === 0);
  const left = loners.filter((each) => !joins(groups, each));
  const suggested = candidates.filter(({ reason }) => reason !== undefined);
  const alone = groups.length > 0 ? [] : left.length > 0 ? left : suggested.filter(namesLanguage);
  const named = declaredLanguages(repository);
  const isUntranslated = alone.every(({ targets }) => targets.size === 0);
  if (alone.length > 0) {
    const targets = spelledAsTags(firstTargets(named, { wishes, source }));
    groups.push(
      ...candidateGroups(alone.map((each) => (isUntranslated ? { ...each, targets } : each))),
    );
  }
  const isSuggested = (each: Candidate) => !alone.includes(each);
  const untranslated = left.filter(isSuggested).map((each) => ({ ...each, reason: UNTRANSLATED }));
  const suggestions = [...suggested.filter(isSuggested), ...untranslated];
  const projects = projectsOf(groups, { name: wishes.name, source });
  return {
    source,
    projects,
    suggestions: suggestions.map(suggestionOf),
    notes: [
      ...(isUntranslated ? [] : alone.flatMap(withCost)),
      ...(isUntranslated && alone.length > 0 && wishes.targets === undefined
        ? [noTranslation(named)]
        : []),
      ...(wishes.targets === undefined ? unwritten(named, { wishes, projects, source }) : []),
      ...(wishes.source === undefined ? sourceNotes(source, { declared, taken, repository }) : []),
      ...found.flatMap((each) => (each.kind === 'sourceless' ? [each.note] : [])),
      ...(found.length === 0 ? unreadTwins(paths) : []),
    ],
  };
}

/** The source that a config names. A default language counts only when files of it exist beside other languages. */
function chosenSource(
  places: readonly LayoutFiles[],
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

/** Notes about suggestions that are used because there is nothing else. */
function withCost({ route, reason }: Candidate): string[] {
  return reason === undefined
    ? []
    : [`${route.from}: ${reason}; "dragoman plan" says what the others cost.`];
}

function noTranslation(declared: DeclaredLanguages | undefined): string {
  const are = declared === undefined ? 'examples' : `those that ${declared.file} names`;
  return `There is no translation yet: the languages in "targets" are ${are}.`;
}

/** Targets when no translation exists: those that the config of a framework names, else examples. */
function firstTargets(
  declared: DeclaredLanguages | undefined,
  { wishes, source }: Omit<Around, 'repository'>,
): LanguageTag[] {
  const others = (tags: readonly LanguageTag[]) => tags.filter((tag) => !sameLanguage(tag, source));
  const named = others(declared?.languages ?? []).filter((tag) => wishes.isSupported(tag));
  return named.length > 0 ? named : others(EXAMPLE_TARGETS);
}

/** Notes about languages that the config of a framework names and no project has. */
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
      : [`${declared.file} also names ${wanted}, which has no files: add it to "targets".`]),
    ...(lacking.length === 0
      ? []
      : [`${declared.file} names ${lacking.join(', ')}: the service does not translate into it.`]),
  ];
}

/** Whether a language of a config means that of a file: `de` also means `de-DE`. */
function isMeantBy(tag: LanguageTag, file: string): boolean {
  return tag === file || file.startsWith(`${tag}-`);
}
