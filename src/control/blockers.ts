/** What keeps whole sources from being translated and needs a person: collisions, files without their end, and sources that vanished together. */
import { join } from 'node:path';
import type { MassDeletion } from '../intake/intake.ts';
import type { UnfinishedSource } from '../intake/source-monitor.ts';
import { adviceForHold, describeHold, type Hold } from '../job.ts';
import type { Planner, Setup } from '../plan/planner.ts';
import type { AttentionLine } from './report.ts';

export interface BlockerSources {
  readonly setup: Setup;
  readonly planner: Planner;
  readonly deletions: readonly MassDeletion[];
  readonly unfinished: readonly UnfinishedSource[];
}

export interface Blockers {
  readonly collisions: readonly AttentionLine[];
  /** Told until somebody completes the file, or takes it away. */
  readonly unfinished: readonly AttentionLine[];
  /** A person may say that these files are meant to be gone. */
  readonly deletions: readonly AttentionLine[];
}

export function blockersOf({ setup, planner, deletions, unfinished }: BlockerSources): Blockers {
  const collisions = setup.config.projects.flatMap(({ name }) =>
    planner.collisions(name).flatMap(({ target, sources, message }) =>
      sources.map((source) => ({
        ...aboutSource(name, source),
        target,
        reason: message,
        next_step: 'rename one of them',
      })),
    ),
  );
  const sources = unfinished.filter(({ project, path }) => planner.routeOf(project, path));
  return {
    collisions,
    unfinished: sources.map(withoutEnd),
    deletions: deletions.map(vanished),
  };
}

/** The same as paths with reasons, absolute. */
export function blockedPaths(sources: BlockerSources): { path: string; reason: string }[] {
  const roots = new Map(sources.setup.config.projects.map(({ name, root }) => [name, root]));
  const { collisions, deletions } = blockersOf(sources);
  return [...collisions, ...deletions].map(({ project, source, reason }) => ({
    path: join(roots.get(project) ?? '', source),
    reason,
  }));
}

function withoutEnd({ project, path, reason }: UnfinishedSource): AttentionLine {
  const hold: Hold = { kind: 'incomplete', message: reason };
  return {
    ...aboutSource(project, path),
    target: path,
    reason: describeHold(hold),
    next_step: adviceForHold(hold, path),
  };
}

function vanished({ project, gone, of }: MassDeletion): AttentionLine {
  const hold: Hold = { kind: 'mass-deletion', files: gone.length, of };
  const first = gone[0]?.path ?? '';
  return {
    ...aboutSource(project, first),
    target: first,
    reason: describeHold(hold),
    next_step: adviceForHold(hold, first),
  };
}

function aboutSource(project: string, source: string) {
  return { project, source, language: '*', state: 'held', price_characters: null } as const;
}
