import { expect, test } from 'vitest';
import { allSteps } from '../../src/clock.ts';
import type { Change } from '../../src/intake/change.ts';
import type { Inventory } from '../../src/intake/inventory.ts';
import { judgeFiles, reconcile, toHash, unknownContents } from '../../src/intake/reconcile.ts';
import {
  changesFor,
  differences,
  follow,
  hashOf,
  inventoryOf,
  isSource,
  jobRecord,
  ModelDisk,
  sourceRecord,
  written,
} from './model.ts';

/** A disk and a ledger that agree on these sources. */
function agreed(...paths: string[]): { disk: ModelDisk; inventory: Inventory } {
  const disk = new ModelDisk();
  for (const path of paths) disk.write(path, path);
  return { disk, inventory: inventoryOf(...paths.map((path) => sourceRecord(disk, path))) };
}

const changes = (disk: ModelDisk, inventory: Inventory) =>
  changesFor(disk, differences(disk, inventory), inventory).map(brief);

function brief(change: Change): string {
  switch (change.kind) {
    case 'moved':
      return `${change.before.path} -> ${change.file.path}`;
    case 'exchanged':
      return change.moves.map(brief).join(' & ');
    case 'new':
      return `new ${change.file.path}${change.copyOf ? ` like ${change.copyOf}` : ''}`;
    case 'gone':
      return `gone ${change.before.path}`;
    case 'mass-deletion':
      return `${change.gone.length} of ${change.of} gone`;
    case 'skipped':
      return `${change.path}: ${change.reason}`;
    case 'target-missing':
      return `target-missing ${change.path}`;
    case 'edited':
    case 'touched':
    case 'target-edited':
    case 'target-touched':
      return `${change.kind} ${change.file.path}`;
  }
}

test('a file that equals its record is not hashed and is no change', () => {
  const { disk, inventory } = agreed('a.json', 'b.json');
  const files = [disk.found('a.json'), disk.found('b.json')];
  const observed = { files, gone: [], missing: new Set<string>() };
  expect(allSteps(toHash({ observed, inventory, isSource }))).toEqual([]);
  expect(changesFor(disk, observed, inventory)).toEqual([]);
});

test('new, edited, touched and gone files are distinguished by their content', () => {
  const { disk, inventory } = agreed('edited.json', 'touched.json', 'gone.json');
  disk.write('new.json', 'new');
  disk.write('edited.json', 'otherwise');
  disk.write('touched.json', 'touched.json');
  disk.remove('gone.json');
  expect(changes(disk, inventory)).toEqual([
    'edited edited.json',
    'touched touched.json',
    'new new.json',
    'gone gone.json',
  ]);
});

test('a file that could not be hashed is left as it was', () => {
  const { disk, inventory } = agreed('a.json');
  disk.write('a.json', 'locked');
  const observed = differences(disk, inventory);
  expect(allSteps(toHash({ observed, inventory, isSource }))).toHaveLength(1);
  expect(changesFor(new ModelDisk(), { ...observed, files: [] }, inventory)).toEqual([]);
});

test('a rename is a move, also into another folder', () => {
  const { disk, inventory } = agreed('a.json', 'x/b.json');
  disk.rename('a.json', 'renamed.json');
  disk.rename('x/b.json', 'y/z/b.json');
  expect(changes(disk, inventory)).toEqual(['a.json -> renamed.json', 'x/b.json -> y/z/b.json']);
});

test('a file that is missing, but not yet gone, may have moved', () => {
  const { disk, inventory } = agreed('a.json');
  disk.rename('a.json', 'b.json');
  const observed = { files: [disk.found('b.json')], gone: [], missing: new Set(['a.json']) };
  expect(changesFor(disk, observed, inventory).map(brief)).toEqual(['a.json -> b.json']);
});

test('a file that is only missing is not gone', () => {
  const { disk, inventory } = agreed('a.json');
  const observed = { files: [], gone: [], missing: new Set(['a.json']) };
  expect(changesFor(disk, observed, inventory)).toEqual([]);
});

test('among equal files a move keeps the name where it can', () => {
  const disk = new ModelDisk();
  disk.write('x/empty.json', '{}');
  disk.write('x/other.json', '{}');
  const inventory = inventoryOf(
    sourceRecord(disk, 'x/empty.json'),
    sourceRecord(disk, 'x/other.json'),
  );
  disk.rename('x/other.json', 'y/other.json');
  disk.rename('x/empty.json', 'y/empty.json');
  expect(changes(disk, inventory)).toEqual([
    'x/other.json -> y/other.json',
    'x/empty.json -> y/empty.json',
  ]);
});

test('a copy is new, and names its original', () => {
  const { disk, inventory } = agreed('a.json');
  disk.write('copy.json', 'a.json');
  expect(changes(disk, inventory)).toEqual(['new copy.json like a.json']);
});

