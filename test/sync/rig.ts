/** A service over a real socket for tests of a sync: calls counted, killed at will, and what a ledger would note of it. */
import { afterAll, beforeAll } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { connect, type Service } from '../../src/service/client.ts';
import type { SyncLog } from '../../src/sync/records.ts';

export interface Remote {
  readonly sandbox: Sandbox;
  readonly service: Service;
  /** How often the service saw which operation meanwhile. */
  callsOf(act: () => Promise<unknown>): Promise<Record<string, number>>;
}

/** One service for all tests of a file. */
export function remote(): Remote {
  const open: { sandbox?: Sandbox; service?: Service } = {};
  beforeAll(async () => {
    open.sandbox = await startSandbox();
    open.service = connect({ url: open.sandbox.url, key: open.sandbox.key });
  });
  afterAll(async () => {
    await open.service?.[Symbol.asyncDispose]();
    await open.sandbox?.[Symbol.asyncDispose]();
  });
  return {
    get sandbox() {
      return running(open.sandbox);
    },
    get service() {
      return running(open.service);
    },
    async callsOf(act) {
      const before = this.sandbox.log().length;
      await act();
      const counts: Record<string, number> = {};
      for (const { operation } of this.sandbox.log().slice(before)) {
        counts[operation] = (counts[operation] ?? 0) + 1;
      }
      return counts;
    },
  };
}

function running<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('only a test may ask for it');
  return part;
}

/** The records of a sync that a ledger would have. */
export class Noted implements SyncLog {
  id: string | undefined;
  obsolete: readonly string[] = [];

  constructor(id?: string) {
    this.id = id;
  }

  async begin(id: string, obsolete: readonly string[] = []): Promise<void> {
    this.id = id;
    this.obsolete = obsolete;
  }
}

/** The moment when a process ends: at its nth call, before or after the service carried it out. */
export interface Death {
  readonly calls: number;
  readonly when: 'before' | 'after';
}

/** The same service for a process that ends there; what it calls afterwards never arrives. */
export function dying(service: Service, { calls, when }: Death): Service {
  let left = calls;
  const mortal = <T extends object>(resource: T): T =>
    new Proxy(resource, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
        return async (...args: unknown[]) => {
          left -= 1;
          if (left < 0 || (left === 0 && when === 'before')) throw new Error('killed');
          const answer = await method.apply(target, args);
          if (left === 0) throw new Error('killed');
          return answer;
        };
      },
    });
  const { glossaries, legacyGlossaries, styles } = service;
  return {
    ...service,
    glossaries: mortal(glossaries),
    legacyGlossaries: mortal(legacyGlossaries),
    styles: mortal(styles),
  };
}

/** A legacy (v2) glossary from English to German. @param entries TSV */
export async function makeLegacy(
  { legacyGlossaries }: Service,
  name: string,
  entries: string,
): Promise<void> {
  const pair = { source_lang: 'en', target_lang: 'de' };
  await legacyGlossaries.create({ name, ...pair, entries, entries_format: 'tsv' });
}
