/** Connections to a team's database: a pool, and one connection that listens. Calls wait for a limited time when the server does not answer. */
import { EventEmitter } from 'node:events';
import pg from 'pg';
import { type Clock, OnwardTime } from '../../clock.ts';
import { type Failure, JobFailure } from '../../failure.ts';
import { connectionTo, nameOfServer } from './connection.ts';
import { ANSWER_MS, Connections } from './connections.ts';
import { quotedName } from './schema.ts';
import { Silence, Silent } from './silence.ts';
import { driverMessage, isInsecure, isOlder, isReadOnly, passingTrouble } from './trouble.ts';

/** Messages from other processes of the team. They only save time: a process that waits also asks the database, so a lost message does no harm. */
export interface News {
  /** The request is over: the memory has its texts, or others may buy them. */
  ended: [request: string];
  /** This key must not send for so many milliseconds. */
  paused: [key: string, ms: number];
  /** The writer `by` changed this tree. */
  tree: [tree: string, by: string];
}

/** Runs SQL statements. The interface is the one that pg-boss expects. */
export interface Statements {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly schema: string;
  readonly clock: Clock;
  /** How long a call waits for a server that does not answer, in milliseconds. */
  readonly patienceMs: number;
  /** The same until its first answer; absent: `patienceMs`. */
  readonly firstPatienceMs?: number;
  /** `onAway` is called with the reason at each try that the server does not answer, `onBack` when it answers again. */
  onAway(reason: string): void;
  onBack(): void;
}

/** How long a process that is about to end waits for the server. */
const HURRY_MS = 5000;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2000;

