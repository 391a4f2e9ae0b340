/** One watched root: hints and passes find suspects, and files that have stopped changing are reported in batches. */
import { type Clock, OnwardTime } from '../clock.ts';
import { isIgnored } from '../files/ignore.ts';
import {
  type FoundFile,
  fileNameOf,
  folderOf,
  type Interest,
  isWithin,
  type Skipped,
} from '../files/listing.ts';
import {
  absolutePath,
  isAscii,
  type PathOnDisk,
  readFolder,
  type ScannedTree,
} from '../files/scan-folder.ts';
import { removeStaleTemporary } from '../files/temporary.ts';
import { Connection } from './connection.ts';
import { Folders, type Pass, type PassFindings } from './folders.ts';
import { KnownFiles } from './known.ts';
import { lookAt } from './look.ts';
import { LONG_AGO } from './settle.ts';
import { Settling, type SettlingOptions } from './settling.ts';
import type { LackingFile } from './unfinished.ts';

/** A folder to watch. */
export interface WatchedRoot extends Interest {
  /** The project with this root; it is in the events. */
  readonly project: string;
  /** Absolute path. */
  readonly path: string;
  /**
   * Files on record. They are reported only when they differ from the record, and watched even when they are not wanted. The watch
   * keeps the map up to date.
   */
  readonly known?: KnownFiles;
  /** Whether dragoman wrote the file, and it is no source. */
  isTarget?(path: string): boolean;
}

/** The reach of a turn: the suspects only, also the time of every folder, or every file. */
export type Thoroughness = 'suspects' | 'folders' | 'files';

interface Online {
  readonly tree: ScannedTree;
  readonly folders: Folders;
  /** Temporary files of dragoman that were there when their folder was listed last, by path. */
  readonly temporary: Map<string, PathOnDisk>;
  /** True after the first full pass. */
  isListed: boolean;
}

/** While new files keep coming, the search for files that left may take one part in so many of the time. */
const DEPARTURES_SHARE = 10;

