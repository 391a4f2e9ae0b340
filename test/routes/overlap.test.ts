/** The cost of the comparison of patterns, in steps that it counts itself. */
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { parseGlob } from '../../src/routes/glob.ts';
import { commonPaths } from '../../src/routes/overlap.ts';
import { Steps } from '../../src/routes/steps.ts';

const MANY_STARS = '**/{a,b}{c,d}*/?[a-z]/*.{json,po}';
const SERVICE = { url: 'http://127.0.0.1:1', key: { env: 'KEY' } };
const LANGUAGES = ['bg', 'cs', 'da', 'el', 'es', 'et', 'fi', 'fr', 'hu', 'id', 'it', 'ja', 'ko'];

class Counted extends Steps {
  count = 0;

  override take(count: number): void {
    this.count += count;
    super.take(count);
  }
}

function compare(
  a: readonly string[],
  b: readonly string[],
  { without, most }: { readonly without: readonly string[]; readonly most?: number },
) {
  const steps = new Counted(most);
  const except = without.flatMap(parseGlob);
  const found = commonPaths({ a: a.flatMap(parseGlob), b: b.flatMap(parseGlob), except, steps });
  return { found: [...found], steps: steps.count };
}

test('a pattern that an exclusion repeats is compared with nothing', () => {
  const { found, steps } = compare([MANY_STARS], ['en/**/*.json'], { without: [MANY_STARS] });
  expect(found).toEqual([]);
  // A step for some folders of each alternative of the one beside each of the other.
  expect(steps).toBeLessThan(8 * 8 * 10);
});

test('long patterns with many alternatives cost as many steps as others', () => {
  const long = `**/*${'{a,b}'.repeat(8)}${'</'.repeat(200)}x`;
  const { steps } = compare([long], ['en/**/*.json'], { without: [long], most: 100_000 });
  expect(steps).toBeLessThan(110_000);
});

test('a folder of a pattern is looked at once for each way to reach it', () => {
  const deep = `**/{a,b}*/${'</'.repeat(1500)}x.json`;
  const { steps } = compare([deep], ['en/**/*.json'], { without: [deep] });
  expect(steps).toBeLessThan(20_000);
});

test('routes with many stars that leave out their own sources are read', () => {
  const { faults } = faultsOf([
    { from: MANY_STARS, to: '{locale}/{dir}/{name}.{ext}', exclude: [MANY_STARS] },
    { from: '{locale}/**/*.json', exclude: [MANY_STARS] },
  ]);
  expect(faults).toBeUndefined();
});

test('an exclusion for each language costs each language some thousand steps, not those of all together', () => {
  const files = ['**/*.{md,mdx,json,yaml,po,html}'];
  const targets = LANGUAGES.map((tag) => `**/*.${tag}.{md,mdx,json,yaml,po,html}`);
  const excluded = LANGUAGES.map((tag) => `**/*.${tag}.*`);
  const { found, steps } = compare(targets, files, { without: excluded });
  expect(found).toEqual([]);
  expect(steps).toBeLessThan(5000 * targets.length * 6);
});

test('a comparison that needs too many steps ends without a result', () => {
  const sources = '**/{a,b}{c,d}{e,f}{g,h}{i,j}*ax*a*a*a*.json';
  const targets = '**/{a,b}{c,d}{e,f}{g,h}{i,j}*ay*a*a*a*.json';
  const without = ['**/??*[a-z]?[a-z]?????????.json', '**/??*[b-z]?[a-z]?????????.json'];
  const { found, steps } = compare([sources], [targets], { without, most: 100_000 });
  expect(found.at(-1)).toEqual({ kind: 'undecided' });
  expect(steps).toBeLessThan(110_000);
});

test('routes that cannot be told apart are refused by name, and nothing is paid', () => {
  const open = ['x', 'y'].map((letter) => ({
    from: `**/{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}{o,p}*a${letter}*a*a*a*.json`,
    to: '{dir}/{locale}/{name}.{ext}',
    exclude: ['**/??*[a-z]?[a-z]?????????.json', '**/??*[b-z]?[a-z]?????????.json', '**/de/**'],
  }));
  const { faults } = faultsOf(open);
  expect(faults?.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(
      /^cannot be compared with route 1 of project app \(line \d+\): the patterns have too many alternatives/,
    ),
  );
});

function faultsOf(routes: readonly object[]) {
  const app = { source: 'en', targets: ['de'], routes };
  const text = JSON.stringify({ version: 1, service: SERVICE, projects: { app } });
  return parseConfig(text, { file: '/repo/dragoman.yaml', env: { KEY: 'x' } });
}
