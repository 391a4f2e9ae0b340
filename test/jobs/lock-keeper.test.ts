/** The lock after single saves: each save writes the right lines, and does not read the whole lock again. */
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { allSteps } from '../../src/clock.ts';
import { temporaryName } from '../../src/files/temporary.ts';
import { LockKeeper, type LockKeeperOptions } from '../../src/jobs/lock-keeper.ts';
import { lockAsLeft, sourcesByProject, tidyLock } from '../../src/jobs/lock-tidying.ts';
import type { LanguageTag } from '../../src/language.ts';
import type { JobRecord, LedgerView } from '../../src/ledger.ts';
import { amended } from '../../src/segments/review.ts';
import {
  type Statement,
  sourceHash,
  targetHash,
  type UnitId,
  unitId,
} from '../../src/segments/statements.ts';
import { LockFiles } from '../../src/state/lock-file.ts';
import { formatLock, parseLock } from '../../src/state/lock-text.ts';
import { Seeded } from '../seeded.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { inForceAt } from './in-force.ts';

const NAME = { project: 'app', language: 'de' as LanguageTag };
const NONE = new Set<UnitId>();
const PATHS = ['en/a.md', 'en/b.md', 'en/c.md'];

function pair(path: string, nth: number, target: string): Statement {
  return {
    ...{ unit: unitId(path, `k${nth}`), source: sourceHash(`text ${nth}`) },
    ...{ target: targetHash(target), mark: 'machine' },
  };
}

async function keeperIn(folder: string, more: Partial<LockKeeperOptions> = {}) {
  const ledger = ledgerOf([]);
  const files = new LockFiles(join(folder, 'dragoman.lock'));
  const options = {
    ledger,
    state: join(folder, 'state'),
    files,
    inForce: inForceAt(folder, ledger),
  };
  const keeper = new LockKeeper({
    ...options,
    baselines: NO_BASELINES,
    terminology: NO_RULES,
    ...more,
  });
  const isAsLeft = async () => await (await lockAsLeft(options))(NAME);
  return { keeper, files, isAsLeft, tidy: () => tidyLock(options, sourcesByProject(options)) };
}

function ledgerOf(jobs: readonly JobRecord[]): LedgerView {
  const all = (table: string) => (table === 'jobs' ? jobs : []).values();
  const get = (table: string, id: string) => [...all(table)].find((job) => job.id === id);
  return { condition: 'whole', all, get, size: () => jobs.length } as unknown as LedgerView;
}

const NO_BASELINES = {} as LockKeeperOptions['baselines'];
const NO_RULES = {
  remote: { files: () => [] },
  config: {},
} as unknown as LockKeeperOptions['terminology'];

async function write(files: LockFiles): Promise<string> {
  const sections = PATHS.map((path) => {
    return [path, [0, 1, 2, 3].map((nth) => pair(path, nth, `Text ${nth}`))] as const;
  });
  await files.write(NAME, new Map(sections));
  return files.pathOf(NAME);
}

test('writing the whole lock keeps what a save writes at the same time, and removes the file of a language that left the config', async () => {
  const { files, tidy } = await keeperIn(await temporaryFolder());
  const path = await write(files);
  const content = await readFile(path);
  const written = join(dirname(path), temporaryName());
  await writeFile(written, content);
  const former = join(dirname(path), 'tlh');
  await writeFile(former, content);
  expect(await tidy()).toContain(former);
  expect(await readFile(written)).toEqual(content);
});

test('after a save the lock counts as complete; after a change by somebody else it does not', async () => {
  const { keeper, files, isAsLeft, tidy } = await keeperIn(await temporaryFolder());
  const path = await write(files);
  expect(await isAsLeft()).toBe(false);
  await tidy();
  expect(await isAsLeft()).toBe(true);
  const said = { ...pair('en/a.md', 1, 'Anders'), mark: 'human', review: 'reviewed' } as const;
  await keeper.amend(NAME, 'en/a.md', { decided: [said], renewed: NONE });
  expect(await isAsLeft()).toBe(true);
  expect(await readFile(path, 'utf8')).toMatch(/ h\+$/m);
  await writeFile(path, `${await readFile(path, 'utf8')}\n`);
  expect(await isAsLeft()).toBe(false);
  await keeper.amend(NAME, 'en/a.md', { decided: [pair('en/a.md', 2, 'Neu')], renewed: NONE });
  expect(await isAsLeft()).toBe(false);
});