test('one file that became two is one move and one copy', () => {
  const { disk, inventory } = agreed('a.json');
  disk.rename('a.json', 'b.json');
  disk.write('c.json', 'a.json');
  expect(changes(disk, inventory)).toEqual(['a.json -> b.json', 'new c.json']);
});

test('our own outputs are neither sources nor edited, and not hashed again', () => {
  const { disk, inventory } = agreed('a.json');
  disk.write('out/a.json', 'translated');
  inventory.putJob(jobRecord('a.json', written(disk, 'out/a.json')));
  const observed = { files: [disk.found('out/a.json')], gone: [], missing: new Set<string>() };
  expect(allSteps(toHash({ observed, inventory, isSource }))).toEqual([]);
  expect(changesFor(disk, observed, inventory)).toEqual([]);
});

test('a copy of a translation is not translated again', () => {
  const { disk, inventory } = agreed('a.json');
  disk.write('out/a.json', 'translated');
  inventory.putJob(jobRecord('a.json', written(disk, 'out/a.json')));
  disk.write('copy of a.json', 'translated');
  expect(changes(disk, inventory)).toEqual([
    'copy of a.json: it has the content of the translation out/a.json',
  ]);
});

test('a text that is its own translation does not stop its copies', () => {
  const { disk, inventory } = agreed('a.json');
  disk.write('out/a.json', 'a.json');
  inventory.putJob(jobRecord('a.json', written(disk, 'out/a.json')));
  disk.write('b.json', 'a.json');
  expect(changes(disk, inventory)).toEqual(['new b.json like a.json']);
});

test('a file that holds all languages is not edited by our own writing', () => {
  const { disk, inventory } = agreed('all.xcstrings');
  disk.write('all.xcstrings', 'with German');
  inventory.putJob(jobRecord('all.xcstrings', written(disk, 'all.xcstrings')));
  expect(changes(disk, inventory)).toEqual(['touched all.xcstrings']);
});

test('targets are edited, touched or missing', () => {
  const { disk, inventory } = agreed('a.json', 'b.json', 'c.json');
  for (const name of ['a.json', 'b.json', 'c.json']) {
    disk.write(`out/${name}`, `${name} translated`);
    inventory.putJob(jobRecord(name, written(disk, `out/${name}`)));
  }
  disk.write('out/a.json', 'by a person');
  disk.write('out/b.json', 'b.json translated');
  disk.remove('out/c.json');
  expect(changes(disk, inventory)).toEqual([
    'target-edited out/a.json',
    'target-touched out/b.json',
    'target-missing out/c.json',
  ]);
});

test('a target that vanishes with its source is not missed', () => {
  const { disk, inventory } = agreed('a.json');
  disk.write('out/a.json', 'translated');
  inventory.putJob(jobRecord('a.json', written(disk, 'out/a.json')));
  disk.remove('a.json');
  disk.remove('out/a.json');
  expect(changes(disk, inventory)).toEqual(['gone a.json']);
});

test('a target that nobody wrote yet is no change', () => {
  const { disk, inventory } = agreed('a.json');
  disk.write('out/a.json', 'by a person, long ago');
  expect(changes(disk, inventory)).toEqual([]);
});

const many = (count: number) => Array.from({ length: count }, (_, n) => `${n}.json`);

test('20 files and more than a fifth at once are held together', () => {
  const { disk, inventory } = agreed(...many(99));
  for (const path of many(20)) disk.remove(path);
  expect(changes(disk, inventory)).toEqual(['20 of 99 gone']);
});

test('a fifth, or fewer than 20 files, go one by one', () => {
  const large = agreed(...many(100));
  for (const path of many(20)) large.disk.remove(path);
  expect(changes(large.disk, large.inventory)).toHaveLength(20);
  const small = agreed(...many(19));
  for (const path of many(19)) small.disk.remove(path);
  expect(changes(small.disk, small.inventory)).toHaveLength(19);
});

test('where all files on record are gone, sources and targets, the disk may be another one: they are held together', () => {
  const { disk, inventory } = agreed('a.json', 'b.json');
  disk.write('out/a.json', 'A');
  inventory.putJob(jobRecord('a.json', written(disk, 'out/a.json')));
  for (const path of ['a.json', 'b.json']) disk.remove(path);
  expect(changes(disk, inventory)).toEqual(['gone a.json', 'gone b.json']);
  disk.remove('out/a.json');
  expect(changes(disk, inventory)).toEqual(['2 of 2 gone']);
  disk.write('new.json', 'another text');
  expect(changes(disk, inventory)).toContain('gone b.json');
  // A file with all languages is source and target.
  const catalog = agreed('all.xcstrings');
  catalog.inventory.putJob(jobRecord('all.xcstrings', written(catalog.disk, 'all.xcstrings')));
  catalog.disk.remove('all.xcstrings');
  expect(changes(catalog.disk, catalog.inventory)).toEqual(['gone all.xcstrings']);
});

