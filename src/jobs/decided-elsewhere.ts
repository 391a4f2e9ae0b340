/**
 * Finds jobs that are over on this machine and about which a pulled lock says something else. Either a colleague has decided a held
 * job: then only the ledger must be updated. Or a text that this machine only adopted belongs to another source.
 */
import type { Baselines } from '../baseline.ts';
import type { Hold, Job, Stat } from '../job.ts';
import { type CountedPurchases, type Estimate, nothingCounted } from '../lane.ts';
import type { JobRecord } from '../ledger.ts';
import { inBatches } from '../parsing/within.ts';
import type { InForce } from '../plan/in-force.ts';
import type { PlannedJob } from '../plan/plan.ts';
import { isContradicted } from '../segments/lock-section.ts';
import type { LockFiles, LockIndex } from '../state/lock-file.ts';
import { statOfLock } from '../state/lock-place.ts';
import { lockAsLeft } from './lock-tidying.ts';
import { sectionOf } from './section-of-job.ts';

export interface DecidedElsewhereOptions {
  readonly files: LockFiles;
  readonly inForce: Pick<InForce, 'config' | 'router'>;
  /** The state folder. */
  readonly state: string;
  readonly baselines: Baselines;
  /** See `LaneWorker.estimate`. */
  estimate(job: Job, counted: CountedPurchases): Promise<Estimate>;
}

export class DecidedElsewhere {
  readonly #options: DecidedElsewhereOptions;
  /** The stats of the files of the lock at the last look, by absolute path. */
  #stats: ReadonlyMap<string, Stat | undefined> | undefined;

  constructor(options: DecidedElsewhereOptions) {
    this.#options = options;
  }

  /** The held jobs that no longer need a person. */
  async among(held: readonly JobRecord[]): Promise<PlannedJob[]> {
    const decisions = held.filter(({ state }) => state.kind === 'held' && isDecision(state.hold));
    return await this.stillOpen(
      decisions.map((job) => ({ job, reason: 'decided elsewhere' as const })),
    );
  }

  /**
   * Those of the done jobs with a text that the lock contradicts.
   * @param isMeant called only for jobs whose file of the lock was changed by others. In a run with nothing to do, this call would take
   * longer than everything else
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
    const section = await sectionOf(this.#options, job);
    if (section === undefined) return false;
    return section.units
      .entries()
      .some(([unit, { said }]) => said.some((each) => isContradicted(each, lock.get(unit) ?? [])));
  }

  /** The jobs whose targets are right as they are, so that only the ledger must be updated. */
  async stillOpen(jobs: readonly PlannedJob[]): Promise<PlannedJob[]> {
    const ifOpen = async (planned: PlannedJob, before: Promise<void>) => {
      const inTurn = nothingCounted(before);
      const estimate = await this.#options.estimate(planned.job, inTurn).catch(() => undefined);
      return estimate?.isUpToDate === true && estimate.hold === undefined ? [planned] : [];
    };
    return (await Array.fromAsync(inBatches(jobs, ifOpen))).flat(2);
  }

  /**
   * Looks at the files of the lock.
   * @returns whether the file of a job has changed since the last look; undefined: none has, or it is the first look
   */
  async read(): Promise<((job: Pick<Job, 'project' | 'language'>) => boolean) | undefined> {
    const { files, inForce } = this.#options;
    const names = inForce.config.projects.flatMap(({ name: project, targets }) =>
      targets.map((language) => files.pathOf({ project, language })),
    );
    const stats = await Promise.all(
      names.map(async (path) => [path, await statOfLock(path)] as const),
    );
    const before = this.#stats;
    const now = new Map(stats);
    this.#stats = now;
    const changed = new Set(names.filter((path) => before && before.get(path) !== now.get(path)));
    if (changed.size === 0) return undefined;
    return (job) => changed.has(files.pathOf(job));
  }
}

/** Whether the hold waits for a decision about texts. The lock says nothing about other holds. */
function isDecision({ kind }: Hold): boolean {
  return ['conflict', 'damaged-segments', 'edited-target'].includes(kind);
}
