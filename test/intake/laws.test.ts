import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change, Observed } from '../../src/intake/change.ts';
import {
  changesFor,
  differences,
  follow,
  hashOf,
  inventoryOf,
  isSource,
  ModelDisk,
} from './model.ts';

const path = fc.constantFrom('a.json', 'b.json', 'x/a.json', 'x/b.json', 'y/c.json', 'out/a.json');
const content = fc.constantFrom('one', 'two', 'three', 'four');

type Operation =
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  /** The watcher tells some of what happened, in any portion. */
  | { readonly kind: 'tell'; readonly share: number }
  | { readonly kind: 'scan' };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path, content }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('rename' as const), from: path, to: path }),
  fc.record({ kind: fc.constant('tell' as const), share: fc.nat(3) }),
  fc.record({ kind: fc.constant('scan' as const) }),
);

function apply(disk: ModelDisk, step: Operation): void {
  if (step.kind === 'write') disk.write(step.path, step.content);
  if (step.kind === 'remove') disk.remove(step.path);
  if (step.kind === 'rename') disk.rename(step.from, step.to);
}

/** Every file that differs, but those that the share leaves for later. */
function portion(observed: Observed, share: number): Observed {
  const isIn = (_: unknown, index: number) => index % 4 >= share;
  return {
    files: observed.files.filter(isIn),
    gone: observed.gone.filter(isIn),
    missing: new Set(observed.gone.filter((_, index) => index % 4 < share)),
  };
}

const contents = (disk: ModelDisk) =>
  [...disk.files]
    .filter(([name]) => isSource(name))
    .map(([name, file]) => `${name} ${hashOf(file.content)}`)
    .toSorted((a, b) => a.localeCompare(b));

test('after any changes, reported in any portions, the records equal those of a new scan', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
      const disk = new ModelDisk();
      const inventory = inventoryOf();
      const observe = (share: number) => {
        const observed = portion(differences(disk, inventory), share);
        follow(inventory, changesFor(disk, observed, inventory));
      };
      for (const step of operations) {
        if (step.kind === 'tell') observe(step.share);
        else if (step.kind === 'scan') observe(0);
        else apply(disk, step);
      }
      observe(0);
      const records = [...inventory.sources()].map(({ path, hash }) => `${path} ${hash}`);
      expect(records.toSorted((a, b) => a.localeCompare(b))).toEqual(contents(disk));
      expect(differences(disk, inventory).gone).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('renamed files are moved, never new and gone', () => {
  // `out` is the folder of targets.
  const name = fc
    .stringMatching(/^[a-z]{1,3}(\/[a-z]{1,2})?\.json$/)
    .filter((each) => !each.startsWith('out/'));
  const names = fc.uniqueArray(name, {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(names, fc.array(content, { minLength: 30, maxLength: 30 }), (paths, texts) => {
      const disk = new ModelDisk();
      for (const [index, name] of paths.entries()) disk.write(name, texts[index] ?? '');
      const inventory = inventoryOf();
      follow(inventory, changesFor(disk, differences(disk, inventory), inventory));
      for (const name of paths) disk.rename(name, `moved/${name}`);
      const changes = changesFor(disk, differences(disk, inventory), inventory);
      expect(changes.map(({ kind }) => kind)).toEqual(paths.map(() => 'moved'));
    }),
    { numRuns: 200 },
  );
});

test('each new file is reported once, and each missing file is used for at most one move', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
      const disk = new ModelDisk();
      const inventory = inventoryOf();
      for (const step of operations.slice(0, 10)) apply(disk, step);
      follow(inventory, changesFor(disk, differences(disk, inventory), inventory));
      for (const step of operations.slice(10)) apply(disk, step);
      const changes = changesFor(disk, differences(disk, inventory), inventory);
      const single = changes.flatMap((change): Change[] =>
        change.kind === 'exchanged' ? [...change.moves] : [change],
      );
      const told = single.flatMap((change) => ('file' in change ? [change.file.path] : []));
      const left = single.flatMap((change) =>
        change.kind === 'moved' || change.kind === 'gone' ? [change.before.path] : [],
      );
      expect(new Set(told).size).toBe(told.length);
      expect(new Set(left).size).toBe(left.length);
    }),
    { numRuns: 300 },
  );
});

test('when files exchange their names in any way, each content is followed to its new name', () => {
  const names = ['a.json', 'b.json', 'c.json', 'x/a.json', 'x/b.json', 'y.json'];
  fc.assert(
    fc.property(fc.shuffledSubarray(names, { minLength: 2 }), (dealt) => {
      const before = names.filter((name) => dealt.includes(name));
      const disk = new ModelDisk();
      for (const name of names) disk.write(name, `of ${name}`);
      const inventory = inventoryOf();
      follow(inventory, changesFor(disk, differences(disk, inventory), inventory));
      for (const [at, name] of dealt.entries()) disk.write(name, `of ${before[at]}`);
      const moved = changesFor(disk, differences(disk, inventory), inventory).flatMap((change) =>
        change.kind === 'exchanged' ? change.moves : [],
      );
      const expected = dealt.flatMap((name, at) =>
        before[at] === name ? [] : [`${before[at]} -> ${name}`],
      );
      const told = moved.map((move) => `${move.before.path} -> ${move.file.path}`);
      expect(told.toSorted((a, b) => a.localeCompare(b))).toEqual(
        expected.toSorted((a, b) => a.localeCompare(b)),
      );
    }),
    { numRuns: 200 },
  );
});
