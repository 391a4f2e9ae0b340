/** The contract of the sandbox's resources: a list of routes with their answers. To add one: a file, and a line in resources.ts. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import type { Product } from './billing.ts';
import type { Counters } from './counters.ts';
import type { DataCenter } from './data-center.ts';
import type { Engine } from './engine.ts';
import type { FaultKind, FaultOf, Faults } from './faults.ts';
import type { Glossary } from './glossary-store.ts';
import type { ApiKey, Feature, Keyring } from './keyring.ts';
import type { Limits } from './limits.ts';
import type { Owned } from './owned.ts';
import type { LargeFiles } from './spool.ts';
import type { StyleList } from './style-store.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Dialect = 'document' | 'deployed';

/** Called once at start and after a full reset. The state of a resource is in its closure. */
export type Resource = (world: SandboxWorld) => readonly ResourceRoute[];

export type ResourceRoute = KeyRoute | SignatureRoute;

interface RouteAddress {
  readonly method: Method;
  /** Template with `{names}`: `/v2/document/{document_id}`. */
  readonly path: string;
}

/** A route for keys; `admin`: only for the admin key, and only on the main address. */
export interface KeyRoute extends RouteAddress {
  readonly access?: 'key' | 'admin';
  /** Accounts without this feature get 403. */
  readonly feature?: Feature;
  answer(call: KeyCall): Reply | Promise<Reply>;
}

/** A route that checks a signature itself (voice asset hosts), or needs no authentication. */
export interface SignatureRoute extends RouteAddress {
  readonly access: 'signature' | 'open';
  answer(call: ReceivedCall): Reply | Promise<Reply>;
}

/** The services that all resources share. */
export interface SandboxWorld {
  /** The service's own time: runs `timeScale` times as fast as the machine's. */
  readonly clock: Clock;
  readonly engine: Engine;
  readonly dialect: Dialect;
  readonly limits: Limits;
  readonly keyring: Keyring;
  readonly faults: Faults;
  readonly counters: Counters;
  readonly glossaries: Owned<Glossary>;
  readonly styles: Owned<StyleList>;
  /** Files of documents and recordings. */
  readonly spool: LargeFiles;
  /** Tokens of the Authorization header. */
  readonly schemes: Schemes;
  /** Copies files that no converter can translate, without an error. */
  readonly passthrough: boolean;
  /** Base address of a data center, without a trailing slash. */
  address(dataCenter: DataCenter): string;
}

export interface Schemes {
  readonly key: string;
  readonly signature: string;
}

/** One request, as a route gets it. */
export interface ReceivedCall {
  /** `METHOD path-template`. */
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The body as it arrives; read it with body.ts unless it is an upload. */
  readonly body: Readable;
  readonly dataCenter: DataCenter;
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal;
  /** Gives the facts of the call to log and counters. Faults that need a language or a text are applied here, so await it before any work. */
  record(facts: CallFacts): Promise<void>;
  /** The next waiting fault of that kind for this call, with its count reduced; undefined when there is none. */
  fault<K extends FaultKind>(kind: K): FaultOf<K> | undefined;
}

export interface KeyCall extends ReceivedCall {
  readonly key: ApiKey;
  /**
   * Books characters (Unicode code points) on the key and its account. @throws Refusal 456 when they exceed a limit; then nothing is
   * booked.
   */
  bill(product: Product, characters: number): void;
  /** Takes back what the operation booked on the key: a failure is not billed. */
  refund(booked: { product: Product; characters: number; operation: string }): void;
}

export interface CallFacts {
  readonly texts?: readonly string[];
  readonly target_lang?: string;
  readonly source_lang?: string;
  /** Everything except text and language that decides the answer: equal text, language and recipe count as asked twice. */
  readonly recipe?: string;
  /** Characters of the request that are not billed. */
  readonly context_characters?: number;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: ReplyBody;
  /** Called when the answer ended; `complete` is false when the caller hung up or a fault cut it off. */
  readonly sent?: (complete: boolean) => void;
}

export type ReplyBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly type: string; readonly bytes: Uint8Array }
  | {
      readonly kind: 'stream';
      readonly type: string;
      readonly length?: number;
      readonly stream: Readable;
    };

export function jsonReply(value: unknown, status = 200): Reply {
  return { status, body: { kind: 'json', value } };
}

export function bytes(content: Uint8Array, type: string): Reply {
  return { status: 200, body: { kind: 'bytes', type, bytes: content } };
}

export const emptyReply: Reply = { status: 204 };
