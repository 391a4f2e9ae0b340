import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SoundConfig } from '../../src/config/parse.ts';
import { targetList } from '../../src/job.ts';
import { spellLanguage } from '../../src/language.ts';
import { parseGlob } from '../../src/route/glob.ts';
import { commonPaths } from '../../src/route/overlap.ts';
import { SourcePattern } from '../../src/route/source-pattern.ts';
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
const segment = fc.constantFrom('a', 'b', 'en', 'de', 'de-CH', 'x', 'out', 'ab', '.h');
const name = fc.constantFrom(
  'x.json',
  'a.json',
  'ab.md',
  'x.en.json',
  'x.de.json',
  'b.md',
  'b.doc',
  'b.docx',
  '.json',
);
const path = fc
  .tuple(fc.array(segment, { maxLength: 5 }), name)
  .map(([folders, base]) => [...folders, base].join('/'));

/** Routers of the route sets that are accepted; the others are none of these laws' business. */
const router = fc
  .tuple(fc.array(route, { minLength: 1, maxLength: 3 }), fc.subarray(LANGUAGES, { minLength: 1 }))
  .map(([routes, targets]) => parseProjects([{ routes, targets }]))
  .filter((parsed) => parsed.faults === undefined);

const LAWS = { numRuns: 150 };

test('no target is ever claimed as a source, and its origin is the source or unknown', () => {
  fc.assert(
    fc.property(
      router,
      fc.array(path, { minLength: 20, maxLength: 20 }),
      ({ config, router: built }, paths) => {
        for (const [source, language, target] of deliveries({ config, router: built }, paths)) {
          const claim = built.claim('p', target);
          expect([source, language, claim.kind]).toEqual([source, language, 'target']);
          expect(built.enters('p', target.slice(0, Math.max(0, target.lastIndexOf('/'))))).toBe(
            true,
          );
        }
      },
    ),
    LAWS,
  );
});

test('the targets of one source are as many files as there are languages', () => {
  fc.assert(
    fc.property(
      router,
      fc.array(path, { minLength: 20, maxLength: 20 }),
      ({ config, router: built }, paths) => {
        for (const source of paths) {
          const targets = [...deliveries({ config, router: built }, [source])].map(
            ([, , target]) => target,
          );
          expect(new Set(targets).size).toBe(targets.length);
          expect(targets).not.toContain(source);
        }
      },
    ),
    LAWS,
  );
});

test('two sources that share a target are found', () => {
  fc.assert(
    fc.property(
      router,
      fc.array(path, { minLength: 40, maxLength: 40 }),
      ({ config, router: built }, paths) => {
        const unique = [...new Set(paths)];
        const writers = new Map<string, Set<string>>();
        for (const [source, , target] of deliveries({ config, router: built }, unique)) {
          writers.set(target, (writers.get(target) ?? new Set()).add(source));
        }
        const shared = [...writers]
          .filter(([, sources]) => sources.size > 1)
          .map(([target]) => target);
        const found = built.collisions('p', unique).map(({ target }) => target);
        expect(new Set(found)).toEqual(new Set(shared));
      },
    ),
    LAWS,
  );
});

test('a claim does not depend on what was asked before', () => {
  fc.assert(
    fc.property(router, path, fc.array(path), ({ router: built }, asked, others) => {
      const before = JSON.stringify(built.claim('p', asked));
      for (const other of others) built.claim('p', other);
      expect(JSON.stringify(built.claim('p', asked))).toBe(before);
    }),
    LAWS,
  );
});

test('a folder that holds a source is entered, and so is every folder above it', () => {
  fc.assert(
    fc.property(router, path, ({ router: built }, asked) => {
      const claim = built.claim('p', asked);
      const folders = asked.split('/').slice(0, -1);
      const entered = folders.every((_, depth) =>
        built.enters('p', folders.slice(0, depth + 1).join('/')),
      );
      expect(claim.kind === 'source' && !entered).toBe(false);
    }),
    LAWS,
  );
});

test('a path that two patterns have in common is reached by both, and none is found only where none is', () => {
  const plain = from.filter((text) => !text.includes('{locale}'));
  const en = spellLanguage('en' as never);
  fc.assert(
    fc.property(plain, plain, fc.array(path, { minLength: 30, maxLength: 30 }), (a, b, paths) => {
      const [left, right] = [a, b].map(
        (text) => new SourcePattern({ from: text, exclude: [] }, en),
      );
      const shared = [...commonPaths({ a: parseGlob(a), b: parseGlob(b) })];
      for (const each of shared)
        expect([left?.reaches(each), right?.reaches(each)]).toEqual([true, true]);
      const met = paths.find((each) => left?.reaches(each) && right?.reaches(each));
      expect(met !== undefined && shared.length === 0).toBe(false);
    }),
    LAWS,
  );
});

type Routed = Pick<SoundConfig, 'config' | 'router'>;

function* deliveries(
  { config, router: built }: Routed,
  paths: readonly string[],
): Generator<[string, string, string]> {
  for (const source of paths) {
    const claim = built.claim('p', source);
    if (claim.kind !== 'source') continue;
    for (const language of config.projects[0]?.targets ?? []) {
      for (const target of targetList(claim.targets(language))) yield [source, language, target];
    }
  }
}
