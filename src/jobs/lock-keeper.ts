/** Writes the lock of the team: remembers which jobs changed their targets, and writes their lines when the targets are in place. */
import type { Baselines } from '../baseline.ts';
import { stepsInTurns, turnsOf } from '../clock.ts';
import { type Failure, failureOf } from '../failure.ts';
import type { JobId } from '../job.ts';
import type { Estimate, LaneWorker } from '../lane.ts';
import type { JobRecord, LedgerView } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import { type Section, withSections } from '../segments/lock-section.ts';
import { amended, type LockAmendment } from '../segments/review.ts';
import { type LockFiles, type LockName, lockNames } from '../state/lock-file.ts';
import { type ForeseenRun, isUnsaid, jobsPutBack, whyLockStays } from './lock-foresight.ts';
import { FolderNotes, type LockNotes, REST } from './lock-notes.ts';
import {
  type LockedTerminology,
  lackingInLock,
  writableInLock,
  writeTerminology,
} from './lock-terminology.ts';
import { healLock, jobsMissed, recordAmended, sourcesByProject, tidyLock } from './lock-tidying.ts';
import { keptUnits, sectionOf } from './section-of-job.ts';

export interface LockKeeperOptions {
  readonly inForce: Pick<InForce, 'config' | 'router'>;
  readonly files: LockFiles;
  /** The state folder. */
  readonly state: string;
  readonly ledger: LedgerView;
  readonly baselines: Baselines;
  readonly terminology: LockedTerminology;
  /** Absent: in the state folder. */
  readonly notes?: LockNotes;
}

/** Milliseconds for which the lines of a large file may stop other work. */
const TURN_MS = 10;

/** What the lock lacks of the translations that are in place. */
export interface LockArrears {
  /** Number of jobs of an earlier process, or of the daemons of a tree, whose lines may be missing. */
  readonly jobs: number;
  /** Why the last writing failed, or why the next one would. */
  readonly failure?: Failure;
  /**
   * `unwritten`: there is no lock of these languages, and a run would take their translations for up to date. `put-back`: it is of an
   * earlier time than these translations. Absent: an earlier run ended before it wrote them.
   */
  readonly why?: 'unwritten' | 'put-back';
}

export class LockKeeper {
  readonly #options: LockKeeperOptions;
  readonly #notes: LockNotes;
  readonly #changed = new Set<JobId>();
  /** By `sectionKey`. */
  readonly #amendments = new Map<string, Amendments>();
  /** Jobs that a process before this one left. */
  #left: readonly JobId[] = [];
  /** The same for versions of glossaries and style lists. */
  #hasLeftVersions = false;
  #failure: Failure | undefined;
  #hasRead = false;
  #haveSourcesChanged = false;
  #writing: Promise<readonly string[]> = Promise.resolve([]);

  constructor(options: LockKeeperOptions) {
    this.#options = options;
    this.#notes = options.notes ?? new FolderNotes(options.state);
  }

  /** Called before the target of a job is put in place, and before the ledger says that a job is over. The next start knows of it. */
  async publishing({ id }: Pick<JobRecord, 'id'>): Promise<void> {
    this.#changed.add(id);
    await this.#notes.note([id]);
  }

  /** Called after a job: its targets and its lines in the lock may differ now. */
  settled({ id }: Pick<JobRecord, 'id'>): void {
    this.#changed.add(id);
  }

  /** Called when sources were added, edited or moved: the lines of moved ones must move too. */
  sourcesChanged(): void {
    this.#haveSourcesChanged = true;
  }

