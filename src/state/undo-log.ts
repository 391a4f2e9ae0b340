/**
 * The undo log: which files each run replaced, with copies of them. It survives the end of the process, but perhaps not a power
 * cut.
 */

import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BaselineKey, Baselines } from '../baseline.ts';
import type { Clock } from '../clock.ts';
import { errorCode, namesIn, writeFailure } from '../files/disk.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { readText } from '../files/read-file.ts';
import { replaceFile } from '../files/replace.ts';
import type { Hash, Step } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import { inReplacementOrder, type Replacing, type TextsBefore, type UndoCopy } from './undo.ts';
import { addUndoLine, type ReplacedTarget, readUndoLines, type UndoEntry } from './undo-lines.ts';

export interface UndoLogOptions {
  /** `<state>/undo`, made for the first run that replaces a file. */
  readonly folder: string;
  /**
   * Set when several daemons of a tree write to the folder. The leader decides when a run begins, and each daemon has a log of its
   * own in the folder of the run.
   */
  readonly shared?: { /** Whether another daemon leads. */ isLed(): boolean };
  readonly clock: Clock;
  readonly baselines: Pick<Baselines, 'copyOf'>;
}

/** The new content of a target. */
export type TargetReplacement = Pick<
  Extract<Step, { kind: 'publishing' }>,
  'path' | 'hash' | 'expectedOld'
>;

/** What the log keeps of a job. `wrote` may be empty: a person may change a target before any job has inspected it. */
type PublishingJob = Pick<
  JobRecord,
  'id' | 'project' | 'source' | 'language' | 'wrote' | 'delivered'
>;

/** A target that is about to be put in place. */
export interface Publishing {
  readonly job: PublishingJob;
  /** Absolute root of the project. */
  readonly root: string;
  readonly step: TargetReplacement;
  /** Absent: the job itself writes it. */
  readonly by?: Replacing['by'];
  /** The statements of the lock about the texts that a person changes or confirms. */
  readonly before?: TextsBefore['before'];
}

/** A run that is undone as a whole. `folder`: made for its first file. */
export interface UndoRun {
  folder?: Promise<string>;
  /** Its number in this process: runs are undone from the last one on. */
  nth?: number;
}

/** The saves of a person, one after the other, until a longer pause. They are one run. */
interface Sitting {
  readonly run: UndoRun;
  at: number;
  /** By file: the hash of the content that the person wrote last, and the copy from before the first save. */
  readonly files: Map<string, { readonly wrote: Hash; readonly old: UndoCopy }>;
}

/** Milliseconds without a save after which the next save begins a new run. */
const SITTING_MS = 10 * 60_000;

