/** One request and its answer: route, key, faults, the work of the resource, the reply, the log. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, isoTime } from '../clock.ts';
import { authenticate, needsKey, refuseElsewhere } from './authentication.ts';
import { book, type Product, unbook } from './billing.ts';
import type { LogEntry } from './counters.ts';
import type { DataCenter } from './data-center.ts';
import { EarlyAnswer, earlyFault } from './early-fault.ts';
import type { FaultKind, FaultOf, FaultTarget } from './faults.ts';
import type { ApiKey } from './keyring.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { NoReply, sendReply } from './reply.ts';
import type { CallFacts, KeyCall, Reply, ResourceRoute, SandboxWorld } from './resource.ts';
import type { ResourceRouter } from './router.ts';

export interface Door {
  readonly world: SandboxWorld;
  readonly router: ResourceRouter;
  /** The machine's time, for faults and durations. */
  readonly wall: Clock;
  readonly dataCenter: DataCenter;
}

export class Exchange implements KeyCall {
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: IncomingMessage;
  readonly #door: Door;
  readonly #response: ServerResponse;
  readonly #path: string;
  readonly #arrived: number;
  readonly #trace = randomBytes(16).toString('hex');
  readonly #struck: FaultKind[] = [];
  /** Bytes of the body that have arrived. */
  readonly #bytes: () => number;
  operation: string;
  params: Readonly<Record<string, string>> = {};
  dataCenter: DataCenter;
  #key: ApiKey | undefined;
  #facts: CallFacts = {};
  #billed = 0;
  #aborter: AbortController | undefined;

  constructor(door: Door, request: IncomingMessage, response: ServerResponse) {
    const url = splitUrl(request.url ?? '/');
    this.#door = door;
    this.#response = response;
    this.#path = url.path;
    this.#arrived = door.wall.now();
    this.operation = `${request.method} (unknown)`;
    this.query = new URLSearchParams(url.query);
    this.headers = request.headers;
    this.body = request;
    this.#bytes = countBytes(request);
    this.dataCenter = door.dataCenter;
  }

  /** Answers the request; never rejects. */
  async run(): Promise<void> {
    const status = await this.#answer();
    this.#count(status);
  }

  get key(): ApiKey {
    if (this.#key === undefined) throw new TypeError(`${this.operation} is open to everybody`);
    return this.#key;
  }

  get signal(): AbortSignal {
    if (this.#aborter === undefined) {
      const aborter = new AbortController();
      this.#aborter = aborter;
      this.#response.once('close', () => aborter.abort());
    }
    return this.#aborter.signal;
  }

  async record(facts: CallFacts): Promise<void> {
    this.#facts = { ...this.#facts, ...facts };
    await earlyFault(this, { wall: this.#door.wall, only: 'aimed' });
  }

  fault<K extends FaultKind>(kind: K, aimed?: 'aimed'): FaultOf<K> | undefined {
    const fault = this.#door.world.faults.take(kind, { ...this.#target, only: aimed });
    if (fault !== undefined) this.#struck.push(kind);
    return fault;
  }

  bill(product: Product, characters: number): void {
    const { world } = this.#door;
    if (!world.faults.spend(characters, this.#target)) {
      this.#struck.push('quota');
      throw new Refusal(456, 'Quota exceeded. The character limit has been reached.');
    }
    world.counters.warned(book(this.key, { product, characters }, world.clock));
    world.counters.of(this.operation).billed_characters += characters;
    this.#billed += characters;
  }

  refund(booked: { product: Product; characters: number; operation: string }): void {
    const { world } = this.#door;
    unbook(this.key, booked, world.clock);
    world.counters.of(booked.operation).billed_characters -= booked.characters;
  }

  get #target(): FaultTarget {
    const { target_lang, texts } = this.#facts;
    return { operation: this.operation, target_lang, texts };
  }

  /** @returns the status of the answer, 0 when the caller got none or hung up */
  async #answer(): Promise<number> {
    try {
      return await this.#send(await this.#decide());
    } catch (error) {
      return this.#vanish(error instanceof NoReply ? error.how : 'reset');
    }
  }

  async #decide(): Promise<Reply> {
    try {
      return await this.#work();
    } catch (error) {
      if (error instanceof EarlyAnswer) return error.reply;
      if (error instanceof NoReply || this.#isAbandoned) throw error;
      return this.#refuse(error);
    }
  }

  get #isAbandoned(): boolean {
    return this.#response.destroyed || this.body.errored !== null;
  }

  /** Silence leaves the connection open: the caller must give up by itself. */
  #vanish(how: NoReply['how']): number {
    if (how === 'reset') this.body.socket.resetAndDestroy();
    return 0;
  }

