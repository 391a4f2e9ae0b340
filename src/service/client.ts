/** The typed client of the language service: `connect` gives one property per resource. */
import { type Clock, systemClock } from '../clock.ts';
import type { Listener } from '../event.ts';
import { JobFailure } from '../failure.ts';
import { type AccountResource, accountResource, hasQuotaLeft } from './account.ts';
import {
  type AnalyticsResource,
  analyticsResource,
  type KeysResource,
  keysResource,
} from './administration.ts';
import { makeAsk } from './ask.ts';
import type { Ask, CallOptions } from './call.ts';
import { type DetectionResource, detectionResource } from './detection.ts';
import { type DocumentsResource, documentsResource } from './documents.ts';
import { type GlossariesResource, glossariesResource } from './glossaries.ts';
import { type ProxySettings, Transport } from './http.ts';
import { KeyRing, type KeySource, type StopFailure } from './key-ring.ts';
import { type LanguagesResource, languagesResource } from './languages.ts';
import { type LegacyGlossariesResource, legacyGlossariesResource } from './legacy-glossaries.ts';
import { type MemoriesResource, memoriesResource } from './memories.ts';
import { Pace } from './pace.ts';
import { type WritingResource, writingResource } from './rephrase.ts';
import { type StylesResource, stylesResource } from './styles.ts';
import { type TextResource, textResource } from './text.ts';
import type { Dialect } from './text-request.ts';
import { type VoiceResource, voiceResource } from './voice.ts';

export type Capability = 'document_style' | 'instruction_edit';

export interface ConnectOptions {
  /** Base address, with or without a trailing slash; it may have a path. */
  readonly url: string;
  /** The key, or how to fetch it; fetched at the first call, and again by `resume` after it was refused. */
  readonly key: KeySource;
  readonly adminKey?: KeySource;
  /** Token before the key in the Authorization header; the document says `Service-Auth-Key`. */
  readonly scheme?: string;
  /** Token before an upload or result signature; the document says `Service-Signature`. */
  readonly signatureScheme?: string;
  /** Sent with every request to the API, never to asset hosts. Names in any casing; `User-Agent` replaces the client's own. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly dialect?: Dialect;
  /** What a deployment can do beyond the document. */
  readonly capabilities?: readonly Capability[];
  /** Requests at a time that may bill; fewer after the service asked to slow down. */
  readonly concurrency?: number;
  /** Requests per second; absent: the client finds the rate itself. */
  readonly perSecond?: number;
  /** Upload limits of documents in bytes by extension, where they differ from the known ones. */
  readonly limits?: Readonly<Record<string, number>>;
  /**
   * Milliseconds after which a call stops waiting for a service that does not answer, or that refuses every call of its
   * kind for so long; absent: until its signal fires.
   */
  readonly patienceMs?: number;
  /** PEM text of certificate authorities to trust beside the system's. */
  readonly ca?: string;
  readonly proxy?: ProxySettings;
  readonly clock?: Clock;
  /** In [0, 1), for the jitter of retries. */
  readonly random?: () => number;
  /** Hears `request`, `throttled`, `paid-work-stopped` and `paid-work-resumed`. */
  readonly onEvent?: Listener;
}

/**
 * Whether the key's calls are being made. `throttled`: nothing starts before `until` (milliseconds since the epoch).
 * `stopped`: calls that may bill fail at once with `failure`; the others still go out.
 */
export type ServiceState =
  | { readonly kind: 'running' }
  | { readonly kind: 'throttled'; readonly until: number }
  | { readonly kind: 'stopped'; readonly failure: StopFailure };

