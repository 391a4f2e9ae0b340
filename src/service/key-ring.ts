/** The key: authorization of requests, and whether its paid work is stopped. */
import type { Clock } from '../clock.ts';
import type { Listener } from '../event.ts';
import { type Failure, JobFailure } from '../failure.ts';
import type { Auth } from './call.ts';
import type { Traffic } from './pace.ts';

/** The key, or a function that fetches it (a file, a credential) and is called again after the key was refused. */
export type KeySource = string | (() => Promise<string>);

export interface KeyRingOptions {
  readonly key: KeySource;
  readonly adminKey?: KeySource;
  /** Token before the key in the Authorization header. */
  readonly scheme: string;
  readonly signatureScheme: string;
  readonly clock: Clock;
  readonly emit: Listener;
}

/** Failures that stop all paid work of a key: a refused key, or a used-up quota of the account. */
export type StopFailure = Extract<Failure, { kind: 'key-refused' | 'quota-exceeded' }>;

/** The question whether the key is refused, or its characters are used up. */
export type Probe = 'refused' | 'used-up';

const PROBE_HOLDS_MS = 60_000;

export class KeyRing {
  readonly #options: KeyRingOptions;
  #key: Secret;
  readonly #adminKey: Secret | undefined;
  #stop: StopFailure | undefined;
  readonly #probes = new Map<Probe, { readonly at: number; readonly answer: Promise<boolean> }>();

  constructor(options: KeyRingOptions) {
    this.#options = options;
    this.#key = new Secret(options.key);
    this.#adminKey = options.adminKey === undefined ? undefined : new Secret(options.adminKey);
  }

  /** The Authorization header; none for a signed address. */
  async authorize(auth: Auth): Promise<{ authorization?: string }> {
    const { scheme, signatureScheme } = this.#options;
    switch (auth.kind) {
      case 'key':
        return { authorization: `${scheme} ${await this.#key.read()}` };
      case 'admin':
        if (this.#adminKey === undefined) throw noAdminKey();
        return { authorization: `${scheme} ${await this.#adminKey.read()}` };
      case 'signature':
        return { authorization: `${signatureScheme} ${auth.signature}` };
      case 'signed-url':
        return {};
    }
  }

  /** Secrets that must not appear in a message about a request of this kind. */
  secretsOf(auth: Auth): readonly string[] {
    const keys = [this.#key.known, this.#adminKey?.known].filter((key) => key !== undefined);
    return auth.kind === 'signature' ? [...keys, auth.signature] : keys;
  }

  /** Sets a new key, for example after SIGHUP; work that was stopped because of the old one may go on. */
  replace(key: KeySource): void {
    this.#key = new Secret(key);
    this.release();
  }

  /** Draws the conclusion for the whole key from one refusal. */
  learn(failure: Failure, traffic: Traffic): void {
    const stops =
      failure.kind === 'key-refused' ||
      (failure.kind === 'quota-exceeded' &&
        failure.scope === 'account' &&
        // For a glossary request, usage was asked before this failure was concluded.
        (traffic === 'paid' || traffic === 'glossaries'));
    if (!stops || this.#stop !== undefined) return;
    this.#stop = failure;
    this.#options.emit({ kind: 'paid-work-stopped', failure });
  }

  get stop(): StopFailure | undefined {
    return this.#stop;
  }

  /** @throws JobFailure with the reason when paid work of the key is stopped */
  throwIfStopped(): void {
    if (this.#stop !== undefined) throw new JobFailure(this.#stop);
  }

  release(): void {
    this.#probes.clear();
    if (this.#stop === undefined) return;
    this.#stop = undefined;
    this.#options.emit({ kind: 'paid-work-resumed' });
  }

  /** Fetches the key again at its next use, and asks again whether it is refused. */
  forget(): void {
    this.#probes.clear();
    this.#key.forget();
  }

  /** Asks usage about the key, once for all calls that were refused within a minute. If the question fails, the key counts as good. */
  probe(what: Probe, ask: () => Promise<boolean>): Promise<boolean> {
    const now = this.#options.clock.now();
    const known = this.#probes.get(what);
    if (known !== undefined && now - known.at <= PROBE_HOLDS_MS) return known.answer;
    const answer = ask().catch(() => false);
    this.#probes.set(what, { at: now, answer });
    return answer;
  }
}

/** A key that is fetched when it is first needed. */
class Secret {
  readonly #source: KeySource;
  #value: Promise<string> | undefined;
  known: string | undefined;

  constructor(source: KeySource) {
    this.#source = source;
  }

  read(): Promise<string> {
    this.#value ??= this.#fetch();
    return this.#value;
  }

  forget(): void {
    this.#value = undefined;
  }

  async #fetch(): Promise<string> {
    try {
      const source = this.#source;
      const key = (typeof source === 'string' ? source : await source()).trim();
      if (!/^[\x21-\x7e]+$/.test(key)) throw unusableKey();
      this.known = key;
      return key;
    } catch (error) {
      this.#value = undefined;
      throw error;
    }
  }
}

function unusableKey(): JobFailure {
  return new JobFailure({
    kind: 'key-missing',
    message: 'it is empty or holds characters that a header cannot carry',
  });
}

function noAdminKey(): JobFailure {
  return new JobFailure({
    kind: 'key-missing',
    message:
      'administration needs an admin key, and none is configured (service.admin_key in dragoman.yaml); admin keys are made in the account, not by the API',
  });
}
