import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { settingsForRestart } from '../../src/config/reloading.ts';

const SETTINGS = {
  version: 1,
  service: { url: 'http://127.0.0.1:1' },
  projects: { app: { source: 'en', targets: ['de'], routes: [{ from: '{locale}/*.json' }] } },
};

function config(more: object) {
  const text = JSON.stringify({ ...SETTINGS, ...more });
  const parsed = parseConfig(text, { file: '/srv/dragoman.yaml', env: {} });
  if (parsed.faults !== undefined) throw new Error(JSON.stringify(parsed.faults));
  return parsed.config;
}

const changed = (before: object, after: object) =>
  settingsForRestart(config(before), config(after));
const url = SETTINGS.service.url;
const team = {
  ...{ url: 'postgres://db.acme/dragoman', key: { env: 'TEAM_KEY' } },
  ...{ folder: '/var/lib/dragoman', tree: 'website' },
};
const reviewed = { lock: 'dragoman.lock' };

test.each([
  ['the state folder', {}, { state: 'elsewhere' }, ['state.folder']],
  [
    'a database',
    { state: team.folder },
    { state: team },
    ['state.url', 'state.schema', 'state.key', 'state.tree', 'state.spool'],
  ],
  ['the tree', { state: team }, { state: { ...team, tree: 'docs' } }, ['state.tree']],
  ['the lock', {}, { lock: 'dragoman.lock' }, ['lock']],
  ['the address', {}, { service: { url: 'http://127.0.0.1:2' } }, ['service.url']],
  ['a header', {}, { service: { url, headers: { a: 'b' } } }, ['service.headers']],
  ['the page', {}, { page: false }, ['page']],
  ['its address', {}, { page: { listen: '127.0.0.1:1' } }, ['page.listen']],
  ['the memory', {}, { keep: { memory: '30d' } }, ['keep.memory']],
])('a change of %s needs a restart', (_, before, after, names) => {
  expect(changed(before, after)).toEqual(names);
  expect(changed(after, after)).toEqual([]);
});

test('a reload puts the others in force', () => {
  const after = {
    ...reviewed,
    ...{ budget: { month: 5 }, log: { level: 'debug' }, sync: 'off', keep: { trash: '1d' } },
    ...{ on: { delivered: [{ run: 'true' }] }, guard: { files: 1, characters: 1 } },
    service: { url, key: { env: 'OTHER' }, lanes: { text: 3 }, voice: { jobs: 1 } },
    page: { reviewers: [{ name: 'Ana', languages: ['fr'] }] },
    projects: { docs: { ...SETTINGS.projects.app, targets: ['fr'] } },
  };
  expect(changed(reviewed, after)).toEqual([]);
});

test('how long the copies of the ledger are kept needs a restart where a database keeps copies too', () => {
  const keep = { backup: '3d' };
  expect(changed({}, { keep })).toEqual([]);
  expect(changed({ state: team }, { state: team, keep })).toEqual(['keep.backup']);
});
