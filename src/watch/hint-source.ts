/** Keeps hints coming: opens them, notices that they cannot be had or may have been lost, and tries again later. */
import type { Clock } from '../clock.ts';
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
  /** Changes may have gone unnoticed: everything is to be looked at. */
  readonly onDoubt: () => void;
  /** Hints begin: whatever changed while the watches were set is in none of them, so everything is to be looked at at once. */
  readonly onReady: () => void;
}

/** The kernel drops events silently beyond 16 384 that wait; half of it between two turns is suspicious. */
const MANY_HINTS = 8000;
/** A large tree costs seconds of processor time to watch again, so tries become rare. */
const RAREST_RETRY_MS = 30 * 60_000;
/** One path that cannot be read does not harm the others; passes tell it. */
const HARMLESS = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ELOOP']);

export class HintSource {
  readonly #options: HintSourceOptions;
  #hints: Promise<Hints> | undefined;
  #places = '';
  #isDegraded = false;
  #retryAt = 0;
  #retryMs: number;
  #count = 0;

  constructor(options: HintSourceOptions) {
    this.#options = options;
    this.#retryMs = options.retryMs;
  }

  get isDegraded(): boolean {
    return this.#isDegraded;
  }

  /** To be called at every turn: opens what is closed, moved or worth another try. */
  async refresh(): Promise<void> {
    if (this.#count > MANY_HINTS) this.#options.onDoubt();
    this.#count = 0;
    const places = this.#options.roots.map(({ absolute }) => absolute).join('\0');
    const isRetry = this.#isDegraded && this.#options.clock.now() >= this.#retryAt;
    if (this.#hints !== undefined && places === this.#places && !isRetry) return;
    this.#places = places;
    await this.close();
    this.#hints = this.#open();
    // Whoever closes meets the failure again; until then it is told as degraded.
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
    const { clock, onEvent, onDoubt, retryMs } = this.#options;
    const now = clock.now();
    if (this.#isDegraded && now < this.#retryAt) return;
    this.#retryMs = this.#isDegraded ? Math.min(this.#retryMs * 2, RAREST_RETRY_MS) : retryMs;
    this.#retryAt = now + this.#retryMs;
    onDoubt();
    if (!this.#isDegraded) onEvent({ kind: 'degraded', reason: reasonOf(error) });
    this.#isDegraded = true;
  }

  #recover(): void {
    if (this.#isDegraded) this.#options.onEvent({ kind: 'recovered' });
    this.#isDegraded = false;
  }
}

/** Projects may share a root, or have theirs in another's: one watch is enough for both. */
function outermost(folders: readonly string[]): string[] {
  return [...new Set(folders)].filter(
    (folder) => !folders.some((other) => other !== folder && isWithin(folder, other)),
  );
}

function reasonOf(error: unknown): string {
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
