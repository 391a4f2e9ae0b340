import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Event } from '../../src/event.ts';
import type { JobId } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import type { Charge } from '../../src/ledger.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { replay } from '../../src/state/replay.ts';
import type { Schema } from '../../src/state/schema.ts';
import { verifyState } from '../../src/state/verify.ts';
import { asNobody } from '../as-nobody.ts';
import {
  charge,
  jobRecord,
  ledgerContract,
  presentJob,
  sourceRecord,
} from '../contracts/ledger.ts';
import { execFileSync } from '../in-time.ts';
import { temporaryFolder } from '../temporary-folder.ts';

ledgerContract(async () => {
  const folder = await temporaryFolder();
  return { open: () => openLedger({ folder, clock: systemClock }) };
});

/** A folder as a killed process leaves it: nothing is closed, nothing is checkpointed at the end. */
async function killedFolder(jobs: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
  const copy = await temporaryFolder();
  await using ledger = await openLedger({ folder, clock: systemClock });
  for (const id of jobs) {
    if (id === '|') await ledger.checkpoint();
    else await ledger.commit([{ table: 'jobs', add: jobRecord(id) }]);
  }
  await cp(folder, copy, { recursive: true });
  return copy;
}

async function reopened(folder: string) {
  const events: Event[] = [];
  await using ledger = await openLedger({
    folder,
    clock: systemClock,
    onEvent: (event) => events.push(event),
  });
  return {
    condition: ledger.condition,
    jobs: [...ledger.all('jobs')].map((job) => job.id),
    events,
  };
}

async function newestJournal(folder: string): Promise<string> {
  const journals = (await readdir(folder)).filter((name) => name.startsWith('journal.'));
  const newest = journals.reduce((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }) > 0 ? a : b,
  );
  return join(folder, newest);
}

const tag = (code: string) => code as LanguageTag;

async function flipByte(path: string, offset: number): Promise<void> {
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset);
  await writeFile(path, bytes);
}

