/** The files of a project by its routes: sources with their targets, and files that cannot be used. */

import { join } from 'node:path';
import type { Scope } from '../../control/control.ts';
import { isNamed as isLanguageNamed } from '../../control/scope.ts';
import { isChanged, isTouched } from '../../control/since.ts';
import { sizeOfFile } from '../../files/disk.ts';
import { type FoundFile, isWithin, type Skipped } from '../../files/listing.ts';
import { scan } from '../../files/scan.ts';
import { absentOnPurpose, findWorkTree } from '../../files/work-tree.ts';
import { contentLane } from '../../intake/content-lane.ts';
import type { Lane } from '../../job.ts';
import { withoutMachine } from '../../lanes/document/decisions/decide.ts';
import type { LanguageTag } from '../../language.ts';
import { append } from '../../parsing/append.ts';
import type { Project, Route } from '../../project.ts';
import type { PathMatch } from '../../routes/compiled.ts';
import type { Router } from '../../routes/router.ts';
import type { TargetFinding } from './targets.ts';

export interface ProjectFiles {
  /** Number of all sources, also outside of the scope. */
  readonly count: number;
  readonly sources: readonly FoundSource[];
  /** Files that these routes cannot translate, and targets whose source is gone. */
  readonly findings: readonly TargetFinding[];
  /** Indexes of the routes that have a source, and the lanes of all sources. */
  readonly routes: ReadonlySet<number>;
  readonly lanes: ReadonlySet<Lane>;
  readonly unreadable: readonly Skipped[];
  /** Sources of 0 bytes; they are not in `sources`. */
  readonly empty: readonly string[];
  /** Files that dragoman does not translate, with the reason. */
  readonly notes: readonly { readonly path: string; readonly reason: string }[];
}

/** A source with its targets in the scope. */
export interface FoundSource {
  readonly route: Route;
  readonly lane: Lane;
  /** Relative to the root. */
  readonly source: string;
  readonly targets: readonly FoundTarget[];
}

export interface FoundTarget {
  readonly target: string;
  readonly language: LanguageTag;
  /** For a recording: transcript, subtitles or speech. */
  readonly output?: string;
  readonly exists: boolean;
}

const NO_FILES: ProjectFiles = {
  count: 0,
  routes: new Set(),
  lanes: new Set(),
  sources: [],
  findings: [],
  unreadable: [],
  empty: [],
  notes: [],
};

export interface FilesOfInterest extends Pick<Scope, 'languages' | 'paths' | 'since'> {
  readonly router: Router;
}

export async function listProjectFiles(
  project: Project,
  interest: FilesOfInterest,
): Promise<ProjectFiles> {
  const { router } = interest;
  const listing = await scan(project.root, {
    wants: (path) => router.wants(project.name, path),
    enters: (folder) => router.enters(project.name, folder),
  });
  if (listing.kind === 'offline') return NO_FILES;
  const { files, skipped } = listing;
  const tree = findWorkTree(project.root);
  const isAway = tree === undefined ? () => false : await absentOnPurpose(tree);
  const present = new Map(files.map((file) => [file.path, file]));
  const look: ProjectInspection = { project, interest, present, skipped, isAway };
  const sources: FoundSource[] = [];
  const findings: TargetFinding[] = [];
  const unreadable = skipped.filter(isUntaken);
  const notes = skipped.filter((each) => !unreadable.includes(each) && isMeant(look, each.path));
  const routes = new Set<number>();
  const lanes = new Set<Lane>();
  const empty: string[] = [];
  let count = 0;
  for (const [path, file] of present) {
    const match = router.match(project.name, path);
    switch (match.kind) {
      case 'skipped':
        if (!isMeant(look, path)) break;
        if (match.because === 'contested') findings.push(fault(project, path, match.reason));
        else if (match.because === 'lane') notes.push({ path, reason: match.reason });
        break;
      case 'target':
        append(findings, orphanedBy(look, path, match));
        break;
      case 'source': {
        count += 1;
        const { route } = match;
        const lane = (await contentLane(router, project, file)) ?? match.lane;
        const targets = meantTargets(look, path, match);
        routes.add(route.index);
        lanes.add(lane);
        if (file.size === 0 && isMeant(look, path)) empty.push(path);
        else if (targets.length > 0) sources.push({ route, lane, source: path, targets });
        break;
      }
    }
  }
  append(findings, collisionsIn(look));
  return { count, routes, lanes, sources, findings, unreadable, empty, notes };
}

