/**
 * Where drafts are opened: small files of short-lived commands here, all others on threads, so that the event loop, the
 * watchdog and the watcher stay alive beside a file of 10 MB and one that keeps its parser busy for ever. How much of
 * them is open at a time is bounded.
 */
import { extname, join } from 'node:path';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { JobFailure } from '../failure.ts';
import { bytesIn } from '../files/disk.ts';
import { HERE_MS, isReadHere, threads } from '../parsing/parse.ts';
import type { Subject } from '../parsing/parser.ts';
import { ThreadLost } from '../parsing/thread.ts';
import { LARGE, type ParserThreads } from '../parsing/threads.ts';
import { TookTooLong, withinTurn } from '../parsing/within.ts';
import { type Draft, openDraft } from './draft.ts';
import { openOnThread } from './draft-thread.ts';
import type { TextCase } from './text-case.ts';

export interface DraftsOptions {
  /** Absent: those that all of the process use. */
  readonly threads?: ParserThreads;
}

/** Pages are slower to read: 5 KB of Markdown take as long as 64 KB of JSON (bench/formats-throughput.ts). */
const SLOWNESS_OF_PAGES = 13;
const PAGES: ReadonlySet<string> = new Set(['.md', '.mdx', '.markdown', '.html', '.htm']);

/**
 * Bytes that are open at a time; a larger file is open alone. While it is bought, a megabyte of JSON takes some 60 MB on the main
 * thread and on its own: 20 files of 1 MB, all open, took 1.6 GB.
 */
const ROOM = 2 * 1024 * 1024;
/**
 * The same for small files, which are many: with its texts, orders and answers each takes up to a hundred times its bytes while
 * it is bought. What is open fills the requests all the same: a text is a tenth of a kilobyte, and a request has 50.
 */
const ROOM_OF_SMALL = 1024 * 1024;
/** What a file takes however small it is. */
const LEAST = 1024;
/** How often a draft is opened anew whose thread ended by another file's fault. */
const TRIES = 4;

/**
 * By itself, V8 lets the heap grow up to fourfold before it looks for garbage: 8 MB of sources, of which 160 MB are live, took
 * 1.1 GB, and take 0.6 GB with this, in the same time. Not set at the start of each command: with other flags than
 * Node's own, V8 compiles the built-in modules anew, and "status" takes 12 ms longer.
 */
const GROWTH_PERCENT = 30;
const V8_DECIDES = 0;
const growHeapBy = (percent: number) => setFlagsFromString(`--heap-growing-percent=${percent}`);

/**
 * The objects of the last moments have a space of their own, which V8 lets grow to 128 MB on each thread, although it is to
 * hold little: with this, 10 MB of sources take 190 MB less. Threads that start later have it from the beginning; that of the
 * main thread stops growing when it is as large.
 */
const YOUNG_MB = 16;
const boundYoung = (megabytes: number) => {
  setFlagsFromString(`--min-semi-space-size=${megabytes}`);
  setFlagsFromString(`--max-semi-space-size=${megabytes}`);
};
const growYoungBy = (factor: number) => setFlagsFromString(`--semi-space-growth-factor=${factor}`);
const GROWTH_OF_YOUNG = 2;
const YOUNG_LOOK_MS = 20;
const isYoungLarge = () =>
  getHeapSpaceStatistics().some(
    ({ space_name, space_size }) =>
      space_name === 'new_space' && space_size >= 2 * YOUNG_MB * 1024 * 1024,
  );

/** A place for one job's draft: taken before the job joins others, since who waits for room adds no texts. */
export interface Seat extends Disposable {
  /** @throws JobFailure `malformed`, `unreadable`, `unsupported`, `changed-meanwhile` */
  open(): Promise<Draft>;
  /**
   * Opens the draft for some work, and does it once more where the draft got lost: another file ended its thread, or it
   * takes longer than this thread has. What was paid is in the memory then.
   */
  use<T>(work: (draft: Draft) => Promise<T>): Promise<T>;
}

export class Drafts implements AsyncDisposable {
  readonly #threads: ParserThreads;
  /** Apart from each other: a price is told while others wait for their answers. */
  readonly #rooms = { buy: new OpenBytes(ROOM), look: new OpenBytes(ROOM) };
  readonly #small = { buy: new OpenBytes(ROOM_OF_SMALL), look: new OpenBytes(ROOM_OF_SMALL) };
  /** Files that took longer than this thread has. */
  readonly #slow = new Set<string>();
  #isOver = false;
  #growsSlowly = false;
  #youngWatch: NodeJS.Timeout | undefined;

  constructor(options: DraftsOptions = {}) {
    this.#threads = options.threads ?? threads;
  }

