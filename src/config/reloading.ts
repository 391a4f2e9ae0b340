/**
 * Which settings a reload puts in force while a daemon runs. Every setting of a config is listed here: without its line, a new setting
 * does not compile. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Config, Keep, ServiceConfig, TeamConfig, TreeConfig } from '../config.ts';

/** `applied`: a reload puts it in force. Else its name in the file: it is read at the start only, so a reload refuses its change. */
type Reloading = 'applied' | `restart: ${string}`;
type ReloadingTable<Of> = {
  readonly [Name in keyof Required<Of>]: Reloading | ((config: Config) => Reloading);
};

const WHOLE_CONFIG: ReloadingTable<Omit<Config, 'service' | 'keep' | 'page' | 'team'>> = {
  // A daemon keeps its config file.
  ...({ file: 'applied', base: 'applied' } as const),
  state: 'restart: state.folder',
  lock: 'restart: lock',
  ...({ sync: 'applied', budget: 'applied', guard: 'applied' } as const),
  ...({ log: 'applied', on: 'applied' } as const),
  // The settings of projects and routes are read when a job needs them.
  projects: 'applied',
};

const CONNECTION: ReloadingTable<ServiceConfig> = {
  ...({ url: 'restart: service.url', key: 'applied', adminKey: 'applied' } as const),
  ...({ scheme: 'restart: service.scheme', headers: 'restart: service.headers' } as const),
  signatureScheme: 'restart: service.signature_scheme',
  ...({ concurrency: 'restart: service.concurrency', rate: 'restart: service.rate' } as const),
  ...({ dialect: 'restart: service.dialect', limits: 'restart: service.limits' } as const),
  capabilities: 'restart: service.capabilities',
  caFile: 'restart: service.ca_file',
  ...({ voice: 'applied', lanes: 'applied', verifyEvery: 'applied' } as const),
};

const KEEP: ReloadingTable<Keep> = {
  ...({ trash: 'applied', spool: 'applied', undo: 'applied', edits: 'applied' } as const),
  // The database of a team keeps what was sent to it as long.
  backup: ({ team }) => (team === undefined ? 'applied' : 'restart: keep.backup'),
  memory: 'restart: keep.memory',
};

const PAGE: ReloadingTable<Exclude<Config['page'], false>> = {
  ...({ host: 'restart: page.listen', port: 'restart: page.listen' } as const),
  allowedHosts: 'restart: page.allowed_hosts',
  reviewers: 'applied',
};

const TEAM: ReloadingTable<Omit<TeamConfig, 'tree'>> = {
  ...({ url: 'restart: state.url', schema: 'restart: state.schema' } as const),
  key: 'restart: state.key',
};

const TREE: ReloadingTable<TreeConfig> = {
  ...({ name: 'restart: state.tree', spool: 'restart: state.spool' } as const),
};

/** @returns the names in the file of the settings that differ and that a reload cannot put in force */
export function settingsForRestart(before: Config, after: Config): readonly string[] {
  const changed = (table: ReloadingRows, was: object, is: object) =>
    changedForRestart(table, { config: before, was, is });
  return [
    ...new Set([
      ...changed(WHOLE_CONFIG, before, after),
      ...changed(CONNECTION, before.service, after.service),
      ...changed(KEEP, before.keep, after.keep),
      ...(before.page === false || after.page === false
        ? before.page === after.page
          ? []
          : ['page']
        : changed(PAGE, before.page, after.page)),
      ...changed(TEAM, before.team ?? {}, after.team ?? {}),
      ...changed(TREE, before.team?.tree ?? {}, after.team?.tree ?? {}),
    ]),
  ];
}

type ReloadingRows = Readonly<Record<string, Reloading | ((config: Config) => Reloading)>>;

function changedForRestart(
  table: ReloadingRows,
  { config, was, is }: { readonly config: Config; readonly was: object; readonly is: object },
): string[] {
  return Object.entries(table).flatMap(([name, row]) => {
    const reloading = typeof row === 'function' ? row(config) : row;
    if (reloading === 'applied') return [];
    const [old, now] = [was, is].map((of) => (of as Readonly<Record<string, unknown>>)[name]);
    return isDeepStrictEqual(old, now) ? [] : [reloading.slice('restart: '.length)];
  });
}
