/**
 * A daemon is given up, another one goes on with the document or recording that it sent, and the first one wakes up. There are two ledgers
 * and one real database. Then the report of the first daemon must not make the other one buy it again.
 */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Config } from '../../src/config.ts';
import { JobFailure } from '../../src/failure.ts';
import { hashBytes } from '../../src/files/disk.ts';
import type { Fingerprint, Hold, JobId } from '../../src/job.ts';
import { buyDocument } from '../../src/lanes/document/buy.ts';
import type { DocumentCase } from '../../src/lanes/document/document-case.ts';
import type { PurchaseContext } from '../../src/lanes/document/purchase-context.ts';
import { SharedDocuments } from '../../src/lanes/document/shared-documents.ts';
import { Spool } from '../../src/lanes/document/spool.ts';
import { InProgress } from '../../src/lanes/remote-purchase.ts';
import type { RemoteJob } from '../../src/lanes/voice/decisions/remote-job.ts';
import { RemoteJobs } from '../../src/lanes/voice/remote-jobs.ts';
import { SharedRecordings } from '../../src/lanes/voice/shared-recordings.ts';
import { VoiceSpool } from '../../src/lanes/voice/spool.ts';
import type { VoiceCase } from '../../src/lanes/voice/voice-case.ts';
import type { LanguageTag } from '../../src/language.ts';
import { recipeFor } from '../../src/plan/recipe.ts';
import type { ContentKey } from '../../src/plan/voice-recipe.ts';
import type {
  DocumentPurchase,
  PurchaseKey,
  PurchaseStage,
} from '../../src/state/document-purchase.ts';
import { Purchases } from '../../src/state/document-purchases.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { Database } from '../../src/state/postgres/database.ts';
import { Seal } from '../../src/state/postgres/seal.ts';
import { TeamPurchases } from '../../src/state/postgres/team-purchases.ts';
import { TreeLedger } from '../../src/state/postgres/tree-ledger.ts';
import { TakenOver } from '../../src/state/shared-purchases.ts';
import { jobRecord } from '../contracts/ledger.ts';
import { manualClock } from '../manual-clock.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { projectOf } from '../projects.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const JOB = jobRecord('j', { targets: { transcript: 'de/talk.txt' } });
const LANGUAGE = 'de' as LanguageTag;
const KEY = 'k' as PurchaseKey;
const WANTED = { job: JOB, doc: { key: KEY } };
const CONTENT = 'sound' as ContentKey;
const OUTPUT = { language: LANGUAGE, type: 'text/plain' } as const;
const VOICE = {
  ...{ job: JOB, content: CONTENT, release: undefined },
  project: { locales: new Map() },
} as unknown as VoiceCase;