  /** @param purpose `look` for drafts that are never finished */
  async seat(text: TextCase, purpose: 'buy' | 'look'): Promise<Seat> {
    const bytes = await bytesIn(text.sourcePath, join(text.root, text.targetPath));
    const isSmall = bytes < LARGE;
    if (purpose === 'buy') this.#growSlowly();
    const room = isSmall
      ? await this.#small[purpose].take(Math.max(bytes, LEAST))
      : await this.#rooms[purpose].take(bytes);
    const open = () => this.#open(text, { file: text.sourcePath, bytes });
    return {
      open,
      use: (work) => this.#use(open, work),
      [Symbol.dispose]: () => room[Symbol.dispose](),
    };
  }

  /** Drafts that are open on threads are lost. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#threads.end();
    // What Node keeps of compiled code at the end is of use to starts with the same flags.
    if (!this.#growsSlowly) return;
    clearInterval(this.#youngWatch);
    growHeapBy(V8_DECIDES);
    boundYoung(V8_DECIDES);
    growYoungBy(GROWTH_OF_YOUNG);
  }

  #growSlowly(): void {
    if (this.#growsSlowly) return;
    this.#growsSlowly = true;
    growHeapBy(GROWTH_PERCENT);
    boundYoung(YOUNG_MB);
    this.#youngWatch = setInterval(() => this.#boundYoung(), YOUNG_LOOK_MS).unref();
  }

  #boundYoung(): void {
    if (!isYoungLarge()) return;
    clearInterval(this.#youngWatch);
    growYoungBy(1);
  }

  async #use<T>(open: () => Promise<Draft>, work: (draft: Draft) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await withDraft(open, work);
      } catch (error) {
        if (!(error instanceof ThreadLost)) throw error;
        if (this.#isOver) throw new JobFailure({ kind: 'stopped' });
        if (tries === TRIES) throw error;
      }
    }
  }

  async #open(text: TextCase, subject: Subject): Promise<Draft> {
    const isSlow = this.#slow.has(text.sourcePath);
    if (!isSlow && isReadHere(weightOf(text, subject))) {
      try {
        return this.#guarded(text, await openDraft(text, (work) => withinTurn(HERE_MS, work)));
      } catch (error) {
        // It may be slow and well: on a thread it has more time.
        if (!(error instanceof TookTooLong)) throw error;
        this.#slow.add(text.sourcePath);
      }
    }
    return await this.#openThere(text, subject);
  }

  /** A draft of this thread that takes too long to compose is lost, and is opened on a thread the next time. */
  #guarded(text: TextCase, draft: Draft): Draft {
    const guard = async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof TookTooLong)) throw error;
        this.#slow.add(text.sourcePath);
        throw new ThreadLost();
      }
    };
    return {
      ...draft,
      rehearse: (at) => guard(() => draft.rehearse(at)),
      finish: (at) => guard(() => draft.finish(at)),
    };
  }

  async #openThere(text: TextCase, subject: Subject): Promise<Draft> {
    const lease = this.#threads.lease({ bytes: weightOf(text, subject) });
    try {
      const draft = await openOnThread(text, { thread: lease.thread, subject });
      return {
        ...draft,
        [Symbol.dispose]: () => {
          draft[Symbol.dispose]();
          lease[Symbol.dispose]();
        },
      };
    } catch (error) {
      lease[Symbol.dispose]();
      if (this.#isOver) throw new JobFailure({ kind: 'stopped' });
      throw error;
    }
  }
}

async function withDraft<T>(
  open: () => Promise<Draft>,
  work: (draft: Draft) => Promise<T>,
): Promise<T> {
  using draft = await open();
  return await work(draft);
}

/** Bytes of JSON that take as long. */
function weightOf({ sourcePath }: TextCase, { bytes }: Subject): number {
  return PAGES.has(extname(sourcePath).toLowerCase()) ? bytes * SLOWNESS_OF_PAGES : bytes;
}

/** Room for large files: how many bytes of them may be open at a time. Who finds none waits for those before. */
export class OpenBytes {
  readonly #bytes: number;
  #taken = 0;
  readonly #waiting: (() => boolean)[] = [];

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Resolves when there is room, first come first served; what is larger than the whole room gets it alone. */
  async take(bytes: number): Promise<Disposable> {
    const size = Math.min(bytes, this.#bytes);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(() => {
      if (this.#taken + size > this.#bytes) return false;
      this.#taken += size;
      resolve();
      return true;
    });
    this.#admit();
    await promise;
    let isTaken = true;
    return {
      [Symbol.dispose]: () => {
        if (isTaken) this.#taken -= size;
        isTaken = false;
        this.#admit();
      },
    };
  }

  #admit(): void {
    while (this.#waiting[0]?.()) this.#waiting.shift();
  }
}