function isUntaken({ isUnreadable, advice }: Skipped): boolean {
  return isUnreadable === true || advice !== undefined;
}

interface ProjectInspection {
  readonly project: Project;
  readonly interest: FilesOfInterest;
  readonly present: ReadonlyMap<string, FoundFile>;
  readonly skipped: readonly Skipped[];
  /** Whether git left an absolute path out of this checkout. */
  isAway(path: string): boolean;
}

/** Whether a file is in the scope, by its own path or its source. */
function isMeant(look: ProjectInspection, path: string, source = path): boolean {
  return isNamed(look, path) && (isTouchedFile(look, path) || isTouchedFile(look, source));
}

function isNamed({ project, interest: { paths } }: ProjectInspection, path: string): boolean {
  return paths.length === 0 || paths.some((meant) => isWithin(join(project.root, path), meant));
}

function isTouchedFile({ project, interest: { since } }: ProjectInspection, path: string): boolean {
  return since === undefined || isChanged(since, project.root, path);
}

/** The finding that the source of a target is gone; else an empty list. */
function orphanedBy(
  look: ProjectInspection,
  path: string,
  match: Extract<PathMatch, { kind: 'target' }>,
): TargetFinding[] {
  const { project, interest, present, skipped } = look;
  const { router, languages } = interest;
  // When projects share a root, only the project that writes the target knows its source.
  if (match.project !== project.name) return [];
  if (!isLanguageNamed({ projects: [], languages }, project.name, match.language)) return [];
  const source = match.source();
  if (source === undefined || present.has(source) || !isMeant(look, path, source)) return [];
  // The machine's version of a document, beside that of a person.
  if (present.has(withoutMachine(source))) return [];
  // The source is excluded on purpose: a person writes the target, or another route does.
  if (isExcluded(router.match(project.name, source))) return [];
  // The source is in a skipped place, so it may exist.
  if (skipped.some((each) => isAtOrBelow(source, each.path))) return [];
  if (look.isAway(join(project.root, source))) return [];
  const orphan = fault(project, path, `orphaned: its source ${source} is gone`);
  return [{ ...orphan, severity: 'warn' }];
}

function meantTargets(
  look: ProjectInspection,
  source: string,
  match: Extract<PathMatch, { kind: 'source' }>,
): FoundTarget[] {
  const { project, interest, present } = look;
  const { languages, since } = interest;
  return targetsOf(match, project, present).filter(
    ({ target, language }) =>
      isLanguageNamed({ projects: [], languages }, project.name, language) &&
      (isNamed(look, source) || isNamed(look, target)) &&
      isTouched(
        since,
        { project: project.name, language, source, targets: { file: target } },
        project.root,
      ),
  );
}

function collisionsIn(look: ProjectInspection): TargetFinding[] {
  const { project, interest, present } = look;
  return interest.router
    .collisions(project.name, new Set(present.keys()))
    .filter(({ sources }) => sources.some((path) => isTouchedFile(look, path)))
    .map(({ sources: [first = ''], message }) => fault(project, first, message));
}

function isExcluded(match: PathMatch): boolean {
  return match.kind === 'skipped' && match.because === 'excluded';
}

function isAtOrBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

function targetsOf(
  { targets, languages, lane }: Extract<PathMatch, { readonly kind: 'source' }>,
  project: Project,
  present: ReadonlyMap<string, FoundFile>,
): FoundTarget[] {
  const isThere = (target: string, output: string) => {
    const size = present.get(target)?.size ?? sizeOfFile(join(project.root, target));
    // The checks of the texts name an empty file themselves, and a recording may have no words.
    const mayBeEmpty = lane === 'text' || (lane === 'voice' && output !== 'speech');
    return size !== undefined && (size > 0 || mayBeEmpty);
  };
  return (languages ?? project.targets).flatMap((language) =>
    Object.entries(targets(language)).map(([output, target]) => ({
      target,
      language,
      ...(output === 'file' ? {} : { output }),
      exists: isThere(target, output),
    })),
  );
}

function fault({ root }: Project, path: string, message: string): TargetFinding {
  return { file: join(root, path), line: 1, column: 1, severity: 'hold', message };
}