test('the only source that is gone together with its target is deleted, unless the root is an empty folder: then the disk may not be mounted', () => {
  const { disk, inventory } = agreed('a.json');
  disk.write('out/a.json', 'A');
  inventory.putJob(jobRecord('a.json', written(disk, 'out/a.json')));
  for (const path of ['a.json', 'out/a.json']) disk.remove(path);
  const observed = differences(disk, inventory);
  expect(changesFor(disk, observed, inventory).map(brief)).toEqual(['gone a.json']);
  const isBare = { ...observed, isBare: true };
  expect(changesFor(disk, isBare, inventory).map(brief)).toEqual(['1 of 1 gone']);
});

test('a source that is gone while the others and all targets are missing at one look is held, too', () => {
  const { disk, inventory } = agreed('a.json', 'b.json');
  disk.write('out/a.json', 'A');
  inventory.putJob(jobRecord('a.json', written(disk, 'out/a.json')));
  for (const path of ['a.json', 'b.json', 'out/a.json']) disk.remove(path);
  const missing = new Set(['b.json', 'out/a.json']);
  const observed = { ...differences(disk, inventory), gone: ['a.json'], missing };
  expect(changesFor(disk, observed, inventory).map(brief)).toEqual(['1 of 2 gone']);
});

test('a renamed folder is no mass deletion', () => {
  const { disk, inventory } = agreed(...many(50).map((path) => `old/${path}`));
  for (const path of many(50)) disk.rename(`old/${path}`, `new/${path}`);
  const moves = changes(disk, inventory);
  expect(moves).toHaveLength(50);
  expect(moves.filter((move) => !move.includes('->'))).toEqual([]);
});

test('files that exchanged their names count as moved; a file that only got the name of another counts as edited', () => {
  const { disk, inventory } = agreed('a.json', 'b.json', 'c.json', 'd.json');
  disk.rename('a.json', 'free.json');
  disk.rename('b.json', 'a.json');
  disk.rename('free.json', 'b.json');
  disk.rename('c.json', 'd.json');
  expect(changes(disk, inventory)).toEqual([
    'edited d.json',
    'b.json -> a.json & a.json -> b.json',
    'gone c.json',
  ]);
});

test('a chain of renames is followed from its new name to the one that is free now', () => {
  const { disk, inventory } = agreed('1.json', '2.json', '3.json');
  disk.rename('3.json', '4.json');
  disk.rename('2.json', '3.json');
  disk.rename('1.json', '2.json');
  expect(changes(disk, inventory)).toEqual([
    '2.json -> 3.json & 1.json -> 2.json & 3.json -> 4.json',
  ]);
});

test('a file that was copied to a new name and then edited stays itself', () => {
  const { disk, inventory } = agreed('a.json');
  disk.write('copy.json', 'a.json');
  disk.write('a.json', 'edited');
  expect(changes(disk, inventory)).toEqual(['edited a.json', 'new copy.json like a.json']);
});

test('an edited file counts as the moved form of a similar one, unless the exact content moved elsewhere', () => {
  const { disk, inventory } = agreed('old.json', 'other.json');
  disk.rename('old.json', 'new.json');
  disk.write('new.json', 'edited on the way');
  disk.rename('other.json', 'elsewhere.json');
  const observed = differences(disk, inventory);
  const reconciling = { observed, inventory, isSource, jobsOf: () => [] };
  const hashes = new Map(
    observed.files.map(({ path }) => [path, hashOf(disk.files.get(path)?.content ?? '')]),
  );

  const judged = allSteps(judgeFiles(reconciling, hashes));
  const { newFiles: came, goneSources: went } = unknownContents(judged);
  expect(came.map(({ path }) => path)).toEqual(['new.json']);
  expect(went.map(({ path }) => path)).toEqual(['old.json']);
  const told = (similar: Record<string, string>) =>
    reconcile(judged, new Map(Object.entries(similar))).map(brief);
  expect(told({ 'new.json': 'old.json' })).toEqual([
    'old.json -> new.json',
    'other.json -> elsewhere.json',
  ]);
  expect(told({ 'new.json': 'other.json' })).toEqual([
    'new new.json',
    'other.json -> elsewhere.json',
    'gone old.json',
  ]);
});

test('a large folder that was copied and then removed is no mass deletion; one that has no copy is', () => {
  const names = Array.from({ length: 30 }, (_, at) => `old/${at}.json`);
  const { disk, inventory } = agreed(...names);
  for (const name of names) disk.write(`new/${name}`, name);
  follow(inventory, changesFor(disk, differences(disk, inventory), inventory));
  for (const name of names) disk.remove(name);
  expect(changes(disk, inventory)).toEqual(names.map((name) => `gone ${name}`));

  follow(inventory, changesFor(disk, differences(disk, inventory), inventory));
  for (const name of names) disk.remove(`new/${name}`);
  expect(changes(disk, inventory)).toEqual(['30 of 30 gone']);
});
