import { expect, test } from 'vitest';
import { diffConfig } from '../../src/config/diff.ts';
import { parseProjects } from '../routes/rig.ts';

function config(...sketches: Parameters<typeof parseProjects>[0]) {
  const parsed = parseProjects(sketches);
  if (parsed.faults !== undefined) throw new Error('refused');
  return parsed.config;
}

const routes = [{ from: '{locale}/*.json' }];

test('a reload names the settings that differ', () => {
  const before = config({ name: 'a', routes }, { name: 'b', root: 'b', routes });
  const after = config({ name: 'a', routes, targets: ['it'] }, { name: 'c', root: 'c', routes });
  expect(diffConfig(before, before)).toEqual([]);
  expect(diffConfig(before, after)).toEqual([
    'projects.a.targets',
    'projects.b (gone)',
    'projects.c (new)',
  ]);
  expect(diffConfig(before, { ...before, log: { level: 'debug' } })).toEqual(['log.level']);
});

test('a route that only moved in the file is no difference', () => {
  const before = config({ routes });
  const [project] = before.projects;
  const moved = project?.routes.map((route) => ({ ...route, line: 99 })) ?? [];
  const after = { ...before, projects: project ? [{ ...project, routes: moved }] : [] };
  expect(diffConfig(before, after)).toEqual([]);
});