describe.skipIf(NO_POSTGRES !== undefined)(
  'a daemon that was suspended until another one took over, and runs again',
  () => {
    let postgres: Postgres;
    let database: Database;
    let schema: string;
    beforeAll(async () => {
      postgres = await openPostgres();
      schema = await postgres.schema();
      database = new Database({
        ...{ url: postgres.runner, schema, clock: systemClock, patienceMs: 20_000 },
        onAway: () => {},
        onBack: () => {},
      });
    });
    afterAll(async () => {
      await database[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    });

    /** @param tree absent: its ledger is its own */
    async function daemon(folder: string, tree?: string, serviceDigest = '') {
      const runner = { id: randomUUID(), name: 'daemon' };
      await database.call('beat', JSON.stringify({ ...runner, waiting: 0 }));
      const seal = Seal.from('7'.repeat(64)) as Seal;
      const shared =
        tree &&
        (await TreeLedger.open({ database, clock: manualClock(), tree, view: 'claims', seal }));
      const ledger = shared || (await openLedger({ folder, clock: systemClock }));
      onTestFinished(() => ledger[Symbol.asyncDispose]());
      const team = new TeamPurchases({ database, runner, seal, seen: { known: [] } });
      const inForce = { config: { keep: { spool: 60_000 } as Config['keep'] }, serviceDigest };
      const both = { team, ledgers: shared ? 'one' : 'many', inForce } as const;
      const documents = new SharedDocuments({ ...both, spool: new Spool(folder) });
      const spool = new VoiceSpool(folder);
      const recordings = new SharedRecordings({ ...both, spool, clock: systemClock });
      return {
        ...{ documents, recordings },
        purchases: new Purchases(ledger, documents),
        jobs: new RemoteJobs(ledger, systemClock, recordings),
        /** Records without a word to the team, as a process that is killed right after the record. */
        silentJobs: new RemoteJobs(ledger, systemClock),
        silentPurchases: new Purchases(ledger),
        dies: () => database.call('give_up', runner.id),
        look: async () => void (shared && (await shared.refresh())),
      };
    }

    function purchaseAt(project: string, stage: PurchaseStage): DocumentPurchase {
      return {
        ...{ key: KEY, job: JOB.id, project, source: JOB.source, language: LANGUAGE, stage },
        ...{ sourceHash: hashBytes('source'), extension: 'docx', output: 'docx', bytes: 6 },
        ...{ minified: false, estimate: 5, lostAnswers: 0 },
      };
    }

    const DOCUMENT = { document_id: 'D', document_key: 'K' };

    test('keeps the newer state that the other daemon has written for its document', async () => {
      const folder = await temporaryFolder();
      const [first, second] = [
        await daemon(folder, 'documents'),
        await daemon(folder, 'documents'),
      ];
      const sent = purchaseAt(JOB.project, { kind: 'uploaded', document: DOCUMENT });
      expect(await first.documents.agree(first.purchases, WANTED)).toMatchObject({ kind: 'go' });
      await first.purchases.put(sent, undefined);
      await first.dies();
      await second.look();
      expect(await second.documents.agree(second.purchases, WANTED)).toMatchObject({
        ...{ kind: 'go', purchase: { stage: { kind: 'uploaded' } } },
      });
      const finished = { ...sent, stage: { kind: 'finished', document: DOCUMENT } } as const;
      await second.purchases.put(finished, second.purchases.get(KEY));
      const fetches = { kind: 'downloading', document: DOCUMENT, tries: 1 } as const;
      await expect(first.purchases.put({ ...sent, stage: fetches }, sent)).rejects.toThrow(
        TakenOver,
      );
      await first.documents.yield(first.purchases, sent);
      for (const each of [first, second]) {
        await each.look();
        expect(each.purchases.get(KEY)?.stage.kind).toBe('finished');
      }
      // It waits for the other one, and begins nothing.
      expect(await first.documents.agree(first.purchases, WANTED)).toEqual({ kind: 'busy' });
    });

    test('reports an old answer about a document late: the newer record is kept', async () => {
      const folder = await temporaryFolder();
      const [first, second] = [await daemon(folder, 'late'), await daemon(folder, 'late')];
      const sent = purchaseAt('late', { kind: 'uploaded', document: DOCUMENT });
      await first.purchases.put(sent, undefined);
      await second.look();
      const kept = { kind: 'downloaded', hash: hashBytes('result'), size: 6 } as const;
      await second.purchases.put({ ...sent, stage: kept }, second.purchases.get(KEY));
      const finished = { ...sent, stage: { kind: 'finished', document: DOCUMENT } } as const;
      // Whether it has heard of the other one by then or not.
      await expect(first.purchases.put(finished, sent)).rejects.toThrow(TakenOver);
      await first.look();
      await expect(first.purchases.put(finished, sent)).rejects.toThrow(TakenOver);
      for (const each of [first, second]) {
        await each.look();
        expect(each.purchases.get(KEY)?.stage).toEqual(kept);
      }
    });

    test('says late how a paid document is asked for: that counts, where another daemon took the answer for lost', async () => {
      const folder = await temporaryFolder();
      const [first, second] = [await daemon(folder, 'answer'), await daemon(folder, 'answer')];
      const closing = purchaseAt('answer', { kind: 'closing' });
      await first.purchases.put(closing, undefined);
      await second.look();
      const doubted = { ...closing, lostAnswers: 1, stage: { kind: 'in-doubt', isBooked: true } };
      await second.purchases.put(doubted as DocumentPurchase, second.purchases.get(KEY));
      const sent = { ...closing, stage: { kind: 'uploaded', document: DOCUMENT } } as const;
      expect(await first.purchases.put(sent, closing)).toEqual({ ...sent, lostAnswers: 1 });
      await second.look();
      expect(second.purchases.get(KEY)).toEqual({ ...sent, lostAnswers: 1 });
    });

    test('and one that takes no jobs leaves the documents that it has sent to the others, but not the one that it works on', async () => {
      const folder = await temporaryFolder();
      const [first, second] = [await daemon(folder, 'leaves'), await daemon(folder, 'leaves')];
      const wanted = { ...WANTED, job: { ...JOB, project: 'leaves' } };
      const sent = purchaseAt('leaves', { kind: 'uploaded', document: DOCUMENT });
      await first.documents.agree(first.purchases, wanted);
      await first.purchases.put(sent, undefined);
      await second.look();
      const inProgress = new InProgress<PurchaseKey>();
      {
        using _ = inProgress.begin(KEY);
        await first.documents.leave(first.purchases, inProgress);
      }
      const asks = () => second.documents.agree(second.purchases, wanted);
      expect(await asks()).toEqual({ kind: 'busy' });
      await first.documents.leave(first.purchases, inProgress);
      expect(await asks()).toMatchObject({ kind: 'go', purchase: { stage: { kind: 'uploaded' } } });
      // Now it is the first one that waits.
      expect(await first.documents.agree(first.purchases, wanted)).toEqual({ kind: 'busy' });
    });

    test('with a ledger of its own, keeps nobody waiting with a claim of a document whose price is held', async () => {
      const folder = await temporaryFolder();
      const [first, second] = [await daemon(folder), await daemon(await temporaryFolder())];
      const project = 'held';
      await first.purchases.put(purchaseAt(project, { kind: 'lost', reason: '' }), undefined);
      const { fingerprint } = JOB;
      const release = { kind: 'retry', fingerprint, at: '2026-10-19T10:00:00.000Z' } as const;
      const job = { ...JOB, source: 'a.txt', project, release };
      const sourcePath = join(folder, 'a.txt');
      await writeFile(sourcePath, 'Hello, world.');
      const recipe = recipeFor(projectOf(), LANGUAGE);
      const doc = {
        ...{ job, sourcePath, recipe, route: projectOf().routes[0], key: KEY },
        ...{ extension: 'txt', output: 'txt', minify: false, projectTerms: {} },
      } as unknown as DocumentCase;
      const hold = { kind: 'budget', scope: 'month', needs: 13, left: 2 } as unknown as Hold;
      const purchasing = {
        ...{ shared: first.documents, purchases: first.purchases, clock: systemClock },
        ...{ abilities: { dialect: 'document', limits: {}, styles: 'unknown' } },
        reservations: { reserve: async () => hold },
      } as unknown as PurchaseContext;
      const { signal } = new AbortController();
      expect(await buyDocument(purchasing, { job, doc, signal })).toEqual({ kind: 'hold', hold });
      expect(await second.documents.agree(second.purchases, { job, doc })).toMatchObject({
        kind: 'go',
      });
    });

    test('asks a person once about a document in doubt: their answer counts until it is sent, and for nobody else', async () => {
      const project = 'unsent';
      const folder = await temporaryFolder();
      const [first, second] = [await daemon(folder), await daemon(await temporaryFolder())];
      const doubted = purchaseAt(project, { kind: 'in-doubt', isBooked: true });
      await first.purchases.put(doubted, undefined);
      const hash = hashBytes('Hello, world.');
      const fingerprint = `${hash}.recipe` as Fingerprint;
      const asked = { ...JOB, source: 'a.txt', project, fingerprint };
      const release = { kind: 'retry', fingerprint, at: '2026-10-19T10:00:00.000Z' } as const;
      const job = { ...asked, release };
      const sourcePath = join(folder, 'a.txt');
      await writeFile(sourcePath, 'Hello, world.');
      const doc = {
        ...{ job, sourcePath, recipe: recipeFor(projectOf(), LANGUAGE), key: KEY },
        ...{ route: projectOf().routes[0], projectTerms: {}, source: { hash } },
        ...{ extension: 'txt', output: 'txt', minify: false },
      } as unknown as DocumentCase;
      const failure = { kind: 'too-large', operation: 'POST /v2/document', message: '' } as const;
      const upload = vi.fn(async (_: unknown, { onClosing }: { onClosing(): Promise<void> }) => {
        await onClosing();
        throw new JobFailure(failure);
      });
      const purchasing = {
        ...{ shared: first.documents, purchases: first.purchases, clock: systemClock },
        ...{ abilities: { dialect: 'document', limits: {}, styles: 'unknown' } },
        ...{ documents: { upload }, spool: new Spool(folder), sourceTerms: new Map() },
        ...{ remoteIds: async () => ({}), inForce: { serviceDigest: '' } },
        reservations: { reserve: async () => undefined, release: () => {} },
      } as unknown as PurchaseContext;
      const { signal } = new AbortController();
      const buys = () => buyDocument(purchasing, { job, doc, signal });
      for (const times of [1, 2]) {
        await expect(buys()).rejects.toThrow('too large');
        expect(upload).toHaveBeenCalledTimes(times);
        expect(
          await second.documents.agree(second.purchases, { job: asked, doc: { key: KEY } }),
        ).toMatchObject({ kind: 'go', purchase: { stage: { kind: 'in-doubt' } } });
      }
    });

    test('and what one was refused by the service is bought by another one that has other settings', async () => {
      const project = 'refused';
      const [first, second] = [
        await daemon(await temporaryFolder(), undefined, 'old.a.k'),
        await daemon(await temporaryFolder(), undefined, 'new.a.k'),
      ];
      const failure = { kind: 'rejected', status: 400, operation: 'POST', message: 'no' } as const;
      const refused = purchaseAt(project, { kind: 'refused', failure });
      const wanted = { ...WANTED, job: { ...JOB, project } };
      await first.documents.agree(first.purchases, wanted);
      await first.purchases.put({ ...refused, service: 'old.a.k' }, undefined);
      expect(await first.documents.agree(first.purchases, wanted)).toMatchObject({
        purchase: { stage: { kind: 'refused' } },
      });
      expect(await second.documents.agree(second.purchases, wanted)).toEqual({ kind: 'go' });
      // While it sends, no other daemon has the purchase.
      await second.purchases.put(purchaseAt(project, { kind: 'closing' }), undefined);
      expect(await first.documents.agree(first.purchases, wanted)).toMatchObject({ kind: 'go' });
    });

    test('keeps the newer state that the other daemon has written for its recording', async () => {
      const folder = await temporaryFolder();
      const [first, second] = [await daemon(folder, 'voices'), await daemon(folder, 'voices')];
      const { jobs, recordings } = first;
      expect((await recordings.share(jobs, VOICE, [OUTPUT])).ours).toEqual([OUTPUT]);
      const sent = recordingAt(JOB.project);
      await jobs.put(sent);
      await first.dies();
      await second.look();
      expect(await second.recordings.share(second.jobs, VOICE, [OUTPUT])).toEqual({
        ...{ ours: [], isBusy: false },
      });
      // A daemon that has the record already takes the recording over when it goes on with it.
      expect(await second.recordings.goesOn(sent)).toBe(true);
      await expect(jobs.put(fetching(sent))).rejects.toThrow(TakenOver);
      await recordings.yield(jobs, sent);
      for (const each of [first, second]) {
        await each.look();
        expect(each.jobs.get(sent.id)?.stage.kind).toBe('uploaded');
      }
      expect(await recordings.goesOn(sent)).toBe(false);
    });

    async function withoutNotes(work: () => Promise<unknown>): Promise<void> {
      const rename = (from: string, to: string) =>
        postgres.query(`alter function ${schema}.${from}(jsonb) rename to ${to}`);
      await rename('note_purchase', 'not_there');
      try {
        await expect(work()).rejects.toThrow();
      } finally {
        await rename('not_there', 'note_purchase');
      }
    }

    function asking(project: string): VoiceCase {
      const at = '2026-10-19T10:00:00.000Z';
      const release = { kind: 'retry', fingerprint: JOB.fingerprint, at } as const;
      return { ...VOICE, job: { ...JOB, project }, release };
    }

    test.each(['one', 'many'] as const)(
      'and of which the ledger has the end of a recording that the team has not: a person can have it bought again (%s)',
      async (ledgers) => {
        const project = `untold ${ledgers}`;
        const folder = await temporaryFolder();
        const tree = ledgers === 'one' ? project : undefined;
        const first = await daemon(folder, tree);
        const voice = asking(project);
        await first.recordings.share(first.jobs, voice, [OUTPUT]);
        await first.jobs.put(recordingAt(project));
        await first.silentJobs.put(endedAt(project, { kind: 'lost', reason: 'late', at: 1 }));
        await first.dies();
        // With a ledger of its own it is the next process of the same folder.
        const second = tree === undefined ? first : await daemon(folder, tree);
        const shares = await second.recordings.share(second.jobs, voice, [OUTPUT]);
        expect(shares).toEqual({ ours: [OUTPUT], isBusy: false });
      },
    );

    test('tells the team the end of a recording later, when the database did not take it', async () => {
      const project = 'late end';
      const [first, second] = [
        await daemon(await temporaryFolder()),
        await daemon(await temporaryFolder()),
      ];
      const voice = asking(project);
      await first.recordings.share(first.jobs, voice, [OUTPUT]);
      await first.jobs.put(recordingAt(project));
      const failed = { kind: 'failed', message: 'no speech', at: 1 } as const;
      await withoutNotes(() => first.jobs.put(endedAt(project, failed)));
      const asks = () =>
        second.recordings.share(second.jobs, { ...voice, release: undefined }, [OUTPUT]);
      expect(await asks()).toEqual({ ours: [], isBusy: true });
      await first.recordings.catchUp(first.jobs);
      expect(await asks()).toEqual({ ours: [], isBusy: false });
      expect(second.jobs.find(CONTENT, OUTPUT)?.output.state).toEqual(failed);
    });

    test('tells the team the end of a document later, when the database did not take it', async () => {
      const project = 'late document';
      const first = await daemon(await temporaryFolder());
      const sent = purchaseAt(project, { kind: 'uploaded', document: DOCUMENT });
      const wanted = { ...WANTED, job: { ...JOB, project } };
      await first.documents.agree(first.purchases, wanted);
      await first.purchases.put(sent, undefined);
      const lost = purchaseAt(project, { kind: 'lost', reason: 'gone' });
      await withoutNotes(() => first.purchases.put(lost, first.purchases.get(KEY)));
      const { release } = asking(project);
      const again = { ...wanted, job: { ...wanted.job, release } } as typeof WANTED;
      expect(await first.documents.agree(first.purchases, again)).toMatchObject({ kind: 'go' });
    });

    test.each(['one', 'many'] as const)(
      'and of which the ledger has the end of a document that the team has not: a person can have it bought again (%s)',
      async (ledgers) => {
        const project = `untold document ${ledgers}`;
        const folder = await temporaryFolder();
        const tree = ledgers === 'one' ? project : undefined;
        const first = await daemon(folder, tree);
        const wanted = { ...WANTED, job: { ...JOB, project } };
        await first.documents.agree(first.purchases, wanted);
        await first.purchases.put(
          purchaseAt(project, { kind: 'uploaded', document: DOCUMENT }),
          undefined,
        );
        const lost = purchaseAt(project, { kind: 'lost', reason: 'gone' });
        await first.silentPurchases.put(lost, first.purchases.get(KEY));
        await first.dies();
        const second = tree === undefined ? first : await daemon(folder, tree);
        const { release } = asking(project);
        const again = { ...wanted, job: { ...wanted.job, release } } as typeof WANTED;
        for (let time = 0; time < 2; time++)
          expect(await second.documents.agree(second.purchases, again)).toMatchObject({
            kind: 'go',
          });
      },
    );

    test('a daemon gets back a recording that it had left to another one, which died', async () => {
      const project = 'back';
      const [first, second] = [
        await daemon(await temporaryFolder()),
        await daemon(await temporaryFolder()),
      ];
      const voice = { ...VOICE, job: { ...JOB, project } };
      await first.recordings.share(first.jobs, voice, [OUTPUT]);
      await first.jobs.put(recordingAt(project));
      await first.dies();
      await second.recordings.share(second.jobs, voice, [OUTPUT]);
      await first.recordings.yield(first.jobs, recordingAt(project));
      await second.dies();
      await first.recordings.share(first.jobs, voice, [OUTPUT]);
      expect(first.jobs.open().map(({ id }) => id)).toEqual(['r']);
    });

    test('with a ledger of its own, forgets the purchases that another checkout continues', async () => {
      const project = 'many';
      const [first, second] = [
        await daemon(await temporaryFolder()),
        await daemon(await temporaryFolder()),
      ];
      const wanted = { ...WANTED, job: { ...JOB, project } };
      const voice = { ...VOICE, job: { ...JOB, project } };
      const sent = purchaseAt(project, { kind: 'uploaded', document: DOCUMENT });
      await first.documents.agree(first.purchases, wanted);
      await first.purchases.put(sent, undefined);
      await first.recordings.share(first.jobs, voice, [OUTPUT]);
      await first.jobs.put(recordingAt(project));
      await first.dies();
      await second.documents.agree(second.purchases, wanted);
      await second.recordings.share(second.jobs, voice, [OUTPUT]);
      await first.documents.yield(first.purchases, sent);
      await first.recordings.yield(first.jobs, recordingAt(project));
      expect(first.purchases.get(KEY)?.stage.kind).toBe('intent');
      expect(first.jobs.get('r')?.stage).toEqual({ kind: 'void', because: 'given-up' });
      expect(second.purchases.get(KEY)?.stage.kind).toBe('uploaded');
      expect(second.jobs.get('r')?.stage.kind).toBe('uploaded');
    });
  },
);

function recordingAt(project: string): RemoteJob {
  return {
    ...{ id: 'r', content: CONTENT, sourceHash: hashBytes('sound'), owner: 'j' as JobId },
    ...{ project, language: LANGUAGE, seconds: 60, begun: 0 },
    recording: { form: 'copy', name: 'talk.mp3', contentType: 'audio/mpeg', size: 5 },
    outputs: [{ ...OUTPUT, state: { kind: 'awaited' } }],
    stage: { kind: 'uploaded', job_id: 'R', at: 0 },
  };
}

function endedAt(project: string, state: RemoteJob['outputs'][number]['state']): RemoteJob {
  return { ...recordingAt(project), stage: { kind: 'ended' }, outputs: [{ ...OUTPUT, state }] };
}

function fetching(job: RemoteJob): RemoteJob {
  const ticket = { download_url: 'http://127.0.0.1:1/', signature: 's' };
  return {
    ...job,
    outputs: [{ ...OUTPUT, state: { kind: 'downloading', ticket, tries: 1 } }],
  };
}