  /** Reads the jobs that a killed process left. */
  async begin(): Promise<void> {
    if (!this.#hasRead) await this.readLeft();
  }

  /** Reads them again: until now, another daemon led the tree. */
  async readLeft(): Promise<void> {
    this.#left = await this.#notes.left();
    for (const id of this.#left) this.#changed.add(id);
    this.#hasLeftVersions = this.#notes.isOurs && writableInLock(this.#options).length > 0;
    this.#hasRead = true;
  }

  /**
   * Writes the lines of the jobs that changed.
   * @param orphans `drop` when everything was looked at: removes the lines of texts that are gone
   * @returns absolute paths of the files that were written or removed
   */
  write(orphans: 'keep' | 'drop'): Promise<readonly string[]> {
    this.#writing = this.#writing.catch(() => []).then(() => this.#writeNoted(orphans));
    return this.#writing;
  }

  /** Undefined when the lock lacks nothing, or only what this process is about to write. */
  get arrears(): LockArrears | undefined {
    const { ledger, files, inForce } = this.#options;
    const jobs = this.#left.flatMap((id) => ledger.get('jobs', id) ?? []);
    if (this.#failure !== undefined) return { jobs: jobs.length, failure: this.#failure };
    const hasRest = this.#left.includes(REST) || this.#hasLeftVersions;
    if (jobs.length === 0 && !hasRest) return undefined;
    const names = jobs.length > 0 ? jobs : lockNames(inForce.config.projects);
    const failure = files.whyUnwritable(names);
    return { jobs: jobs.length, ...(failure === undefined ? {} : { failure }) };
  }

  /** Why the lock could not take what a run would write into it, see there. */
  async whyLockStays(
    run: ForeseenRun,
    estimate: LaneWorker['estimate'],
  ): Promise<Failure | undefined> {
    return await whyLockStays({ ...this.#options, estimate }, run);
  }

  /** Finished jobs whose lines the lock on the disk lacks; see `lock-foresight.ts`. */
  async jobsPutBack(isPlanned: (job: JobRecord) => boolean): Promise<JobRecord[]> {
    return await jobsPutBack(this.#options, isPlanned);
  }

  /** Whether the lock on the disk says nothing about texts that are up to date; see `lock-foresight.ts`. */
  async isUnsaid(estimate: Estimate): Promise<boolean> {
    return await isUnsaid(this.#options, estimate);
  }

  /** True when there is something to write. */
  get isBehind(): boolean {
    if (this.#changed.size > 0 || this.#haveSourcesChanged) return true;
    return lackingInLock(this.#options.terminology).length > 0;
  }

  /** Writes the lines of all jobs that this machine knows. */
  async writeAll(orphans: 'keep' | 'drop'): Promise<readonly string[]> {
    for (const { id, wrote } of this.#options.ledger.all('jobs')) {
      if (wrote.length > 0) this.#changed.add(id);
    }
    const healed = orphans === 'drop' ? [] : await healLock(this.#options);
    return [...new Set([...healed, ...(await this.write(orphans))])];
  }

  /**
   * Writes what a person said about pairs of texts, after their targets are written. It does not wait for `write`.
   * @param path of the source, relative to the project's root
   */
  async amend(name: LockName, path: string, amendment: LockAmendment): Promise<void> {
    const { files } = this.#options;
    using _ = this.#amending(sectionKey(name, path));
    const rewritten = await files.change(name, (lock) =>
      stepsInTurns(amended(lock?.sections ?? new Map(), path, amendment), turnsOf(TURN_MS)),
    );
    if (rewritten !== undefined) await recordAmended(this.#options, name, rewritten);
  }

  #amending(key: string): Disposable {
    const { count, open } = this.#amendmentsOf(key);
    this.#amendments.set(key, { count: count + 1, open: open + 1 });
    return {
      [Symbol.dispose]: () => {
        const { count, open } = this.#amendmentsOf(key);
        this.#amendments.set(key, { count, open: open - 1 });
      },
    };
  }

  #amendmentsOf(key: string): Amendments {
    return this.#amendments.get(key) ?? { count: 0, open: 0 };
  }

  async #writeNoted(orphans: 'keep' | 'drop'): Promise<readonly string[]> {
    try {
      const written = await this.#write(orphans);
      this.#left = [];
      this.#hasLeftVersions = false;
      this.#failure = undefined;
      return written;
    } catch (error) {
      this.#failure = failureOf(error);
      const ids = orphans === 'drop' ? [...this.#changed, REST] : this.#changed;
      // The next start must know of it. That it could not be noted either is less important than the error itself.
      await this.#notes.note(ids).catch(() => {});
      throw error;
    }
  }

  async #write(orphans: 'keep' | 'drop'): Promise<readonly string[]> {
    await this.begin();
    let sources: ReturnType<typeof sourcesByProject> | undefined;
    if (orphans === 'drop') {
      this.#haveSourcesChanged = false;
      sources = sourcesByProject(this.#options);
      for (const { id } of await jobsMissed(this.#options, sources)) this.#changed.add(id);
    }
    const written = new Set<string>();
    // Jobs that change from now on are for the next writing.
    const noted = this.#notes.others();
    const ids = new Set([...this.#changed, ...noted.map(({ id }) => id)]);
    this.#changed.clear();
    try {
      for (const path of await this.#writeJobs(ids, orphans)) written.add(path);
    } catch (error) {
      for (const id of ids) this.#changed.add(id);
      throw error;
    }
    if (sources !== undefined) {
      for (const path of await tidyLock(this.#options, sources)) written.add(path);
    }
    const { terminology } = this.#options;
    const lacking = orphans === 'drop' ? lackingInLock(terminology) : writableInLock(this.#options);
    for (const path of await writeTerminology(this.#options, lacking)) written.add(path);
    const isAll = this.#changed.size === 0;
    const all = orphans === 'drop' ? 'all' : 'all but the rest';
    const sure = noted.filter(({ id }) => !this.#changed.has(id));
    await this.#notes.forget(sure, isAll ? all : 'some');
    return [...written];
  }

  async #writeJobs(ids: Iterable<JobId>, orphans: 'keep' | 'drop'): Promise<string[]> {
    const { ledger } = this.#options;
    const jobs = [...ids].flatMap((id) => ledger.get('jobs', id) ?? []);
    const groups = Map.groupBy(jobs, ({ project, language }) => `${project}\n${language}`);
    const written: string[] = [];
    for (const group of groups.values()) {
      written.push(...(await this.#writeLanguage(group, orphans)));
    }
    return written;
  }

  /** @returns the path of a file that was written */
  async #writeLanguage(jobs: readonly JobRecord[], orphans: 'keep' | 'drop'): Promise<string[]> {
    const [first] = jobs;
    if (first === undefined) return [];
    const name: LockName = { project: first.project, language: first.language };
    const { files } = this.#options;
    const read: ReadJob[] = [];
    // This takes long: `amend` need not wait for it.
    for (const job of jobs) {
      const { count, open } = this.#amendmentsOf(sectionKey(name, job.source));
      const before = open > 0 ? undefined : count;
      const section = await sectionOf(this.#options, job);
      if (section !== undefined) read.push({ job, section, before });
    }
    if (read.length === 0) return [];
    const sections = read.map(({ section }) => section);
    const lock = await files.lock(name);
    const isKept =
      orphans === 'drop' && lock !== undefined
        ? await keptUnits(this.#options, { name, sections, known: lock.sections })
        : () => true;
    const rewritten = await files.change(name, (lock) => {
      const sections = this.#stillTrue(read);
      const known = lock?.sections ?? new Map();
      if (sections.length === 0) return undefined;
      return stepsInTurns(withSections({ known, sections, isKept }), turnsOf(TURN_MS));
    });
    return rewritten === undefined ? [] : [files.pathOf(name)];
  }

  /** Sections about which no person has said anything since they were read: an older section must not replace what a person said. */
  #stillTrue(read: readonly ReadJob[]): Section[] {
    return read.flatMap(({ job, section, before }) => {
      if (this.#amendmentsOf(sectionKey(job, job.source)).count === before) return [section];
      this.#changed.add(job.id);
      return [];
    });
  }
}

/** How often a person said something about the texts of a source, and how many of that is not in the lock yet. */
interface Amendments {
  readonly count: number;
  readonly open: number;
}

/** The statements of a job about its texts. */
interface ReadJob {
  readonly job: JobRecord;
  readonly section: Section;
  /** The amendments of the source before the section was read; undefined: one was under way, and the section may lack it. */
  readonly before: number | undefined;
}

function sectionKey({ project, language }: LockName, path: string): string {
  return [project, language, path].join('\n');
}
