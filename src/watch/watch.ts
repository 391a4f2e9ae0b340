/** Watches roots and tells which files changed and are still: the system's events are hints, passes over the folders are the truth. */

import type { Clock } from '../clock.ts';
import { END_PATIENCE_MS } from '../files/completeness.ts';
import type { Skipped } from '../files/listing.ts';
import type { WatchEvent } from './event.ts';
import type { OpenHints } from './hints.ts';
import { ObservedRoot, type WatchedRoot } from './observed-root.ts';
import { type LookIntervals, Observer, PACE } from './observer.ts';
import type { SettlingFile } from './settling.ts';
import type { LackingFile } from './unfinished.ts';

export interface WatchOptions {
  readonly roots: readonly WatchedRoot[];
  readonly clock: Clock;
  /** Milliseconds that a file must not change before it is told. */
  readonly settleOf: (file: SettlingFile) => number;
  /** Milliseconds after which a still file is taken without its end, in formats that may leave it out; a minute unless given. */
  readonly endPatience?: number;
  /** Called in turn, never while another call runs. An error thrown by it ends the watch. */
  readonly onEvent: (event: WatchEvent) => void;
  /** `none`: passes only, for a single run or for network folders, where events do not come. */
  readonly hints: 'events' | 'none';
  readonly pace?: Partial<LookIntervals>;
}

export interface Watch extends AsyncDisposable {
  /** Looks at everything now, as after a reload. Resolves when that is done; what it found settles later. */
  rescan(): Promise<void>;
  /** Resolves when all that was suspected until now is told, or found unchanged, or known to be unfinished. */
  settle(): Promise<void>;
  /** Files that do not change any more and still lack something. */
  unfinished(): OfProject<LackingFile>[];
  /** Files and folders that the system refuses to us, or whose names cannot be taken. */
  unreadable(): OfProject<Skipped>[];
  /** Roots that are not there, with the reason. */
  offline(): OfProject<{ readonly reason: string }>[];
  /** Resolves when the watch was closed. @throws what broke it */
  readonly ended: Promise<void>;
}

type OfProject<T> = T & { readonly project: string };

/** Resolves after the first full pass: files on record that did not change were not told, files still for long enough were. */
export async function openWatch(options: WatchOptions): Promise<Watch> {
  const { clock, onEvent, settleOf, endPatience = END_PATIENCE_MS } = options;
  const roots = options.roots.map(
    (root) => new ObservedRoot(root, { onEvent, settleOf, endPatience }),
  );
  const observer = new Observer({
    roots,
    clock,
    onEvent,
    pace: { ...PACE, ...options.pace },
    openHints: options.hints === 'events' ? openChokidar : undefined,
  });
  await observer.start();
  return {
    rescan: () => observer.rescan(),
    settle: () => observer.settle(),
    unfinished: () => roots.flatMap((root) => ofProject(root, root.unfinished())),
    unreadable: () => roots.flatMap((root) => ofProject(root, root.unreadable())),
    offline: () =>
      roots.flatMap((root) => {
        const { offline: reason } = root;
        return reason === undefined ? [] : ofProject(root, [{ reason }]);
      }),
    get ended() {
      return observer.ended;
    },
    [Symbol.asyncDispose]: () => observer[Symbol.asyncDispose](),
  };
}

function ofProject<T extends object>({ project }: ObservedRoot, all: readonly T[]): OfProject<T>[] {
  return all.map((each) => ({ project, ...each }));
}

const openChokidar: OpenHints = async (request) => {
  // Loaded when it is needed: a single run does without.
  const { watch } = await import('chokidar');
  const watcher = watch([...request.folders], {
    ignoreInitial: true,
    followSymlinks: false,
    // Both would hide files: `atomic` those named like an editor's, `awaitWriteFinish` those of the first scan.
    atomic: false,
    awaitWriteFinish: false,
    ignored: (path, stats) => request.isOutside(path, kindOf(stats)),
  });
  watcher.on('add', (path) => request.onHint(path, 'file'));
  watcher.on('change', (path) => request.onHint(path, 'file'));
  watcher.on('unlink', (path) => request.onHint(path, 'file'));
  watcher.on('addDir', (path) => request.onHint(path, 'folder'));
  watcher.on('unlinkDir', (path) => request.onHint(path, 'folder'));
  watcher.on('error', (error) => request.onError(error));
  watcher.on('ready', () => request.onReady());
  return watcher;
};

function kindOf(stats: { isDirectory(): boolean } | undefined): 'file' | 'folder' | 'unknown' {
  if (stats === undefined) return 'unknown';
  return stats.isDirectory() ? 'folder' : 'file';
}
