/** Groups candidates with the same languages into projects. Pure. */
import { type LanguageTag, sameLanguage } from '../../language.ts';
import type { Candidate } from './candidates.ts';
import type { LayoutFiles } from './layouts.ts';
import type { ProposedProject } from './proposal.ts';

interface LayoutGroup {
  readonly content: LayoutFiles['content'];
  readonly members: Candidate[];
  readonly targets: Set<LanguageTag>;
  /** How `{locale}` is spelled in the routes that have it. */
  readonly spelled: Map<LanguageTag, string>;
}

/**
 * Routes with the same languages share a project. In a project with other languages, texts would be bought that nobody wants.
 * @param languages `alike`: small differences count as translations that are not done yet
 */
export function candidateGroups(
  candidates: readonly Candidate[],
  languages: 'alike' | 'equal' = 'alike',
): LayoutGroup[] {
  const groups: LayoutGroup[] = [];
  const sorted = candidates.toSorted((a, b) => b.targets.size - a.targets.size);
  for (const candidate of sorted) {
    const group = groups.find((each) => accepts(each, candidate, languages));
    if (group === undefined) groups.push(groupWith(candidate));
    else add(group, candidate);
  }
  return groups;
}

function groupWith(candidate: Candidate): LayoutGroup {
  const group: LayoutGroup = {
    content: candidate.layoutFiles.content,
    members: [],
    targets: new Set(),
    spelled: new Map(),
  };
  add(group, candidate);
  return group;
}

function add(group: LayoutGroup, candidate: Candidate): void {
  group.members.push(candidate);
  for (const tag of candidate.targets.keys()) group.targets.add(tag);
  for (const [tag, spelled] of localesOf(candidate)) group.spelled.set(tag, spelled);
}

function localesOf({
  token,
  targets,
  source,
  layoutFiles,
  route,
}: Candidate): Map<LanguageTag, string> {
  const spelled = new Map<LanguageTag, string>();
  if (token !== 'locale') return spelled;
  for (const [tag, each] of targets) if (each !== '') spelled.set(tag, each);
  if (
    source !== undefined &&
    route.from.includes('{locale}') &&
    !layoutFiles.route.embedded_source
  ) {
    spelled.set(source.tag, source.spelled);
  }
  return spelled;
}

/** The least share of common languages for one project: with the same layout, and with another one. */
const ALIKE = { same: 0.5, other: 0.8 };

function accepts(group: LayoutGroup, candidate: Candidate, languages: 'alike' | 'equal'): boolean {
  const [first] = group.members;
  if (first === undefined || !isSpelledAlike(group, candidate)) return false;
  const shared = [...candidate.targets.keys()].filter((tag) => group.targets.has(tag)).length;
  const all = group.targets.size + candidate.targets.size - shared;
  const isStrict =
    languages === 'equal' ||
    group.content !== candidate.layoutFiles.content ||
    group.content !== 'strings' ||
    [...group.members, candidate].some(({ route }) => route.embedded_source === true);
  if (isStrict) return shared === all;
  const isSameLayout = group.members.some(
    ({ layoutFiles }) => layoutFiles.layout === candidate.layoutFiles.layout,
  );
  return shared >= all * (isSameLayout ? ALIKE.same : ALIKE.other);
}

function isSpelledAlike(group: LayoutGroup, candidate: Candidate): boolean {
  const own = localesOf(candidate);
  return [...own].every(([tag, spelled]) => (group.spelled.get(tag) ?? spelled) === spelled);
}

/** Adds a candidate without translations to a group with the same layout. @returns whether there is one */
export function joins(groups: readonly LayoutGroup[], candidate: Candidate): boolean {
  const group = groups.find(
    (each) =>
      each.members.some(({ layoutFiles }) => layoutFiles.layout === candidate.layoutFiles.layout) &&
      isSpelledAlike(each, candidate),
  );
  group?.members.push(candidate);
  return group !== undefined;
}

export function namesLanguage({ source, layoutFiles }: Candidate): boolean {
  return source !== undefined && layoutFiles.content !== 'readme';
}

export function projectsOf(
  groups: readonly LayoutGroup[],
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
      routes: group.members.map(({ layoutFiles: { layout }, route, sources }) => ({
        ...{ layout, route, sources },
      })),
      leftOut: new Map(group.members.flatMap(({ leftOut }) => [...leftOut])),
    };
  });
}

/** Names of folders that say nothing about a module. */
const SAYS_NOTHING = /^(?:values|res|resources|main|src|lib|locales?|lang|i18n|l10n|.*\.lproj|en)$/;

function nameFor({ members: [first], content }: LayoutGroup): string {
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
