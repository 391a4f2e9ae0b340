/**
 * The keys of the sandbox, each with its rights: with them, a test can cause every refusal. With the default key `sandbox`:
 *
 * | key | account |
 * | --- | --- |
 * | `sandbox` | paid: everything |
 * | `sandbox-free` | free plan: no styles, no rephrase, short usage answer, 500,000 characters |
 * | `sandbox-classic` | classic paid plan: everything, short usage answer |
 * | `sandbox-no-detection` | paid, not opted in to detection |
 * | `sandbox-no-voice` | paid, without voice |
 * | `sandbox-no-styles` | paid, without style rights |
 * | `sandbox-limited` | paid account, key limited to `limits.limited_key` characters (1,000) |
 * | `sandbox-second` | paid, at home in the second data center whatever address it calls |
 * | `sandbox-admin` | admin key of the first account: administration only |
 */
import { randomUUID } from 'node:crypto';
import { type Clock, isoTime } from '../clock.ts';
import type { DataCenter } from './data-center.ts';
import type { Limits } from './limits.ts';
import type { UsageTally } from './tally.ts';

export type Feature = 'detection' | 'voice' | 'styles' | 'write';
export type AccountPlan = 'paid' | 'classic' | 'free';

/** The value for "no limit" (docs/design/api.md, "Usage and administration"). */
export const UNLIMITED = 1_000_000_000_000;

export interface Account {
  readonly name: string;
  readonly plan: AccountPlan;
  readonly lacks: readonly Feature[];
  /** The data center of all its requests, also of those to another address. */
  readonly home?: DataCenter;
  readonly keys: ApiKey[];
  character_limit: number;
}

export interface ApiKey {
  readonly secret: string;
  readonly role: 'developer' | 'admin';
  readonly account: Account;
  /** Two UUIDs joined by `:` (docs/design/api.md, "Conventions"). */
  readonly key_id: string;
  readonly creation_time: string;
  label: string;
  deactivated_time?: string;
  /** Characters of one usage period; null without limit. */
  limit: number | null;
  /** UTC day -> usage. */
  readonly days: Map<string, UsageTally>;
}

export class Keyring {
  readonly #bySecret = new Map<string, ApiKey>();
  readonly #clock: Clock;

  constructor(options: { clock: Clock; key: string; adminKey: string; limits: Limits }) {
    this.#clock = options.clock;
    const { key } = options;
    const free: readonly Feature[] = ['styles', 'write'];
    const first = this.#open('paid', { secret: key });
    this.#open('free', { secret: `${key}-free`, plan: 'free', lacks: free, total: 500_000 });
    this.#open('classic', { secret: `${key}-classic`, plan: 'classic' });
    this.#open('no-detection', { secret: `${key}-no-detection`, lacks: ['detection'] });
    this.#open('no-voice', { secret: `${key}-no-voice`, lacks: ['voice'] });
    this.#open('no-styles', { secret: `${key}-no-styles`, lacks: ['styles'] });
    this.#open('limited', { secret: `${key}-limited`, limit: options.limits.limited_key });
    this.#open('second', { secret: `${key}-second`, home: 'second' });
    this.issue({ account: first, label: 'Admin', secret: options.adminKey, role: 'admin' });
  }

  /** The active key with that secret. */
  find(secret: string): ApiKey | undefined {
    const key = this.#bySecret.get(secret);
    return key?.deactivated_time === undefined ? key : undefined;
  }

  /** Creates a key that works at once. Its id is also the key that callers send, since the API returns nothing else. */
  issue(options: {
    account: Account;
    label: string;
    secret?: string;
    role?: 'developer' | 'admin';
  }): ApiKey {
    const key_id = `${randomUUID()}:${randomUUID()}`;
    const key: ApiKey = {
      secret: options.secret ?? key_id,
      role: options.role ?? 'developer',
      account: options.account,
      key_id,
      creation_time: isoTime(this.#clock),
      label: options.label,
      limit: null,
      days: new Map(),
    };
    options.account.keys.push(key);
    this.#bySecret.set(key.secret, key);
    return key;
  }

  all(): readonly ApiKey[] {
    return [...this.#bySecret.values()];
  }

  #open(name: string, terms: KeyTerms): Account {
    const account: Account = {
      name,
      plan: terms.plan ?? 'paid',
      lacks: terms.lacks ?? [],
      ...(terms.home && { home: terms.home }),
      keys: [],
      character_limit: terms.total ?? UNLIMITED,
    };
    const key = this.issue({ account, label: 'Default key', secret: terms.secret });
    key.limit = terms.limit ?? null;
    return account;
  }
}

interface KeyTerms {
  readonly secret: string;
  readonly plan?: AccountPlan;
  readonly lacks?: readonly Feature[];
  readonly home?: DataCenter;
  readonly limit?: number;
  readonly total?: number;
}
