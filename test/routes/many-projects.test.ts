/** Projects are compared with those near them only. The answers are those of a comparison of each with each. */
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByPrefix } from '../../src/routes/prefixes.ts';
import { type ProjectSketch, parseProjects } from './rig.ts';

const ROOTS = ['.', 'a', 'a/b', 'ab', 'a/b/c', 'd'];
const ROUTES = [
  { from: '{locale}/*.json' },
  { from: '*.json', to: 'out/{name}.{locale}.{ext}' },
  { from: 'b/**/*.json', to: 'out/{locale}/{dir}/{name}.{ext}' },
  { from: '**/*.md', to: 'b/{dir}/{name}.{locale}.{ext}' },
  { from: 'out/*.json', to: 'b/{locale}/{name}.{ext}' },
  { from: 'a/*.md', to: '{name}.{locale}.{ext}' },
];
const sketch = fc.record({
  root: fc.constantFrom(...ROOTS),
  routes: fc.constantFrom(...ROUTES).map((route) => [route]),
});
const sketches = fc
  .array(sketch, { minLength: 2, maxLength: 5 })
  .map((all) => all.map((each, index) => ({ ...each, name: `p${index}` })));

const prefix = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', 'é'), maxLength: 6 });

test('a prefix is near all those that begin with it, and those with which it begins', () => {
  fc.assert(
    fc.property(fc.array(prefix), prefix, fc.nat(12), (all, own, before) => {
      const near = (other: string) => other.startsWith(own) || own.startsWith(other);
      const expected = [...all.keys()].filter((place) => near(all[place] ?? ''));
      expect(new ByPrefix(all).near(own)).toEqual(expected);
      expect(new ByPrefix(all).near(own, before)).toEqual(expected.filter((at) => at < before));
    }),
  );
});

type Named = ProjectSketch & { readonly name: string };

const PATHS = [
  'a/b/out/x.de.json',
  'a/b/x.de.md',
  'd/de/x.json',
  'out/x.de.json',
  'ab/out/x.fr.json',
  'a/b/c/b/q.de.md',
  'a/out/de/y.json',
  'de/x.json',
];

test('a path is a target in each project around it whose neighbour writes it', () => {
  const alone = (each: Named) => {
    const parsed = parseProjects([each]);
    return parsed.faults === undefined ? parsed.router : undefined;
  };
  fc.assert(
    fc.property(sketches, fc.constantFrom(...PATHS), (all, path) => {
      const parsed = parseProjects(all);
      fc.pre(parsed.faults === undefined);
      const isTargetOf = (each: Named) => {
        const own = relative(each.root ?? '.', path);
        return !own.startsWith('..') && alone(each)?.match(each.name, own).kind === 'target';
      };
      for (const each of all) {
        const own = relative(each.root ?? '.', path);
        if (own.startsWith('..')) continue;
        const isTarget = parsed.router?.match(each.name, own).kind === 'target';
        expect([each.name, join(each.root ?? '.', own), isTarget]).toEqual([
          each.name,
          path,
          all.some(isTargetOf),
        ]);
      }
    }),
    { numRuns: 400 },
  );
});
