/** The settings of the file outside `projects` -> `Config`, frozen. */
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Config, HeadSettings, ServiceConfig, TeamConfig } from '../config.ts';
import type { Project } from '../project.ts';
import type { SecretReference } from '../setting.ts';
import { given, resolveBudget } from './resolve-project.ts';
import { checkReviewers } from './review-checks.ts';
import type { Report } from './shape.ts';
import type { Environment } from './variables.ts';

export interface HeadContext {
  /** Absolute path of the config file. */
  readonly file: string;
  readonly projects: readonly Project[];
  readonly report: Report;
  readonly env: Environment;
  /** A setting of the section "state" has a fault and was left out. That it is missing is no second fault. */
  readonly isStateFaulty: boolean;
}

export function resolveHead(
  head: HeadSettings,
  { file, projects, report, env, isStateFaulty }: HeadContext,
): Config {
  const base = dirname(file);
  const { $schema, version, requires, defaults, ...settings } = head;
  checkPage(head.page, report);
  checkReviewers(head, { projects, report });
  if (!isStateFaulty) {
    checkRunnerBudget(head, report);
    checkTree(head, { base, projects, report });
  }
  return freeze(
    given<Config>({
      ...settings,
      file,
      base,
      state: resolve(base, stateFolderOf(head.state)),
      team: resolveTeam(head.state, base),
      lock: head.lock && resolve(base, head.lock),
      sync: resolveSync(head.sync, { env, report }),
      service: resolveService(head.service, { base, report }),
      budget: resolveBudget(head.budget, 'hold'),
      projects,
    }),
  );
}

/** The state folder as written, or the default. @param state the raw setting `state`, of any type */
export function stateFolderOf(state: unknown): string {
  if (typeof state === 'string') return state;
  const { folder } = (state ?? {}) as { folder?: unknown };
  return typeof folder === 'string' ? folder : '.dragoman';
}

function resolveTeam(state: HeadSettings['state'], base: string): TeamConfig | undefined {
  if (typeof state === 'string' || state.url === undefined) return undefined;
  const { url, schema, key, tree, spool = '.dragoman-spool' } = state;
  return {
    url: typeof url === 'string' ? url : resolveSecret(url, base),
    schema,
    ...(key === undefined ? {} : { key: resolveSecret(key, base) }),
    ...(tree === undefined ? {} : { tree: { name: tree, spool: resolve(base, spool) } }),
  };
}

/** The variable overrides the setting `sync`, so that one CI job can differ without another config. */
function resolveSync(
  written: Config['sync'],
  { env, report }: Pick<HeadContext, 'env' | 'report'>,
): Config['sync'] {
  const value = env[SYNC_VARIABLE];
  if (value === undefined || value === '') return written;
  if (value === 'on' || value === 'off') return value;
  report(['sync'], `${SYNC_VARIABLE} is "${value}": expected "on" or "off"`);
  return written;
}

export const SYNC_VARIABLE = 'DRAGOMAN_SYNC';

/** Headers that dragoman sets itself, for the connection, the key or the body. */
const OWN_HEADERS =
  /^(?:authorization|proxy-authorization|host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer)$/i;

function resolveService(
  service: ServiceConfig,
  { base, report }: { base: string; report: Report },
): ServiceConfig {
  for (const name of Object.keys(service.headers)) {
    if (!OWN_HEADERS.test(name)) continue;
    report(
      ['service', 'headers', name],
      'is set by dragoman itself; the key belongs in service.key',
      'name',
    );
  }
  return given<ServiceConfig>({
    ...service,
    key: resolveSecret(service.key, base),
    adminKey: service.adminKey && resolveSecret(service.adminKey, base),
    caFile: service.caFile && resolve(base, service.caFile),
  });
}

function resolveSecret(secret: SecretReference, base: string): SecretReference {
  return 'file' in secret ? { file: resolve(base, secret.file) } : secret;
}

function checkPage(page: Config['page'], report: Report): void {
  if (page === false) return;
  if (page.port > 65_535) report(['page', 'listen'], 'a port is at most 65535');
  if (!isLoopback(page.host) && page.allowedHosts.length === 0) {
    report(
      ['page', 'listen'],
      `${page.host} is reachable from elsewhere: name the hosts in allowed_hosts`,
    );
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The budget of a runner counts by its database login, so it needs a database. */
function checkRunnerBudget({ budget, state }: HeadSettings, report: Report): void {
  if (budget.runner === undefined || (typeof state === 'object' && state.url !== undefined)) return;
  report(
    ['budget', 'runner'],
    'counts by the login of a team\'s database: name one as "url" in "state"',
    'name',
  );
}

/** Checks the settings of a tree that several daemons share. The state folder is of one daemon, so it must be outside the tree. */
function checkTree(
  { state }: HeadSettings,
  { base, projects, report }: Pick<HeadContext, 'projects' | 'report'> & { base: string },
): void {
  if (typeof state === 'string') return;
  if (state.tree === undefined) {
    if (state.spool !== undefined)
      report(['state', 'spool'], 'has an effect only with a tree: add "tree"', 'name');
    return;
  }
  if (state.url === undefined) {
    report(['state', 'tree'], 'is kept in a database: name one as "url"', 'name');
  }
  if (state.key === undefined) {
    report(
      ['state', 'tree'],
      'keeps handles of documents and recordings in the database, encrypted: add "key"',
      'name',
    );
  }
  const folder = resolve(base, state.folder);
  const around = projects.find(({ root }) => isBelow(folder, root));
  if (around === undefined) return;
  report(['state', 'tree'], insideTree(folder, around.name), 'name');
}

export function insideTree(folder: string, project: string): string {
  return `the state folder ${folder} is inside the tree of project "${project}", which other daemons see: name a folder of this machine as "folder", such as /var/lib/dragoman`;
}

function isBelow(folder: string, root: string): boolean {
  const path = relative(root, folder);
  return path === '' || !(path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path));
}

/** Freezes objects and lists at all depths; maps and sets are read-only by type. */
function freeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  if (value instanceof Map || value instanceof Set) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}
