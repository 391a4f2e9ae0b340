/** The promises of every ledger, as a suite that an implementation runs. */
import { describe, expect, test } from 'vitest';
import type { Fingerprint, Hash, JobId, SourceId, Stat } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import {
  type Charge,
  type Claim,
  type JobRecord,
  type Ledger,
  type LedgerView,
  type SourceRecord,
  StaleClaim,
  StaleRecord,
} from '../../src/ledger.ts';

export function jobRecord(id: string, changes: Partial<JobRecord> = {}): JobRecord {
  return {
    id: id as JobId,
    project: 'app',
    lane: 'text',
    source: `${id}.md`,
    language: 'de' as LanguageTag,
    targets: { file: `de/${id}.md` },
    fingerprint: `fingerprint of ${id}` as Fingerprint,
    state: { kind: 'queued' },
    fence: 0,
    wrote: [],
    delivered: null,
    estimate: 100,
    ...changes,
  };
}

export function sourceRecord(id: string, hash = 'aa'): SourceRecord {
  return {
    id: id as SourceId,
    project: 'app',
    path: id,
    hash: hash as Hash,
    stat: '1:2:3:4' as Stat,
    since: '2026-10-19T10:00:00.000Z',
  };
}

export function charge(id: string, characters: number): Charge {
  return {
    id,
    job: 'a' as JobId,
    project: 'app',
    language: 'de' as LanguageTag,
    lane: 'text',
    at: '2026-10-19T10:00:00.000Z',
    kind: 'billed',
    characters,
    estimated: characters,
  };
}

/** A job as the ledger has it now. */
export function presentJob(ledger: LedgerView, id: string): JobRecord {
  const job = ledger.get('jobs', id);
  if (job === undefined) throw new Error(`no job ${id}`);
  return job;
}

/** A place where a ledger can be opened again and again. */
export interface LedgerPlace {
  open(): Promise<Ledger>;
  /** The queue is in the same database: a commit withdraws offers itself. */
  readonly hasQueue?: true;
}

