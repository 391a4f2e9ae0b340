/** Makes the world that all resources share; a full reset makes it anew, with what must outlive it handed over. */
import type { Clock } from '../clock.ts';
import type { Counters } from './counters.ts';
import type { DataCenter } from './data-center.ts';
import type { Engine } from './engine.ts';
import type { Faults } from './faults.ts';
import type { Glossary } from './glossary-store.ts';
import { Keyring } from './keyring.ts';
import { withLimits } from './limits.ts';
import type { SandboxOptions } from './options.ts';
import { Owned } from './owned.ts';
import type { World } from './resource.ts';
import type { Spool } from './spool.ts';
import type { StyleList } from './style-store.ts';

export interface Lasting {
  readonly key: string;
  readonly adminKey: string;
  /** The service's time. */
  readonly clock: Clock;
  readonly engine: Engine;
  readonly spool: Spool;
  readonly faults: Faults;
  readonly counters: Counters;
  /** Filled in when the servers listen. */
  readonly addresses: Readonly<Record<DataCenter, string>>;
}

export function makeWorld(options: SandboxOptions, lasting: Lasting): World {
  const { key, adminKey, clock, engine, spool, faults, counters, addresses } = lasting;
  const limits = withLimits(options.limits);
  return {
    clock,
    engine,
    dialect: options.dialect ?? 'document',
    limits,
    keyring: new Keyring({ clock, key, adminKey, limits }),
    faults,
    counters,
    glossaries: new Owned<Glossary>('Glossary'),
    styles: new Owned<StyleList>('Style rule list'),
    spool,
    schemes: { key: 'Service-Auth-Key', signature: 'Service-Signature', ...options.schemes },
    passthrough: options.passthrough ?? false,
    address: (dataCenter) => addresses[dataCenter],
  };
}
