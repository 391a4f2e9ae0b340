/** Connections to a team's database: a pool, one connection that listens, and the patience with a server that is away. */
import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Clock } from '../../clock.ts';
import { type Failure, JobFailure } from '../../failure.ts';
import { connectionTo, nameOfServer } from './connection.ts';
import { quoted } from './schema.ts';
import { isInsecure, isOlder, messageOf, passingTrouble } from './trouble.ts';

/** What others of the team tell. News only spare time: whoever waits asks as well. */
export interface News {
  /** A request ended: its texts are known, or free again. */
  ended: [request: string];
  /** Nobody of this key sends for so many milliseconds. */
  paused: [key: string, ms: number];
  /** Somebody has changed a tree. */
  tree: [tree: string, by: string];
}

/** What runs statements, as pg-boss asks for it. */
export interface Statements {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly schema: string;
  readonly clock: Clock;
  /** Milliseconds after which a server that is away is given up. */
  readonly patienceMs: number;
  /** Hears that the server is away, with the reason, and that it is back. */
  onAway(reason: string): void;
  onBack(): void;
}

const CONNECTIONS = 8;
/** A statement of ours takes milliseconds; one that is not answered for so long is lost with its connection. */
const ANSWER_MS = 30_000;
/** What a process that is about to end gives it. */
const HURRY_MS = 5000;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2000;

