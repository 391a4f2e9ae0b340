/**
 * Every reason, beside the jobs that wait or failed, why something that config asks for is not there. All outputs
 * (`once`, `once --frozen`, `status`, `check`, `plan`, the page, JSON) show what is listed here. Pure.
 */
import type { MassDeletion } from '../intake/intake.ts';
import type { UnfinishedSource } from '../intake/source-monitor.ts';
import { adviceForHold, describeHold, type Hold } from '../job.ts';
import type { Planner, Setup } from '../plan/planner.ts';
import type { Scope } from './control.ts';
import type { AttentionLine } from './report.ts';
import { inPaths, isNamed } from './scope.ts';

/** Paths are relative to the project's root. */
export type Blocker = { readonly project: string } & (
  | {
      readonly kind: 'collision';
      readonly source: string;
      readonly target: string;
      readonly message: string;
    }
  | { readonly kind: 'incomplete'; readonly path: string; readonly message: string }
  | {
      readonly kind: 'mass-deletion';
      /** The first of those that vanished. */
      readonly path: string;
      readonly files: number;
      readonly of: number;
    }
);

export interface BlockerSources {
  readonly setup: Setup;
  readonly planner: Planner;
  readonly deletions: readonly MassDeletion[];
  readonly unfinished: readonly UnfinishedSource[];
}

export function blockersOf({ setup, planner, deletions, unfinished }: BlockerSources): Blocker[] {
  return [
    ...setup.config.projects.flatMap(({ name }) => collisionsOf(planner, name)),
    ...unfinished
      .filter(({ project, path }) => planner.routeOf(project, path))
      .map(
        ({ project, path, reason }): Blocker => ({
          ...{ kind: 'incomplete', project, path, message: reason },
        }),
      ),
    ...deletions.map(
      ({ project, gone, of }): Blocker => ({
        ...{ kind: 'mass-deletion', project, path: gone[0]?.path ?? '', files: gone.length, of },
      }),
    ),
  ];
}

function collisionsOf(planner: Planner, project: string): Blocker[] {
  return planner
    .collisions(project)
    .flatMap(({ target, sources, message }) =>
      sources.map((source): Blocker => ({ kind: 'collision', project, source, target, message })),
    );
}

/** Those that a command is about. @param rootOf absolute root of a project */
export function blockersIn(
  { projects, languages, paths }: Scope,
  blockers: readonly Blocker[],
  rootOf: (project: string) => string | undefined,
): Blocker[] {
  return blockers.filter((blocker) => {
    const { project } = blocker;
    const { about, only } = extentOf(blocker);
    const isMeant =
      only.length === 0
        ? isNamed({ projects, languages: [] }, project, '')
        : only.some((language) => isNamed({ projects, languages }, project, language));
    return isMeant && (about.length === 0 || inPaths(paths, rootOf(project), about));
  });
}

interface Extent {
  /** Files or folders that it is about; empty for a whole project. */
  readonly about: readonly string[];
  /** Languages that it is about; empty for all. */
  readonly only: readonly string[];
}

function extentOf(blocker: Blocker): Extent {
  switch (blocker.kind) {
    case 'collision':
      return { about: [blocker.source, blocker.target], only: [] };
    case 'incomplete':
      return { about: [blocker.path], only: [] };
    case 'mass-deletion':
      return { about: [], only: [] };
  }
}

/** What an output shows of a blocker. */
export function lineOfBlocker(blocker: Blocker): AttentionLine {
  const { kind, project } = blocker;
  const about = (source: string, target = source) =>
    ({ project, source, target, language: '*', code: kind, price_characters: null }) as const;
  switch (blocker.kind) {
    case 'collision':
      return {
        ...about(blocker.source, blocker.target),
        state: 'held',
        reason: blocker.message,
        next_step: 'rename one of them',
      };
    case 'incomplete':
      return { ...about(blocker.path), ...asHeld(blocker, blocker.path) };
    case 'mass-deletion':
      return { ...about(blocker.path), ...asHeld(blocker, blocker.path) };
  }
}

function asHeld(hold: Hold, path: string): Pick<AttentionLine, 'state' | 'reason' | 'next_step'> {
  return { state: 'held', reason: describeHold(hold), next_step: adviceForHold(hold, path) };
}
