/** One root under observation: hints and passes name suspects, and what has settled goes out in batches. */
import type { Clock } from '../clock.ts';
import { isIgnored } from '../files/ignore.ts';
import { type FoundFile, type Interest, isWithin, nameOf, type Skipped } from '../files/listing.ts';
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

/** A folder whose changes are wanted. */
export interface WatchedRoot extends Interest {
  /** Whose root it is; events carry it. */
  readonly project: string;
  /** Absolute. */
  readonly path: string;
  /** Files as they are on record: told only if they differ, and watched whether they are wanted or not. The watch keeps it up to date. */
  readonly known?: KnownFiles;
}

/** How thoroughly a turn looks: at suspects only, at the time of every folder, or at every file. */
export type Thoroughness = 'suspects' | 'folders' | 'files';

interface Online {
  readonly tree: ScannedTree;
  readonly folders: Folders;
  /** Temporary files of ours that the first pass found. */
  readonly temporary: PathOnDisk[];
  /** Whether a full pass is behind us. */
  isListed: boolean;
}

/** While files keep coming, the search for files that left may take one part in so many of the time. */
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
  /** Since when a suspect that a pass finds is watched: times on disk are believed at the first pass only. */
  #suspectedFrom = LONG_AGO;
  #nextDepartures = 0;

  constructor(
    root: WatchedRoot,
    options: Pick<SettlingOptions, 'onEvent' | 'settleOf' | 'endPatience'>,
  ) {
    this.#root = root;
    this.#onEvent = options.onEvent;
    this.#known = root.known ?? new KnownFiles();
    this.#connection = new Connection(root.path, () => this.#known.paths());
    const { project } = root;
    this.#settling = new Settling({ ...options, project, interest: root, known: this.#known });
  }

  get project(): string {
    return this.#root.project;
  }

  /** Where it is on disk, links resolved; as it was given while it is offline. */
  get absolute(): string {
    return this.#online?.tree.absolute ?? this.#root.path;
  }

  /** Whether hints about what stands there are of no use to this root. */
  isOutside(absolute: string, kind: 'file' | 'folder' | 'unknown'): boolean {
    const path = this.#relative(absolute)?.normalize('NFC');
    if (path === undefined) return true;
    if (path === '') return false;
    if (isIgnored(nameOf(path))) return true;
    if (kind === 'unknown') return false;
    return kind === 'folder' ? !this.#root.enters(path) : !this.#root.wants(path);
  }

  /** Something happened to a file or in a folder. Costs next to nothing: the next turn looks. */
  hint(absolute: string, what: 'file' | 'folder', now: number): void {
    const raw = this.#relative(absolute);
    if (raw === undefined) return;
    const place = { path: raw.normalize('NFC'), raw };
    if (what === 'folder') this.#staleFolders.set(place.path, place);
    else this.#suspect(place, now);
  }

  /**
   * Looks at what is suspected, after a pass of the given thoroughness.
   * @returns milliseconds of work that the pass would take if nothing had changed
   */
  async turn(thoroughness: Thoroughness, pass: Pass): Promise<number> {
    const isIdle = this.#settling.suspects.isEmpty && this.#staleFolders.size === 0;
    if (thoroughness === 'suspects' && isIdle) return 0;
    this.#connect();
    const online = this.#online;
    if (!online) return 0;
    if (online.isListed) this.#suspectedFrom = pass.clock.now();
    const tookMs = await this.#findSuspects(online, online.isListed ? thoroughness : 'files', pass);
    const { files, arrivals } = await this.#settling.look(online.tree, pass);
    if (arrivals > 0) files.push(...(await this.#lookForDepartures(online, pass)));
    const gone = this.#takeGone(online, pass.clock.now());
    if (files.length + gone.length > 0) this.#tell(files, gone);
    return tookMs;
  }

  /** Whether nothing that was suspected by then is undecided. */
  isSettledSince(time: number): boolean {
    return this.#staleFolders.size === 0 && this.#settling.suspects.isSettledSince(time);
  }

  /** Files that do not change and are not finished, with what they lack. */
  unfinished(): LackingFile[] {
    return this.#settling.unfinished();
  }

  /** What the system refuses to us now, or has a name that cannot be taken; a folder stands for all that is in it. */
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

  #tell(files: readonly FoundFile[], gone: readonly string[]): void {
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
    const temporary: PathOnDisk[] = [];
    const tree: ScannedTree = {
      absolute,
      interest: this.#root,
      isIgnored,
      onTemporary: (at) => {
        if (!online.isListed) temporary.push(at);
      },
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
        return await online.folders.changed(pass);
      case 'files':
        return await this.#listAll(online, pass);
    }
  }

  async #listAll(online: Online, pass: Pass): Promise<number> {
    const { clock, turns } = pass;
    const started = clock.now();
    const before = turns.spent();
    const files = await online.folders.full(pass);
    if (!online.isListed) await removeLeftovers(online, clock);
    online.isListed = true;
    const durationMs = clock.now() - started;
    this.#onEvent({ kind: 'scanned', project: this.project, files, durationMs });
    return turns.spent() - before;
  }

  /**
   * A renamed file came and left: told apart, these would be a new file and a lost one. An event may tell only that it
   * came, and a pass may have listed one folder before the rename and the other one after it.
   */
  async #lookForDepartures({ tree, folders }: Online, pass: Pass): Promise<FoundFile[]> {
    const { clock } = pass;
    if (clock.now() < this.#nextDepartures) return [];
    const started = clock.now();
    await folders.changed(pass);
    this.#nextDepartures = clock.now() + (clock.now() - started) * DEPARTURES_SHARE;
    return (await this.#settling.look(tree, pass)).files;
  }

  #takeGone(online: Online, now: number): string[] {
    const gone = this.#settling.suspects.takeGone(now);
    if (gone.length === 0) return gone;
    // Before anything is called gone, the root itself must still be there.
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
    // Another spelling of the name may have come or gone beside it, and only the folder's listing tells.
    const folder = parentOf(at);
    this.#staleFolders.set(folder.path, folder);
  }

  #relative(absolute: string): string | undefined {
    const root = this.absolute;
    if (absolute === root) return '';
    return isWithin(absolute, root) ? absolute.slice(root.length + 1) : undefined;
  }
}

/** A run that was killed leaves its temporary files beside the targets; they go when the root is first listed. */
async function removeLeftovers({ tree, temporary }: Online, clock: Clock): Promise<void> {
  for (const at of temporary.splice(0)) await removeStaleTemporary(absolutePath(tree, at), clock);
}

/** Nothing tells that a file is gone which was never taken: it is looked at anew. */
function isUnreadable(tree: ScannedTree, path: string): boolean {
  const at = { path, raw: path };
  const look = lookAt(absolutePath(tree, at));
  if (look.kind === 'absent') return readFolder(tree, at).kind === 'unreadable';
  return look.kind === 'refused' && look.isUnreadable === true;
}

function parentOf({ path, raw }: PathOnDisk): PathOnDisk {
  return { path: folderOf(path), raw: folderOf(raw) };
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}
