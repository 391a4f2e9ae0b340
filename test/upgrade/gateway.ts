/**
 * A proxy between the command line and the sandbox, for any address that a config names. It sees every request, can keep an answer back
 * for ever, and translates the ids of a past sandbox into those of this one.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Seen {
  /** `METHOD path`, with `{id}` for the id in it. */
  readonly operation: string;
  /** The name of the file or the first text that it is about; empty where it is about neither. */
  readonly about: string;
}

/** An answer that never comes: from its beginning on, or from the second half of its body on. */
export interface Hold extends Seen {
  readonly from: 'beginning' | 'middle';
}

const WORDS = /"(?:document_id|document_key|job_id|signature)":"([^"]+)"/g;
const ID = /[0-9A-Fa-f]{8}-?(?:[0-9A-Fa-f]{4}-?){3}[0-9A-Fa-f]{12}/;

export class Gateway implements AsyncDisposable {
  readonly seen: Seen[] = [];
  /** The ids, keys and signatures that the service gave a file, in their order. */
  readonly words = new Map<string, string[]>();
  readonly #server = createServer((from, to) => {
    // A connection that the sandbox breaks off is broken off here, too.
    this.#pass(from, to).catch(() => to.destroy());
  });
  readonly #service: string;
  /** Present words by those of the past. */
  readonly #present = new Map<string, string>();
  #holds: Hold[] = [];
  #allHeld = Promise.withResolvers<void>();

  private constructor(service: string) {
    this.#service = service;
  }

  /** @param service address of the sandbox */
  static async open(service: string): Promise<Gateway> {
    const gateway = new Gateway(service);
    gateway.#server.listen(0, '127.0.0.1');
    await once(gateway.#server, 'listening');
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when each of the answers is kept back. */
  async hold(holds: readonly Hold[]): Promise<void> {
    this.#holds = [...holds];
    this.#allHeld = Promise.withResolvers();
    await this.#allHeld.promise;
  }

  /** Replaces the answers of a past sandbox about a file by those of this one. */
  translate(then: readonly string[], now: readonly string[]): void {
    for (const [at, word] of then.entries()) {
      const present = now[at];
      if (present !== undefined) this.#present.set(word, present);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #pass(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const url = new URL(from.url ?? '/', this.#service);
    const path = this.#inPresent(url.pathname + url.search);
    const body = await buffer(from);
    const seen = this.#describe(`${from.method} ${path}`, body.toString());
    this.seen.push(seen);
    if (this.#isHeld(seen, 'beginning')) return;
    const { authorization = '' } = from.headers;
    const headers = { ...from.headers, authorization: this.#inPresent(authorization) };
    const asked = request(this.#service + path, { method: from.method, headers });
    asked.end(isJson(from) ? this.#inPresent(body.toString()) : body);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const came = await buffer(answer);
    const given = isJson(answer) ? Buffer.from(this.#inPast(came.toString())) : came;
    this.#learn(seen, given.toString());
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    if (this.#isHeld(seen, 'middle')) to.write(given.subarray(0, Math.ceil(given.length / 2)));
    else to.end(given);
  }

  #describe(line: string, body: string): Seen {
    const id = ID.exec(line)?.[0] ?? '';
    const known = [...this.words].find(([, words]) => words.includes(id))?.[0];
    const named = /filename="([^"]*)"|"name":"([^"]*)"|"text":\["([^"]*)"/.exec(body)?.slice(1);
    const about = known ?? named?.find((name) => name !== undefined) ?? '';
    return { operation: line.replace(ID, '{id}').replace(/\?.*/, ''), about };
  }

  #learn({ about }: Seen, answer: string): void {
    const words = this.words.get(about) ?? [];
    for (const [, word = ''] of answer.matchAll(WORDS)) if (!words.includes(word)) words.push(word);
    if (about !== '' && words.length > 0) this.words.set(about, words);
  }

  #isHeld(seen: Seen, from: Hold['from']): boolean {
    const at = this.#holds.findIndex(
      (hold) =>
        hold.from === from && hold.operation === seen.operation && hold.about === seen.about,
    );
    if (at < 0) return false;
    this.#holds.splice(at, 1);
    if (this.#holds.length === 0) this.#allHeld.resolve();
    return true;
  }

  #inPresent(text: string): string {
    return [...this.#present].reduce((made, [then, now]) => made.replaceAll(then, now), text);
  }

  #inPast(text: string): string {
    return [...this.#present].reduce((made, [then, now]) => made.replaceAll(now, then), text);
  }
}

function isJson({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('application/json') === true;
}
