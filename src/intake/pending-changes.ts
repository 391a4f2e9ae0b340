/**
 * Changes on the disk that are not in the ledger: targets that people changed, files that are not translated, sources that
 * moved or are gone.
 */
import { join } from 'node:path';
import type { Events } from '../event.ts';
import type { Hash, SourceId } from '../job.ts';
import type { SourceRecord } from '../ledger.ts';
import type { TargetState } from '../plan/plan.ts';
import type { EditedHow } from '../state/edit-log.ts';
import type { LeavingSource } from './leaving.ts';
import type { ProjectContext } from './project-context.ts';

/** How a target differs from what dragoman left. */
export type Deviation = Exclude<TargetState, 'as-left'>;

/** Sources that vanished together, and that a person must confirm. */
export interface MassDeletion {
  readonly project: string;
  readonly gone: readonly SourceRecord[];
  /** Number of all sources of the project. */
  readonly of: number;
}

/** Why a file is not translated. */
export interface SkipReason {
  readonly reason: string;
  /**
   * `unreadable`: it could not be read for its hash. `contested`: two routes match it. `no-file`: a link or the like. `no-lane`: no
   * lane translates it. `not-followed`: the source moved or is gone, and a target could not follow it. `watched`: the watch found the
   * file incomplete or unreadable. `meant`: the config leaves the file out, or the file is not a source.
   */
  readonly why:
    | 'unreadable'
    | 'contested'
    | 'no-file'
    | 'no-lane'
    | 'not-followed'
    | 'watched'
    | 'meant';
}

export interface SkippedFile extends SkipReason {
  readonly project: string;
  /** Relative to the project's root. */
  readonly path: string;
}

/** A move to another file system is a copy and a removal: the longest time between both, in milliseconds. */
const MOMENT_MS = 60_000;

/** A target that a person saved into, or a file with all languages. */
export interface SavedFile {
  readonly project: string;
  /** Relative to the project's root. */
  readonly path: string;
  /** Hash of the file after the save. */
  readonly hash: Hash;
  readonly how: EditedHow;
}

/** The saves into one file to remember. The watch may have read the file before the last of them. */
const MOST_SAVES = 10;

export class PendingChanges {
  readonly #events: Events;
  readonly #deviations = new Map<string, Deviation>();
  readonly #skipped = new Map<string, SkippedFile>();
  readonly #leaving = new Map<SourceId, LeavingSource>();
  readonly #deletions = new Map<string, MassDeletion>();
  /** By target, the last saves: how they were made, by the hash of the file. */
  readonly #saves = new Map<string, Map<Hash, EditedHow>>();
  readonly #copies = new Map<string, { readonly to: string; readonly at: number }>();

  constructor(events: Events) {
    this.#events = events;
  }

  /** @param hash of the file at the path; null: there is none */
  deviates({ project }: ProjectContext, path: string, hash: Hash | null): void {
    const deviation = hash === null ? 'missing' : 'edited';
    this.#deviations.set(targetKey(project.name, path), deviation);
    if (hash === null) return;
    const saved = this.savedHow(project.name, path, hash);
    const event = { kind: 'target-edited', project: project.name, path } as const;
    this.#events.emit({ ...event, ...(saved && { saved }) });
  }

  /** A person saves texts into a file: called before the file is written. */
  saves({ project, path, hash, how }: SavedFile): void {
    const key = targetKey(project, path);
    const saves = this.#saves.get(key) ?? new Map<Hash, EditedHow>();
    saves.delete(hash);
    saves.set(hash, how);
    const [oldest] = saves.keys();
    if (saves.size > MOST_SAVES && oldest !== undefined) saves.delete(oldest);
    this.#saves.set(key, saves);
  }

  /** How a person saved the file with this content; undefined: nobody did. */
  savedHow(project: string, path: string, hash: Hash): EditedHow | undefined {
    return this.#saves.get(targetKey(project, path))?.get(hash);
  }

  deviation(project: string, path: string): Deviation | undefined {
    return this.#deviations.get(targetKey(project, path));
  }

  forgetDeviation(project: string, path: string): void {
    this.#deviations.delete(targetKey(project, path));
  }

  /** Notes a file that is not translated. The event is emitted once for each reason. */
  skip({ project }: ProjectContext, path: string, { reason, why }: SkipReason): void {
    const file = join(project.root, path);
    const known = this.#skipped.get(file);
    this.#skipped.set(file, { project: project.name, path, reason, why });
    if (known?.reason === reason) return;
    this.#events.emit({ kind: 'source-skipped', path: file, reason, isReported: why !== 'meant' });
  }

  forgetSkip({ project }: ProjectContext, path: string): void {
    this.#skipped.delete(join(project.root, path));
  }

  /** Absolute paths with reasons. */
  skipped(): { path: string; reason: string }[] {
    return [...this.#skipped].map(([path, { reason }]) => ({ path, reason }));
  }

  skippedFor(why: SkipReason['why']): SkippedFile[] {
    return [...this.#skipped.values()].filter((file) => file.why === why);
  }

  leaves(before: SourceRecord, after?: SourceRecord): void {
    // In a dry run a moved source stays on record, so it is also reported as gone.
    if (after === undefined && this.#leaving.has(before.id)) return;
    this.#leaving.set(before.id, { before, after });
  }

  isLeaving({ id }: SourceRecord): boolean {
    return this.#leaving.has(id);
  }

  movedTo({ id }: SourceRecord): string | undefined {
    return this.#leaving.get(id)?.after?.path;
  }

  leaving(): LeavingSource[] {
    return [...this.#leaving.values()];
  }

  /** A new source has the content of another one. */
  copied({ project, clock }: ProjectContext, { from, to }: { from: string; to: string }): void {
    const now = clock.now();
    for (const [key, { at }] of this.#copies) {
      if (isRecent(at, now)) break;
      this.#copies.delete(key);
    }
    this.#copies.set(targetKey(project.name, from), { to, at: now });
  }

  /** The path to which a source was copied a short time ago. */
  copyOf({ project, clock }: ProjectContext, path: string): string | undefined {
    const copy = this.#copies.get(targetKey(project.name, path));
    return copy && isRecent(copy.at, clock.now()) ? copy.to : undefined;
  }

  vanished({ project }: ProjectContext, { gone, of }: Omit<MassDeletion, 'project'>): void {
    const { name } = project;
    const all = [...(this.#deletions.get(name)?.gone ?? []), ...gone];
    const held = [...new Map(all.map((source) => [source.id, source])).values()];
    this.#deletions.set(name, { project: name, gone: held, of });
    this.#events.emit({ kind: 'mass-deletion', project: name, files: held.length, of });
  }

  /** The deletion of these files waits for no confirmation any more: they are back, or it is confirmed. */
  forgetDeletions({ project }: ProjectContext, files: Iterable<string>): void {
    const held = this.#deletions.get(project.name);
    if (held === undefined) return;
    const decided = new Set(files);
    const gone = held.gone.filter(({ path }) => !decided.has(path));
    if (gone.length > 0) this.#deletions.set(project.name, { ...held, gone });
    else this.#deletions.delete(project.name);
  }

  massDeletions(): MassDeletion[] {
    return [...this.#deletions.values()];
  }
}

function targetKey(project: string, path: string): string {
  return `${project}/${path}`;
}

/** A time that is still to come was noted before the clock was set back. */
function isRecent(at: number, now: number): boolean {
  return Math.abs(now - at) <= MOMENT_MS;
}