export class Database implements AsyncDisposable {
  readonly news = new EventEmitter<News>();
  readonly #options: DatabaseOptions;
  readonly #host: string;
  readonly #pool: pg.Pool;
  readonly #closed = new AbortController();
  #patienceMs: number;
  #listener: pg.Client | undefined;
  #isAway = false;
  /** When somebody was in a hurry. */
  #hurried = Number.POSITIVE_INFINITY;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#patienceMs = options.patienceMs;
    this.#host = nameOfServer(options.url);
    this.#pool = new pg.Pool({
      ...connectionTo(options.url),
      max: CONNECTIONS,
      query_timeout: ANSWER_MS,
      idleTimeoutMillis: 60_000,
      allowExitOnIdle: true,
    });
    // A connection that breaks says so twice: to whoever waits for it, and here, where it would end the process.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
    this.news.setMaxListeners(0);
  }

  /** The host, for messages. */
  get host(): string {
    return this.#host;
  }

  /** As far as whoever waits for it knows. */
  get isAway(): boolean {
    return this.#isAway;
  }

  get schema(): string {
    return this.#options.schema;
  }

  /** Calls a function of the schema until the server has answered: only for what may be done twice. */
  async call<T>(name: string, ...values: readonly unknown[]): Promise<T> {
    return await this.#insist(() => this.attempt<T>(name, ...values));
  }

  /**
   * Calls it, and does more in the same transaction.
   * @param more gets what the function has answered; it may be done again, where the transaction was not committed
   */
  async callAnd<T>(
    { name, value }: { readonly name: string; readonly value: string },
    more: (statements: Statements, answer: T) => Promise<void>,
  ): Promise<T> {
    return await this.#insist(() =>
      this.#transaction(async (statements) => {
        const text = `select ${quoted(this.schema)}.${name}($1) as value`;
        const { rows } = await statements.executeSql(text, [value]);
        const answer = rows[0]?.['value'] as T;
        await more(statements, answer);
        return answer;
      }),
    );
  }

  /** Calls it once, for what has no use later. */
  async attempt<T>(name: string, ...values: readonly unknown[]): Promise<T> {
    const places = values.map((_, index) => `$${index + 1}`).join(', ');
    const text = `select ${quoted(this.schema)}.${name}(${places}) as value`;
    const { rows } = await this.#pool.query<{ value: T }>(text, [...values]);
    return rows[0]?.value as T;
  }

  /** @param text names tables with `@.` before them */
  async rows<T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return await this.#insist(() => this.#query<T>(text, values));
  }

  /** The same once, for reports: who asks wants an answer now. @throws JobFailure `team-state` */
  async look<T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    try {
      return await this.#query<T>(text, values);
    } catch (error) {
      throw asFailure(error, this.host);
    }
  }

  async #query<T extends object>(text: string, values: readonly unknown[]): Promise<T[]> {
    const sql = text.replaceAll('@.', `${quoted(this.schema)}.`);
    return (await this.#pool.query<T>(sql, [...values])).rows;
  }

  /** Each on a connection of its own. They throw JobFailure `team-state`. */
  get statements(): Statements {
    const asked = async (text: string, values?: unknown[]) => {
      try {
        return await this.#pool.query(text, values);
      } catch (error) {
        throw asFailure(error, this.host);
      }
    };
    return { executeSql: asked };
  }

  /** Statements that count together or not at all; once, as `attempt`. @throws JobFailure `team-state` */
  async transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    try {
      return await this.#transaction(work);
    } catch (error) {
      throw asFailure(error, this.host);
    }
  }

  async #transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    let broken: Error | undefined;
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      const result = await work({ executeSql: (text, values) => client.query(text, values) });
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((lost: Error) => {
        broken = lost;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** A server that is away is given up after so many milliseconds from now on. */
  set patience(ms: number) {
    this.#patienceMs = ms;
  }

  /** A server that is away is waited for no longer than some seconds from now on. */
  hurry(): void {
    this.#hurried = Math.min(this.#hurried, this.#options.clock.now());
  }

  /** Runs what is no question: the owner's statements, once. */
  async script(text: string): Promise<void> {
    try {
      await this.#pool.query(text);
    } catch (error) {
      throw asFailure(error, this.host);
    }
  }

  /** Hears the news of the team until it is closed. */
  async listen(): Promise<void> {
    while (!this.#closed.signal.aborted) {
      const client = new pg.Client(connectionTo(this.#options.url));
      client.on('notification', ({ payload = '' }) => this.#hear(payload));
      client.on('error', () => {});
      try {
        await client.connect();
        await client.query(`listen ${quoted(this.schema)}`);
        // Once per connection: both `end` and a failed connect would multiply the listeners.
        client.once('end', () => void this.listen().catch(() => {}));
        this.#listener = client;
        return;
      } catch {
        // Ending a connection that never was one may never resolve.
        void client.end().catch(() => {});
        await this.#wait(LONGEST_WAIT_MS).catch(() => {});
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(new JobFailure({ kind: 'stopped' }));
    void this.#listener?.end().catch(() => {});
    await Promise.race([this.#pool.end().catch(() => {}), this.#options.clock.sleep(1000)]);
  }

  #hear(payload: string): void {
    const {
      ended,
      paused,
      ms = 0,
      tree,
      by = '',
    } = JSON.parse(payload) as {
      ended?: string;
      paused?: string;
      ms?: number;
      tree?: string;
      by?: string;
    };
    if (tree !== undefined) this.news.emit('tree', tree, by);
    if (ended !== undefined) this.news.emit('ended', ended);
    if (paused !== undefined) this.news.emit('paused', paused, ms);
  }

  async #insist<T>(work: () => Promise<T>): Promise<T> {
    const began = this.#options.clock.now();
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      this.#closed.signal.throwIfAborted();
      try {
        const result = await work();
        if (this.#isAway) this.#options.onBack();
        this.#isAway = false;
        return result;
      } catch (error) {
        const reason = passingTrouble(error);
        if (reason === undefined) throw asFailure(error, this.host);
        if (!isConflict(error) && !this.#isAway && wait > FIRST_WAIT_MS) {
          this.#isAway = true;
          this.#options.onAway(reason);
        }
        if (this.#isOver(began)) {
          throw teamFailure('away', this.host, reason);
        }
        await this.#wait(wait * (0.5 + Math.random()));
      }
    }
  }

  #isOver(began: number): boolean {
    const now = this.#options.clock.now();
    return now - began >= this.#patienceMs || now - this.#hurried >= HURRY_MS;
  }

  async #wait(ms: number): Promise<void> {
    await this.#options.clock.sleep(ms, this.#closed.signal);
  }
}

function isConflict(error: unknown): boolean {
  return /^40/.test((error as { code?: string }).code ?? '');
}

function teamFailure(
  problem: Extract<Failure, { kind: 'team-state' }>['problem'],
  host: string,
  message: string,
): JobFailure {
  return new JobFailure({ kind: 'team-state', problem, host, message });
}

/** What passes, and what a person must mend: by the class of the error, as PostgreSQL numbers them. */
function asFailure(error: unknown, host: string): unknown {
  const passing = passingTrouble(error);
  if (passing !== undefined) return teamFailure('away', host, passing);
  const { code = '' } = error as { code?: string };
  const message = messageOf(error);
  if (isInsecure(error)) return teamFailure('insecure', host, message);
  if (code === 'DG003') return teamFailure('taken', host, message);
  if (isOlder(error)) return teamFailure('older', host, message);
  if (/^28|^42501$/.test(code)) return teamFailure('refused', host, message);
  if (/^(42P01|3F000|42883|3D000)$/.test(code)) return teamFailure('unfit', host, message);
  return error;
}
