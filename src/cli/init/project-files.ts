/** The files of a project as its routes see them: sources with the targets that stand, and what cannot be taken. */

import { join } from 'node:path';
import type { Scope } from '../../control/control.ts';
import { isNamed as isLanguageNamed } from '../../control/scope.ts';
import { isChanged, isTouched } from '../../control/since.ts';
import { type FoundFile, isWithin, type Skipped } from '../../files/listing.ts';
import { scan } from '../../files/scan.ts';
import { absentOnPurpose, findWorkTree } from '../../files/work-tree.ts';
import { contentLane } from '../../intake/content-lane.ts';
import type { Lane } from '../../job.ts';
import type { LanguageTag } from '../../language.ts';
import type { Project, Route } from '../../project.ts';
import type { PathClaim } from '../../routes/compiled.ts';
import type { Router } from '../../routes/router.ts';
import type { TargetFinding } from './targets.ts';

export interface ProjectFiles {
  /** How many there are, of interest or not. */
  readonly count: number;
  readonly sources: readonly FoundSource[];
  /** Files that nobody could translate as the routes are, and targets whose source is gone. */
  readonly findings: readonly TargetFinding[];
  /** Indexes of the routes that have a source, and the lanes of all sources. */
  readonly routes: ReadonlySet<number>;
  readonly lanes: ReadonlySet<Lane>;
  readonly unreadable: readonly Skipped[];
  /** Sources without a byte; they are none of `sources`. */
  readonly empty: readonly string[];
  /** Files that are left alone, with the reason. */
  readonly notes: readonly { readonly path: string; readonly reason: string }[];
}

/** A source with those of its targets that are of interest. */
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
  /** Of a recording: what it becomes there. */
  readonly output?: string;
  /** Whether it stands on the disk. */
  readonly stands: boolean;
}

const NOTHING: ProjectFiles = {
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
  { router, languages, paths, since }: FilesOfInterest,
): Promise<ProjectFiles> {
  const listing = await scan(project.root, {
    wants: (path) => router.wants(project.name, path),
    enters: (folder) => router.enters(project.name, folder),
  });
  if (listing.kind === 'offline') return NOTHING;
  const tree = findWorkTree(project.root);
  const isAway = tree === undefined ? () => false : await absentOnPurpose(tree);
  const present = new Map(listing.files.map((file) => [file.path, file]));
  const isTouchedFile = (path: string) =>
    since === undefined || isChanged(since, project.root, path);
  const isNamed = (path: string) =>
    paths.length === 0 || paths.some((meant) => isWithin(join(project.root, path), meant));
  const isMeant = (path: string, source = path) =>
    isNamed(path) && (isTouchedFile(path) || isTouchedFile(source));
  const sources: FoundSource[] = [];
  const findings: TargetFinding[] = [];
  const unreadable = listing.skipped.filter(
    ({ isUnreadable, advice }) => isUnreadable === true || advice !== undefined,
  );
  const notes = listing.skipped.filter(
    (skipped) => !unreadable.includes(skipped) && isMeant(skipped.path),
  );
  const routes = new Set<number>();
  const lanes = new Set<Lane>();
  let count = 0;
  const empty: string[] = [];
  for (const [path, file] of present) {
    const claim = router.claim(project.name, path);
    switch (claim.kind) {
      case 'skipped':
        if (!isMeant(path)) break;
        if (claim.because === 'contested') findings.push(fault(project, path, claim.reason));
        else if (claim.because === 'lane') notes.push({ path, reason: claim.reason });
        break;
      case 'target': {
        // Of projects with one root, the one that writes it knows its source.
        if (claim.project !== project.name) break;
        if (!isLanguageNamed({ projects: [], languages }, project.name, claim.language)) break;
        const source = claim.source();
        if (source === undefined || present.has(source) || !isMeant(path, source)) break;
        // Another route writes it, or a person: it was left out on purpose.
        if (isExcluded(router.claim(project.name, source))) break;
        // Nobody knows whether it is there.
        if (listing.skipped.some((skipped) => isAtOrBelow(source, skipped.path))) break;
        if (isAway(join(project.root, source))) break;
        const orphan = fault(project, path, `orphaned: its source ${source} is gone`);
        findings.push({ ...orphan, severity: 'warn' });
        break;
      }
      case 'source': {
        count += 1;
        const targets = targetsOf(claim, project, present);
        const meant = targets.filter(
          ({ target, language }) =>
            isLanguageNamed({ projects: [], languages }, project.name, language) &&
            (isNamed(path) || isNamed(target)) &&
            isTouched(
              since,
              { project: project.name, language, source: path, targets: { file: target } },
              project.root,
            ),
        );
        const { route } = claim;
        const lane = (await contentLane(router, project, file)) ?? claim.lane;
        routes.add(route.index);
        lanes.add(lane);
        if (file.size === 0 && isMeant(path)) empty.push(path);
        else if (meant.length > 0) sources.push({ route, lane, source: path, targets: meant });
        break;
      }
    }
  }
  for (const {
    sources: [first = '', ...others],
    message,
  } of router.collisions(project.name, new Set(present.keys()))) {
    if (![first, ...others].some((path) => isTouchedFile(path))) continue;
    findings.push(fault(project, first, message));
  }
  return { count, routes, lanes, sources, findings, unreadable, empty, notes };
}

function isExcluded(claim: PathClaim): boolean {
  return claim.kind === 'skipped' && claim.because === 'excluded';
}

function isAtOrBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

function targetsOf(
  { targets, languages }: Extract<PathClaim, { readonly kind: 'source' }>,
  project: Project,
  present: ReadonlyMap<string, FoundFile>,
): FoundTarget[] {
  return (languages ?? project.targets).flatMap((language) =>
    Object.entries<string>(targets(language)).map(([output, target]) => ({
      target,
      language,
      ...(output === 'file' ? {} : { output }),
      stands: present.has(target),
    })),
  );
}

function fault({ root }: Project, path: string, message: string): TargetFinding {
  return { file: join(root, path), line: 1, column: 1, severity: 'hold', message };
}