/** When several daemons write, this file names the present run. */
const NOW = 'now';
/** `2026-10-19T08:15:30.000Z`. */
const RUN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export class UndoLog {
  readonly #options: UndoLogOptions;
  /** The present run of jobs. */
  #current: UndoRun = {};
  /** By person. */
  readonly #sittings = new Map<string, Sitting>();
  #runs = 0;
  /** By file: the number of the last run that replaced it. */
  readonly #lastOf = new Map<string, number>();
  #copies = 0;
  /** Part of the names of this process's files when others write to the folder, too. */
  readonly #tag: string;

  constructor(options: UndoLogOptions) {
    this.#options = options;
    this.#tag = options.shared ? `.${randomUUID().slice(0, 8)}` : '';
  }

  /** Ends the present run: later replacements belong to a new one. @param comes `work`: jobs follow, so the leader names the new run at once */
  async nextRun(comes: 'work' | 'nothing' = 'work'): Promise<void> {
    this.#current = {};
    const isLeader = this.#options.shared?.isLed() === false;
    if (isLeader && comes === 'work') await this.#nameRun(this.#current);
  }

  /**
   * Called before a target is put in place.
   * @param run absent: the present run
   * @throws JobFailure `unwritable`, `disk-full`: then the target must not be replaced, because that could not be undone
   */
  async record(publishing: Publishing, run = this.#current): Promise<void> {
    await this.#record(publishing, run);
  }

  /**
   * Like `record`, for the saves of a person. Saves without a long pause between them are one run, and only the first save of each file
   * makes a copy.
   */
  async recordSave(publishing: Publishing, person: string): Promise<void> {
    const { job, step } = publishing;
    const now = this.#options.clock.now();
    const file = `${job.project}\n${step.path}`;
    const known = this.#sittings.get(person);
    const before = known?.files.get(file);
    // When somebody else wrote the file between two saves, or before its first save, this save begins a new run. Otherwise that other
    // run would be the last one, and could not be undone because its file has changed.
    const goesOn =
      known !== undefined &&
      now - known.at <= SITTING_MS &&
      (this.#lastOf.get(file) ?? 0) <= (known.run.nth ?? 0) &&
      (before === undefined || before.wrote === step.expectedOld);
    const sitting: Sitting = goesOn ? known : { run: {}, at: now, files: new Map() };
    sitting.at = now;
    this.#sittings.set(person, sitting);
    const kept = await this.#record(publishing, sitting.run, goesOn ? before?.old : undefined);
    if (kept !== undefined) sitting.files.set(file, { wrote: step.hash, old: kept });
  }

  /** @param copied an earlier copy of the same file: then no second one is made @returns the copy */
  async #record(
    { job, root, step, by, before = [] }: Publishing,
    run: UndoRun,
    copied?: UndoCopy,
  ): Promise<UndoCopy | undefined> {
    const { path, hash: wrote, expectedOld } = step;
    if (before.length === 0 && wrote === expectedOld) return undefined;
    const folder = await this.#folderOf(run);
    const file = `${job.project}\n${path}`;
    this.#lastOf.set(file, Math.max(run.nth ?? 0, this.#lastOf.get(file) ?? 0));
    if (before.length > 0) {
      const { project, source, language } = job;
      const spoke = { project, path, source, language, job: job.id, before };
      await this.#add(folder, { spoke });
    }
    if (wrote === expectedOld) return undefined;
    const { id, project, wrote: left, delivered } = job;
    const old =
      expectedOld === null
        ? null
        : copied === undefined
          ? await this.#keep({ job, root, step }, folder)
          : { ...copied, hash: expectedOld };
    const replacing: Replacing = {
      ...{ job: id, project, path, wrote, old, before: { wrote: left, delivered } },
      ...(by === undefined ? {} : { by }),
    };
    await this.#add(folder, replacing);
    return old ?? undefined;
  }

  /** The runs that can be undone, oldest first. Their names are the times of their first writing (ISO 8601, UTC). */
  async runs(): Promise<string[]> {
    const names = await namesIn(this.#options.folder);
    return names.flatMap((name) => RUN.exec(name)?.[0] ?? []).sort();
  }

  /** The replacements of a run, in order. */
  async replacings(run: string): Promise<Replacing[]> {
    const lines = await readUndoLines(join(this.#options.folder, run));
    return inReplacementOrder(
      lines.flatMap(({ line, log }) => ('spoke' in line ? [] : [{ replacing: line, log }])),
    );
  }

  /** The texts that people changed or confirmed in a run, in order. */
  async spoken(run: string): Promise<TextsBefore[]> {
    const lines = await readUndoLines(join(this.#options.folder, run));
    return lines.flatMap(({ line }) => ('spoke' in line ? [line.spoke] : []));
  }

  async #add(folder: string, line: UndoEntry): Promise<void> {
    const { shared, clock } = this.#options;
    const by = shared === undefined ? {} : { tag: this.#tag, at: clock.now() };
    await addUndoLine(folder, line, by);
  }

  /** When several daemons write: the name of the present run; undefined: none has begun. */
  async #named(): Promise<string | undefined> {
    const name = await readText(join(this.#options.folder, NOW)).catch(() => '');
    return RUN.test(name) ? name : undefined;
  }

  /** Notes that a file of the run is as it was before. @throws JobFailure `unwritable`, `disk-full` */
  async tookBack(run: string, { project, path }: ReplacedTarget): Promise<void> {
    await this.#endSittings(run);
    await this.#add(join(this.#options.folder, run), { tookBack: { project, path } });
  }

  /** Absolute path of a copy. */
  pathOf(run: string, name: string): string {
    return join(this.#options.folder, run, name);
  }

  async forget(run: string): Promise<void> {
    if (await this.#isCurrent(run)) await this.nextRun();
    await this.#endSittings(run);
    await rm(join(this.#options.folder, run), { recursive: true, force: true });
  }

  /** Removes runs that began longer than `keepMs` ago. */
  async expire(keepMs: number): Promise<void> {
    const oldest = this.#options.clock.now() - keepMs;
    for (const run of await this.runs()) {
      if (Date.parse(run) < oldest && !(await this.#isCurrent(run))) await this.forget(run);
    }
  }

  async #endSittings(run: string): Promise<void> {
    for (const [person, sitting] of this.#sittings) {
      const folder = await sitting.run.folder?.catch(() => undefined);
      if (folder === join(this.#options.folder, run)) this.#sittings.delete(person);
    }
  }

  async #isCurrent(run: string): Promise<boolean> {
    return (await this.#current.folder) === join(this.#options.folder, run);
  }

  async #keep({ job, root, step }: Publishing, folder: string): Promise<UndoCopy> {
    const name = `${++this.#copies}${this.#tag}`;
    const [file, base] = [`${name}.old`, `${name}.base`];
    const hash = step.expectedOld as UndoCopy['hash'];
    const from = join(root, step.path);
    try {
      await copyFile(from, join(folder, file), constants.COPYFILE_FICLONE);
    } catch (error) {
      throw writeFailure(from, error);
    }
    const copy = await this.#options.baselines.copyOf(baselineKeyOf(job));
    if (copy === undefined) return { hash, file };
    await writeFile(join(folder, base), copy, { mode: 0o600 }).catch((error: unknown) => {
      throw writeFailure(join(folder, base), error);
    });
    return { hash, file, base };
  }

  async #folderOf(run: UndoRun): Promise<string> {
    const { shared } = this.#options;
    const isOfAll = shared !== undefined && run === this.#current;
    if (isOfAll) return await this.#folderOfAll(run, shared.isLed());
    if (run.folder === undefined) {
      run.nth = ++this.#runs;
      run.folder = this.#begin(run);
    }
    return await run.folder;
  }

  /** The folder of the run that the leader has begun, or of a run of this process. It is created again if an undo of the whole run removed it. */
  async #folderOfAll(run: UndoRun, isLed: boolean): Promise<string> {
    run.nth ??= ++this.#runs;
    const named = isLed ? await this.#named() : undefined;
    if (named === undefined && run.folder === undefined) await this.#nameRun(run);
    const folder = named === undefined ? await run.folder : join(this.#options.folder, named);
    await makeFolder(folder ?? '', PRIVATE).catch((error: unknown) => {
      throw writeFailure(this.#options.folder, error);
    });
    return folder ?? '';
  }

  /** Chooses a name for a run. Its folder is created when the first file is replaced. */
  async #nameRun(run: UndoRun): Promise<void> {
    const { folder, clock } = this.#options;
    let at = clock.now();
    while (existsSync(join(folder, new Date(at).toISOString()))) at += 1;
    const name = new Date(at).toISOString();
    run.folder = Promise.resolve(join(folder, name));
    try {
      await makeFolder(folder, PRIVATE);
      const path = join(folder, NOW);
      await replaceFile({ path, root: folder, tempIn: folder, content: name, mode: 0o600 });
    } catch (error) {
      throw writeFailure(folder, error);
    }
  }

  async #begin(run: UndoRun): Promise<string> {
    const { folder, clock } = this.#options;
    try {
      await makeFolder(folder, PRIVATE);
      for (let at = clock.now(); ; at++) {
        const run = join(folder, new Date(at).toISOString());
        if (await makeNew(run)) return run;
      }
    } catch (error) {
      delete run.folder;
      throw writeFailure(folder, error);
    }
  }
}

/** @returns false when the folder exists already */
async function makeNew(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: PRIVATE });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The key of the baseline of a job. */
export function baselineKeyOf({
  project,
  language,
  source,
}: Pick<JobRecord, 'project' | 'language' | 'source'>): BaselineKey {
  return { project, language, path: source };
}
