/** The loop of the watch: looks at the suspects of all roots in turns, makes passes when they are due, and keeps the hints open. */
import { type Clock, OnwardTime, turnsOf } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { SCAN_TURN_MS } from '../files/scan.ts';
import { Cadence } from './cadence.ts';
import type { WatchEvent } from './event.ts';
import { HintSource } from './hint-source.ts';
import type { OpenHints } from './hints.ts';
import type { ObservedRoot, Thoroughness } from './observed-root.ts';

/** Milliseconds between two turns, two passes of each kind, and two tries to get hints. */
export interface LookIntervals {
  readonly turn: number;
  readonly folders: number;
  readonly files: number;
  readonly hintRetry: number;
  /** Not a time: with fewer files, a full pass is simply made again (`isFresh`). */
  readonly manyFiles: number;
}

// With 100,000 files, a full pass takes half a second of processor time.
export const PACE: LookIntervals = {
  turn: 250,
  folders: 5000,
  files: 600_000,
  hintRetry: 60_000,
  manyFiles: 20_000,
};

export interface ObserverOptions {
  readonly roots: readonly ObservedRoot[];
  readonly clock: Clock;
  readonly pace: LookIntervals;
  readonly onEvent: (event: WatchEvent) => void;
  readonly openHints: OpenHints | undefined;
}

interface Waiter {
  isDone(): boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** When a turn is late by so many milliseconds, the loop was blocked and may have lost hints. */
const BLOCKED_MS = 1000;
/** When the time differs by so many milliseconds, the machine slept or its clock was set. */
const JUMP_MS = 60_000;
/** So many times as long as it took, a full pass stays fresh. */
const FRESH_TIMES = 4;
/** While a caller waits for files to settle, turns are as frequent as the shortest settling time. */
const AWAITED_TURN_MS = 20;

export class Observer implements AsyncDisposable {
  readonly #options: ObserverOptions;
  /** For the times of passes. */
  readonly #time: OnwardTime;
  readonly #hints: HintSource | undefined;
  readonly #waiters = new Set<Waiter>();
  #folders: Cadence;
  #files: Cadence;
  #rescansWanted = 0;
  #rescansDone = 0;
  #folderLooksWanted = 0;
  #folderLooksDone = 0;
  #lastFull = { ended: 0, tookMs: -1 };
  #broken: unknown;
  #isStopped = false;
  #wake = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#time = new OnwardTime(options.clock);
    const now = this.#time.now();
    this.#folders = new Cadence(options.pace.folders, now);
    this.#files = new Cadence(options.pace.files, now);
    if (options.openHints) this.#hints = this.#hintSource(options.openHints);
  }

  /** Makes the first full pass, then starts the loop. Hints are opened later: nothing waits for them. */
  async start(): Promise<void> {
    await this.#look('files');
    this.#loop = this.#run();
    // `ended` rejects too. If nobody uses the promise, its rejection must not end the process.
    this.#loop.catch((error: unknown) => this.#abandon(error));
  }

  /** Resolves when the observer was closed. @throws the error that broke the loop, for example of a listener */
  get ended(): Promise<void> {
    return this.#loop;
  }

  /** Makes a full pass now. Resolves when it is done; files that it found settle later. */
  async rescan(): Promise<void> {
    const wanted = ++this.#rescansWanted;
    await this.#until(() => this.#rescansDone >= wanted);
  }

  /**
   * Whether it is enough to look at the folders. This is so for a short time after a full pass that took long. A file that was
   * overwritten in place since that pass is not seen; the next run finds it.
   */
  get isFresh(): boolean {
    const { roots, pace } = this.#options;
    const { ended, tookMs } = this.#lastFull;
    const since = this.#time.now() - ended;
    const files = roots.reduce((count, root) => count + root.fileCount, 0);
    return files >= pace.manyFiles && since < tookMs * FRESH_TIMES;
  }

  /** Whether the system gives no file events now, so that only passes find changes. */
  get isDegraded(): boolean {
    return this.#hints?.isDegraded === true;
  }

