/** The typed client of the language service: `connect` gives one property per resource. */
import * as z from 'zod';
import { type Clock, onwardClock, systemClock } from '../clock.ts';
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
import { ServiceContact } from './contact.ts';
import { type DetectionResource, detectionResource } from './detection.ts';
import { type DocumentsResource, documentsResource } from './documents.ts';
import { type GlossariesResource, glossariesResource } from './glossaries.ts';
import { headerProblem, headerValueProblem } from './header.ts';
import { Transport } from './http.ts';
import { KeyRing, type KeySource, type StopFailure } from './key-ring.ts';
import { type LanguagesResource, languagesResource } from './languages.ts';
import { type LegacyGlossariesResource, legacyGlossariesResource } from './legacy-glossaries.ts';
import { type MemoriesResource, memoriesResource } from './memories.ts';
import { Pace } from './pace.ts';
import { ownRate, type Rate } from './rate.ts';
import { type WritingResource, writingResource } from './rephrase.ts';
import { Callback, Milliseconds, requireShape } from './shape.ts';
import { type StylesResource, stylesResource } from './styles.ts';
import { type TextResource, textResource } from './text.ts';
import type { Dialect } from './text-request.ts';
import type { ProxySettings } from './transport-options.ts';
import { type VoiceResource, voiceResource } from './voice.ts';

export { adviceFor, describeFailure, type Failure, JobFailure } from '../failure.ts';
export type { LanguageResourceName } from '../language.ts';
export type { Inspection, Usage } from './account.ts';
export type { AnalyticsQuery, DeveloperKey, UsageFigures, UsageReport } from './administration.ts';
export type { CallOptions } from './call.ts';
export type { Detection, DetectResult } from './detection.ts';
export type { UploadRequest } from './document-constraints.ts';
export type { DocumentHandle, DocumentStatus } from './document-steps.ts';
export type { Download, DownloadHead, DownloadSink } from './download.ts';
export type {
  Dictionary,
  DictionaryEntries,
  DictionaryInput,
  DictionaryPair,
  Glossary,
  GlossaryInput,
  GlossaryPatch,
} from './glossaries.ts';
export type { Language, LanguagePair, LanguageQuery, LanguageResourceInfo } from './languages.ts';
export type { LegacyGlossary, LegacyGlossaryInput } from './legacy-glossaries.ts';
export type { TranslationMemory } from './memories.ts';
export type { Page } from './paging.ts';
export { PartialFailure } from './parts.ts';
export type {
  Improvement,
  RephraseRequest,
  RephraseResult,
  Tone,
  WritingStyle,
} from './rephrase.ts';
export type { ConfiguredRules } from './style-constraints.ts';
export type {
  Instruction,
  InstructionAddress,
  InstructionInput,
  Style,
  StyleInput,
  StyleSummary,
} from './styles.ts';
export type { TranslateRequest, TranslateResult, Translation } from './text.ts';
export type { Dialect, Formality, ModelType } from './text-request.ts';
export type {
  DocumentProgress,
  TranslateDocumentOptions,
  TranslateDocumentRequest,
  TranslatedDocument,
} from './translate-document.ts';
export type { UploadOptions } from './upload.ts';
export type { UploadInput } from './upload-source.ts';
export type {
  Recording,
  ResultTicket,
  UploadTicket,
  VoiceJob,
  VoiceOptions,
  VoiceRequest,
  VoiceResult,
  VoiceTarget,
  VoiceTicket,
} from './voice.ts';

export type Capability = 'document_style' | 'instruction_edit';

export interface ConnectOptions {
  /** Base address, with or without a trailing slash; it may have a path. */
  readonly url: string;
  /** The key, or a function that fetches it: called at the first request, and again by `resume` after the key was refused. */
  readonly key: KeySource;
  readonly adminKey?: KeySource | undefined;
  /** Token before the key in the Authorization header; `Service-Auth-Key` is documented. */
  readonly scheme?: string | undefined;
  /** Token before an upload or result signature; `Service-Signature` is documented. */
  readonly signatureScheme?: string | undefined;
  /** Sent with every request to the API, never to asset hosts. Names in any case; `User-Agent` replaces the client's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly dialect?: Dialect | undefined;
  /** Capabilities of the deployment beyond the documented ones. */
  readonly capabilities?: readonly Capability[] | undefined;
  /** The most concurrent requests that may bill; the client uses fewer after the service asked to slow down. */
  readonly concurrency?: number | undefined;
  /** Requests per second; absent: the client adapts to refusals. */
  readonly perSecond?: number | undefined;
  /** A rate shared with other processes that use the key, in place of `perSecond`. */
  readonly rate?: Rate | undefined;
  /** Upload limits of documents, in bytes by extension, that differ from the known ones. */
  readonly limits?: Readonly<Record<string, number>> | undefined;
  /**
   * Milliseconds after which a call gives up on a service that does not answer, or that refuses every call of its kind. Absent: 120,000.
   * Infinity: until its signal fires.
   */
  readonly patienceMs?: number | undefined;
  /** PEM text of certificate authorities to trust beside the system's. */
  readonly ca?: string | undefined;
  readonly proxy?: ProxySettings | undefined;
  readonly clock?: Clock | undefined;
  /** Returns a number in [0, 1) for the jitter of retries. */
  readonly random?: (() => number) | undefined;
  /** Gets `request`, `request-repeated`, `throttled`, `paid-work-stopped` and `paid-work-resumed`. */
  readonly onEvent?: Listener | undefined;
}

