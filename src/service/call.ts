/** One call of the API as data: resources describe it, and `ask.ts` carries it out. */
import type { HttpAnswer } from './http.ts';
import type { Traffic } from './pace.ts';
import type { Refusal } from './refusal.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Call<T> {
  /** `METHOD path` with `{names}`, which are filled from `params` (docs/design/api.md, "Conventions"). */
  readonly operation: `${Method} ${string}`;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly traffic: Traffic;
  /**
   * Whether the same request may be sent again after a lost answer. `once`: never, because it could bill or create something twice; the
   * failure is then `unanswered` and the caller decides. After a refusal (429, 500, 503, 529) the request is repeated in both cases.
   */
  readonly repeat: 'safe' | 'once';
  readonly auth?: Auth;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Called for each attempt. */
  readonly upload?: () => Upload;
  /** `unlimited`: the transfer of a file has no time limit. Absent: 120 s for the answer. Both end when a minute brings less than 1 KiB. */
  readonly length?: 'unlimited';
  /** Further secrets (document keys, signatures) that must not appear in messages. */
  readonly secrets?: readonly string[];
  /** Turns a refusal into an answer; undefined: the refusal is handled as usual. */
  readonly onRefusal?: (refusal: Refusal) => T | undefined;
  readonly read: (answer: HttpAnswer) => Promise<T>;
}

/** Absent values are left out; arrays are written as repeated parameters. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** How the call is authenticated. Signatures and signed addresses are for asset hosts, which never get the key. */
export type Auth =
  | { readonly kind: 'key' }
  | { readonly kind: 'admin' }
  | { readonly kind: 'signature'; readonly url: string; readonly signature: string }
  | { readonly kind: 'signed-url'; readonly url: string };

/** A streamed body. `completed`: whether its last bytes were sent; before that the request cannot be billed. */
export interface Upload {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  completed(): boolean;
}

export interface CallOptions {
  /** Milliseconds after which this call gives up on a service that cannot be reached or refuses it; absent: the client's setting. */
  readonly patienceMs?: number | undefined;
  /**
   * Ends the waiting and the request. The call then rejects with a JobFailure: `stopped` when its last attempt was not sent, `unanswered`
   * when it was, since that may still be billed.
   */
  readonly signal?: AbortSignal | undefined;
  /** Ends only the waiting for a turn or another attempt; a request that was sent waits for its answer. */
  readonly waiting?: AbortSignal | undefined;
}

/** The function with which resources make calls. */
export type Ask = <T>(call: Call<T>, options?: CallOptions) => Promise<T>;
