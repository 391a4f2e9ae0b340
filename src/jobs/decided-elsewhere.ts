/**
 * What a lock that was pulled says of jobs that are over here: a colleague has decided a held one, and nothing is left to do but to
 * take note of it; a text that was only found here belongs to another source.
 */
import { statOf } from '../files/disk.ts';
import type { Hold, Job, Stat } from '../job.ts';
import type { Estimate } from '../lane.ts';
import type { JobRecord } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { PlannedJob } from '../plan/plan.ts';
import { isContradicted, type Section } from '../segments/lock-section.ts';
import type { LockFiles, LockIndex } from '../state/lock-file.ts';
import { lockAsLeft } from './lock-tidying.ts';

export interface DecidedElsewhereOptions {
  readonly files: LockFiles;
  readonly inForce: Pick<InForce, 'config'>;
  /** The state folder. */
  readonly state: string;
  /** What this machine would write into the lock. */
  sectionOf(job: JobRecord): Promise<Section | undefined>;
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

  /**
   * Those that are done, and hold texts of which the lock says another thing since somebody else wrote it.
   * @param isMeant asked only of jobs whose file of the lock another one wrote: it costs more than all else in a run with nothing to do
   */
  async contradicted(
    jobs: Iterable<JobRecord>,
    isMeant: (job: JobRecord) => boolean,
  ): Promise<PlannedJob[]> {
    const { files } = this.#options;
    const isAsLeft = await lockAsLeft(this.#options);
    const locks = new Map<string, LockIndex | undefined>();
    const found: PlannedJob[] = [];
    for (const job of jobs) {
      if (job.state.kind !== 'done') continue;
      const key = `${job.project}\n${job.language}`;
      if (!locks.has(key))
        locks.set(key, (await isAsLeft(job)) ? undefined : await files.index(job));
      const lock = locks.get(key);
      if (lock === undefined || !isMeant(job)) continue;
      if (!(await this.#isContradicted(job, lock))) continue;
      found.push({ job, reason: 'decided elsewhere' });
    }
    return found;
  }

  async #isContradicted(job: JobRecord, lock: LockIndex): Promise<boolean> {
    const section = await this.#options.sectionOf(job);
    if (section === undefined) return false;
    return section.units
      .entries()
      .some(([unit, { said }]) => said.some((each) => isContradicted(each, lock.get(unit) ?? [])));
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