export interface Service extends AsyncDisposable {
  readonly dialect: Dialect;
  readonly capabilities: ReadonlySet<Capability>;
  readonly text: TextResource;
  readonly documents: DocumentsResource;
  readonly writing: WritingResource;
  readonly detection: DetectionResource;
  readonly languages: LanguagesResource;
  readonly glossaries: GlossariesResource;
  readonly legacyGlossaries: LegacyGlossariesResource;
  readonly styles: StylesResource;
  readonly memories: MemoriesResource;
  readonly voice: VoiceResource;
  readonly account: AccountResource;
  readonly keys: KeysResource;
  readonly analytics: AnalyticsResource;
  readonly state: ServiceState;
  /** Replaces the key; work that the old one had stopped may go on. */
  setKey(key: KeySource): void;
  /**
   * Asks `/v2/usage` whether paid work may go on, with the key fetched anew, and lets it go on when there is quota left.
   * @returns the state after that
   * @throws JobFailure when usage cannot be asked; a key that is still refused is a state, not an error
   */
  resume(options?: CallOptions): Promise<ServiceState>;
}

/** Makes a client. Nothing is sent and no key is fetched before the first call; disposing it ends every connection. */
export function connect(options: ConnectOptions): Service {
  const parts = assemble(options);
  const { keys, pace, transport } = parts;
  const ask = makeAsk(parts);
  const resources = resourcesOf(ask, options);
  const state = () => stateOf(keys, pace);
  return {
    ...resources,
    get state() {
      return state();
    },
    setKey: (key) => keys.replace(key),
    async resume(callOptions) {
      keys.forget();
      const usage = await resources.account.usage(callOptions).catch(keepRefusal);
      if (usage !== undefined && hasQuotaLeft(usage)) keys.release();
      return state();
    },
    async [Symbol.asyncDispose]() {
      pace.close();
      await transport[Symbol.asyncDispose]();
    },
  };
}

function resourcesOf(ask: Ask, { dialect = 'document', ...options }: ConnectOptions) {
  const capabilities: ReadonlySet<Capability> = new Set(options.capabilities);
  const can = (one: Capability) => (capabilities.has(one) ? 'accepted' : 'unknown');
  return {
    dialect,
    capabilities,
    text: textResource(ask, dialect),
    documents: documentsResource(ask, {
      dialect,
      styles: can('document_style'),
      limits: options.limits ?? {},
    }),
    writing: writingResource(ask),
    detection: detectionResource(ask),
    languages: languagesResource(ask),
    glossaries: glossariesResource(ask),
    legacyGlossaries: legacyGlossariesResource(ask),
    styles: stylesResource(ask, can('instruction_edit')),
    memories: memoriesResource(ask),
    voice: voiceResource(ask),
    account: accountResource(ask),
    keys: keysResource(ask),
    analytics: analyticsResource(ask),
  };
}

const DEFAULT_CONCURRENCY = 8;

function assemble(options: ConnectOptions) {
  const { clock = systemClock, random = Math.random, onEvent: emit = () => undefined } = options;
  const { concurrency = DEFAULT_CONCURRENCY, scheme, signatureScheme } = options;
  return {
    url: options.url.replace(/\/+$/, ''),
    headers: withLowerCaseNames(options.headers ?? {}),
    patienceMs: options.patienceMs ?? Number.POSITIVE_INFINITY,
    clock,
    random,
    emit,
    transport: new Transport(only(options, ['ca', 'proxy'])),
    pace: new Pace({ clock, concurrency, ...only(options, ['perSecond']) }),
    keys: new KeyRing({
      ...only(options, ['key', 'adminKey']),
      scheme: scheme ?? 'Service-Auth-Key',
      signatureScheme: signatureScheme ?? 'Service-Signature',
      clock,
      emit,
    }),
  };
}

/** One spelling for each name: `User-Agent` beside `user-agent` would be sent twice. */
function withLowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** The named options that are set: an option that is `undefined` counts as absent. */
function only<T extends object, K extends keyof T>(options: T, names: readonly K[]): Pick<T, K> {
  const present = names.filter((name) => options[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, options[name]])) as Pick<T, K>;
}

function stateOf(keys: KeyRing, pace: Pace): ServiceState {
  if (keys.stop !== undefined) return { kind: 'stopped', failure: keys.stop };
  const until = pace.pausedUntil;
  return until === undefined ? { kind: 'running' } : { kind: 'throttled', until };
}

function keepRefusal(error: unknown): undefined {
  if (error instanceof JobFailure && error.failure.kind === 'key-refused') return;
  throw error;
}