  /** Looks now at the time of every folder, and lists those that changed. */
  async lookAtFolders(): Promise<void> {
    const wanted = ++this.#folderLooksWanted;
    await this.#until(() => this.#folderLooksDone >= wanted);
  }

  /** Resolves when all present suspects are reported, found unchanged, or known to be incomplete or to keep changing. */
  async settle(): Promise<void> {
    const { clock, roots } = this.#options;
    const areSettled = roots.map((root) => root.settledFromNow());
    await this.#until(() => areSettled.every((isSettled) => isSettled(clock.now())));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    this.#wake.abort();
    await this.#loop.catch(() => undefined);
    await this.#hints?.close();
    this.#abandon(new JobFailure({ kind: 'stopped' }));
  }

  async #run(): Promise<void> {
    const { clock, pace } = this.#options;
    while (!this.#isStopped) {
      await this.#hints?.refresh();
      const pause = this.#waiters.size > 0 ? Math.min(AWAITED_TURN_MS, pace.turn) : pace.turn;
      const expected = clock.now() + pause;
      await this.#pause(pause);
      if (this.#isStopped) return;
      this.#noticeDelay(clock.now() - expected);
      await this.#look(this.#thoroughness(this.#time.now()));
      this.#release();
    }
  }

  async #look(thoroughness: Thoroughness): Promise<void> {
    const { clock, roots } = this.#options;
    const rescans = this.#rescansWanted;
    const folderLooks = this.#folderLooksWanted;
    let tookMs = 0;
    for (const root of roots) {
      tookMs += await root.turn(thoroughness, { clock, turns: turnsOf(SCAN_TURN_MS) });
    }
    switch (thoroughness) {
      case 'suspects':
        return;
      case 'folders':
        this.#folderLooksDone = folderLooks;
        return this.#folders.done(this.#time.now(), tookMs);
      case 'files':
        // A full pass looks at the folders too; how long that part took is not known.
        this.#folders.skipped(this.#time.now());
        this.#files.done(this.#time.now(), tookMs);
        this.#rescansDone = rescans;
        this.#folderLooksDone = folderLooks;
        this.#lastFull = { ended: this.#time.now(), tookMs };
    }
  }

  #thoroughness(now: number): Thoroughness {
    const haste = this.isDegraded ? 2 : 1;
    if (this.#rescansDone < this.#rescansWanted || this.#files.isDue(now, haste)) return 'files';
    const isAsked = this.#folderLooksDone < this.#folderLooksWanted;
    return isAsked || this.#folders.isDue(now, haste) ? 'folders' : 'suspects';
  }

  #noticeDelay(lateMs: number): void {
    if (lateMs > BLOCKED_MS) this.#files.scanSoon();
    if (Math.abs(lateMs) < JUMP_MS) return;
    const now = this.#time.now();
    this.#folders = new Cadence(this.#options.pace.folders, now);
    this.#files = new Cadence(this.#options.pace.files, now);
    this.#files.scanSoon();
  }

  async #pause(ms: number): Promise<void> {
    try {
      await this.#options.clock.sleep(ms, this.#wake.signal);
    } catch (error) {
      if (!this.#wake.signal.aborted) throw error;
      if (!this.#isStopped) this.#wake = new AbortController();
    }
  }

  async #until(isDone: () => boolean): Promise<void> {
    // A loop that has ended settles nothing.
    if (this.#broken !== undefined) throw this.#broken;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiters.add({ isDone, resolve, reject });
    this.#wake.abort();
    await promise;
  }

  #release(): void {
    for (const waiter of this.#waiters) {
      if (!waiter.isDone()) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  #abandon(error: unknown): void {
    this.#broken ??= error;
    for (const waiter of this.#waiters) waiter.reject(this.#broken);
    this.#waiters.clear();
  }

  #hintSource(open: OpenHints): HintSource {
    const { roots, clock, pace, onEvent } = this.#options;
    return new HintSource({
      roots,
      clock,
      open,
      retryMs: pace.hintRetry,
      onEvent,
      onDoubt: () => this.#files.scanSoon(),
      onReady: () => {
        this.#rescansWanted += 1;
      },
    });
  }
}