describe('the files', () => {
  test('are for their owner only', async () => {
    const folder = join(await temporaryFolder(), 'state');
    await using ledger = await openLedger({ folder, clock: systemClock });
    await ledger.checkpoint();
    const modes = await Promise.all(
      (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).mode & 0o777),
    );
    expect([(await stat(folder)).mode & 0o777, ...new Set(modes)]).toEqual([0o700, 0o600]);
  });

  test('include a snapshot that people and programs can read', async () => {
    const folder = await temporaryFolder();
    {
      await using ledger = await openLedger({ folder, clock: systemClock });
      await ledger.commit([
        { table: 'sources', put: sourceRecord('s1'), from: undefined },
        { table: 'jobs', add: jobRecord('é "quoted"\n') },
      ]);
    }
    expect(JSON.parse(await readFile(join(folder, 'db.json'), 'utf8'))).toMatchObject({
      version: 1,
      sources: [sourceRecord('s1')],
      jobs: [jobRecord('é "quoted"\n')],
      charges: [],
    });
  });

  test('begin with what was billed, by month, project and language, the newest month first', async () => {
    const folder = await temporaryFolder();
    const put = (id: string, change: Partial<Charge>) =>
      ({ table: 'charges', put: { ...charge(id, 1), ...change } }) as const;
    {
      await using ledger = await openLedger({ folder, clock: systemClock });
      await ledger.commit([
        ...Array.from({ length: 500 }, (_, nth) => ({
          table: 'sources' as const,
          put: sourceRecord(`s${nth}`),
          from: undefined,
        })),
        put('a', {
          project: 'web',
          language: tag('de'),
          at: '2026-10-30T10:00:00Z',
          characters: 5,
        }),
        put('b', {
          project: 'web',
          language: tag('de'),
          at: '2026-11-02T10:00:00Z',
          characters: 7,
        }),
        put('c', {
          project: 'web',
          language: tag('fr'),
          at: '2026-11-03T10:00:00Z',
          characters: 8,
        }),
        put('d', {
          project: 'docs',
          language: tag('de'),
          at: '2026-11-03T10:00:00Z',
          characters: 9,
        }),
        put('e', { kind: 'possibly-twice', characters: 100 }),
        put('f', { lane: 'voice', characters: null, seconds: 61 }),
      ]);
    }
    const text = await readFile(join(folder, 'db.json'), 'utf8');
    const { totals } = JSON.parse(text) as { totals: object };
    expect(totals).toEqual({
      billed_characters: 29,
      possibly_billed_twice: 100,
      voice_seconds: 61,
      months: [
        { month: '2026-11', billed: { docs: { de: 9 }, web: { de: 7, fr: 8 } } },
        { month: '2026-10', billed: { web: { de: 5 } } },
      ],
    });
    expect(text.slice(0, 1500)).toContain('\n{"month":"2026-10","billed":{"web":{"de":5}}}]},');
    await using again = await openLedger({ folder, clock: systemClock });
    expect([again.condition, again.size('charges')]).toEqual(['intact', 6]);
  });

  test('hold whole jobs and names of those that are gone, as the first version reads and writes them', async () => {
    const folder = await temporaryFolder();
    await using ledger = await openLedger({ folder, clock: systemClock });
    await ledger.commit([{ table: 'jobs', add: jobRecord('a') }]);
    const from = presentJob(ledger, 'a');
    await ledger.commit([{ table: 'jobs', from, set: { estimate: 7 } }]);
    await ledger.commit([{ table: 'jobs', drop: presentJob(ledger, 'a') }]);
    const lines: unknown[] = [];
    await replay(await newestJournal(folder), (json) => lines.push(JSON.parse(json)));
    expect(lines).toEqual([
      [{ table: 'jobs', put: jobRecord('a') }],
      [{ table: 'jobs', put: jobRecord('a', { estimate: 7 }) }],
      [{ table: 'jobs', remove: 'a' }],
    ]);
  });

  test('are not all written again for a few changes of a large ledger, and the changes are there at the next start', async () => {
    const folder = await temporaryFolder();
    const snapshot = async () => (await stat(join(folder, 'db.json'))).ino;
    const addJobs = async (first: number, count: number) => {
      await using ledger = await openLedger({ folder, clock: systemClock });
      const names = Array.from({ length: count }, (_, n) => `${first + n}`);
      await ledger.commit(names.map((id) => ({ table: 'jobs', add: jobRecord(id) })));
    };
    await addJobs(0, 6000);
    const first = await snapshot();
    await addJobs(6000, 200);
    await addJobs(6200, 100);
    expect(await snapshot()).toBe(first);
    expect((await reopened(folder)).jobs).toHaveLength(6300);
    // Now a start would read one record in twenty from the journal.
    await addJobs(6300, 50);
    expect(await snapshot()).not.toBe(first);
    expect((await reopened(folder)).jobs).toHaveLength(6350);
  });

  /** A ledger with many jobs that went through several states, as a run leaves it. */
  async function folderAfterRun(names: readonly string[]): Promise<string> {
    const folder = await temporaryFolder();
    await using ledger = await openLedger({ folder, clock: systemClock });
    await ledger.commit(names.map((id) => ({ table: 'jobs', add: jobRecord(id) })));
    const claims = await Promise.all(names.map((id) => ledger.claim(id as JobId)));
    const state = { kind: 'queued' } as const;
    await Promise.all(claims.map((claim) => claim && ledger.settle(claim, { state })));
    await ledger.checkpoint();
    return folder;
  }
  const MANY = Array.from({ length: 4000 }, (_, n) => `job ${n}`);
  const sizeIn = async (folder: string, name: string) => (await stat(join(folder, name))).size;

  test('take little more room at the end than one snapshot, and each of the two has everything', async () => {
    const folder = await folderAfterRun(MANY);
    const journals = (await readdir(folder)).filter((name) => name.startsWith('journal.'));
    const sizes = journals.map((name) => sizeIn(folder, name));
    expect(new Set(await Promise.all(sizes))).toEqual(new Set([0]));
    const share = (await sizeIn(folder, 'db.prev.json')) / (await sizeIn(folder, 'db.json'));
    expect(share).toBeLessThan(1 / 3);
    expect(await verifyState(folder)).toEqual([]);
    await flipByte(join(folder, 'db.json'), 60);
    expect(await reopened(folder)).toMatchObject({ condition: 'repaired', jobs: MANY });
    expect(await reopened(folder)).toMatchObject({ condition: 'intact', jobs: MANY });
  });

  test('stay readable for the present snapshot when the packed one is damaged anywhere', async () => {
    const folder = await folderAfterRun(MANY);
    for (const offset of [1, 2, 30, 5000, (await sizeIn(folder, 'db.prev.json')) - 3]) {
      const copy = await duplicate(folder);
      const file = join(copy, 'db.prev.json');
      await flipByte(file, offset);
      expect(await verifyState(copy)).toEqual([{ file, message: expect.any(String) }]);
      await flipByte(join(copy, 'db.json'), 60);
      expect(await reopened(copy)).toMatchObject({ condition: 'facts-lost' });
    }
  });

  test('keep the older snapshot at the end where the present one is damaged', async () => {
    const folder = await temporaryFolder();
    const jobs = Array.from({ length: 6000 }, (_, n) => `job ${n}`);
    {
      await using ledger = await openLedger({ folder, clock: systemClock });
      await ledger.commit(jobs.map((id) => ({ table: 'jobs', add: jobRecord(id) })));
      await ledger.checkpoint();
      await ledger.checkpoint();
      await flipByte(join(folder, 'db.json'), 600);
      await ledger.commit([{ table: 'jobs', add: jobRecord('one more') }]);
    }
    expect(await reopened(folder)).toMatchObject({
      condition: 'repaired',
      jobs: [...jobs, 'one more'],
    });
  });

  test('stay few, however many checkpoints there were', async () => {
    const folder = await temporaryFolder();
    await using ledger = await openLedger({ folder, clock: systemClock });
    for (let n = 0; n < 6; n++) {
      await ledger.commit([{ table: 'jobs', add: jobRecord(`${n}`) }]);
      await ledger.checkpoint();
    }
    expect((await readdir(folder)).filter((name) => name.startsWith('journal.'))).toHaveLength(2);
  });
});

