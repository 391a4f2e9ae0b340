/** Connects to the service of a config, with the key that the config refers to. */
import type { Clock } from '../clock.ts';
import { readAuthorities } from '../config/load-authorities.ts';
import { readSecret, SecretMissing, type SecretStores } from '../config/load-secret.ts';
import type { Config } from '../config.ts';
import type { Events } from '../event.ts';
import { JobFailure } from '../failure.ts';
import { connect, type Service } from '../service/client.ts';
import type { Rate } from '../service/rate.ts';
import type { ProxySettings } from '../service/transport-options.ts';
import type { SecretReference } from '../setting.ts';

/** The clock, events, random numbers, secrets and proxy of the process. They are a parameter, so that tests control them. */
export interface ProcessWorld {
  readonly clock: Clock;
  readonly events: Events;
  /** In [0, 1). */
  random(): number;
  readonly secrets: SecretStores;
  readonly proxy?: ProxySettings;
}

export interface ConnectServiceOptions {
  readonly config: Config;
  readonly world: ProcessWorld;
  /** Milliseconds after which the client gives up a service that does not answer; absent: never. */
  readonly patienceMs?: number;
  /** Requests of a team; absent: this process limits its own requests. */
  readonly rate?: Rate;
}

/** The client of the service. It reads the key at its first use, and again after the service refused it. */
export async function connectService({
  config,
  world,
  patienceMs,
  rate,
}: ConnectServiceOptions): Promise<Service> {
  const { service } = config;
  const { adminKey } = service;
  return connect({
    url: service.url,
    key: serviceKeyOf(config, world),
    ...(adminKey === undefined ? {} : { adminKey: () => readKey(adminKey, world) }),
    scheme: service.scheme,
    signatureScheme: service.signatureScheme,
    headers: service.headers,
    dialect: service.dialect,
    capabilities: service.capabilities,
    concurrency: service.concurrency,
    ...service.rate,
    ...(rate === undefined ? {} : { rate }),
    limits: service.limits,
    // Jobs wait for a service that is down, without a limit.
    patienceMs: patienceMs ?? Number.POSITIVE_INFINITY,
    ...(service.caFile === undefined ? {} : { ca: await readAuthorities(service.caFile) }),
    ...(world.proxy === undefined ? {} : { proxy: world.proxy }),
    clock: world.clock,
    random: () => world.random(),
    onEvent: (event) => world.events.emit(event),
  });
}

/** Reads the key of a config, when it is called. @throws JobFailure `key-missing` */
export function serviceKeyOf({ service }: Config, world: ProcessWorld): () => Promise<string> {
  return () => readKey(service.key, world);
}

async function readKey(
  reference: SecretReference,
  { secrets }: Pick<ProcessWorld, 'secrets'>,
): Promise<string> {
  try {
    return await readSecret(reference, secrets);
  } catch (error) {
    if (!(error instanceof SecretMissing)) throw error;
    throw new JobFailure({ kind: 'key-missing', message: error.message }, { cause: error });
  }
}
