/**
 * The suspects of one root. Looks at each until it has stopped changing, waits while it is incomplete, and then reports it or refuses it
 * with a reason.
 */

import type { FoundFile, Interest, Skipped } from '../files/listing.ts';
import {
  absolutePath,
  type PathOnDisk,
  realFolders,
  type ScannedTree,
} from '../files/scan-folder.ts';
import type { WatchEvent } from './event.ts';
import type { Pass } from './folders.ts';
import type { KnownFiles } from './known.ts';
import { lackOf, lookAt, lookThroughLinks, mayLackEnd, statOfFile } from './look.ts';
import { Refusals } from './refusals.ts';
import type { Look, Suspect } from './settle.ts';
import { Suspects } from './suspects.ts';
import { type LackingFile, UnfinishedFiles } from './unfinished.ts';

export interface SettlingOptions {
  readonly project: string;
  readonly interest: Interest;
  /** Whether dragoman wrote the file, and it is no source. */
  readonly isTarget: (path: string) => boolean;
  readonly known: KnownFiles;
  readonly onEvent: (event: WatchEvent) => void;
  /** Milliseconds that a file must stay unchanged. */
  readonly settleOf: (file: SettlingFile) => number;
  /** Milliseconds after which an unchanged file is reported without its end, in formats that may leave it out. */
  readonly endPatience: number;
}

export interface SettlingFile {
  readonly project: string;
  readonly path: string;
  /** Bytes; 0 when there is no file. */
  readonly size: number;
}

export interface SettledFiles {
  /** Files that have stopped changing, are complete and are not as they were known. */
  readonly files: FoundFile[];
  /** How many of them are new. */
  readonly arrivals: number;
}

interface Looking {
  readonly tree: ScannedTree;
  readonly isReal: (at: PathOnDisk) => boolean;
  readonly now: number;
}

const ABSENT = { kind: 'absent' } as const;

export class Settling {
  readonly suspects = new Suspects();
  readonly #options: SettlingOptions;
  readonly #unfinished = new UnfinishedFiles();
  readonly #refusals = new Refusals();

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  /** Replaces the refused paths of a folder's listing, and reports the new ones. */
  refuse(folder: string, skipped: readonly Skipped[]): void {
    for (const each of this.#refusals.list(folder, skipped)) this.#report('skipped', each);
  }

  /** Looks at the suspects that are due. */
  async examine(tree: ScannedTree, { turns, clock }: Pass): Promise<SettledFiles> {
    const files: FoundFile[] = [];
    let arrivals = 0;
    const isReal = realFolders(tree);
    for (const suspect of this.suspects.due(clock.now())) {
      if (turns.over()) await turns.next();
      const isNew = this.#options.known.get(suspect.path) === undefined;
      const file = this.#lookAt(suspect, { tree, isReal, now: clock.now() });
      if (file === undefined) continue;
      files.push(file);
      if (isNew) arrivals += 1;
    }
    return { files, arrivals };
  }

  /**
   * Makes incomplete files suspects when they changed (a file that grows does not change the time of its folder) or have waited
   * long enough.
   */
  lookAtUnfinished(tree: ScannedTree, now: number): void {
    this.#unfinished.noticeTime(now);
    for (const { at, stat, since } of this.#unfinished.all()) {
      const hasWaited = now - since >= this.#options.endPatience && mayLackEnd(at.path);
      if (hasWaited || statOfFile(absolutePath(tree, at)) !== stat) {
        this.suspects.add(at, now);
      }
    }
    for (const late of this.#unfinished.overdue(now)) this.#report('incomplete', late);
  }

  /** Files and folders that this process may not read now, or whose names are not supported. */
  unreadable(): Skipped[] {
    return [...this.#refusals.all()].filter(
      ({ isUnreadable, advice }) => isUnreadable === true || advice !== undefined,
    );
  }

  unfinished(): LackingFile[] {
    return this.#unfinished.list();
  }

  #lookAt(suspect: Suspect, { tree, isReal, now }: Looking): FoundFile | undefined {
    const { known, project, settleOf } = this.#options;
    const { path, raw } = suspect;
    const absolute = absolutePath(tree, suspect);
    const look = this.#lookOf(path, { absolute, isReal: isReal(suspect) });
    if (look === undefined) {
      this.suspects.clear(path);
      return undefined;
    }
    const size = look.kind === 'file' ? look.size : 0;
    const settle = settleOf({ project, path, size });
    const verdict = this.suspects.judge(suspect, look, { now, settle, stat: known.get(path) });
    switch (verdict.kind) {
      case 'unsettled':
        return undefined;
      case 'gone':
        this.#accept(path);
        return undefined;
      case 'unchanged':
        this.#accept(path);
        return undefined;
      case 'refused':
        this.#refuseFile({ path, ...verdict });
        return undefined;
      case 'still':
        return this.#finish(
          { path, raw, stat: verdict.look.stat, size },
          { absolute, now, still: this.#stillFor(path, verdict.look, now) },
        );
    }
  }

  /** @returns undefined when the path is of no interest, or the listing of its folder says why it is refused */
  #lookOf(path: string, { absolute, isReal }: { absolute: string; isReal: boolean }) {
    const { interest, isTarget, known } = this.#options;
    const isKnown = known.get(path) !== undefined;
    if (!isKnown && !interest.wants(path)) return undefined;
    const refused = this.#refusals.listed(path);
    if (refused === undefined && isReal) return lookAt(absolute);
    // A target is written through links. A folder, a pipe or a broken link in its place is no translation.
    if (isKnown && isTarget(path) && refused?.advice === undefined)
      return lookThroughLinks(absolute);
    // A source behind a link to a folder is in no listing. An event may name it, and a scan would say that it is gone.
    return refused === undefined ? ABSENT : undefined;
  }

  /**
   * Milliseconds for which a file has not changed. A time of the disk that is still to come is of another clock, or of this one before it
   * was set back. Then the file counts as still since it was first seen with that time.
   */
  #stillFor(path: string, { stat, changed }: Extract<Look, { kind: 'file' }>, now: number): number {
    return changed <= now ? now - changed : now - (this.#unfinished.since(path, stat) ?? now);
  }

  /** @returns the file when it is complete */
  #finish(
    file: FoundFile,
    { absolute, now, still }: { absolute: string; now: number; still: number },
  ): FoundFile | undefined {
    const { path, raw, stat, size } = file;
    const mayLack = still >= this.#options.endPatience && mayLackEnd(path) && size > 0;
    // A target that lost its end is not as dragoman left it. Only a source may be on its way.
    const isWhole = mayLack || this.#options.isTarget(path);
    const reason = isWhole ? undefined : lackOf(absolute, size);
    if (reason !== undefined) {
      this.#unfinished.put({ at: { path, raw }, stat, reason, size, since: now });
      return undefined;
    }
    this.#accept(path);
    this.#options.known.set(path, stat);
    return file;
  }

  #refuseFile({ path, reason, isUnreadable }: Skipped): void {
    const skipped = isUnreadable === undefined ? { path, reason } : { path, reason, isUnreadable };
    if (this.#refusals.add(skipped)) this.#report('skipped', skipped);
  }

  #accept(path: string): void {
    this.#refusals.clear(path);
    this.#unfinished.delete(path);
  }

  #report(kind: 'skipped' | 'incomplete', skipped: Skipped): void {
    this.#options.onEvent({ kind, project: this.#options.project, ...skipped });
  }
}