export class Database implements AsyncDisposable {
  readonly news = new EventEmitter<News>();
  readonly #options: DatabaseOptions;
  readonly #host: string;
  readonly #connections: Connections;
  readonly #closed = new AbortController();
  readonly #silence: Silence;
  #patienceMs: number;
  #listener: pg.Client | undefined;
  #listening: Promise<void> | undefined;
  #isAway = false;
  /** A server that can only be read answers questions, and is away all the same: nothing can be recorded there. */
  #isReadOnly = false;
  readonly #time: OnwardTime;
  /** Time of the first call of `stopWaiting`. */
  #hurried = Number.POSITIVE_INFINITY;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#time = new OnwardTime(options.clock);
    this.#patienceMs = options.firstPatienceMs ?? options.patienceMs;
    this.#host = nameOfServer(options.url);
    this.#connections = new Connections(options.url);
    this.news.setMaxListeners(0);
    this.#silence = new Silence({
      clock: options.clock,
      closed: this.#closed.signal,
      probe: () => troubleAt(options.url),
      onSilent: (trouble) => this.#isNotAnswered(trouble),
      onHeard: () => this.#isBack(),
    });
  }

  /** The host, for messages. */
  get host(): string {
    return this.#host;
  }

  /** Whether the last call found that the server does not answer. */
  get isAway(): boolean {
    return this.#isAway;
  }

  get schema(): string {
    return this.#options.schema;
  }

  /** Calls a function of the schema, and repeats the call until the server answers: only for functions that may run twice. */
  async call<T>(name: string, ...values: readonly unknown[]): Promise<T> {
    return await this.#insist(() => this.callOnce<T>(name, ...values));
  }

  /**
   * Calls a function as `call` does, and runs more statements in the same transaction.
   * @param more gets the answer of the function; runs again if the transaction was not committed
   */
  async callAnd<T>(
    { name, value }: { readonly name: string; readonly value: string },
    more: (statements: Statements, answer: T) => Promise<void>,
  ): Promise<T> {
    return await this.#insist(() =>
      this.#transaction(async (statements) => {
        const text = `select ${quotedName(this.schema)}.${name}($1) as value`;
        const { rows } = await statements.executeSql(text, [value]);
        const answer = rows[0]?.['value'] as T;
        await more(statements, answer);
        return answer;
      }),
    );
  }

  /** Calls a function without repeating the call, because a late result would be of no use. */
  async callOnce<T>(name: string, ...values: readonly unknown[]): Promise<T> {
    const parameters = values.map((_, index) => `$${index + 1}`).join(', ');
    const text = `select ${quotedName(this.schema)}.${name}(${parameters}) as value`;
    const { rows } = await this.#connections.ask<{ value: T }>(text, values);
    return rows[0]?.value as T;
  }

  /**
   * Runs a query, and repeats it until the server answers.
   * @param text SQL; `@.` before the name of a table is replaced by the schema
   */
  async rows<T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return await this.#insist(() => this.#query<T>(text, values));
  }

  /** Runs a query once, for reports, which a person waits for. @throws JobFailure `team-state`, soon where the server is silent */
  async query<T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    try {
      return await this.#silence.during(() => this.#query<T>(text, values));
    } catch (error) {
      throw asFailure(error, this.host);
    }
  }

  async #query<T extends object>(text: string, values: readonly unknown[]): Promise<T[]> {
    const sql = text.replaceAll('@.', `${quotedName(this.schema)}.`);
    return (await this.#connections.ask<T>(sql, values)).rows;
  }

  /** Each statement runs on a connection of its own. @throws JobFailure `team-state` */
  get statements(): Statements {
    const asked = async (text: string, values?: unknown[]) => {
      try {
        return await this.#connections.ask<Record<string, unknown>>(text, values);
      } catch (error) {
        throw asFailure(error, this.host);
      }
    };
    return { executeSql: asked };
  }

  /** Commits all statements of `work` or none, without repeating them. @throws JobFailure `team-state` */
  async transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    try {
      return await this.#transaction(work);
    } catch (error) {
      throw asFailure(error, this.host);
    }
  }

  async #transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    return await this.#connections.transaction((client) =>
      work({ executeSql: (text, values) => client.query(text, values) }),
    );
  }

  /** From now on, calls wait at most `HURRY_MS` for a server that does not answer. */
  stopWaiting(): void {
    this.#hurried = Math.min(this.#hurried, this.#time.now());
  }

  /** Runs statements of the owner once. They return no rows. */
  async script(text: string): Promise<void> {
    try {
      await this.#connections.ask(text);
    } catch (error) {
      throw asFailure(error, this.host);
    }
  }

  /**
   * Receives the messages of the team until the database is closed. Called where they are of use, perhaps repeatedly. Most commands end
   * before there is one, and a connection takes the server 15 ms of a processor. Resolves after the first try; one that failed is
   * repeated.
   */
  async listen(): Promise<void> {
    if (!this.#closed.signal.aborted) this.#listening ??= this.#listen();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    const to = connectionTo(this.#options.url);
    const client = new pg.Client({ ...to, query_timeout: ANSWER_MS });
    // Before it connects: a database that is closed meanwhile must end it, because an open connection keeps the process alive.
    this.#listener = client;
    client.on('notification', ({ payload = '' }) => this.#hear(payload));
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(`listen ${quotedName(this.schema)}`);
      // Only after a successful connect: a failed connect also emits `end`, and each would start another loop.
      client.once('end', () => this.#listenAgain(0));
      if (this.#closed.signal.aborted) void client.end().catch(() => {});
    } catch {
      // Ending a client that never connected may never resolve.
      void client.end().catch(() => {});
      this.#listenAgain(LONGEST_WAIT_MS);
    }
  }

  #listenAgain(ms: number): void {
    const again = async () => {
      if (ms > 0) await this.#wait(ms);
      if (!this.#closed.signal.aborted) await this.#listen();
    };
    again().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(new JobFailure({ kind: 'stopped' }));
    void this.#listener?.end().catch(() => {});
    await Promise.race([this.#connections.end().catch(() => {}), this.#options.clock.sleep(1000)]);
  }

  #hear(payload: string): void {
    const { ended, paused, ms = 0, tree, by = '' } = messageFrom(payload);
    if (tree !== undefined) this.news.emit('tree', tree, by);
    if (ended !== undefined) this.news.emit('ended', ended);
    if (paused !== undefined) this.news.emit('paused', paused, ms);
  }

  async #insist<T>(work: () => Promise<T>): Promise<T> {
    const began = this.#time.now();
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      this.#closed.signal.throwIfAborted();
      try {
        const result = await work();
        this.#patienceMs = this.#options.patienceMs;
        await this.#answered();
        return result;
      } catch (error) {
        const reason = passingTrouble(error);
        if (reason === undefined) throw asFailure(error, this.host);
        if (isReadOnly(error)) this.#isReadOnly = true;
        if (!isConflict(error) && wait > FIRST_WAIT_MS) this.#isNotAnswered(reason);
        if (this.#isOver(began)) {
          throw teamFailure('away', this.host, reason);
        }
        await this.#wait(wait * (0.5 + Math.random()));
      }
    }
  }

  /** Another connection of this process was refused a change. It is away until one takes changes, whatever it answers. */
  becomeReadOnly(reason: string): void {
    this.#isReadOnly = true;
    this.#isNotAnswered(reason);
  }

  /** Another connection of this process has made a change. */
  becomeWritable(): void {
    this.#isReadOnly = false;
    this.#isBack();
  }

  async #answered(): Promise<void> {
    if (this.#isReadOnly)
      this.#isReadOnly = await this.#connections.takesNoChanges().catch(() => true);
    if (!this.#isReadOnly) this.#isBack();
  }

  #isNotAnswered(reason: string): void {
    this.#isAway = true;
    this.#options.onAway(reason);
  }

  #isBack(): void {
    if (this.#isAway) this.#options.onBack();
    this.#isAway = false;
  }

  #isOver(began: number): boolean {
    const now = this.#time.now();
    return now - began >= this.#patienceMs || now - this.#hurried >= HURRY_MS;
  }

  async #wait(ms: number): Promise<void> {
    await this.#options.clock.sleep(ms, this.#closed.signal);
  }
}

