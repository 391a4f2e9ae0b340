/**
 * What delays the work although nothing is wrong with it. A service does not answer, files are slow to read, or files change all the time.
 */
import { relative } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Event, Events } from '../event.ts';
import { describeFailure, type Failure } from '../failure.ts';
import type { JobId } from '../job.ts';
import { plural } from '../language.ts';
import { threads } from '../parsing/parse.ts';
import type { ParserLoad } from '../parsing/threads.ts';

/** Milliseconds of requests without an answer after which they are reported. */
const SILENT_MS = 5000;
/** Milliseconds of tries after which a file that changes at each of them is reported. */
const CHANGING_MS = 30_000;
/** Milliseconds after the last try at which its job is tried no more: its source left, or another daemon has done it. */
const LEFT_MS = 2 * 60_000;

/**
 * Milliseconds after the last repeated request at which nobody asks any more. A job whose request was given up is tried again within a
 * quarter of an hour.
 */
const SILENCE_OVER_MS = 20 * 60_000;

/** No request has been answered since the first of them was tried again. */
interface RepeatedRequests {
  /** Of the first and of the last repeated request, in milliseconds since the epoch. */
  readonly since: number;
  readonly last: number;
  /** Why the last one was repeated. */
  readonly failure: Failure;
}

interface ChangingFile {
  readonly file: string;
  /** Of the first and of the last try, in milliseconds since the epoch. */
  readonly since: number;
  readonly last: number;
}

export interface DelaysOptions {
  readonly events: Events;
  readonly clock: Clock;
  readonly inForce: { readonly config: Pick<Config, 'base'> };
}

export class Delays {
  readonly #options: DelaysOptions;
  #repeated: RepeatedRequests | undefined;

  /** By the job that was tried again. */
  readonly #changing = new Map<JobId, ChangingFile>();

  constructor(options: DelaysOptions) {
    this.#options = options;
    options.events.subscribe((event) => this.#hear(event));
  }

  /** One for each reason. */
  get sentences(): readonly string[] {
    const { base } = this.#options.inForce.config;
    const parser = parserNote({ load: threads.load, now: performance.now(), base });
    const all = [this.#notAnswered(), parser, ...this.#changingFiles(base)];
    return all.filter((sentence) => sentence !== undefined);
  }

  *#changingFiles(base: string): Generator<string> {
    const now = this.#options.clock.now();
    for (const [job, { file, since, last }] of this.#changing) {
      if (now - last > LEFT_MS) this.#changing.delete(job);
      else if (now - since > CHANGING_MS) {
        yield `${relative(base, file)} has changed at each try since ${new Date(since).toISOString()}: its job waits until it stays the same`;
      }
    }
  }

  #notAnswered(): string | undefined {
    if (this.#repeated === undefined) return undefined;
    const { since, last, failure } = this.#repeated;
    const now = this.#options.clock.now();
    if (now - since < SILENT_MS || now - last > SILENCE_OVER_MS) return undefined;
    const at = new Date(since).toISOString();
    return `requests are tried again since ${at}: ${describeFailure(failure)}`;
  }

  #hear(event: Event): void {
    if (event.kind === 'request-repeated') {
      const last = this.#options.clock.now();
      const known = this.#repeated;
      const isOver = known === undefined || last - known.last > SILENCE_OVER_MS;
      this.#repeated = { since: isOver ? last : known.since, last, failure: event.failure };
    }
    if (event.kind === 'request' && isAnswer(event.status)) this.#repeated = undefined;
    if (event.kind === 'job-retried' && event.failure.kind === 'changed-meanwhile') {
      const now = this.#options.clock.now();
      const known = this.#changing.get(event.job);
      const isOver = known === undefined || now - known.last > LEFT_MS;
      const since = isOver ? now : known.since;
      this.#changing.set(event.job, { file: event.failure.file, since, last: now });
    } else if (isEndOfTry(event)) this.#changing.delete(event.job);
  }
}

/** Whether the service answered, also with a refusal: a request that it puts off, or fails to answer, is tried again. */
export function isAnswer(status: number | 'lost'): boolean {
  return status !== 'lost' && status < 500 && status !== 429;
}

const ENDS_OF_TRY = [
  'job-delivered',
  'job-held',
  'job-failed',
  'job-superseded',
  'job-retried',
] as const;

function isEndOfTry(event: Event): event is Extract<Event, { kind: (typeof ENDS_OF_TRY)[number] }> {
  return ENDS_OF_TRY.some((kind) => kind === event.kind);
}

/** Milliseconds after which a file that is read, or waits, is reported. */
const LONG_MS = 3000;

export interface ParserNotesOptions {
  readonly load: ParserLoad;
  /** By `performance.now`. */
  readonly now: number;
  /** Paths are shown relative to this folder. */
  readonly base: string;
}

/** @returns one sentence; undefined while no file is read or waits for long */
export function parserNote({ load, now, base }: ParserNotesOptions): string | undefined {
  const seconds = (since: number) => Math.round((now - since) / 1000);
  const isLong = ({ since }: { readonly since: number }) => now - since >= LONG_MS;
  const waiting = new Set(load.waiting.map(({ file }) => file));
  const [slow] = load.reading.toSorted((a, b) => a.since - b.since);
  if (!load.waiting.some(isLong) && !(slow !== undefined && isLong(slow))) return undefined;
  const reads =
    slow === undefined
      ? ''
      : `, which has read ${relative(base, slow.file)} for ${seconds(slow.since)} s`;
  if (slow !== undefined && waiting.size === 0) {
    return `the parser has read ${relative(base, slow.file)} for ${seconds(slow.since)} s`;
  }
  return `${plural(waiting.size, 'file')} ${waiting.size === 1 ? 'waits' : 'wait'} for the parser${reads}`;
}
