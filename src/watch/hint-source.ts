/** Keeps the hints open: notices when the system gives none or may have lost some, and tries again later. */
import { type Clock, OnwardTime } from '../clock.ts';
import { errorCode } from '../files/disk.ts';
import { isWithin } from '../files/listing.ts';
import type { WatchEvent } from './event.ts';
import type { Hints, OpenHints } from './hints.ts';
import type { ObservedRoot } from './observed-root.ts';

export interface HintSourceOptions {
  readonly roots: readonly ObservedRoot[];
  readonly clock: Clock;
  readonly open: OpenHints;
  /** Milliseconds before another try; doubled after each one that fails. */
  readonly retryMs: number;
  readonly onEvent: (event: WatchEvent) => void;
  /** Called when hints may have been lost: a full pass is needed. */
  readonly onDoubt: () => void;
  /** Called when hints begin. Changes during the opening are in no hint, so a full pass is needed at once. */
  readonly onReady: () => void;
}

/** The kernel drops events without notice when more than 16 384 wait. When half of that come between two turns, some may be lost. */
const MANY_HINTS = 8000;
/** The longest time between two tries: it takes seconds of processor time to watch a large tree again. */
const RAREST_RETRY_MS = 30 * 60_000;
/** Errors of one path, which do not harm the other paths; passes report them. */
const HARMLESS = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ELOOP']);

export class HintSource {
  readonly #options: HintSourceOptions;
  readonly #time: OnwardTime;
  #hints: Promise<Hints> | undefined;
  #places = '';
  #isDegraded = false;
  #retryAt = 0;
  #retryMs: number;
  #count = 0;

  constructor(options: HintSourceOptions) {
    this.#options = options;
    this.#time = new OnwardTime(options.clock);
    this.#retryMs = options.retryMs;
  }

  get isDegraded(): boolean {
    return this.#isDegraded;
  }

  /** Called at every turn: opens the hints again when they are closed, when a root has moved, or when another try is due. */
  async refresh(): Promise<void> {
    if (this.#count > MANY_HINTS) this.#options.onDoubt();
    this.#count = 0;
    const places = this.#options.roots.map(({ absolute }) => absolute).join('\0');
    const isRetry = this.#isDegraded && this.#time.now() >= this.#retryAt;
    if (this.#hints !== undefined && places === this.#places && !isRetry) return;
    this.#places = places;
    await this.close();
    this.#hints = this.#open();
    // The failure is reported as degraded; `close` catches it too.
    this.#hints.catch((error: unknown) => this.#degrade(error));
  }

  async close(): Promise<void> {
    const hints = this.#hints;
    this.#hints = undefined;
    const opened = await hints?.catch(() => undefined);
    await opened?.close();
  }

  #open(): Promise<Hints> {
    const { roots, clock, open } = this.#options;
    let failed = false;
    return open({
      folders: outermost(roots.map(({ absolute }) => absolute)),
      isOutside: (absolute, kind) => roots.every((root) => root.isOutside(absolute, kind)),
      onHint: (absolute, what) => {
        this.#count += 1;
        for (const root of roots) root.hint(absolute, what, clock.now());
      },
      onReady: () => {
        this.#options.onReady();
        if (!failed) this.#recover();
      },
      onError: (error) => {
        if (HARMLESS.has(errorCode(error))) return;
        failed = true;
        this.#degrade(error);
      },
    });
  }

  #degrade(error: unknown): void {
    const { onEvent, onDoubt, retryMs } = this.#options;
    const now = this.#time.now();
    if (this.#isDegraded && now < this.#retryAt) return;
    this.#retryMs = this.#isDegraded ? Math.min(this.#retryMs * 2, RAREST_RETRY_MS) : retryMs;
    this.#retryAt = now + this.#retryMs;
    onDoubt();
    if (this.#isDegraded) return;
    this.#isDegraded = true;
    onEvent({ kind: 'degraded', reason: refusalWords(error) });
  }

  #recover(): void {
    if (!this.#isDegraded) return;
    this.#isDegraded = false;
    this.#options.onEvent({ kind: 'recovered' });
  }
}

/** Without folders that are in another one: one watch is enough for both. */
function outermost(folders: readonly string[]): string[] {
  return [...new Set(folders)].filter(
    (folder) => !folders.some((other) => other !== folder && isWithin(folder, other)),
  );
}

function refusalWords(error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOSPC':
      return 'no more folders can be watched (raise fs.inotify.max_user_watches)';
    case 'EMFILE':
    case 'ENFILE':
      return 'no more watchers can be opened (raise fs.inotify.max_user_instances)';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
