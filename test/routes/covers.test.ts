import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exclusionOf } from '../../src/routes/covers.ts';
import { type GlobPath, parseGlob } from '../../src/routes/glob.ts';
import { commonPaths } from '../../src/routes/overlap.ts';
import { PathPattern } from '../../src/routes/path-pattern.ts';
import { Steps } from '../../src/routes/steps.ts';

const one = (pattern: string): GlobPath => parseGlob(pattern)[0] ?? [];

test.each([
  ['out*/**', 'out3/de/**/*.json', true],
  ['**/de/**', '**/de/*.json', true],
  ['**/*.json', 'a/**/b.json', true],
  ['a/*/c.json', 'a/b/c.json', true],
  ['a/*/c.json', 'a/**/c.json', false],
  ['**/x*y/**', '**/de/*.json', false],
  ['docs/**', 'docs', false],
])('%s covers %s: %s', (exception, pattern, isCovered) => {
  expect(exclusionOf(one(exception)).covers(one(pattern), new Steps())).toBe(isCovered);
});

test('a covered pattern has no path that the exception leaves', () => {
  const segment = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '*b', '**');
  const glob = fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => all.join('/'));
  const names = fc.constantFrom('a', 'b', 'ab', 'aab', 'c');
  const path = fc.array(names, { minLength: 1, maxLength: 6 }).map((all) => all.join('/'));
  const law = fc.property(
    glob,
    glob,
    fc.array(path, { maxLength: 40 }),
    (exception, pattern, paths) => {
      fc.pre(exclusionOf(one(exception)).covers(one(pattern), new Steps()));
      const taken = paths.filter((each) => new PathPattern(one(pattern)).matches(each));
      const left = taken.filter(
        (each) => !new PathPattern(one(exception), 'matched').matches(each),
      );
      expect(left).toEqual([]);
    },
  );
  fc.assert(law, { numRuns: 300 });
});

test('routes whose targets the others exclude are distinguished without a walk, however many there are', () => {
  const languages = Array.from({ length: 30 }, (_, at) => `l${at}`);
  const except = ['out*/**', ...Array.from({ length: 20 }, (_, at) => `**/x${at}*/**`)].map(one);
  // A step for each four folders that an exclusion is compared with.
  const steps = new Steps(20 * 30 * except.length * 4);
  for (let route = 0; route < 20; route++) {
    const a = languages.map((language) => one(`out${route}/${language}/**/*.json`));
    expect([...commonPaths({ a, b: [one('**/*.json')], except, steps })]).toEqual([]);
  }
  expect(steps.areOver).toBe(false);
});