describe('a restart', () => {
  test('without any state is a first contact, the next one is not', async () => {
    const folder = join(await temporaryFolder(), 'absent');
    expect(await reopened(folder)).toEqual({ condition: 'first-contact', jobs: [], events: [] });
    expect(await reopened(folder)).toMatchObject({ condition: 'intact' });
  });

  test('after a kill replays the journals behind the snapshot', async () => {
    const folder = await killedFolder(['a', '|', 'b', '|', 'c', 'd']);
    expect(await reopened(folder)).toMatchObject({
      condition: 'intact',
      jobs: ['a', 'b', 'c', 'd'],
    });
  });

  test('drops the line that a power cut tore, and goes on behind the last whole one', async () => {
    const folder = await killedFolder(['a', 'b']);
    const journal = await newestJournal(folder);
    await truncate(journal, (await stat(journal)).size - 5);
    expect(await reopened(folder)).toMatchObject({ condition: 'repaired', jobs: ['a'] });
    expect(await reopened(folder)).toMatchObject({ condition: 'intact', jobs: ['a'] });
  });

  test('uses the previous snapshot when the present one is damaged, and loses nothing', async () => {
    const folder = await killedFolder(['a', '|', 'b', '|', 'c']);
    await flipByte(join(folder, 'db.json'), 60);
    expect(await reopened(folder)).toMatchObject({
      condition: 'repaired',
      jobs: ['a', 'b', 'c'],
      events: [{ kind: 'state-recovered', file: join(folder, 'db.json') }, {}],
    });
    expect(await readdir(join(folder, 'damaged'))).toHaveLength(1);
    expect(await reopened(folder)).toMatchObject({ condition: 'intact', jobs: ['a', 'b', 'c'] });
  });

  test('uses the previous snapshot when the present one is missing', async () => {
    const folder = await killedFolder(['a', '|', 'b', '|', 'c']);
    await rm(join(folder, 'db.json'));
    expect(await reopened(folder)).toMatchObject({ condition: 'repaired', jobs: ['a', 'b', 'c'] });
  });

  test('says that facts are lost when a whole journal is missing, until the loss is dealt with', async () => {
    const folder = await killedFolder(['a', '|', 'b', '|', 'c']);
    await rm(await newestJournal(folder));
    expect(await reopened(folder)).toMatchObject({ condition: 'facts-lost', jobs: ['a', 'b'] });
    await using ledger = await openLedger({ folder, clock: systemClock });
    expect(ledger.condition).toBe('facts-lost');
    await ledger.forgetLoss();
    expect(await reopened(await duplicate(folder))).toMatchObject({ condition: 'intact' });
  });

  test('says that facts are lost when nothing usable is left, and keeps the remains aside', async () => {
    const folder = await killedFolder(['a', '|', 'b', '|', 'c']);
    await flipByte(join(folder, 'db.json'), 60);
    await flipByte(join(folder, 'db.prev.json'), 60);
    expect(await reopened(folder)).toMatchObject({ condition: 'facts-lost' });
    expect(await readdir(join(folder, 'damaged'))).toHaveLength(2);
  });

  test('says that facts are lost when all files of the ledger were deleted from its folder', async () => {
    const folder = await killedFolder(['a', '|', 'b']);
    for (const name of await readdir(folder)) {
      if (/^(db|journal)\./.test(name)) await rm(join(folder, name));
    }
    expect(await reopened(folder)).toMatchObject({ condition: 'facts-lost', jobs: [] });
  });

  test('applies what is readable behind a damaged line of the journal, and says that facts are lost', async () => {
    const folder = await killedFolder(['a', 'b', 'c', 'd']);
    const journal = await newestJournal(folder);
    const [first = ''] = (await readFile(journal, 'utf8')).split('\n');
    await flipByte(journal, first.length + 40);
    expect(await reopened(folder)).toMatchObject({
      condition: 'facts-lost',
      jobs: ['a', 'c', 'd'],
    });
  });

  test('fails as damaged state when a damaged file cannot be set aside', async () => {
    const folder = await killedFolder(['a', '|', 'b']);
    await flipByte(join(folder, 'db.json'), 60);
    await writeFile(join(folder, 'damaged'), 'a file where the folder should be');
    await expect(reopened(folder)).rejects.toMatchObject({
      failure: { kind: 'damaged-state', file: join(folder, 'db.json') },
    });
  });

  test.each(['db.json', 'db.prev.json', 'the journal'])(
    'fails and does not wait when a named pipe is in place of %s',
    async (name) => {
      const folder = await killedFolder(['a', '|', 'b', '|', 'c']);
      const file = name === 'the journal' ? await newestJournal(folder) : join(folder, name);
      await rm(file);
      execFileSync('/usr/bin/mkfifo', [file]);
      await expect(reopened(folder)).rejects.toMatchObject({
        failure: { kind: 'damaged-state', file, message: 'it is not a regular file' },
      });
    },
  );

  test('takes a snapshot that is larger than any for damaged, and does not read it', async () => {
    const folder = await killedFolder(['a', '|', 'b', '|', 'c']);
    await truncate(join(folder, 'db.json'), 4 * 1024 ** 3);
    expect(await reopened(folder)).toMatchObject({ condition: 'repaired', jobs: ['a', 'b', 'c'] });
  });

  test('fails when the system refuses to read it, and takes nothing for damaged', async () => {
    const folder = await killedFolder(['a', '|']);
    await asNobody(() =>
      expect(reopened(folder)).rejects.toMatchObject({ failure: { kind: 'unreadable' } }),
    );
    expect(await reopened(folder)).toMatchObject({ condition: 'intact', jobs: ['a'] });
  });
});

