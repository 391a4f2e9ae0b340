import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SoundConfig } from '../../src/config/parse.ts';
import { targetList } from '../../src/job.ts';
import { spellLanguage } from '../../src/language.ts';
import { parseGlob } from '../../src/routes/glob.ts';
import { type Common, commonPaths } from '../../src/routes/overlap.ts';
import { SourcePattern } from '../../src/routes/source-pattern.ts';
import { parseProjects } from './rig.ts';

const LANGUAGES = ['de', 'de-CH', 'pt-BR', 'pt-PT', 'zh-Hans', 'zh-Hant', 'es-419'];

const part = fc.constantFrom('a', 'b', 'en', 'de', 'x', '{a,b}', '*', '**', '{locale}');
const file = fc.constantFrom(
  '*.json',
  '*.{md,json}',
  '*.{doc,docx}',
  'a*.json',
  'x.json',
  '*.{locale}.json',
  '?.md',
);
const from = fc
  .tuple(fc.array(part, { maxLength: 4 }), file)
  .map(([folders, name]) => [...folders, name].join('/'));
const to = fc.constantFrom(
  undefined,
  'out/{locale}/{dir}/{name}.{ext}',
  '{locale}/{dir}/{name}.{ext}',
  '{dir}/{name}.{locale}.{ext}',
  '{dir}/{android}/{name}.{ext}',
  'a/{lang}/{dir}/{name}-{region}.{ext}',
);
const route = fc.record({ from, to, exclude: fc.constantFrom([], ['**/{de,fr}/**'], ['out']) });
const LANGUAGE_NAMES = ['en', 'en', 'en', 'de', 'pt-BR'];
const FILLINGS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\*\*\//, ['', '', 'a/', 'en/', 'x/de/', '.h/']],
  [/^\*/, ['a', 'b', 'x.en', 'b-de', 'en', '']],
  [/^\?/, ['q', 'é']],
  [/^\{locale\}/, LANGUAGE_NAMES],
  [/^\{(\w+),(\w+)\}/, ['$1', '$2']],
];

/** A path that the pattern may reach: each wildcard filled by the next choice. */
function fill(pattern: string, choices: readonly number[]): string {
  let rest = pattern;
  let path = '';
  for (let at = 0; rest !== ''; at++) {
    const [wildcard, texts] = FILLINGS.find(([each]) => each.test(rest)) ?? [
      /^./s,
      [rest.charAt(0)],
    ];
    const text = texts[(choices[at % choices.length] ?? 0) % texts.length] ?? '';
    const taken = wildcard.exec(rest)?.[0] ?? '';
    path += taken.replace(wildcard, text);
    rest = rest.slice(taken.length);
  }
  return path;
}

const seeds = fc.array(fc.array(fc.nat(29), { minLength: 3, maxLength: 6 }), {
  minLength: 15,
  maxLength: 15,
});

/** Paths that the routes of a config may reach. */
function pathsFor({ config }: Routed, given: readonly number[][]): string[] {
  const patterns = config.projects[0]?.routes.map((each) => each.from) ?? [];
  return given.flatMap((choices) => patterns.map((pattern) => fill(pattern, choices)));
}

/** Routers of the route sets that are accepted; the others are none of these laws' business. */
const router = fc
  .tuple(fc.array(route, { minLength: 1, maxLength: 3 }), fc.subarray(LANGUAGES, { minLength: 1 }))
  .map(([routes, targets]) => parseProjects([{ routes, targets }]))
  .filter((parsed) => parsed.faults === undefined);

const LAWS = { numRuns: 150 };

test('no target is ever matched as a source, and its folder is entered', () => {
  let delivered = 0;
  fc.assert(
    fc.property(router, seeds, (routed, given) => {
      for (const [source, , target] of deliveries(routed, pathsFor(routed, given))) {
        delivered += 1;
        const match = routed.router.match('p', target);
        expect([source, target, match.kind]).toEqual([source, target, 'target']);
        expect(routed.router.enters('p', target.split('/').slice(0, -1).join('/'))).toBe(true);
      }
    }),
    LAWS,
  );
  expect(delivered).toBeGreaterThan(1000);
});

test('the targets of one source are as many files as there are languages', () => {
  fc.assert(
    fc.property(router, seeds, (routed, given) => {
      for (const source of pathsFor(routed, given)) {
        const targets = [...deliveries(routed, [source])].map(([, , target]) => target);
        expect(new Set(targets).size).toBe(targets.length);
        expect(targets).not.toContain(source);
      }
    }),
    LAWS,
  );
});

test('two sources that share a target are found', () => {
  fc.assert(
    fc.property(router, seeds, (routed, given) => {
      const paths = [...new Set(pathsFor(routed, given))];
      const writers = new Map<string, Set<string>>();
      for (const [source, , target] of deliveries(routed, paths)) {
        writers.set(target, (writers.get(target) ?? new Set()).add(source));
      }
      const shared = [...writers].filter(([, sources]) => sources.size > 1).map(([path]) => path);
      const found = routed.router.collisions('p', paths).map(({ target }) => target);
      expect(new Set(found)).toEqual(new Set(shared));
    }),
    LAWS,
  );
});

test('a match does not depend on earlier calls', () => {
  fc.assert(
    fc.property(router, seeds, (routed, given) => {
      const paths = pathsFor(routed, given);
      const ask = () => paths.map((path) => JSON.stringify(routed.router.match('p', path)));
      expect(ask()).toEqual(ask());
    }),
    LAWS,
  );
});

test('every folder above a source is entered', () => {
  fc.assert(
    fc.property(router, seeds, (routed, given) => {
      for (const path of pathsFor(routed, given)) {
        if (routed.router.match('p', path).kind !== 'source') continue;
        const folders = path.split('/').slice(0, -1);
        for (const depth of folders.keys()) {
          const folder = folders.slice(0, depth + 1).join('/');
          expect([folder, routed.router.enters('p', folder)]).toEqual([folder, true]);
        }
      }
    }),
    LAWS,
  );
});

test('a path that two patterns have in common is reached by both, and none is found only where none is', () => {
  const plain = from.filter((text) => !text.includes('{locale}'));
  const en = spellLanguage('en' as never);
  fc.assert(
    fc.property(plain, plain, seeds, (a, b, given) => {
      const paths = given.flatMap((choices) => [fill(a, choices), fill(b, choices)]);
      const [left, right] = [a, b].map(
        (text) => new SourcePattern({ from: text, exclude: [] }, [en]),
      );
      const shared = [...commonPaths({ a: parseGlob(a), b: parseGlob(b) })].map(pathOf);
      for (const each of shared)
        expect([left?.reaches(each), right?.reaches(each)]).toEqual([true, true]);
      const met = paths.find((each) => left?.reaches(each) && right?.reaches(each));
      expect(met !== undefined && shared.length === 0).toBe(false);
    }),
    LAWS,
  );
});

function pathOf(found: Common): string {
  if (found.kind === 'undecided') throw new Error('these patterns are simple ones');
  return found.path;
}

type Routed = Pick<SoundConfig, 'config' | 'router'>;

function* deliveries(
  { config, router: built }: Routed,
  paths: readonly string[],
): Generator<[string, string, string]> {
  for (const source of paths) {
    const match = built.match('p', source);
    if (match.kind !== 'source') continue;
    for (const language of config.projects[0]?.targets ?? []) {
      for (const target of targetList(match.targets(language))) yield [source, language, target];
    }
  }
}
