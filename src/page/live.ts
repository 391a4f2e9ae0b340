/** Server-sent events: each client gets a snapshot when something changed, at most twice a second. A client that reads too slowly is disconnected. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { Reviewer } from './reviewers.ts';
import type { Visitor } from './sessions.ts';
import type { PageSnapshot } from './snapshot.ts';

/** The only message to a reviewer: their name and languages. */
export interface Greeting {
  readonly reviewer: { readonly name: string; readonly languages: readonly string[] };
}

export interface LiveOptions {
  /** Whether the link of a reviewer still ends at the same time and has the same languages. */
  isUnchanged(reviewer: Reviewer): boolean;
  readonly clock: Clock;
  snapshot(): Promise<PageSnapshot>;
}

const HEARTBEAT_MS = 15_000;
const INTERVAL_MS = 500;
/** A slow snapshot is made more rarely, so that snapshots cost at most a tenth of the time. */
const EFFORT = 10;
const RECONNECT_MS = 2000;
const MOST_CLIENTS = 16;
/** Connections of one link, so that one reviewer cannot take all of them. */
const MOST_REVIEWING = 4;
/** Unread bytes after which a client is disconnected; a snapshot has about 20 kB. */
const MOST_UNREAD = 256 * 1024;

export class Live implements AsyncDisposable {
  readonly #options: LiveOptions;
  readonly #clients = new Set<ServerResponse>();
  readonly #reviewing = new Map<ServerResponse, Reviewer>();
  readonly #ending = new AbortController();
  readonly #work: Promise<unknown>;
  #changed = Promise.withResolvers<void>();
  #id = 0;
  #sent = '';

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#work = Promise.allSettled([this.#update(), this.#beat()]);
  }

  /** The snapshot may have changed. */
  touch(): void {
    this.#changed.resolve();
  }

  /** Adds a client. @returns false when there are too many */
  add(response: ServerResponse, visitor: Visitor): boolean {
    if (visitor.kind === 'reviewer') return this.#greet(response, visitor);
    if (this.#clients.size >= MOST_CLIENTS) return false;
    beginStream(response);
    if (this.#sent !== '') response.write(this.#message());
    this.#clients.add(response);
    response.once('close', () => this.#clients.delete(response));
    this.touch();
    return true;
  }

  /** Reviewers get nothing of the overview: only a greeting, and the end of the connection when their link ends. */
  #greet(response: ServerResponse, reviewer: Reviewer): boolean {
    const same = this.#reviewing.values().filter(({ link }) => link === reviewer.link);
    if ([...same].length >= MOST_REVIEWING) return false;
    beginStream(response);
    const { name, languages } = reviewer;
    const greeting: Greeting = { reviewer: { name, languages } };
    response.write(`event: snapshot\ndata: ${JSON.stringify(greeting)}\n\n`);
    this.#reviewing.set(response, reviewer);
    const closed = new AbortController();
    response.once('close', () => {
      this.#reviewing.delete(response);
      closed.abort();
    });
    void this.#endAt(reviewer.until, response, closed.signal);
    return true;
  }

  async #endAt(time: number, response: ServerResponse, closed: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    await clock.sleep(time - clock.now(), closed).catch(() => {});
    response.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.touch();
    for (const client of this.#clients) client.destroy();
    for (const client of this.#reviewing.keys()) client.destroy();
    await this.#work;
  }

  async #update(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await this.#changed.promise;
      this.#changed = Promise.withResolvers();
      const began = clock.now();
      if (this.#clients.size > 0) await this.#send();
      await clock.sleep(Math.max(INTERVAL_MS, (clock.now() - began) * EFFORT), signal);
    }
  }

  async #send(): Promise<void> {
    const data = await this.#options.snapshot().then(JSON.stringify, () => this.#sent);
    // The snapshot is unchanged, or could not be made: the next change makes another one.
    if (data === this.#sent) return;
    this.#sent = data;
    this.#id += 1;
    this.#sendToAll(this.#message());
  }

  // The heartbeat keeps connections through proxies open, and shows changes without an event.
  async #beat(): Promise<void> {
    for (;;) {
      await this.#options.clock.sleep(HEARTBEAT_MS, this.#ending.signal);
      this.dropChangedLinks();
      this.#sendToAll(': still here\n\n');
      for (const client of this.#reviewing.keys()) client.write(': still here\n\n');
      this.touch();
    }
  }

  /** Disconnects reviewers whose link has ended or changed. Their browser connects again and gets the new state. */
  dropChangedLinks(): void {
    for (const [client, reviewer] of this.#reviewing) {
      if (!this.#options.isUnchanged(reviewer)) client.destroy();
    }
  }

  #message(): string {
    return `id: ${this.#id}\nevent: snapshot\ndata: ${this.#sent}\n\n`;
  }

  #sendToAll(message: string): void {
    for (const client of this.#clients) {
      if (client.writableLength > MOST_UNREAD) client.destroy();
      else client.write(message);
    }
  }
}

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(`retry: ${RECONNECT_MS}\n\n`);
}
