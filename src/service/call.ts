/** One call of the API, described as data: what a resource says, and the loop of `ask.ts` carries out. */
import type { HttpAnswer } from './http.ts';
import type { Traffic } from './pace.ts';
import type { Refusal } from './refusal.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Call<T> {
  /** `METHOD path-template`, as the API document writes it; `{names}` are filled from `params`. */
  readonly operation: `${Method} ${string}`;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly traffic: Traffic;
  /**
   * Whether a lost answer may be followed by the same request. `once`: never, because it may bill or make a thing twice;
   * the failure is then `unanswered` and the caller decides. A refusal (429, 500, 503, 529) is retried in both cases.
   */
  readonly repeat: 'safe' | 'once';
  readonly auth?: Auth;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Made anew for each attempt. */
  readonly upload?: () => Upload;
  /** `unlimited`: a file goes one way or the other, and only 60 s without a byte end it. Absent: 120 s for the answer. */
  readonly length?: 'unlimited';
  /** Further words (document keys, signatures) that must not stand in a message. */
  readonly secrets?: readonly string[];
  /** A refusal that is an answer here; undefined leaves the general reading. */
  readonly onRefusal?: (refusal: Refusal) => T | undefined;
  readonly read: (answer: HttpAnswer) => Promise<T>;
}

/** Absent values are left out, arrays are repeated. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** Who asks. A signature or a signed address belongs to an asset host, which never sees the key. */
export type Auth =
  | { readonly kind: 'key' }
  | { readonly kind: 'admin' }
  | { readonly kind: 'signature'; readonly url: string; readonly signature: string }
  | { readonly kind: 'signed-url'; readonly url: string };

/** A streamed body. `completed` tells whether its last bytes were handed over: before that the request cannot count. */
export interface Upload {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  completed(): boolean;
}

export interface CallOptions {
  /** Milliseconds after which this call stops waiting for a service that cannot be reached or refuses it; absent: those of the client. */
  readonly patienceMs?: number | undefined;
  /**
   * Ends the waiting and the request. The call then rejects with a JobFailure: `stopped` when nothing of its last try was
   * sent, `unanswered` when it was; that may still be billed.
   */
  readonly signal?: AbortSignal | undefined;
  /** Ends the waiting for a turn or for another try; what was sent goes on to its answer. */
  readonly waiting?: AbortSignal | undefined;
}

/** What every resource is given to ask with. */
export type Ask = <T>(call: Call<T>, options?: CallOptions) => Promise<T>;
