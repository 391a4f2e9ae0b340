/**
 * Watches roots and reports files that changed and have stopped changing. The events of the system are hints only; passes over
 * the folders decide.
 */

import { join } from 'node:path';
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
  /** Milliseconds that a file must stay unchanged before it is reported. */
  readonly settleOf: (file: SettlingFile) => number;
  /** Milliseconds after which an unchanged file is reported without its end, in formats that may leave it out; absent: a minute. */
  readonly endPatience?: number;
  /** Called for one event after the other. An error that it throws ends the watch. */
  readonly onEvent: (event: WatchEvent) => void;
  /** `none`: passes only, for a single run, or for network folders, which give no events. */
  readonly hints: 'events' | 'none';
  readonly pace?: Partial<LookIntervals>;
}

export interface Watch extends AsyncDisposable {
  /** Makes a full pass now. Resolves when it is done; files that it found settle later. */
  rescan(): Promise<void>;
  /** Whether `lookAtFolders` serves instead of `rescan`; see `Observer`. */
  readonly isFresh: boolean;
  /** Whether the system gives no file events now, so that only passes find changes. */
  readonly isDegraded: boolean;
  /** Looks now at the time of every folder, and lists those that changed. */
  lookAtFolders(): Promise<void>;
  /** A file may have changed although no event said so: the next turn looks at it. @param raw relative to the root, as it is spelled on disk */
  suspect(file: { readonly project: string; readonly raw: string }): void;
  /** Resolves when all present suspects are reported, found unchanged, or known to be incomplete or to keep changing. */
  settle(): Promise<void>;
  /** Files that have stopped changing and are incomplete. */
  unfinished(): OfProject<LackingFile>[];
  /** Files that have changed for so long, for five to sixty seconds by their settling time, that nothing waits for them. */
  changing(): OfProject<{ readonly path: string }>[];
  /** Files and folders that this process may not read, or whose names are not supported. */
  unreadable(): OfProject<Skipped>[];
  /** Roots that are not there, with the reason. */
  offline(): OfProject<{ readonly reason: string }>[];
  /** Resolves when the watch was closed. @throws the error that broke it */
  readonly ended: Promise<void>;
}

type OfProject<T> = T & { readonly project: string };

/**
 * Resolves after the first full pass: it reports all files that differ from the record and have been unchanged for long enough.
 */
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
    get isFresh() {
      return observer.isFresh;
    },
    get isDegraded() {
      return observer.isDegraded;
    },
    lookAtFolders: () => observer.lookAtFolders(),
    suspect: ({ project, raw }) => {
      for (const root of roots) {
        if (root.project === project) root.hint(join(root.absolute, raw), 'file', clock.now());
      }
    },
    settle: () => observer.settle(),
    unfinished: () => roots.flatMap((root) => ofProject(root, root.unfinished())),
    changing: () =>
      roots.flatMap((root) =>
        ofProject(
          root,
          root.changing(clock.now()).map((path) => ({ path })),
        ),
      ),
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
  // Loaded here, because a single run does not need it.
  const { watch } = await import('chokidar');
  const watcher = watch([...request.folders], {
    ignoreInitial: true,
    followSymlinks: false,
    // Both options would hide files: `atomic` those with names like temporary files of editors, `awaitWriteFinish` those of the
    // first scan.
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