export class ObservedRoot {
  readonly #root: WatchedRoot;
  readonly #onEvent: SettlingOptions['onEvent'];
  readonly #known: KnownFiles;
  readonly #settling: Settling;
  readonly #connection: Connection;
  readonly #staleFolders = new Map<string, PathOnDisk>();
  readonly #findings: PassFindings = {
    suspect: (at) => this.#settling.suspects.add(at, this.#suspectedFrom),
    refuse: (folder, skipped) => this.#settling.refuse(folder, skipped),
  };
  #online: Online | undefined;
  /** From when a suspect of a pass must stay unchanged. The times on the disk are trusted at the first pass only. */
  #suspectedFrom = LONG_AGO;
  #nextDepartures = Number.NEGATIVE_INFINITY;
  #time: OnwardTime | undefined;

  constructor(
    root: WatchedRoot,
    options: Pick<SettlingOptions, 'onEvent' | 'settleOf' | 'endPatience'>,
  ) {
    this.#root = root;
    this.#onEvent = options.onEvent;
    this.#known = root.known ?? new KnownFiles();
    this.#connection = new Connection(root.path, () => this.#known.paths());
    const { project } = root;
    this.#settling = new Settling({
      ...{ ...options, project, interest: root, known: this.#known },
      isTarget: (file) => root.isTarget?.(file) ?? false,
    });
  }

  get project(): string {
    return this.#root.project;
  }

  /** The absolute path with links resolved; the given path while the root is offline. */
  get absolute(): string {
    return this.#online?.tree.absolute ?? this.#root.path;
  }

  /** True when this root needs no hints about this path. */
  isOutside(absolute: string, kind: 'file' | 'folder' | 'unknown'): boolean {
    const path = this.#relative(absolute)?.normalize('NFC');
    if (path === undefined) return true;
    if (path === '') return false;
    if (isIgnored(fileNameOf(path))) return true;
    if (kind === 'unknown') return false;
    return kind === 'folder' ? !this.#root.enters(path) : !this.#root.wants(path);
  }

  /** Something happened to a file or in a folder. The next turn looks at it; the call itself is very fast. */
  hint(absolute: string, what: 'file' | 'folder', now: number): void {
    const raw = this.#relative(absolute);
    if (raw === undefined) return;
    const place = { path: raw.normalize('NFC'), raw };
    if (what === 'folder') this.#staleFolders.set(place.path, place);
    else this.#suspect(place, now);
  }

  /**
   * Makes a pass of the given thoroughness, then looks at the suspects.
   * @returns milliseconds of work that the pass would take when nothing had changed
   */
  async turn(thoroughness: Thoroughness, pass: Pass): Promise<number> {
    const isIdle = this.#settling.suspects.isEmpty && this.#staleFolders.size === 0;
    if (thoroughness === 'suspects' && isIdle) return 0;
    this.#connect();
    const online = this.#online;
    if (!online) return 0;
    if (online.isListed) this.#suspectedFrom = pass.clock.now();
    const tookMs = await this.#findSuspects(online, online.isListed ? thoroughness : 'files', pass);
    const { files, arrivals } = await this.#settling.examine(online.tree, pass);
    if (arrivals > 0) files.push(...(await this.#lookForDepartures(online, pass)));
    const gone = this.#takeGone(online, pass.clock.now());
    if (files.length + gone.length > 0) this.#report(files, gone);
    return tookMs;
  }

  /** The number of known files. */
  get fileCount(): number {
    return this.#known.count;
  }

  /** @returns whether all paths that are suspects now are decided, or keep changing */
  settledFromNow(): (now: number) => boolean {
    const { suspects } = this.#settling;
    const { count } = suspects;
    return (now) => this.#staleFolders.size === 0 && suspects.isSettledUpTo(count, now);
  }

  /** Files that have changed for so long that nothing waits for them. */
  changing(now: number): string[] {
    return this.#settling.suspects.changing(now);
  }

  /** Files that have stopped changing and are incomplete, with what they lack. */
  unfinished(): LackingFile[] {
    return this.#settling.unfinished();
  }

  /** Paths that this process may not read now, or whose names are not supported. A folder is listed without the paths in it. */
  unreadable(): Skipped[] {
    const tree = this.#online?.tree;
    if (tree === undefined) return [];
    const refused = this.#settling
      .unreadable()
      .filter(({ path, advice }) => advice !== undefined || isUnreadable(tree, path));
    return refused.filter(
      ({ path }) => !refused.some((other) => other.path !== path && isWithin(path, other.path)),
    );
  }

  /** Why the root is not there; undefined while it is. */
  get offline(): string | undefined {
    return this.#connection.offline;
  }

  #report(files: readonly FoundFile[], gone: readonly string[]): void {
    const { missing } = this.#settling.suspects;
    this.#onEvent({ kind: 'settled', project: this.project, files, gone, missing });
  }

  #connect(): void {
    const { project } = this;
    const found = this.#connection.check();
    switch (found.kind) {
      case 'same':
      case 'still-offline':
        return;
      case 'offline':
        this.#online = undefined;
        this.#settling.suspects.clearAll();
        this.#staleFolders.clear();
        this.#onEvent({ kind: 'offline', project, reason: found.reason });
        return;
      case 'online': {
        this.#online = this.#open(found.absolute);
        if (found.isBack) this.#onEvent({ kind: 'online', project });
      }
    }
  }

  #open(absolute: string): Online {
    const temporary = new Map<string, PathOnDisk>();
    const tree: ScannedTree = {
      absolute,
      interest: this.#root,
      isIgnored,
      onTemporary: (at) => void temporary.set(at.path, at),
    };
    const folders = new Folders(tree, this.#known, this.#findings);
    const online: Online = { tree, folders, temporary, isListed: false };
    return online;
  }

  async #findSuspects(online: Online, thoroughness: Thoroughness, pass: Pass): Promise<number> {
    const stale = [...this.#staleFolders.values()];
    this.#staleFolders.clear();
    switch (thoroughness) {
      case 'suspects':
        await online.folders.these(stale, pass);
        return 0;
      case 'folders':
        await online.folders.these(stale, pass);
        this.#settling.lookAtUnfinished(online.tree, pass.clock.now());
        return await this.#listChanged(online, pass);
      case 'files':
        return await this.#listAll(online, pass);
    }
  }

  async #listChanged(online: Online, pass: Pass): Promise<number> {
    const took = await online.folders.changed(pass);
    await removeLeftovers(online, pass.clock);
    return took;
  }

  async #listAll(online: Online, pass: Pass): Promise<number> {
    const { clock, turns } = pass;
    const started = clock.now();
    const before = turns.spent();
    const files = await online.folders.full(pass);
    await removeLeftovers(online, clock);
    online.isListed = true;
    const durationMs = clock.now() - started;
    this.#onEvent({ kind: 'scanned', project: this.project, files, durationMs });
    return turns.spent() - before;
  }

  /**
   * A new file may be a renamed one. Then its old path must be in the same batch, else it looks like a new file and a lost one. The hint
   * may be only about the new path. Or a pass may have listed the old folder before the rename, and the new one after it.
   */
  async #lookForDepartures({ tree, folders }: Online, pass: Pass): Promise<FoundFile[]> {
    this.#time ??= new OnwardTime(pass.clock);
    const started = this.#time.now();
    if (started < this.#nextDepartures) return [];
    await folders.changed(pass);
    const ended = this.#time.now();
    this.#nextDepartures = ended + (ended - started) * DEPARTURES_SHARE;
    return (await this.#settling.examine(tree, pass)).files;
  }

  #takeGone(online: Online, now: number): string[] {
    const gone = this.#settling.suspects.takeGone(now);
    if (gone.length === 0) return gone;
    // Files may be gone only while the root itself is there.
    this.#connect();
    if (this.#online !== online) return [];
    for (const path of gone) this.#known.delete(path);
    return gone;
  }

  #suspect(at: PathOnDisk, now: number): void {
    if (isAscii(at.path)) {
      this.#settling.suspects.add(at, now);
      return;
    }
    // There may be several spellings of the name in Unicode: only the listing of the folder shows which ones exist.
    const folder = parentOf(at);
    this.#staleFolders.set(folder.path, folder);
  }

  #relative(absolute: string): string | undefined {
    const root = this.absolute;
    if (absolute === root) return '';
    return isWithin(absolute, root) ? absolute.slice(root.length + 1) : undefined;
  }
}

/**
 * Removes temporary files that a killed run left beside the targets. Another daemon of a tree may be killed later, so the files of living
 * ones are looked at again in the next pass.
 */
async function removeLeftovers({ tree, temporary }: Online, clock: Clock): Promise<void> {
  for (const [path, at] of temporary) {
    if (await removeStaleTemporary(absolutePath(tree, at), clock)) temporary.delete(path);
  }
}

/** Looks again: nothing reports that a refused file is gone. */
function isUnreadable(tree: ScannedTree, path: string): boolean {
  const at = { path, raw: path };
  const look = lookAt(absolutePath(tree, at));
  if (look.kind === 'absent') return readFolder(tree, at).kind === 'unreadable';
  return look.kind === 'refused' && look.isUnreadable === true;
}

function parentOf({ path, raw }: PathOnDisk): PathOnDisk {
  return { path: folderOf(path), raw: folderOf(raw) };
}
