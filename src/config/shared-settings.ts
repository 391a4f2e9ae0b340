/**
 * The settings that decide what becomes of a job: daemons of one tree have the same. Each setting of a config is named here, so
 * that a new one does not compile until somebody has decided. Pure.
 */
import { hash } from 'node:crypto';
import { relative } from 'node:path';
import type { Config, ServiceConfig } from '../config.ts';
import type { Policies, Project, Route, Rules } from '../project.ts';

/** Setting, as a person writes it (`projects.app.routes.from`), -> digest of its value: no secret, path or text is in it. */
export type SharedSettings = Readonly<Record<string, string>>;

/** `local`: each daemon has its own. A function: of the value only that is shared. */
type Sharing<Value, Of> = 'local' | 'shared' | ((value: Value, of: Of) => unknown);
type Decided<Of> = { readonly [Name in keyof Required<Of>]: Sharing<Of[Name], Of> };

/** `local` are secrets, paths of a machine, how many things are done at a time, what is kept for how long, and whom a daemon tells. */
const HEAD: Decided<Config> = {
  ...({ file: 'local', base: 'local', state: 'local', team: 'local' } as const),
  ...({ sync: 'local', keep: 'local', log: 'local', page: 'local', on: 'local' } as const),
  // "doctor" compares budgets: each of them may be lower than the others.
  budget: 'local',
  // Its parts are below.
  ...({ service: 'local', projects: (projects) => projects.map(({ name }) => name) } as const),
  guard: 'shared',
  lock: (folder) => folder !== undefined,
};

const SERVICE: Decided<ServiceConfig> = {
  ...({ url: 'shared', dialect: 'shared', capabilities: 'shared', limits: 'shared' } as const),
  ...({ key: 'local', adminKey: 'local', headers: 'local', caFile: 'local' } as const),
  ...({ scheme: 'local', signatureScheme: 'local', verifyEvery: 'local' } as const),
  ...({ concurrency: 'local', rate: 'local', lanes: 'local' } as const),
  voice: ({ maxSize, maxDuration }) => [maxSize, maxDuration],
};

const PROJECT: Decided<Project> = {
  ...({ name: 'local', root: 'local', budget: 'local' } as const),
  // What the service can do is found out by each.
  convertible: 'local',
  ...({ source: 'shared', detect: 'shared', targets: 'shared', locales: 'shared' } as const),
  // Their parts are below.
  ...({ rules: 'local', policies: 'local', routes: 'local' } as const),
};

/** Terms come from the service: the file that they are kept in is of the machine. */
function rulesIn(root: string): Decided<Rules> {
  return {
    ...({ formality: 'shared', model: 'shared', context: 'shared' } as const),
    ...({ customInstructions: 'shared', translationMemory: 'shared' } as const),
    ...({ tagHandlingVersion: 'shared', improve: 'shared' } as const),
    glossary: (rule) => (rule === undefined || 'id' in rule ? rule : [rule.name, rule.mode]),
    styles: (styles) =>
      [...styles].map(([tag, rule]) => [tag, 'id' in rule ? rule.id : relative(root, rule.file)]),
  };
}

const POLICIES: Decided<Policies> = {
  ...({ settleMs: 'local', settleIsExplicit: 'local' } as const),
  ...({ existing: 'shared', humanEdits: 'shared', deletedSource: 'shared' } as const),
  ...({ retranslateOn: 'shared', checks: 'shared', review: 'shared' } as const),
};

const ROUTE: Decided<Route> = {
  ...({ index: 'local', line: 'local', column: 'local' } as const),
  ...({ from: 'shared', exclude: 'shared', to: 'shared', embeddedSource: 'shared' } as const),
  ...({ lane: 'shared', keys: 'shared', columns: 'shared', attributes: 'shared' } as const),
  ...({ frontMatter: 'shared', encoding: 'shared', subtitles: 'shared', voice: 'shared' } as const),
  ...({ approveOver: 'shared', pdfTo: 'shared', minify: 'shared' } as const),
  policies: (policies) => Object.fromEntries(chosen(POLICIES, policies)),
};

export function sharedSettings(config: Config): SharedSettings {
  const { service, projects } = config;
  return Object.fromEntries([
    ...digests('', chosen(HEAD, config)),
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

/** Of daemons of two versions, only what both know is compared. @returns the settings that differ */
export function differingSettings(one: SharedSettings, other: SharedSettings): readonly string[] {
  return Object.keys(one).filter((name) => other[name] !== undefined && other[name] !== one[name]);
}

/** One name for all of them. */
export function nameOfSettings(settings: SharedSettings): string {
  return digest(settings);
}

type Chosen = readonly (readonly [name: string, value: unknown])[];

function chosen<Of extends object>(sharing: Decided<Of>, of: Of): Chosen {
  const names = Object.keys(sharing) as (keyof Of & string)[];
  return names.flatMap((name) => {
    const how = sharing[name];
    if (how === 'local') return [];
    const value = of[name];
    return [[name, typeof how === 'function' ? how(value, of) : value] as const];
  });
}

/** A setting that only a later version has differs alone. */
function routesByName(routes: readonly Route[]): Chosen {
  const all = routes.map((route) => new Map(chosen(ROUTE, route)));
  const names = new Set(all.flatMap((route) => [...route.keys()]));
  return [...names].map((name) => [name, all.map((route) => route.get(name))] as const);
}

function digests(prefix: string, settings: Chosen): (readonly [string, string])[] {
  return settings.map(([name, value]) => [`${prefix}${asWritten(name)}`, digest(value)]);
}

function asWritten(name: string): string {
  return name === 'styles' ? 'style' : name.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value, canonical) ?? '').slice(0, 12);
}

/** The order of names in a group says nothing; that of patterns does. */
function canonical(_name: string, value: unknown): unknown {
  if (value instanceof Map) return [...value];
  if (value instanceof Set) return [...value].toSorted();
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
