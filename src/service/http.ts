/** The transport: one HTTP request and its answer, with undici. It knows nothing of keys, pace or retries. */
import type { Dispatcher } from 'undici';
import { JobFailure } from '../failure.ts';
import type { AnswerTime } from './answer-time.ts';
import { connectionProblem } from './connection-words.ts';
import type { SentFlag, TransportOptions } from './transport-options.ts';
import { USER_AGENT } from './version.ts';

export interface HttpRequest {
  /** `METHOD path-template`: for messages, so it never contains ids or keys. */
  readonly operation: string;
  readonly method: string;
  readonly url: URL;
  /** By lower-case name. A `user-agent` replaces the client's own. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  /** Ends a transfer that never comes to an end. Absent: only the signal ends it. */
  readonly time?: AnswerTime;
}

export interface HttpAnswer {
  readonly operation: string;
  /** Scheme, host and port that answered. */
  readonly origin: string;
  readonly status: number;
  /** The service's `X-Trace-ID`, if it sends one. */
  readonly traceId: string | undefined;
  /** Header by lower-case name; the first one when it was sent twice. */
  header(name: string): string | undefined;
  /** The bytes, readable once. Throws `unanswered` when they break off. Leaving the loop early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Reads and drops the rest of the body, so that the connection can be used again. */
  discard(): Promise<void>;
}

/**
 * Opens a connection pool per origin, or one agent when a proxy is given. The retry interceptor of undici is not used: it repeats a cut
 * POST with a `Range` header, which loses one-time results.
 */
export class Transport implements AsyncDisposable {
  readonly #options: TransportOptions;
  readonly #dispatchers = new Map<string, Promise<Dispatcher>>();
  #closed = false;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /**
   * Sends one request and resolves with the head of its answer, also when its status is an error.
   * @throws JobFailure `unreachable` when nothing was sent, `unanswered` when something was, `stopped` when the signal fired before
   * anything was sent. Errors of the body itself are thrown unchanged.
   */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const sent: SentFlag = { value: false };
    if (this.#closed || request.signal.aborted) throw new JobFailure({ kind: 'stopped' });
    // Outside of the try: an error here is a defect, not an unreachable service.
    const dispatcher = await this.#dispatcherFor(request.url.origin);
    try {
      const answer = await until(
        dispatcher.request({
          origin: request.url.origin,
          path: request.url.pathname + request.url.search,
          method: request.method as Dispatcher.HttpMethod,
          headers: { 'user-agent': USER_AGENT, ...request.headers },
          // undici accepts any async iterable; its types have only Readable.
          body: (request.body ?? null) as string | null,
          signal: request.signal,
          opaque: sent,
        }),
        { signal: request.signal, sent },
      );
      return answerOf(request, answer);
    } catch (error) {
      throw transportFailure(error, request, sent);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const open = [...this.#dispatchers.values()];
    this.#dispatchers.clear();
    await Promise.allSettled(open.map(async (dispatcher) => (await dispatcher).destroy()));
  }

  #dispatcherFor(origin: string): Promise<Dispatcher> {
    const name = this.#options.proxy === undefined ? origin : 'proxy';
    let dispatcher = this.#dispatchers.get(name);
    if (dispatcher === undefined) {
      dispatcher = openTransport(origin, this.#options);
      this.#dispatchers.set(name, dispatcher);
    }
    return dispatcher;
  }
}

/** Loading undici is most of the time for loading the client, so it is loaded with the first request. */
async function openTransport(origin: string, options: TransportOptions): Promise<Dispatcher> {
  const { openDispatcher } = await import('./dispatcher.ts');
  return openDispatcher(origin, options);
}

/** undici obeys the signal only on an open connection; while it connects, this function stops waiting by itself. */
async function until<T>(
  work: Promise<T>,
  { signal, sent }: { signal: AbortSignal; sent: SentFlag },
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => {
    if (!sent.value) reject(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function transportFailure(error: unknown, request: HttpRequest, sent: SentFlag): JobFailure {
  if (error instanceof JobFailure) return error;
  if (sent.value) return lostAnswer(error, request);
  if (request.signal.aborted) return new JobFailure({ kind: 'stopped' }, { cause: error });
  const { operation } = request;
  if (isRefusedByUndici(error)) {
    const rule = `cannot be sent: ${connectionProblem(error)}`;
    return new JobFailure(
      { kind: 'invalid-request', operation, parameter: 'request', rule },
      { cause: error },
    );
  }
  return new JobFailure(
    { kind: 'unreachable', operation, message: connectionProblem(error) },
    { cause: error },
  );
}

/** undici refuses this header or body itself, so trying again would never help. */
function isRefusedByUndici(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED';
}

/** A sent request may have been received and billed, also when our own signal ended it. */
function lostAnswer(error: unknown, request: HttpRequest, traceId?: string): JobFailure {
  const { operation, signal } = request;
  const message = signal.aborted
    ? 'stopped while waiting for the answer'
    : connectionProblem(error);
  return new JobFailure(
    { kind: 'unanswered', operation, message },
    { cause: error, ...(traceId === undefined ? {} : { traceId }) },
  );
}

type UndiciAnswer = Dispatcher.ResponseData<unknown>;

function answerOf(request: HttpRequest, answer: UndiciAnswer): HttpAnswer {
  const { statusCode, headers } = answer;
  const header = (name: string) => [headers[name]].flat()[0];
  const traceId = header('x-trace-id');
  const body = chunksOf(answer.body, {
    time: request.time,
    lost: (error) => lostAnswer(error, request, traceId),
  });
  return {
    operation: request.operation,
    origin: request.url.origin,
    status: statusCode,
    traceId,
    header,
    body,
    discard: () => readAndDrop(body),
  };
}

interface Chunks {
  readonly time: AnswerTime | undefined;
  readonly lost: (error: unknown) => JobFailure;
}

async function* chunksOf(
  body: UndiciAnswer['body'],
  { time, lost }: Chunks,
): AsyncGenerator<Uint8Array> {
  const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  try {
    for (;;) {
      time?.waits();
      const next = await chunks.next().catch((error: unknown) => {
        throw lost(error);
      });
      if (next.done) return;
      const isInTime = time?.arrived(next.value.byteLength) ?? true;
      if (!isInTime) throw lost(new Error('the answer takes too long'));
      yield next.value;
    }
  } finally {
    // Closes the connection when the reader leaves early; after the last byte it does nothing.
    body.destroy();
  }
}

/** In bytes. For a longer rest it is cheaper to close the connection. */
const MOST_DROPPED = 128 * 1024;

async function readAndDrop(body: AsyncIterable<Uint8Array>): Promise<void> {
  let dropped = 0;
  try {
    for await (const chunk of body) {
      dropped += chunk.byteLength;
      if (dropped > MOST_DROPPED) return;
    }
  } catch {
    // Nobody reads this answer.
  }
}
