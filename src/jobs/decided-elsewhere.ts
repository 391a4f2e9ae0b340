/** Held jobs that a colleague has decided: the lock that was pulled says so, and nothing is left to do but to take note of it. */
import { statOf } from '../files/disk.ts';
import type { Hold, Job, Stat } from '../job.ts';
import type { Estimate } from '../lane.ts';
import type { JobRecord } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { PlannedJob } from '../plan/plan.ts';
import type { LockFiles } from '../state/lock-file.ts';

export interface DecidedElsewhereOptions {
  readonly files: LockFiles;
  readonly inForce: Pick<InForce, 'config'>;
  /** What a job would bill, found without paying. */
  estimate(job: Job): Promise<Estimate>;
}

export class DecidedElsewhere {
  readonly #options: DecidedElsewhereOptions;
  /** Of the files of the lock, by absolute path, at the last look. */
  #stats: ReadonlyMap<string, Stat | undefined> | undefined;

  constructor(options: DecidedElsewhereOptions) {
    this.#options = options;
  }

  /** Those of these jobs that need nobody any more. */
  async among(held: readonly JobRecord[]): Promise<PlannedJob[]> {
    const decided: PlannedJob[] = [];
    for (const job of held) {
      if (job.state.kind !== 'held' || !isDecision(job.state.hold)) continue;
      if (await this.stands(job)) decided.push({ job, reason: 'decided elsewhere' });
    }
    return decided;
  }

  /** Whether what stands at the targets of a job is right, and only has to be taken note of. */
  async stands(job: Job): Promise<boolean> {
    const estimate = await this.#options.estimate(job).catch(() => undefined);
    return estimate?.stands === true && estimate.hold === undefined;
  }

  /** @returns whether a job's file of the lock is another one than at the last look; undefined: none is, as at the first look */
  async look(): Promise<((job: Pick<Job, 'project' | 'language'>) => boolean) | undefined> {
    const { files, inForce } = this.#options;
    const names = inForce.config.projects.flatMap(({ name: project, targets }) =>
      targets.map((language) => files.pathOf({ project, language })),
    );
    const stats = await Promise.all(names.map(async (path) => [path, await statOf(path)] as const));
    const before = this.#stats;
    const now = new Map(stats);
    this.#stats = now;
    const changed = new Set(names.filter((path) => before && before.get(path) !== now.get(path)));
    if (changed.size === 0) return undefined;
    return (job) => changed.has(files.pathOf(job));
  }
}

/** What a person decides about texts; the other reasons to wait are no matter of the lock. */
function isDecision({ kind }: Hold): boolean {
  return ['conflict', 'damaged-segments', 'edited-target'].includes(kind);
}
