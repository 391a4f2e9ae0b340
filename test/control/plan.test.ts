/** A plan without a service: what is said of jobs that break, and of each language. */
import { expect, test } from 'vitest';
import { planReport } from '../../src/control/answer-plan.ts';
import type { LocalControlOptions } from '../../src/control/options.ts';
import { type Failure, JobFailure } from '../../src/failure.ts';
import { type Job, jobId } from '../../src/job.ts';
import type { CountedPurchases, Estimate } from '../../src/lane.ts';
import { parseLanguage } from '../../src/language.ts';
import { manualClock } from '../manual-clock.ts';
import { TextJobs } from '../text-jobs.ts';

const EVERYTHING = { projects: [], languages: [], paths: [] };

function job(source: string, code: string): Job {
  const language = parseLanguage(code) ?? expect.unreachable();
  const targets = { file: source.replace('en/', `${code}/`) };
  const about = { project: 'app', lane: 'text', source, language, targets } as const;
  return { id: jobId('app', language, source), ...about, fingerprint: 'f' as Job['fingerprint'] };
}

async function planOf(
  jobs: readonly Job[],
  estimate: (job: Job, counted: CountedPurchases) => Partial<Estimate> | Promise<Partial<Estimate>>,
) {
  const planner = {
    project: () => ({ root: '/repo' }),
    plan: () => ({
      work: jobs.map((each) => ({ job: each, reason: 'new' })),
      ...{ held: [], failed: [], unchanged: 0 },
    }),
  };
  const options = {
    inForce: { config: { projects: [] }, planner },
    condition: { state: 'not running' },
    plan: async () => planner.plan(),
    ledger: { all: () => [].values(), get: () => undefined },
    terminology: { files: { glossaries: new Map(), styles: new Map() } },
    spending: { forecast: () => ({ wouldHold: () => undefined }) },
    clock: manualClock(),
    scan: async () => ({ skipped: [] }),
    followUps: () => [],
    whyLockStays: async () => undefined,
    jobsPutBack: async () => [],
    isUnsaid: async () => false,
    blockers: () => [],
    estimate: async (each: Job, counted: CountedPurchases) => ({
      ...{ atLeast: false, ...(await estimate(each, counted)) },
      job: each,
    }),
  };
  return await planReport(options as unknown as LocalControlOptions, EVERYTHING);
}

test('a file that breaks the plan, even with an error of our own, is reported alone, and the others are planned', async () => {
  const failure: Failure = { kind: 'internal', message: 'en/b.mdx is not written' };
  const { jobs } = await planOf([job('en/a.md', 'de'), job('en/b.mdx', 'de')], ({ source }) => {
    if (source === 'en/b.mdx') throw new JobFailure(failure);
    return { characters: 5 };
  });
  expect(jobs).toMatchObject([
    { source: 'en/a.md', estimated_characters: 5 },
    { source: 'en/b.mdx', estimated_characters: 0, would_fail: 'en/b.mdx is not written' },
  ]);
});

test('of files that are read together, the first has the price of their equal text, also when it is read last', async () => {
  const lastRead = Promise.withResolvers<void>();
  const { jobs } = await planOf(
    [job('en/a.md', 'de'), job('en/b.md', 'de'), job('en/c.md', 'de')],
    async ({ source }, counted) => {
      if (source === 'en/c.md') lastRead.resolve();
      if (source === 'en/a.md') await lastRead.promise;
      const known = await counted;
      const isKnown = known.has('text');
      known.add('text');
      return { characters: isKnown ? 0 : 5 };
    },
  );
  expect(jobs.map((line) => line.estimated_characters)).toEqual([5, 0, 0]);
});

test('each language says what is adopted, bought and held, and how many files would fail', async () => {
  const jobs = ['de', 'fr'].flatMap((code) => [job('en/a.json', code), job('en/b.docx', code)]);
  const { languages } = await planOf(jobs, ({ source, language }) => {
    if (source === 'en/b.docx' && language === 'fr') {
      throw new JobFailure({ kind: 'unsupported', what: 'no', advice: 'no' });
    }
    return source === 'en/b.docx'
      ? { characters: 100, hold: { kind: 'approval', characters: 100, limit: 50 } }
      : { characters: 7, texts: { adopted: 3, bought: 2, fromMemory: 5, held: 1, conflicts: 1 } };
  });
  expect(languages).toEqual([
    {
      ...{ language: 'de', adopted: 3, bought: 2, from_memory: 5, held: 3, would_fail: 0 },
      estimated_characters: 7,
    },
    {
      ...{ language: 'fr', adopted: 3, bought: 2, from_memory: 5, held: 2, would_fail: 1 },
      estimated_characters: 7,
    },
  ]);
});

test('the sources that bill most are listed, with all their languages, the largest first', async () => {
  const jobs = Array.from({ length: 12 }, (_, nth) => [
    job(`en/${nth}.json`, 'de'),
    job(`en/${nth}.json`, 'fr'),
  ]).flat();
  const { largest } = await planOf(jobs, ({ source }) => ({
    characters: Number.parseInt(source.slice(3), 10),
  }));
  expect(largest).toHaveLength(10);
  expect(largest[0]).toEqual({
    project: 'app',
    source: 'en/11.json',
    languages: ['de', 'fr'],
    estimated_characters: 22,
  });
});

test.each([
  ['json', '{"a":{"b":"Hello"}}\n', '{"a":"Text"}\n'],
  ['yaml', 'a:\n  b: Hello\n', 'a: Text\n'],
])(
  'a text that has no place in a %s target is held before anything is bought',
  async (extension, source, target) => {
    const jobs = await TextJobs.of(`{ from: "{locale}.${extension}" }`, {
      [`en.${extension}`]: source,
      [`de.${extension}`]: target,
    });
    expect(await jobs.run(`en.${extension}`)).toMatchObject({
      bought: [],
      state: { hold: { problems: [{ message: expect.stringContaining('does not fit') }] } },
    });
    await jobs.write(`de.${extension}`, extension === 'json' ? '{}\n' : 'c: Mehr\n');
    await jobs.rehearse(`en.${extension}`);
    expect(await jobs.read(`de.${extension}`)).not.toContain('Hello');
  },
);
