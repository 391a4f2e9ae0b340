/** The connections of a process to a team's database, for its statements. They are opened when they are needed. */
import pg from 'pg';
import { Semaphore } from '../../files/semaphore.ts';
import { connectionTo } from './connection.ts';

const MOST_CONNECTIONS = 8;
/**
 * Milliseconds that a call waits for a connection before another one is opened. Most statements take 1 ms, and a new connection takes
 * the server 15 ms of a processor.
 */
const BUSY_MS = 20;
/** Our statements take milliseconds. A statement without an answer after this time fails, and its connection is closed. */
export const ANSWER_MS = 30_000;
/**
 * How long the server waits for the next statement of a transaction, before it undoes the transaction and closes the connection. The
 * machine of the client may be lost or stand still: until then its locks would stop all others, which without this takes hours.
 */
const NEXT_STATEMENT_MS = 5000;
/** In the transaction and not in the parameters of the connection: some connection poolers refuse these. */
const BEGIN = `begin; set local idle_in_transaction_session_timeout = ${NEXT_STATEMENT_MS}`;

export class Connections {
  readonly #pool: pg.Pool;
  /** The pool alone would open a connection for each call that comes while another one runs. */
  readonly #places = new Semaphore(1);
  #most = 1;

  constructor(url: string) {
    this.#pool = new pg.Pool({
      ...connectionTo(url),
      max: MOST_CONNECTIONS,
      query_timeout: ANSWER_MS,
      idleTimeoutMillis: 60_000,
      allowExitOnIdle: true,
    });
    // The pool reports a broken connection to its caller, and as an event. Without a listener, the event would end the process.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  async ask<T extends object>(text: string, values: readonly unknown[] = []) {
    return await this.#withPlace(() => this.#pool.query<T>(text, [...values]));
  }

  /** Commits all statements of `work` or none. */
  async transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return await this.#withPlace(async () => {
      let broken: Error | undefined;
      const client = await this.#pool.connect();
      try {
        await client.query(BEGIN);
        const result = await work(client);
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
    });
  }

  /** Where the setting was changed back, a connection from before keeps it: it is closed, and the next one is a new one. */
  async takesNoChanges(): Promise<boolean> {
    return await this.#withPlace(async () => {
      let isReadOnly = true;
      const client = await this.#pool.connect();
      try {
        const { rows } = await client.query('show transaction_read_only');
        isReadOnly = rows[0]?.transaction_read_only !== 'off';
      } finally {
        client.release(isReadOnly);
      }
      return isReadOnly;
    });
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  async #withPlace<T>(work: () => Promise<T>): Promise<T> {
    const late = setTimeout(() => this.#allowAnother(), BUSY_MS);
    using _place = await this.#places.enter();
    clearTimeout(late);
    return await work();
  }

  #allowAnother(): void {
    if (this.#most === MOST_CONNECTIONS) return;
    this.#most += 1;
    this.#places.widen();
  }
}