const Key = z.custom<KeySource>((value) => ['string', 'function'].includes(typeof value), {
  error: 'must be the key, or a function that fetches it',
});
const Address = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  error: 'must be an address that begins with http:// or https://',
});
const Count = z.number().positive();
const Scheme = z.string().superRefine((value, { addIssue }) => {
  const message = headerValueProblem(value);
  if (message !== undefined) addIssue(message);
});
const Headers = z.record(z.string(), z.string()).superRefine((headers, { addIssue }) => {
  for (const [name, value] of Object.entries(headers)) {
    const message = headerProblem(name, value);
    if (message !== undefined) addIssue({ code: 'custom', path: [name], message });
  }
});

const CONNECT_SHAPE = z.looseObject({
  url: Address,
  key: Key,
  adminKey: Key.optional(),
  scheme: Scheme.optional(),
  signatureScheme: Scheme.optional(),
  headers: Headers.optional(),
  dialect: z.enum(['document', 'deployed']).optional(),
  capabilities: z.array(z.enum(['document_style', 'instruction_edit'])).optional(),
  concurrency: Count.optional(),
  perSecond: Count.optional(),
  limits: z.record(z.string(), z.number()).optional(),
  patienceMs: Milliseconds.optional(),
  ca: z.string().optional(),
  proxy: z.looseObject({}).optional(),
  clock: z.looseObject({ now: Callback, sleep: Callback }).optional(),
  random: Callback.optional(),
  onEvent: Callback.optional(),
});

/**
 * The state of the key's calls. `throttled`: no call starts before `until` (milliseconds since the epoch). `stopped`: calls that may bill
 * fail at once with `failure`; the others are still sent.
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
  /** Whether the service answers. */
  readonly contact: Pick<ServiceContact, 'lastRequest' | 'repeated'>;
  /** Replaces the key. Work that was stopped because of the old key may go on. */
  setKey(key: KeySource): void;
  /**
   * Asks `/v2/usage` with a freshly fetched key whether paid work may go on, and resumes it when there is quota left.
   * @returns the new state
   * @throws JobFailure when usage cannot be asked; a key that is still refused is a state, not an error
   */
  resume(options?: CallOptions): Promise<ServiceState>;
  /**
   * From now on a call that fails is not tried again; one that waits, for its turn or for another try, rejects with `stopped`. So does a
   * call that begins later, while the service has asked to wait.
   */
  endRetries(): void;
  /** Resolves when every request that may bill and was sent has its answer. */
  answered(): Promise<void>;
}

/**
 * Makes a client. Nothing is sent and no key is fetched before the first call; disposing the client closes every connection.
 * @throws JobFailure `invalid-request` that names the invalid option
 */
export function connect(options: ConnectOptions): Service {
  requireShape(options, { operation: 'connect', shape: CONNECT_SHAPE, name: 'options' });
  const parts = assemble(options);
  const { keys, pace, transport, contact } = parts;
  const retries = new AbortController();
  const ask = makeAsk({ ...parts, retriesEnd: retries.signal });
  const resources = resourcesOf(ask, options);
  const state = () => serviceState(keys, pace);
  return {
    ...resources,
    contact,
    get state() {
      return state();
    },
    setKey(key) {
      requireShape(key, { operation: 'setKey', shape: Key, name: 'key' });
      keys.replace(key);
    },
    async resume(callOptions) {
      keys.forget();
      const usage = await resources.account.usage(callOptions).catch(keepRefusal);
      if (usage !== undefined && hasQuotaLeft(usage)) keys.release();
      return state();
    },
    endRetries() {
      retries.abort();
    },
    async answered() {
      await pace.answered();
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
    documents: documentsResource(
      ask,
      { dialect, styles: can('document_style'), limits: options.limits ?? {} },
      options.clock ?? systemClock,
    ),
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
const DEFAULT_PATIENCE_MS = 120_000;

function assemble(options: ConnectOptions) {
  const { random = Math.random, onEvent: emit = () => undefined } = options;
  // Pauses, patience and the stop of a key are waits. All times of the client are on this clock.
  const clock = onwardClock(options.clock ?? systemClock);
  const { concurrency = DEFAULT_CONCURRENCY, scheme, signatureScheme } = options;
  return {
    url: options.url.replace(/\/+$/, ''),
    headers: withLowerCaseNames(options.headers ?? {}),
    patienceMs: options.patienceMs ?? DEFAULT_PATIENCE_MS,
    clock,
    random,
    emit,
    contact: new ServiceContact(clock),
    transport: new Transport(only(options, ['ca', 'proxy'])),
    pace: new Pace({ clock, concurrency, rate: rateOf(options) }),
    keys: new KeyRing({
      key: options.key,
      ...only(options, ['adminKey']),
      scheme: scheme ?? 'Service-Auth-Key',
      signatureScheme: signatureScheme ?? 'Service-Signature',
      clock,
      emit,
    }),
  };
}

function rateOf({ rate, perSecond, clock }: ConnectOptions): Rate | undefined {
  return rate ?? (perSecond === undefined ? undefined : ownRate(perSecond, clock));
}

/** Lower-case names: `User-Agent` beside `user-agent` would be sent twice. */
function withLowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** The named options that are set; `undefined` counts as absent. */
function only<T extends object, K extends keyof T>(
  options: T,
  names: readonly K[],
): { readonly [P in K]?: Exclude<T[P], undefined> } {
  const present = names.filter((name) => options[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, options[name]])) as {
    [P in K]?: Exclude<T[P], undefined>;
  };
}

function serviceState(keys: KeyRing, pace: Pace): ServiceState {
  if (keys.stop !== undefined) return { kind: 'stopped', failure: keys.stop };
  const until = pace.pausedUntil;
  return until === undefined ? { kind: 'running' } : { kind: 'throttled', until };
}

function keepRefusal(error: unknown): undefined {
  if (error instanceof JobFailure && error.failure.kind === 'key-refused') return;
  throw error;
}
