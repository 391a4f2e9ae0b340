/**
 * The settings for jobs, which must be equal in all daemons of a tree. Every setting of a config is listed here as shared or
 * local: without its line, a new setting does not compile. Pure.
 */
import { hash } from 'node:crypto';
import { relative } from 'node:path';
import type { Config, ServiceConfig } from '../config.ts';
import type { Policies, Project, Route, Rules } from '../project.ts';

/** What glossary and style files held when they were read. */
interface ReadTerminology {
  readonly version: string;
  readonly faults: readonly unknown[];
}

/** Name of a setting in the config file (`projects.app.routes.from`) -> digest of its value: no secret, path or text. */
export type SharedSettings = Readonly<Record<string, string>>;

/** `local`: each daemon has its own. A function: only its result is shared. */
type Sharing<Value, Of> = 'local' | 'shared' | ((value: Value, of: Of) => unknown);
type SharingTable<Of> = { readonly [Name in keyof Required<Of>]: Sharing<Of[Name], Of> };

/** `local`: secrets, paths of a machine, limits of work at a time, times of keeping, logs and hooks. */
const HEAD_SETTINGS: SharingTable<Config> = {
  ...({ file: 'local', base: 'local', state: 'local', team: 'local' } as const),
  ...({ sync: 'local', keep: 'local', log: 'local', page: 'local', on: 'local' } as const),
  // "doctor" compares budgets, which may differ.
  budget: 'local',
  // Their settings are below.
  ...({ service: 'local', projects: (projects) => projects.map(({ name }) => name) } as const),
  guard: 'shared',
  lock: (folder) => folder !== undefined,
};

const SERVICE: SharingTable<ServiceConfig> = {
  ...({ url: 'shared', dialect: 'shared', capabilities: 'shared', limits: 'shared' } as const),
  ...({ key: 'local', adminKey: 'local', headers: 'local', caFile: 'local' } as const),
  ...({ scheme: 'local', signatureScheme: 'local', verifyEvery: 'local' } as const),
  ...({ concurrency: 'local', rate: 'local', lanes: 'local' } as const),
  voice: ({ maxSize, maxDuration }) => [maxSize, maxDuration],
};

const PROJECT: SharingTable<Project> = {
  ...({ name: 'local', root: 'local', budget: 'local' } as const),
  // Each daemon asks the service.
  convertible: 'local',
  ...({ source: 'shared', detect: 'shared', targets: 'shared', locales: 'shared' } as const),
  // Their settings are below.
  ...({ rules: 'local', policies: 'local', routes: 'local' } as const),
};

/** Glossaries count by their names on the service, not by the paths of their files. */
function rulesIn(root: string): SharingTable<Rules> {
  return {
    ...({ formality: 'shared', model: 'shared', context: 'shared' } as const),
    ...({ customInstructions: 'shared', translationMemory: 'shared' } as const),
    ...({ tagHandlingVersion: 'shared', improve: 'shared' } as const),
    glossary: (rule) => (rule === undefined || 'id' in rule ? rule : [rule.name, rule.mode]),
    styles: (styles) =>
      [...styles].map(([tag, rule]) => [tag, 'id' in rule ? rule.id : relative(root, rule.file)]),
  };
}

const POLICIES: SharingTable<Policies> = {
  ...({ settleMs: 'local', settleIsExplicit: 'local' } as const),
  ...({ existing: 'shared', humanEdits: 'shared', deletedSource: 'shared' } as const),
  ...({ retranslateOn: 'shared', checks: 'shared', review: 'shared' } as const),
};

const ROUTE: SharingTable<Route> = {
  ...({ index: 'local', line: 'local', column: 'local' } as const),
  ...({ from: 'shared', exclude: 'shared', to: 'shared', embeddedSource: 'shared' } as const),
  ...({ lane: 'shared', keys: 'shared', columns: 'shared', attributes: 'shared' } as const),
  ...({ frontMatter: 'shared', encoding: 'shared', subtitles: 'shared', voice: 'shared' } as const),
  ...({ approveOver: 'shared', pdfTo: 'shared', minify: 'shared' } as const),
  policies: (policies) => Object.fromEntries(chosen(POLICIES, policies)),
};

/** The name of the setting for the content of all glossary and style files. */
export const TERMINOLOGY = 'glossaries and style lists';
/** Its value where a file has a fault. A leader with it demands nothing of the others: they may have read the file before. */
const FAULTY = 'faulty';

/** @param terminology the glossary and style files that this daemon has read; undefined: it has read none */
export function sharedSettings(
  config: Config,
  terminology: ReadTerminology | undefined,
): SharedSettings {
  const { service, projects } = config;
  return Object.fromEntries([
    ...(terminology === undefined ? [] : [[TERMINOLOGY, terminologyDigest(terminology)] as const]),
    ...digests('', chosen(HEAD_SETTINGS, config)),
    ...digests('service.', chosen(SERVICE, service)),
    ...projects.flatMap((project) => {
      const prefix = `projects.${project.name}.`;
      return [
        ...digests(prefix, chosen(PROJECT, project)),
        ...digests(prefix, chosen(rulesIn(project.root), project.rules)),
        ...digests(prefix, chosen(POLICIES, project.policies)),
        ...digests(`${prefix}routes.`, routesByName(project.routes)),
      ];
    }),
  ]);
}

/**
 * Compares only settings that both know: the daemons may have different versions.
 * @param other those of the leader
 * @returns names of the settings that differ
 */
export function differingSettings(one: SharedSettings, other: SharedSettings): readonly string[] {
  const isTheSame = (name: string) =>
    other[name] === one[name] || other[name] === undefined || other[name] === FAULTY;
  return Object.keys(one).filter((name) => !isTheSame(name));
}

function terminologyDigest({ version, faults }: ReadTerminology): string {
  return faults.length > 0 ? FAULTY : settingDigest(version);
}

/** A digest of all settings. */
export function nameOfSettings(settings: SharedSettings): string {
  return settingDigest(settings);
}

type Chosen = readonly (readonly [name: string, value: unknown])[];

function chosen<Of extends object>(sharing: SharingTable<Of>, of: Of): Chosen {
  const names = Object.keys(sharing) as (keyof Of & string)[];
  return names.flatMap((name) => {
    const how = sharing[name];
    if (how === 'local') return [];
    const value = of[name];
    return [[name, typeof how === 'function' ? how(value, of) : value] as const];
  });
}

/** One digest for each setting of all routes, so that an added setting of a later version does not change the digests of others. */
function routesByName(routes: readonly Route[]): Chosen {
  const all = routes.map((route) => new Map(chosen(ROUTE, route)));
  const names = new Set(all.flatMap((route) => [...route.keys()]));
  return [...names].map((name) => [name, all.map((route) => route.get(name))] as const);
}

function digests(prefix: string, settings: Chosen): (readonly [string, string])[] {
  return settings.map(([name, value]) => [`${prefix}${asWritten(name)}`, settingDigest(value)]);
}

function asWritten(name: string): string {
  return name === 'styles' ? 'style' : name.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
}

function settingDigest(value: unknown): string {
  return hash('sha256', JSON.stringify(value, canonical) ?? '').slice(0, 12);
}

/** Sorts the names in a group, whose order means nothing; the order of patterns (maps) matters and stays. */
function canonical(_name: string, value: unknown): unknown {
  if (value instanceof Map) return [...value];
  if (value instanceof Set) return [...value].toSorted();
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