  async #send(reply: Reply): Promise<number> {
    const { wall } = this.#door;
    await drain(this.body, wall);
    await sendReply(reply, { call: this, response: this.#response, wall, trace: this.#trace });
    return reply.status;
  }

  async #work(): Promise<Reply> {
    const { world, router, wall } = this.#door;
    const method = this.body.method ?? 'GET';
    if (this.body.httpVersion === '1.1' && this.headers.host === undefined) {
      throw new Refusal(400, 'Bad request. The Host header is missing.');
    }
    const found = router.find(method, this.#path);
    switch (found.kind) {
      case 'nothing':
        throw new Refusal(404, 'Not found.');
      case 'wrong-method': {
        const headers = { allow: found.allowed.join(', ') };
        throw new Refusal(405, `Method ${method} is not allowed here.`, { headers });
      }
      case 'route': {
        this.operation = `${method} ${found.route.path}`;
        this.params = found.params;
        await earlyFault(this, { wall });
        return await this.#serve(found.route, world);
      }
    }
  }

  #serve(route: ResourceRoute, world: SandboxWorld): Reply | Promise<Reply> {
    if (!needsKey(route)) return route.answer(this);
    this.#key = authenticate(world, this.headers, route);
    this.dataCenter = this.#key.account.home ?? this.#door.dataCenter;
    refuseElsewhere(route, this.dataCenter);
    return route.answer(this);
  }

  #refuse(error: unknown): Reply {
    const { status, message, headers, body } = refusalOf(error);
    const { operation } = this;
    const { counters, clock } = this.#door.world;
    if (BROKEN_RULE.has(status)) {
      counters.violated({ operation, status, message, at: isoTime(clock) });
    }
    return { status, headers, body: { kind: 'json', value: body } };
  }

  #count(status: number): void {
    const { counters } = this.#door.world;
    const { texts = [], recipe, target_lang = '', context_characters = 0 } = this.#facts;
    const counts = counters.of(this.operation);
    counts.calls++;
    counts.texts += texts.length;
    counts.bytes += this.#bytes();
    counts.context_characters += context_characters;
    counts.statuses[status] = (counts.statuses[status] ?? 0) + 1;
    if (recipe !== undefined && this.#billed > 0) {
      for (const text of texts) counters.ask(this.operation, { target_lang, recipe, text });
    }
    counters.logged(this.#entry(status));
  }

  #entry(status: number): LogEntry {
    const { world, wall } = this.#door;
    const { texts, recipe, target_lang, source_lang } = this.#facts;
    return {
      at: isoTime(world.clock),
      operation: this.operation,
      path: this.#path,
      account: this.#key?.account.name ?? '',
      status,
      trace_id: this.#trace,
      milliseconds: wall.now() - this.#arrived,
      bytes: this.#bytes(),
      billed_characters: this.#billed,
      ...(target_lang !== undefined && { target_lang }),
      ...(source_lang !== undefined && { source_lang }),
      ...(recipe !== undefined && { recipe }),
      ...(texts !== undefined && { texts: shorten(texts) }),
      ...(this.#struck.length > 0 && { faults: this.#struck }),
    };
  }
}

/** Statuses of a caller that broke a documented rule. */
const BROKEN_RULE = new Set([400, 405, 413, 415, 500]);
/** UTF-16 units of texts that the log keeps for a request. */
const LOGGED_TEXT = 4096;

function shorten(texts: readonly string[]): readonly string[] {
  let left = LOGGED_TEXT;
  return texts.map((text) => {
    const shown = text.length <= left ? text : `${text.slice(0, left)}…`;
    left = Math.max(0, left - text.length);
    return shown;
  });
}

/** The announced length; a chunked body has none, so its bytes are counted. */
function countBytes(request: IncomingMessage): () => number {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (request.headers['transfer-encoding'] === undefined) return () => announced;
  let arrived = 0;
  // Paused, so that the listener does not start the flow of the body before it is read.
  request.pause();
  request.on('data', (chunk: Buffer) => {
    arrived += chunk.length;
  });
  return () => arrived;
}

function splitUrl(url: string): { path: string; query: string } {
  const mark = url.indexOf('?');
  return mark < 0
    ? { path: url, query: '' }
    : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

// Reads the rest of a request body before an early answer: a caller that is still writing would lose the answer to a connection reset.

/** With more bytes left, the answer is sent at once and the connection is closed. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 5000;

/** Never rejects. */
async function drain(request: IncomingMessage, wall: Clock): Promise<void> {
  if (request.complete || request.destroyed) return;
  const enough = new AbortController();
  const limit = wall.sleep(DRAIN_MS, enough.signal).catch(() => {});
  await Promise.race([discard(request), limit]);
  enough.abort();
}

async function discard(request: IncomingMessage): Promise<void> {
  let left = DRAIN_BYTES;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      left -= (chunk as Buffer).length;
      if (left < 0) return;
    }
  } catch {
    // the caller hung up: nothing is left to take in
  }
}
