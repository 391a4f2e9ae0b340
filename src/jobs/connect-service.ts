/** Connects to the service of a config, with the key that the config refers to. */
import { readFile } from 'node:fs/promises';
import { readSecret, SecretMissing } from '../config/load-secret.ts';
import type { Config } from '../config.ts';
import { JobFailure } from '../failure.ts';
import { connect, type Service } from '../service/client.ts';
import type { Rate } from '../service/rate.ts';
import type { SecretReference } from '../setting.ts';
import type { WorkspaceOptions, World } from './workspace.ts';

/** The client of a config's service. The key is read when it is first needed, and again after it was refused. */
export async function connectService({
  config,
  world,
  patienceMs,
  rate,
}: WorkspaceOptions & { readonly rate?: Rate }): Promise<Service> {
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
    // Jobs wait for a service that is down, however long.
    patienceMs: patienceMs ?? Number.POSITIVE_INFINITY,
    ...(service.caFile === undefined ? {} : { ca: await readFile(service.caFile, 'utf8') }),
    ...(world.proxy === undefined ? {} : { proxy: world.proxy }),
    clock: world.clock,
    random: () => world.random(),
    onEvent: (event) => world.events.emit(event),
  });
}

/** Where the key of a config comes from; read when it is needed. */
export function serviceKeyOf({ service }: Config, world: World): () => Promise<string> {
  return () => readKey(service.key, world);
}

async function readKey(reference: SecretReference, { secrets }: World): Promise<string> {
  try {
    return await readSecret(reference, secrets);
  } catch (error) {
    if (!(error instanceof SecretMissing)) throw error;
    throw new JobFailure({ kind: 'key-missing', message: error.message }, { cause: error });
  }
}
