/** Which of two runners buys the outputs of a recording, with one real database. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { Config } from '../../../src/config.ts';
import type { OutputRequest } from '../../../src/lanes/voice/decisions/outputs.ts';
import { RemoteJobs } from '../../../src/lanes/voice/remote-jobs.ts';
import { SharedRecordings } from '../../../src/lanes/voice/shared-recordings.ts';
import { VoiceSpool } from '../../../src/lanes/voice/spool.ts';
import type { VoiceCase } from '../../../src/lanes/voice/voice-case.ts';
import { openLedger } from '../../../src/state/json-ledger.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { TeamPurchases } from '../../../src/state/postgres/team-purchases.ts';
import { jobRecord } from '../../contracts/ledger.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const [DE, ES, FR] = ['de', 'es', 'fr'].map((language) => ({ language, type: 'text/plain' })) as [
  OutputRequest,
  OutputRequest,
  OutputRequest,
];

describe.skipIf(NO_POSTGRES !== undefined)('of two runners that want a recording', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  async function joined(schema: string) {
    const database = new Database({
      ...{ url: postgres.runner, schema, clock: systemClock, patienceMs: 20_000 },
      onAway: () => {},
      onBack: () => {},
    });
    onTestFinished(() => database[Symbol.asyncDispose]());
    const folder = await temporaryFolder();
    const ledger = await openLedger({ folder, clock: systemClock });
    onTestFinished(() => ledger[Symbol.asyncDispose]());
    const runner = { id: randomUUID(), name: 'runner' };
    const recordings = new SharedRecordings({
      ledgers: 'many',
      team: new TeamPurchases({ database, runner, seal: undefined, seen: { known: [] } }),
      spool: new VoiceSpool(folder),
      clock: systemClock,
      inForce: { config: { keep: { spool: 60_000 } as Config['keep'] } },
    });
    const jobs = new RemoteJobs(ledger, systemClock, recordings);
    return {
      share: (content: string, outputs: readonly OutputRequest[]) =>
        recordings.share(jobs, caseOf(content), outputs),
      release: (content: string, outputs: readonly OutputRequest[]) =>
        recordings.release(caseOf(content), outputs),
    };
  }

  test('one gets all outputs, and the other one waits, in whatever order each of them asks', async () => {
    const schema = await postgres.schema();
    const [one, other] = [await joined(schema), await joined(schema)];
    for (let round = 0; round < 8; round++) {
      const shares = await Promise.all([
        one.share(`sound ${round}`, [DE, ES, FR]),
        other.share(`sound ${round}`, [FR, ES, DE]),
      ]);
      const [winner, loser] = shares.toSorted((a, b) => b.ours.length - a.ours.length);
      expect(winner).toEqual({ ours: [DE, ES, FR], isBusy: false });
      expect(loser).toEqual({ ours: [], isBusy: true });
    }
  });

  test('a job that finds an output claimed by another one claims no later output', async () => {
    const schema = await postgres.schema();
    const [one, other] = [await joined(schema), await joined(schema)];
    expect(await one.share('sound', [ES])).toEqual({ ours: [ES], isBusy: false });
    expect(await other.share('sound', [FR, ES, DE])).toEqual({ ours: [DE], isBusy: true });
    // The outputs behind it are free, and returned outputs, too.
    expect(await one.share('sound', [FR])).toEqual({ ours: [FR], isBusy: false });
    await one.release('sound', [ES, FR]);
    expect(await other.share('sound', [ES, FR])).toEqual({ ours: [ES, FR], isBusy: false });
  });
});

/** The part of the record that the decision depends on. */
function caseOf(content: string): VoiceCase {
  const job = jobRecord('talk', { lane: 'voice', targets: { transcript: 'de/talk.txt' } });
  return {
    job,
    content,
    release: undefined,
    project: { locales: new Map() },
  } as unknown as VoiceCase;
}