describe('a look at the files', () => {
  test('finds nothing wrong with those of a killed process', async () => {
    const folder = await killedFolder(['a', '|', 'b', '|', 'c', 'd']);
    const journal = await newestJournal(folder);
    await truncate(journal, (await stat(journal)).size - 5);
    expect(await verifyState(folder)).toEqual([]);
  });

  test('names every damaged file and leaves it where it is', async () => {
    const folder = await killedFolder(['a', '|', 'b', '|', 'c', 'd', 'e']);
    const files = [join(folder, 'db.json'), join(folder, 'db.prev.json')];
    for (const file of files) await flipByte(file, 60);
    const journal = await newestJournal(folder);
    await flipByte(journal, 40);
    expect((await verifyState(folder)).map(({ file }) => file)).toEqual([...files, journal]);
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['db.json', 'db.prev.json']));
  });
});

describe('versions', () => {
  const version2: Schema = {
    version: 2,
    migrations: new Map([
      [
        1,
        (tables) => {
          for (const job of tables.jobs.values()) tables.jobs.set(job.id, { ...job, estimate: 7 });
        },
      ],
    ]),
  };

  test('an older state is migrated, journals included, and backed up before', async () => {
    const folder = await killedFolder(['a', '|', 'b']);
    {
      await using ledger = await openLedger({ folder, clock: systemClock, schema: version2 });
      expect([...ledger.all('jobs')].map(({ estimate }) => estimate)).toEqual([7, 7]);
    }
    expect(await readFile(join(folder, 'db.json'), 'utf8')).toMatch(/^{"version":2,/);
    expect(await reopened(join(folder, 'version-1'))).toMatchObject({
      condition: 'intact',
      jobs: ['a', 'b'],
    });
  });

  test('a newer state is refused and left as it is', async () => {
    const folder = await killedFolder(['a', '|', 'b']);
    await (await openLedger({ folder, clock: systemClock, schema: version2 }))[
      Symbol.asyncDispose
    ]();
    const before = await readFile(join(folder, 'db.json'));
    await expect(reopened(folder)).rejects.toMatchObject({
      failure: { kind: 'damaged-state', message: expect.stringContaining('newer dragoman') },
    });
    expect(await readFile(join(folder, 'db.json'))).toEqual(before);
  });
});

test('after a failed write every further one is refused, and closing hides none of it', async () => {
  const folder = await temporaryFolder();
  const ledger = await openLedger({ folder, clock: systemClock });
  await ledger.commit([{ table: 'charges', put: charge('c0', 1) }]);
  await rm(folder, { recursive: true });
  await expect(ledger.checkpoint()).rejects.toMatchObject({ failure: { kind: 'unwritable' } });
  await expect(ledger.commit([{ table: 'charges', put: charge('c1', 1) }])).rejects.toMatchObject({
    failure: { kind: 'unwritable' },
  });
  // The writers have got the reason; an error of the closing would hide it.
  await expect(ledger[Symbol.asyncDispose]()).resolves.toBeUndefined();
});

async function duplicate(folder: string): Promise<string> {
  const copy = await temporaryFolder();
  await cp(folder, copy, { recursive: true });
  return copy;
}