test('after many saves the lock is the same, letter for letter, as when each is made from the file alone', async () => {
  const { keeper, files } = await keeperIn(await temporaryFolder());
  const path = await write(files);
  let expected = await readFile(path, 'utf8');
  const seeded = new Seeded(21);
  for (let save = 0; save < 200; save += 1) {
    const file = seeded.pick(PATHS);
    const decided = Array.from({ length: 1 + seeded.below(3) }, () => ({
      ...pair(
        seeded.isOneIn(5) ? seeded.pick(PATHS) : file,
        seeded.below(6),
        `T${seeded.below(4)}`,
      ),
      mark: seeded.pick(['machine', 'human'] as const),
      ...(seeded.isOneIn(2) ? { review: seeded.pick(['reviewed', 'wanted'] as const) } : {}),
    }));
    if (seeded.isOneIn(20)) {
      expected = expected.replace('\n\n# ', '\n\n<<<<<<< ours\n\n# ');
      await writeFile(path, expected);
    }
    await keeper.amend(NAME, file, { decided, renewed: NONE });
    const { sections } = parseLock(expected);
    expected = formatLock(allSteps(amended(sections, file, { decided, renewed: NONE })));
    expect(await readFile(path, 'utf8'), `save ${save}`).toBe(expected);
  }
});

/** A job about the one text of a file, whose record is what the job wrote. */
function oneJob(reading: () => Promise<unknown>) {
  const job = {
    ...{ id: 'app:en/a.json:de', ...NAME, source: 'en/a.json', lane: 'text', targets: {} },
    wrote: [{ path: 'en/a.json', hash: 'x', stat: 'x' }],
  } as unknown as JobRecord;
  const record = async () => {
    await reading();
    const segment = { id: 'k1', source: 'text 1', target: ['Text 1'] };
    return { segments: [{ ...segment, origin: 'machine', state: 'ok' }] };
  };
  const baselines = { of: () => ({ record }) } as unknown as LockKeeperOptions['baselines'];
  return { job, ledger: ledgerOf([job]), baselines };
}

test('a decision of a person during the reading of a job is not replaced by the earlier statement', async () => {
  const said = { ...pair('en/a.json', 1, 'Anders'), mark: 'human' } as const;
  const { job, ...parts } = oneJob(async () => {
    await keeper.amend(NAME, 'en/a.json', { decided: [said], renewed: NONE });
  });
  const { keeper, files } = await keeperIn(await temporaryFolder(), parts);
  await files.write(NAME, new Map([['en/a.json', [pair('en/a.json', 1, 'Text 1')]]]));
  keeper.settled(job);
  await keeper.write('keep');
  const lock = await files.lock(NAME);
  expect(lock?.sections.get('en/a.json')).toContainEqual(said);
  expect(keeper.isBehind).toBe(true);
});

test('a decision that waits for the file of the lock while a job is read is not replaced by the earlier statement', async () => {
  const said = { ...pair('en/a.json', 1, 'Anders'), mark: 'human' } as const;
  const read = Promise.withResolvers<void>();
  const { job, ...parts } = oneJob(async () => read.resolve());
  const { keeper, files } = await keeperIn(await temporaryFolder(), parts);
  await files.write(NAME, new Map([['en/a.json', [pair('en/a.json', 1, 'Text 1')]]]));
  const other = Promise.withResolvers<undefined>();
  const writing = [
    files.change(NAME, () => other.promise),
    keeper.amend(NAME, 'en/a.json', { decided: [said], renewed: NONE }),
  ];
  keeper.settled(job);
  const all = keeper.write('keep');
  await read.promise;
  other.resolve(undefined);
  await Promise.all([...writing, all]);
  const lock = await files.lock(NAME);
  expect(lock?.sections.get('en/a.json')).toContainEqual(said);
  expect(keeper.isBehind).toBe(true);
});