export function ledgerContract(makePlace: () => Promise<LedgerPlace>): void {
  describe('a ledger', () => {
    test('shows a write at once and still has it after a restart', async () => {
      const place = await makePlace();
      {
        await using ledger = await place.open();
        const written = ledger.commit([{ table: 'jobs', add: jobRecord('a') }]);
        expect(ledger.get('jobs', 'a')).toEqual(jobRecord('a'));
        await written;
      }
      await using again = await place.open();
      expect(again.get('jobs', 'a')).toEqual(jobRecord('a'));
    });

    test('puts, replaces, removes and lists the records of its tables', async () => {
      await using ledger = await (await makePlace()).open();
      const [first, second] = [sourceRecord('s1'), sourceRecord('s2')];
      const glossary = { id: 'g', kind: 'glossary', value: { pairs: [1] } } as const;
      await ledger.commit([
        { table: 'sources', put: first, from: undefined },
        { table: 'sources', put: second, from: undefined },
        { table: 'sources', put: sourceRecord('s1', 'bb'), from: first },
        { table: 'sources', remove: second },
        { table: 'remotes', put: glossary, from: undefined },
      ]);
      expect([...ledger.all('sources')]).toEqual([sourceRecord('s1', 'bb')]);
      expect([ledger.size('sources'), ledger.size('remotes'), ledger.size('jobs')]).toEqual([
        1, 1, 0,
      ]);
    });

    test('applies a charge once per id', async () => {
      await using ledger = await (await makePlace()).open();
      await ledger.commit([{ table: 'charges', put: charge('c1', 7) }]);
      await ledger.commit([{ table: 'charges', put: charge('c1', 7) }]);
      expect([...ledger.all('charges')]).toEqual([charge('c1', 7)]);
    });

    test('lists charges in the order in which they were put, also after a restart', async () => {
      const place = await makePlace();
      const ids = Array.from({ length: 12 }, (_, nth) => `c${11 - nth}`);
      const idsIn = (ledger: LedgerView) => [...ledger.all('charges')].map(({ id }) => id);
      {
        await using ledger = await place.open();
        for (const id of ids) await ledger.commit([{ table: 'charges', put: charge(id, 1) }]);
        expect(idsIn(ledger)).toEqual(ids);
      }
      await using again = await place.open();
      expect(idsIn(again)).toEqual(ids);
    });

    test('adds a job, sets its fields, and drops it', async () => {
      const place = await makePlace();
      const release = { kind: 'approve', fingerprint: 'f' as Fingerprint, at: 'now' } as const;
      {
        await using ledger = await place.open();
        const [a, b] = [jobRecord('a', { release }), jobRecord('b')];
        await ledger.commit([
          { table: 'jobs', add: a },
          { table: 'jobs', add: b },
        ]);
        await ledger.commit([
          {
            table: 'jobs',
            from: presentJob(ledger, 'a'),
            set: { estimate: 7, release: undefined },
          },
          { table: 'jobs', drop: presentJob(ledger, 'b') },
        ]);
        expect([...ledger.all('jobs')]).toEqual([jobRecord('a', { estimate: 7 })]);
        expect(ledger.get('jobs', 'a')).not.toHaveProperty('release');
      }
      await using again = await place.open();
      expect([...again.all('jobs')]).toEqual([jobRecord('a', { estimate: 7 })]);
    });

    test('refuses a change that was decided from an old version of a job', async () => {
      await using ledger = await (await makePlace()).open();
      await ledger.commit([{ table: 'jobs', add: jobRecord('a') }]);
      const read = presentJob(ledger, 'a');
      const claim = (await ledger.claim('a' as JobId)) as Claim;
      const claimed = presentJob(ledger, 'a');
      await ledger.settle(claim, { state: { kind: 'done', at: 'now' } });
      const settled = presentJob(ledger, 'a');
      // The fence is the same before and after a settlement: it alone does not tell them apart.
      expect(settled.fence).toBe(claimed.fence);
      for (const stale of [read, claimed, jobRecord('a')]) {
        const set = { state: { kind: 'queued' } } as const;
        await expect(ledger.commit([{ table: 'jobs', from: stale, set }])).rejects.toThrow(
          StaleRecord,
        );
        await expect(ledger.commit([{ table: 'jobs', drop: stale }])).rejects.toThrow(StaleRecord);
        await expect(ledger.commit([{ table: 'jobs', add: stale }])).rejects.toThrow(StaleRecord);
      }
      expect(ledger.get('jobs', 'a')).toBe(settled);
    });

    test('refuses a change of a job that was dropped, also when another job has its id now', async () => {
      await using ledger = await (await makePlace()).open();
      await ledger.commit([{ table: 'jobs', add: jobRecord('a') }]);
      const read = presentJob(ledger, 'a');
      await ledger.commit([{ table: 'jobs', drop: read }]);
      const set = { estimate: 1 };
      await expect(ledger.commit([{ table: 'jobs', from: read, set }])).rejects.toThrow(
        StaleRecord,
      );
      await ledger.commit([{ table: 'jobs', add: jobRecord('a') }]);
      await expect(ledger.commit([{ table: 'jobs', from: read, set }])).rejects.toThrow(
        StaleRecord,
      );
    });

    test('refuses a change that was decided from an old version of a source or of a remote record', async () => {
      const place = await makePlace();
      const [old, next] = [sourceRecord('s'), sourceRecord('s', 'bb')];
      const remote = { id: 'g', kind: 'glossary', value: 1 } as const;
      {
        await using ledger = await place.open();
        await ledger.commit([
          { table: 'sources', put: old, from: undefined },
          { table: 'remotes', put: remote, from: undefined },
        ]);
        await ledger.commit([
          { table: 'sources', put: next, from: old },
          { table: 'remotes', remove: remote },
        ]);
        for (const stale of [
          { table: 'sources', put: sourceRecord('s', 'cc'), from: old },
          { table: 'sources', put: sourceRecord('s', 'cc'), from: undefined },
          { table: 'sources', remove: old },
          { table: 'remotes', put: { ...remote, value: 2 }, from: remote },
          { table: 'remotes', remove: remote },
        ] as const) {
          const refused = ledger.commit([{ table: 'jobs', add: jobRecord('a') }, stale]);
          await expect(refused).rejects.toThrow(StaleRecord);
        }
        expect(ledger.get('sources', 's')).toBe(next);
      }
      await using again = await place.open();
      expect([...again.all('sources'), ...again.all('remotes'), ...again.all('jobs')]).toEqual([
        next,
      ]);
    });

    test('applies nothing of a commit of which one fact is refused, neither now nor after a restart', async () => {
      const place = await makePlace();
      {
        await using ledger = await place.open();
        await ledger.commit([{ table: 'jobs', add: jobRecord('a') }]);
        const refused = ledger.commit([
          { table: 'sources', put: sourceRecord('s1'), from: undefined },
          { table: 'jobs', from: presentJob(ledger, 'a'), set: { estimate: 1 } },
          { table: 'jobs', add: jobRecord('a') },
        ]);
        await expect(refused).rejects.toThrow(StaleRecord);
        expect(ledger.size('sources')).toBe(0);
        await ledger.commit([{ table: 'jobs', add: jobRecord('b') }]);
      }
      await using again = await place.open();
      expect(again.size('sources')).toBe(0);
      expect([again.size('jobs'), again.get('jobs', 'a'), again.get('jobs', 'b')]).toEqual([
        2,
        jobRecord('a'),
        jobRecord('b'),
      ]);
    });

    test('takes the facts of a commit in their order: a job may be dropped and added again under its id', async () => {
      await using ledger = await (await makePlace()).open();
      await ledger.commit([{ table: 'jobs', add: jobRecord('a') }]);
      await ledger.commit([
        { table: 'jobs', drop: presentJob(ledger, 'a') },
        { table: 'jobs', add: jobRecord('a', { estimate: 9 }) },
      ]);
      expect(ledger.get('jobs', 'a')).toMatchObject({ estimate: 9 });
    });

    test('is a first contact once, and intact after that', async () => {
      const place = await makePlace();
      {
        await using first = await place.open();
        expect(first.condition).toBe('first-contact');
        await first.forgetLoss();
      }
      await using again = await place.open();
      expect(again.condition).toBe('intact');
    });

    test('gives no claim on a job that does not exist', async () => {
      await using ledger = await (await makePlace()).open();
      expect(await ledger.claim('nobody' as JobId)).toBeUndefined();
    });

    test('gives no claim on a job that is done, or held without the release of a person', async () => {
      await using ledger = await (await makePlace()).open();
      const done = { kind: 'done', at: 'now' } as const;
      const held = { kind: 'held', at: 'now', hold: { kind: 'undone', run: 'r' } } as const;
      const release = { kind: 'retry', fingerprint: 'f' as Fingerprint, at: 'now' } as const;
      await ledger.commit([
        { table: 'jobs', add: jobRecord('a', { state: done }) },
        { table: 'jobs', add: jobRecord('b', { state: held }) },
        { table: 'jobs', add: jobRecord('c', { state: held, release }) },
      ]);
      expect(await ledger.claim('a' as JobId)).toBeUndefined();
      expect(await ledger.claim('b' as JobId)).toBeUndefined();
      expect(ledger.get('jobs', 'a')?.state).toEqual(done);
      expect(await ledger.claim('c' as JobId)).toEqual({ id: 'c', fence: 1 });
    });

    test('moves a claimed job to running, by steps, to its end', async () => {
      await using ledger = await (await makePlace()).open();
      await ledger.commit([{ table: 'jobs', add: jobRecord('a') }]);
      const claim = (await ledger.claim('a' as JobId)) as Claim;
      expect(ledger.get('jobs', 'a')).toMatchObject({
        fence: 1,
        state: { kind: 'running', attempt: 1, step: { kind: 'started' } },
      });
      await ledger.step(claim, { kind: 'voice', voiceJob: 'v1' });
      expect(ledger.get('jobs', 'a')?.state).toMatchObject({ step: { voiceJob: 'v1' } });
      const wrote = [{ path: 'de/a.md', hash: 'ff' as Hash, stat: '1:2:3:4' as Stat }];
      await ledger.settle(claim, {
        state: { kind: 'done', at: 'now' },
        wrote,
        delivered: 'f' as Fingerprint,
        facts: [{ table: 'charges', put: charge('c1', 7) }],
      });
      expect(ledger.get('jobs', 'a')).toMatchObject({
        state: { kind: 'done' },
        wrote,
        delivered: 'f',
      });
      expect(ledger.size('charges')).toBe(1);
    });

    test('keeps the delivered fingerprint and its targets when a later settlement has none', async () => {
      await using ledger = await (await makePlace()).open();
      const wrote = [{ path: 'de/a.md', hash: 'ff' as Hash, stat: '1:2:3:4' as Stat }];
      await ledger.commit([
        { table: 'jobs', add: jobRecord('a', { wrote, delivered: 'f' as Fingerprint }) },
      ]);
      const claim = (await ledger.claim('a' as JobId)) as Claim;
      await ledger.settle(claim, { state: { kind: 'queued', notBefore: 5 } });
      expect(ledger.get('jobs', 'a')).toMatchObject({ wrote, delivered: 'f' });
    });

    test('keeps the step of an interrupted run, over a restart', async () => {
      const place = await makePlace();
      {
        await using ledger = await place.open();
        await ledger.commit([{ table: 'jobs', add: jobRecord('a') }]);
        const claim = (await ledger.claim('a' as JobId)) as Claim;
        await ledger.step(claim, { kind: 'voice', voiceJob: 'v1' });
      }
      await using again = await place.open();
      expect(await again.claim('a' as JobId)).toEqual({ id: 'a', fence: 2 });
      expect(again.get('jobs', 'a')?.state).toEqual({
        kind: 'running',
        attempt: 1,
        step: { kind: 'voice', voiceJob: 'v1' },
      });
    });

    test('keeps the whole targets that were about to be put in place until the job says what it wrote', async () => {
      const place = await makePlace();
      const hash = 'ff' as Hash;
      const publishing = { kind: 'publishing', hash, expectedOld: null } as const;
      {
        await using ledger = await place.open();
        await ledger.commit([{ table: 'jobs', add: jobRecord('a', { lane: 'voice' }) }]);
        const claim = (await ledger.claim('a' as JobId)) as Claim;
        await ledger.step(claim, { ...publishing, path: 'de/a.txt' });
        await ledger.step(claim, { ...publishing, path: 'de/a.srt' });
      }
      await using again = await place.open();
      expect(again.get('jobs', 'a')?.placed).toMatchObject([
        { path: 'de/a.txt', hash },
        { path: 'de/a.srt', hash },
      ]);
      const claim = (await again.claim('a' as JobId)) as Claim;
      await again.settle(claim, { state: { kind: 'done', at: 'now' }, wrote: [] });
      expect(again.get('jobs', 'a')).not.toHaveProperty('placed');
    });

    test('counts a claim after a failure as a further attempt', async () => {
      await using ledger = await (await makePlace()).open();
      const state = {
        kind: 'failed',
        at: 'now',
        failure: { kind: 'stopped' },
        attempts: 2,
      } as const;
      await ledger.commit([{ table: 'jobs', add: jobRecord('a', { state }) }]);
      await ledger.claim('a' as JobId);
      expect(ledger.get('jobs', 'a')?.state).toMatchObject({ kind: 'running', attempt: 3 });
    });

    test('refuses a step and a settlement of a worker whose job was claimed again or dropped', async () => {
      await using ledger = await (await makePlace()).open();
      await ledger.commit([{ table: 'jobs', add: jobRecord('a') }]);
      const old = (await ledger.claim('a' as JobId)) as Claim;
      const next = (await ledger.claim('a' as JobId)) as Claim;
      const done = { state: { kind: 'done', at: 'now' } } as const;
      await expect(ledger.step(old, { kind: 'started' })).rejects.toThrow(StaleClaim);
      await expect(ledger.settle(old, done)).rejects.toThrow(StaleClaim);
      expect(ledger.get('jobs', 'a')).toMatchObject({ fence: 2, state: { kind: 'running' } });
      await ledger.commit([{ table: 'jobs', drop: presentJob(ledger, 'a') }]);
      await expect(ledger.settle(next, done)).rejects.toThrow(StaleClaim);
    });

    test('keeps a release for one attempt: it ends with the job, and stays when the job is tried again by itself', async () => {
      await using ledger = await (await makePlace()).open();
      const release = { kind: 'approve', fingerprint: 'f' as Fingerprint, at: 'now' } as const;
      await ledger.commit([{ table: 'jobs', add: jobRecord('a', { release }) }]);
      const claim = (await ledger.claim('a' as JobId)) as Claim;
      await ledger.settle(claim, { state: { kind: 'queued' } });
      expect(ledger.get('jobs', 'a')?.release).toEqual(release);
      const stopped = { kind: 'stopped' } as const;
      await ledger.settle(claim, {
        state: { kind: 'failed', at: 'now', failure: stopped, attempts: 1 },
      });
      expect(ledger.get('jobs', 'a')?.release).toEqual(release);
      const malformed = { kind: 'malformed', where: { file: 'a' }, message: 'm' } as const;
      for (const state of [
        { kind: 'done', at: 'now' },
        { kind: 'held', at: 'now', hold: { kind: 'state-lost', characters: 1 } },
        { kind: 'failed', at: 'now', failure: malformed, attempts: 1 },
      ] as const) {
        await ledger.commit([{ table: 'jobs', add: jobRecord('b', { release }) }]);
        await ledger.settle((await ledger.claim('b' as JobId)) as Claim, { state });
        expect(ledger.get('jobs', 'b')).not.toHaveProperty('release');
        await ledger.commit([{ table: 'jobs', drop: presentJob(ledger, 'b') }]);
      }
    });

    test('tells at once which open jobs a commit ended or removed, unless it withdraws their offers itself', async () => {
      const { open, hasQueue } = await makePlace();
      await using ledger = await open();
      const closed: (readonly JobId[])[] = [];
      ledger.onClosed((jobs) => closed.push(jobs));
      const done = { kind: 'done', at: 'now' } as const;
      const ids = ['ended', 'removed', 'open', 'over'];
      await ledger.commit(ids.map((id) => ({ table: 'jobs', add: jobRecord(id) })));
      await ledger.commit([
        { table: 'jobs', from: presentJob(ledger, 'over'), set: { state: done } },
      ]);
      const written = ledger.commit([
        { table: 'jobs', from: presentJob(ledger, 'ended'), set: { state: done } },
        { table: 'jobs', drop: presentJob(ledger, 'removed') },
        { table: 'jobs', from: presentJob(ledger, 'open'), set: { estimate: 1 } },
        { table: 'jobs', drop: presentJob(ledger, 'over') },
      ]);
      expect(closed).toEqual(hasQueue === true ? [] : [['over'], ['ended', 'removed']]);
      await written;
      // The worker of a claimed job ends its offer.
      const claim = (await ledger.claim('open' as JobId)) as Claim;
      await ledger.settle(claim, { state: done }, 'over');
      expect(closed).toHaveLength(hasQueue === true ? 0 : 2);
    });

    test('stays usable and complete through a checkpoint', async () => {
      const place = await makePlace();
      {
        await using ledger = await place.open();
        const before = ledger.commit([{ table: 'jobs', add: jobRecord('before') }]);
        const checkpoint = ledger.checkpoint();
        const during = ledger.commit([{ table: 'jobs', add: jobRecord('during') }]);
        await Promise.all([before, checkpoint, during]);
      }
      await using again = await place.open();
      expect([...again.all('jobs')].map(({ id }) => id)).toEqual(['before', 'during']);
    });
  });
}
