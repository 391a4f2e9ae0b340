/** Observations of the sandbox: counters for each operation, a log of requests, texts that were sent twice, violations of rules. */
import { hash } from 'node:crypto';
import type { BillingWarning } from './billing.ts';

export interface OperationCounts {
  calls: number;
  texts: number;
  /** Bytes of request bodies. */
  bytes: number;
  /** Unicode code points. */
  billed_characters: number;
  /** Code points of `context`, which is not billed. */
  context_characters: number;
  /** Answers by status; 0 is a connection without an answer. */
  statuses: Record<string, number>;
}

/** A text that was translated more than once with the same language and recipe. */
export interface Repetition {
  readonly operation: string;
  readonly target_lang: string;
  readonly text: string;
  times: number;
}

/** A request that broke a documented rule. */
export interface Violation {
  readonly operation: string;
  readonly status: number;
  readonly message: string;
  readonly at: string;
}

export interface LogEntry {
  readonly at: string;
  readonly operation: string;
  readonly path: string;
  readonly account: string;
  readonly status: number;
  readonly trace_id: string;
  readonly milliseconds: number;
  readonly bytes: number;
  readonly billed_characters: number;
  readonly target_lang?: string;
  readonly source_lang?: string;
  readonly recipe?: string;
  readonly texts?: readonly string[];
  /** Kinds of the faults that occurred. */
  readonly faults?: readonly string[];
}

export interface CountersView {
  readonly operations: Readonly<Record<string, OperationCounts>>;
  readonly billed_characters: number;
  readonly asked_twice: readonly Repetition[];
  readonly violations: readonly Violation[];
  readonly warnings: readonly BillingWarning[];
}

/** Entries that the log keeps; older ones are dropped. */
const LOG_LENGTH = 10_000;
/** Different texts that are remembered for `asked_twice`; further ones are not remembered. */
const TEXTS_REMEMBERED = 1_000_000;
const KEPT_FINDINGS = 1000;

export class Counters {
  #operations: Record<string, OperationCounts> = Object.create(null);
  #seen = new Set<string>();
  #repeated = new Map<string, Repetition>();
  #violations: Violation[] = [];
  #warnings: BillingWarning[] = [];
  #log: LogEntry[] = [];

  /** The counts of one operation; the caller changes them in place. */
  of(operation: string): OperationCounts {
    const known = this.#operations[operation];
    if (known !== undefined) return known;
    const fresh: OperationCounts = {
      calls: 0,
      texts: 0,
      bytes: 0,
      billed_characters: 0,
      context_characters: 0,
      statuses: {},
    };
    this.#operations[operation] = fresh;
    return fresh;
  }

  /** Remembers a request, to find repeated ones. */
  ask(operation: string, request: { target_lang: string; recipe: string; text: string }): void {
    const { target_lang, recipe, text } = request;
    const id = hash('sha1', `${operation}\0${target_lang}\0${recipe}\0${text}`, 'base64');
    if (!this.#seen.has(id)) {
      if (this.#seen.size < TEXTS_REMEMBERED) this.#seen.add(id);
      return;
    }
    const repeated = this.#repeated.get(id) ?? { operation, target_lang, text, times: 1 };
    repeated.times++;
    this.#repeated.set(id, repeated);
  }

  violated(violation: Violation): void {
    if (this.#violations.length < KEPT_FINDINGS) this.#violations.push(violation);
  }

  warned(warnings: readonly BillingWarning[]): void {
    this.#warnings.push(...warnings);
  }

  logged(entry: LogEntry): void {
    this.#log.push(entry);
    if (this.#log.length > 2 * LOG_LENGTH) this.#log = this.#log.slice(-LOG_LENGTH);
  }

  log(): readonly LogEntry[] {
    return this.#log.slice(-LOG_LENGTH);
  }

  view(): CountersView {
    const operations = structuredClone({ ...this.#operations });
    return {
      operations,
      billed_characters: Object.values(operations).reduce((n, o) => n + o.billed_characters, 0),
      asked_twice: structuredClone([...this.#repeated.values()]),
      violations: [...this.#violations],
      warnings: [...this.#warnings],
    };
  }

  reset(): void {
    this.#operations = Object.create(null);
    this.#seen = new Set();
    this.#repeated = new Map();
    this.#violations = [];
    this.#warnings = [];
    this.#log = [];
  }
}
