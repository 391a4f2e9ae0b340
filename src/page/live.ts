/** Server-sent events: everybody who looks gets a snapshot when something changed, at most twice a second; who reads too slowly is let go. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { Snapshot } from './snapshot.ts';

export interface LiveOptions {
  readonly clock: Clock;
  snapshot(): Promise<Snapshot>;
}

const HEARTBEAT_MS = 15_000;
const INTERVAL_MS = 500;
/** A snapshot that takes long to make is made more rarely, so that looking costs at most a tenth of the time. */
const EFFORT = 10;
const RECONNECT_MS = 2000;
const MOST_CLIENTS = 16;
/** Unread bytes after which a client is let go; a snapshot has some 20 kB. */
const MOST_UNREAD = 256 * 1024;

export class Live implements AsyncDisposable {
  readonly #options: LiveOptions;
  readonly #clients = new Set<ServerResponse>();
  readonly #ending = new AbortController();
  readonly #work: Promise<unknown>;
  #changed = Promise.withResolvers<void>();
  #id = 0;
  #sent = '';

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#work = Promise.allSettled([this.#update(), this.#beat()]);
  }

  /** Something may look different now. */
  touch(): void {
    this.#changed.resolve();
  }

  /** @returns whether there was room for another client */
  add(response: ServerResponse): boolean {
    if (this.#clients.size >= MOST_CLIENTS) return false;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(`retry: ${RECONNECT_MS}\n\n`);
    if (this.#sent !== '') response.write(this.#message());
    this.#clients.add(response);
    response.once('close', () => this.#clients.delete(response));
    this.touch();
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.touch();
    for (const client of this.#clients) client.destroy();
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
    // Nothing new, or it could not be made: the next change makes another.
    if (data === this.#sent) return;
    this.#sent = data;
    this.#id += 1;
    this.#tell(this.#message());
  }

  // The heartbeat keeps proxies from closing, and picks up what no event tells of.
  async #beat(): Promise<void> {
    for (;;) {
      await this.#options.clock.sleep(HEARTBEAT_MS, this.#ending.signal);
      this.#tell(': still here\n\n');
      this.touch();
    }
  }

  #message(): string {
    return `id: ${this.#id}\nevent: snapshot\ndata: ${this.#sent}\n\n`;
  }

  #tell(message: string): void {
    for (const client of this.#clients) {
      if (client.writableLength > MOST_UNREAD) client.destroy();
      else client.write(message);
    }
  }
}
