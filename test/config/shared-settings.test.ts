/** The settings that daemons of one tree compare: all that decide a job, and none of a single machine. */
import { expect, test } from 'vitest';
import { jsonSchema, type SchemaNode } from '../../src/config/json-schema.ts';
import { parseConfig } from '../../src/config/parse.ts';
import {
  differingSettings,
  nameOfSettings,
  sharedSettings,
  TERMINOLOGY,
} from '../../src/config/shared-settings.ts';

/** Settings that each daemon has for itself. */
const LOCAL = [
  ...['$schema', 'version', 'requires', 'state', 'sync', 'budget', 'keep', 'log', 'page', 'on'],
  ...['service.key', 'service.admin_key', 'service.scheme', 'service.signature_scheme'],
  ...['service.headers', 'service.concurrency', 'service.rate', 'service.ca_file'],
  ...['service.lanes', 'service.verify_every'],
  ...['projects.*.root', 'projects.*.budget', 'projects.*.settle_ms'],
  'projects.*.routes.settle_ms',
];
/** Settings whose value is part of others, which are compared. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  defaults: 'projects.*.existing',
  service: 'service.url',
  'projects.*.routes': 'projects.*.routes.from',
  ...Object.fromEntries(
    ['existing', 'human_edits', 'deleted_source', 'retranslate_on', 'checks'].map((policy) => [
      `projects.*.routes.${policy}`,
      'projects.*.routes.policies',
    ]),
  ),
};

const HEAD = 'version: 1\nservice: { url: "https://api.example.com" }\n';
const PROJECT =
  'projects: { app: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] } }';

function settingsOf(yaml: string, file = '/srv/a/dragoman.yaml') {
  const parsed = parseConfig(yaml, { file, env: {} });
  if (parsed.faults !== undefined) throw new Error(JSON.stringify(parsed.faults));
  return sharedSettings(parsed.config, undefined);
}

function difference(a: string, b: string): readonly string[] {
  return differingSettings(settingsOf(a), settingsOf(b));
}

test('each setting of the config is compared, or is named as one that each daemon has for itself', () => {
  const compared = new Set(
    Object.keys(settingsOf(HEAD + PROJECT)).map((name) =>
      name.replace('projects.app', 'projects.*'),
    ),
  );
  const undecided = namesOf(jsonSchema()).filter((name) => {
    const isLocal = LOCAL.includes(name);
    const isCompared = compared.has(ELSEWHERE[name] ?? name);
    return isLocal === isCompared;
  });
  expect(undecided).toEqual([]);
});

/** Of the head, the service, a project and a route. */
function namesOf({ properties = {} }: SchemaNode): readonly string[] {
  const inner = (prefix: string, node: SchemaNode | undefined) =>
    Object.keys(node?.properties ?? {}).map((name) => `${prefix}${name}`);
  const projects = properties['projects']?.additionalProperties;
  const project = typeof projects === 'object' ? projects : undefined;
  const route = project?.properties?.['routes']?.items;
  const names = [
    ...Object.keys(properties),
    ...inner('service.', properties['service']),
    ...inner('projects.*.', project),
    ...inner('projects.*.routes.', route),
  ];
  expect(names.length).toBeGreaterThan(70);
  return names;
}

test('one file says the same in two folders of two machines', () => {
  const yaml = `${HEAD}lock: dragoman.lock\nprojects: { app: { root: docs, source: en, targets: [de], style: { de: docs/de.yaml }, glossary: { name: g, csv: docs/g.csv }, routes: [{ from: "{locale}/*.json" }] } }`;
  const [here, there] = [settingsOf(yaml), settingsOf(yaml, '/mnt/b/dragoman.yaml')];
  expect(here).toEqual(there);
  expect(nameOfSettings(here)).toBe(nameOfSettings(there));
});

test('a difference has the name that a person gave the setting', () => {
  const other = (from: string, to: string) => (HEAD + PROJECT).replace(from, to);
  expect(difference(HEAD + PROJECT, other('[de]', '[de, fr]'))).toEqual(['projects.app.targets']);
  expect(difference(HEAD + PROJECT, other('json', 'yaml'))).toEqual(['projects.app.routes.from']);
  expect(difference(HEAD + PROJECT, other(', routes', ', formality: more, routes'))).toEqual([
    'projects.app.formality',
  ]);
  expect(difference(HEAD + PROJECT, other('api.example', 'eu.example'))).toEqual(['service.url']);
  expect(difference(HEAD + PROJECT, other('app:', 'web:'))).toEqual(['projects']);
  expect(difference(HEAD + PROJECT, `${HEAD}keep: { spool: 1d }\n${PROJECT}`)).toEqual([]);
});

test('a setting that only one version knows is no difference', () => {
  const own = settingsOf(HEAD + PROJECT);
  expect(differingSettings(own, { ...own, 'projects.app.routes.later': 'x' })).toEqual([]);
  expect(differingSettings({ ...own, 'service.later': 'x' }, own)).toEqual([]);
});

test('glossaries and style lists are compared by their content, and a leader whose files have faults demands nothing', () => {
  const { config } = parseConfig(HEAD + PROJECT, { file: '/srv/a/dragoman.yaml', env: {} });
  const of = (version: string, faults: readonly string[] = []) =>
    config && sharedSettings(config, { version, faults });
  const [one, other, faulty] = [of('1'), of('2'), of('2', ['line 1'])];
  expect(differingSettings(one ?? {}, other ?? {})).toEqual([TERMINOLOGY]);
  expect(differingSettings(one ?? {}, faulty ?? {})).toEqual([]);
  expect(differingSettings(faulty ?? {}, one ?? {})).toEqual([TERMINOLOGY]);
});

test('the shared settings have no text of the config', () => {
  const told = JSON.stringify(
    settingsOf(HEAD + PROJECT.replace('source: en', 'source: en, context: "Our secret plan"')),
  );
  expect(told).not.toMatch(/secret|example\.com|json/);
});
