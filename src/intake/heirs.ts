/**
 * Finds the projects that have the sources of another one now: it was renamed, merged or split, or its routes or its root changed. The place
 * of a source decides. Where the root of the other project is unknown, its contents do, too.
 */
import { dirname, join, relative } from 'node:path';
import type { LanguageTag } from '../language.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Project } from '../project.ts';

export type Routed = Pick<InForce, 'config' | 'router'>;

/** Sources that a project had, and has no more. */
export interface LeftSources {
  /** Undefined: the config has no project of this name. */
  readonly project: Project | undefined;
  /** Absent: the languages of its targets do not matter. */
  readonly language?: LanguageTag;
  /** Relative to its root. */
  readonly paths: readonly string[];
}

/** A project has a source now that another one had. */
export interface ClaimedSource {
  readonly project: Project;
  readonly source: string;
  /** The path that the other project had for it. */
  readonly there: string;
  /** Where the paths of the other project begin: its root, or what may have been its root. */
  readonly root: string;
}

/** @param isEvident whether one of these claims is proved by the contents of its files; asked where the root is only supposed */
export async function heirsOf(
  routed: Routed,
  left: LeftSources,
  isEvident: (claims: readonly ClaimedSource[]) => Promise<boolean>,
): Promise<ClaimedSource[]> {
  const found: ClaimedSource[] = [];
  const taken = new Set<string>();
  for (const root of rootsFor(routed, left.project)) {
    const paths = left.paths.filter((path) => !taken.has(path));
    const claims = claimsAt(routed, { ...left, paths }, root);
    if (claims.length === 0) continue;
    if (root !== left.project?.root && !(await isEvident(claims))) continue;
    found.push(...claims);
    for (const { there } of claims) taken.add(there);
  }
  return found;
}

/** At most so many files are looked at to see whether a folder was renamed. */
const MOST_COMPARED = 200;

/**
 * The same for sources whose folder was renamed together with their project, in a checkout that never saw them. Another folder has the rest
 * of their paths. Their contents have to prove it.
 */
export async function heirsInRenamedFolder(
  routed: Routed,
  left: LeftSources,
  isEvident: (claims: readonly ClaimedSource[]) => Promise<boolean>,
): Promise<ClaimedSource[]> {
  const found: ClaimedSource[] = [];
  const groups = Map.groupBy(left.paths, (path) => path.slice(0, path.indexOf('/') + 1));
  for (const [first, paths] of groups) {
    if (first === '') continue;
    for (const claims of claimsInOtherFolders(routed, { ...left, paths })) {
      if (!(await isEvident(claims.slice(0, MOST_COMPARED)))) continue;
      found.push(...claims);
      break;
    }
  }
  return found;
}

function* claimsInOtherFolders(
  routed: Routed,
  { language, project: former, paths }: LeftSources,
): Iterable<ClaimedSource[]> {
  const [head = ''] = paths;
  for (const project of routed.config.projects) {
    if (project === former) continue;
    const { root, name } = project;
    const fixed = routed.router.fixedPaths(name).flatMap((each) => each.paths);
    const folders = fixed.flatMap(({ path }) => foldersAbove(join(root, path, 'below'), root));
    for (const folder of new Set([...folders, root])) {
      for (let end = head.indexOf('/') + 1; end > 0; end = head.indexOf('/', end) + 1) {
        const renamed = head.slice(0, end);
        const claims = paths.flatMap((there): ClaimedSource[] => {
          if (!there.startsWith(renamed)) return [];
          const source = relative(root, join(folder, there.slice(end)));
          return isSourceOf(routed, project, { source, language })
            ? [{ project, source, there, root }]
            : [];
        });
        if (claims.length > 0) yield claims;
      }
    }
  }
}

export function isSourceOf(
  { router }: Pick<Routed, 'router'>,
  { name, targets }: Project,
  { source, language }: { readonly source: string; readonly language?: LanguageTag | undefined },
): boolean {
  if (language !== undefined && !targets.includes(language)) return false;
  const match = router.match(name, source);
  if (match.kind !== 'source') return false;
  return language === undefined || match.languages?.includes(language) !== false;
}

function claimsAt(
  routed: Routed,
  { language, project: former, paths }: LeftSources,
  root: string,
): ClaimedSource[] {
  return paths.flatMap((there) => {
    const absolute = join(root, there);
    return routed.config.projects.flatMap((project): ClaimedSource[] => {
      const source = relative(project.root, absolute);
      const isOwn = project === former && source === there;
      if (isOwn || source === '' || source.startsWith('../')) return [];
      return isSourceOf(routed, project, { source, language })
        ? [{ project, source, there, root }]
        : [];
    });
  });
}

/** Where the paths of a project may begin: at its root. If that is unknown or has changed, at a folder of some project. */
export function rootsFor({ config, router }: Routed, former: Project | undefined): Set<string> {
  const roots = new Set<string>(former === undefined ? [] : [former.root]);
  for (const { name, root } of config.projects) {
    for (const folder of [root, ...foldersAbove(root, config.base)]) roots.add(folder);
    const fixed = router.fixedPaths(name).flatMap(({ paths }) => paths);
    for (const { path } of fixed) {
      for (const folder of foldersAbove(join(root, path, 'below'), root)) roots.add(folder);
    }
  }
  return roots;
}

/** @returns the folders above a path, up to another one; none where it is not below that */
function foldersAbove(path: string, top: string): string[] {
  const folders: string[] = [];
  for (let folder = path; folder.startsWith(`${top}/`); ) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}
