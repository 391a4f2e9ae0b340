/**
 * Where drafts are opened: small files here, large ones on threads, so that the event loop, the watchdog and the watcher
 * stay alive beside a file of 10 MB. How much of them is open at a time is bounded.
 */
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import type { Clock } from '../clock.ts';
import { parseStat, statOf } from '../files/disk.ts';
import { type Draft, openDraft } from './draft.ts';
import { DraftThread } from './draft-thread.ts';
import { OpenBytes } from './open-bytes.ts';
import type { TextCase } from './text-case.ts';

export interface DraftsOptions {
  readonly clock: Clock;
  /** Megabytes of JavaScript objects that a thread may hold; absent: as Node does. */
  readonly heapMegabytes?: number;
}

/**
 * Bytes of source and target from which on a file keeps the event loop for more than some 20 ms: 100 KB of JSON are read,
 * composed and read back in that time, 5 KB of Markdown (bench/formats-throughput.ts).
 */
const LARGE = 100_000;
const LARGE_PAGE = 5_000;
const PAGES: ReadonlySet<string> = new Set(['.md', '.mdx', '.markdown', '.html', '.htm']);

/** Bytes that are open at a time. Kept read, JSON is ten times as large and Fluent thirty; composing it is a multiple of that. */
const ROOM = 32 * 1024 * 1024;
/** A thread without drafts gives its memory back after so many milliseconds. */
const IDLE_MS = 5000;
const MAX_THREADS = 4;

/** A place for one job's draft: taken before the job joins others, since who waits for room adds no texts. */
export interface Seat extends Disposable {
  /** @throws JobFailure `malformed`, `unreadable`, `unsupported`, `changed-meanwhile` */
  open(): Promise<Draft>;
}

export class Drafts implements AsyncDisposable {
  readonly #options: DraftsOptions;
  readonly #threads = new Set<DraftThread>();
  /** Apart from each other: a price is told while others wait for their answers. */
  readonly #rooms = { buy: new OpenBytes(ROOM), look: new OpenBytes(ROOM) };
  readonly #ending = new AbortController();

  constructor(options: DraftsOptions) {
    this.#options = options;
  }

  /** @param purpose `look` for drafts that are never finished */
  async seat(text: TextCase, purpose: 'buy' | 'look'): Promise<Seat> {
    const bytes = await bytesOf(text);
    const isPage = PAGES.has(extname(text.sourcePath).toLowerCase());
    if (bytes < (isPage ? LARGE_PAGE : LARGE)) return { open: () => openDraft(text), ...NOTHING };
    const room = await this.#rooms[purpose].take(bytes);
    return { open: () => this.#open(text), [Symbol.dispose]: () => room[Symbol.dispose]() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await Promise.all([...this.#threads].map((thread) => thread[Symbol.asyncDispose]()));
  }

  async #open(text: TextCase): Promise<Draft> {
    const thread = this.#thread();
    const draft = await thread.open(text).catch((error: unknown) => {
      this.#rest(thread);
      throw error;
    });
    return {
      ...draft,
      [Symbol.dispose]: () => {
        draft[Symbol.dispose]();
        this.#rest(thread);
      },
    };
  }

  #thread(): DraftThread {
    const [free] = [...this.#threads].sort((a, b) => a.drafts - b.drafts);
    const most = Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1));
    if (free !== undefined && (free.drafts === 0 || this.#threads.size >= most)) return free;
    const { heapMegabytes } = this.#options;
    const thread: DraftThread = new DraftThread({
      ...(heapMegabytes === undefined ? {} : { heapMegabytes }),
      onEnd: () => this.#threads.delete(thread),
    });
    this.#threads.add(thread);
    return thread;
  }

  /** Ends a thread that stays without drafts. */
  #rest(thread: DraftThread): void {
    if (thread.drafts > 0) return;
    this.#options.clock.sleep(IDLE_MS, this.#ending.signal).then(
      async () => {
        if (thread.drafts > 0 || !this.#threads.delete(thread)) return;
        await thread[Symbol.asyncDispose]();
      },
      () => {}, // everything ends
    );
  }
}

const NOTHING: Disposable = { [Symbol.dispose]() {} };

async function bytesOf({ root, sourcePath, targetPath }: TextCase): Promise<number> {
  const stats = await Promise.all([statOf(sourcePath), statOf(join(root, targetPath))]);
  return stats.reduce(
    (sum, stat) => sum + (stat === undefined ? 0 : Number(parseStat(stat).size)),
    0,
  );
}