interface DatabaseNotice {
  readonly ended?: string;
  readonly paused?: string;
  readonly ms?: number;
  readonly tree?: string;
  readonly by?: string;
}

/** Everybody who may log in to the database can send a message on the channel of the team. */
function messageFrom(payload: string): DatabaseNotice {
  try {
    return (JSON.parse(payload) as DatabaseNotice | null) ?? {};
  } catch {
    return {};
  }
}

/** @returns the trouble of a server that does not answer a small question on a new connection; undefined: it answers */
async function troubleAt(url: string): Promise<string | undefined> {
  const client = new pg.Client(connectionTo(url));
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return undefined;
  } catch (error) {
    // A refusal is an answer, too.
    return error instanceof pg.DatabaseError ? undefined : passingTrouble(error);
  } finally {
    // Ending a client that never connected may never resolve.
    void client.end().catch(() => {});
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

/** Gives an error of PostgreSQL the failure that people see, by its class (PostgreSQL, "Error Codes"). */
function asFailure(error: unknown, host: string): unknown {
  if (error instanceof Silent) return teamFailure('away', host, error.message);
  const passing = passingTrouble(error);
  if (passing !== undefined) return teamFailure('away', host, passing);
  const { code = '' } = error as { code?: string };
  const message = driverMessage(error);
  if (isInsecure(error)) return teamFailure('insecure', host, message);
  if (code === 'DG003') return teamFailure('taken', host, message);
  if (code === 'DG004') return teamFailure('partial', host, message);
  if (isOlder(error)) return teamFailure('older', host, message);
  if (/^28|^42501$/.test(code)) return teamFailure('refused', host, message);
  if (/^(42P01|3F000|42883|3D000)$/.test(code)) return teamFailure('unfit', host, message);
  return error;
}
