/** Everything of the file but the projects -> `Config`, frozen. */
import { dirname, resolve } from 'node:path';
import type { Config, Hook, Keep, Project, ServiceConfig, TeamConfig } from '../config.ts';
import { given, resolveBudget } from './resolve-project.ts';
import type { HeadSettings } from './schema.ts';
import type { ServiceSettings } from './service-schema.ts';
import type { Report } from './shape.ts';
import type { Environment } from './variables.ts';

export interface HeadContext {
  /** Absolute path of the config file. */
  readonly file: string;
  readonly projects: readonly Project[];
  readonly report: Report;
  readonly env: Environment;
}

export function resolveHead(
  head: HeadSettings,
  { file, projects, report, env }: HeadContext,
): Config {
  const base = dirname(file);
  return freeze(
    given<Config>({
      file,
      base,
      state: resolve(base, folderOf(head.state)),
      team: resolveTeam(head.state, base),
      lock: head.lock === undefined ? undefined : resolve(base, head.lock),
      sync: resolveSync(head.sync, { env, report }),
      service: resolveService(head.service, { base, report }),
      budget: resolveBudget(head.budget, 'hold'),
      guard: head.guard,
      keep: given<Keep>(head.keep),
      log: head.log,
      page: resolvePage(head.page, report),
      on: resolveHooks(head.on),
      projects,
    }),
  );
}

/** @param state as it is written, if at all */
export function folderOf(state: unknown): string {
  if (typeof state === 'string') return state;
  const { folder } = (state ?? {}) as { folder?: unknown };
  return typeof folder === 'string' ? folder : '.dragoman';
}

function resolveTeam(state: HeadSettings['state'], base: string): TeamConfig | undefined {
  if (typeof state === 'string' || state.url === undefined) return undefined;
  const { url, schema } = state;
  return { url: typeof url === 'string' ? url : resolveSecret(url, base), schema };
}

/** A runner is told so without another config. */
function resolveSync(
  written: Config['sync'],
  { env, report }: Pick<HeadContext, 'env' | 'report'>,
): Config['sync'] {
  const told = env[SYNC_VARIABLE];
  if (told === undefined || told === '') return written;
  if (told === 'on' || told === 'off') return told;
  report(['sync'], `${SYNC_VARIABLE} is "${told}": expected "on" or "off"`);
  return written;
}

export const SYNC_VARIABLE = 'DRAGOMAN_SYNC';

/** Without slashes at its end, which paths begin with. */
export function addressOf(url: string): string {
  return url.replace(/\/+$/, '');
}

/** What belongs to the connection, the key or the body. */
const OWN_HEADERS =
  /^(?:authorization|proxy-authorization|host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer)$/i;

function resolveService(
  settings: ServiceSettings,
  { base, report }: { base: string; report: Report },
): ServiceConfig {
  for (const name of Object.keys(settings.headers)) {
    if (!OWN_HEADERS.test(name)) continue;
    report(
      ['service', 'headers', name],
      'is set by dragoman itself; the key belongs in service.key',
      'name',
    );
  }
  return given<ServiceConfig>({
    url: addressOf(settings.url),
    key: resolveSecret(settings.key, base),
    adminKey: settings.admin_key && resolveSecret(settings.admin_key, base),
    scheme: settings.scheme,
    signatureScheme: settings.signature_scheme,
    headers: settings.headers,
    dialect: settings.dialect,
    capabilities: settings.capabilities,
    caFile: settings.ca_file === undefined ? undefined : resolve(base, settings.ca_file),
    concurrency: settings.concurrency,
    perSecond: settings.rate?.per_second,
    limits: lowerCaseKeys(settings.limits),
    voice: {
      maxBytes: settings.voice.max_size,
      maxSeconds: settings.voice.max_duration / 1000,
      jobs: settings.voice.jobs,
    },
    lanes: given(settings.lanes),
    verifyEvery: settings.verify_every,
  });
}

type SecretSettings = ServiceSettings['key'];

function resolveSecret(secret: SecretSettings, base: string): SecretSettings {
  return 'file' in secret ? { file: resolve(base, secret.file) } : secret;
}

// `.docx` and `DOCX` are meant as `docx`.
function lowerCaseKeys(limits: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(limits).map(([extension, bytes]) => [
      extension.replace(/^\./, '').toLowerCase(),
      bytes,
    ]),
  );
}

function resolvePage(page: HeadSettings['page'], report: Report): Config['page'] {
  if (page === false) return false;
  const colon = page.listen.lastIndexOf(':');
  const host = colon < 0 ? '127.0.0.1' : page.listen.slice(0, colon).replace(/^\[|\]$/g, '');
  const port = Number(page.listen.slice(colon + 1));
  if (port > 65_535) report(['page', 'listen'], 'a port is at most 65535');
  if (!isLoopback(host) && page.allowed_hosts.length === 0) {
    report(
      ['page', 'listen'],
      `${host} is reachable from elsewhere: name the hosts in allowed_hosts`,
    );
  }
  return { host, port, allowedHosts: page.allowed_hosts };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function resolveHooks(on: HeadSettings['on']): Config['on'] {
  const hooks = (list: HeadSettings['on']['held']) => list.map((hook) => given<Hook>(hook));
  return {
    delivered: hooks(on.delivered),
    held: hooks(on.held),
    failed: hooks(on.failed),
    budget: hooks(on.budget),
  };
}

/** Freezes objects and lists all the way down; maps and sets are read-only by type. */
function freeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  if (value instanceof Map || value instanceof Set) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}
