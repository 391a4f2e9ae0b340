import { availableParallelism } from 'node:os';
import { defaultExclude, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  throw new Error(
    `The tests need Node 24, this is ${process.version}. Run them as "npm test": the installed packages bring the right Node along.`,
  );
}

/** Tests of rooms that keep no state: they share their workers, which saves loading the same modules for each file. */
const PURE = ['formats', 'segments', 'routes', 'config', 'terminology', 'plan'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

/**
 * Tests of rooms whose state is in what a test opens: they share their workers as well. A test that runs commands or daemons on the
 * modules that it imports sets what they keep for the process, and the next file would find it: those have workers of their own.
 */
const ACTING = [
  ...['control', 'faults', 'files', 'intake', 'jobs', 'lanes', 'observe', 'parsing', 'sandbox'],
  ...['service', 'state', 'sync', 'translate'],
].map((room) => `test/${room}/**/*.test.ts`);

/** They take longest. The last file to begin must be a short one: the other workers wait for it. */
const LONGEST = [
  'acceptance/cluster',
  'acceptance/shared-tree',
  'acceptance/shared-state',
  'page/page',
  'page/people-at-work',
  'page/review',
  'acceptance/since',
  'acceptance/subtitles',
  'docs',
  'acceptance/team-notes',
  'faults/document-crash',
  'faults/voice-crash',
  'control/review/round-trip',
  'acceptance/team-sides',
  'acceptance/team-git',
  'site/site',
  'faults/service-table',
  'formats/exchange/foreign-tools',
  'formats/exchange/exchange',
  'examples/teams',
  'faults/disks',
  'faults/voice-faults',
  'acceptance/shared-documents',
  'acceptance/shared-recordings',
  'lanes/document/unclaimed',
  'lanes/document/lane',
  'lanes/voice/lane',
  'watch/scenarios',
  'examples/ci',
  'cli/one-object',
  'cli/init/arriving',
  'upgrade/upgrade',
  'package',
].map((name) => `/test/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return rank === -1 ? LONGEST.length : rank;
    };
    return files.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

const SHARED: TestProjectInlineConfiguration['test'] = {
  expect: {
    requireAssertions: true,
    // As the time limits below: what is waited for comes late on a busy machine.
    poll: { timeout: 150_000, interval: 20 },
  },
  sequence: { shuffle: true },
  setupFiles: ['test/built-threads.ts'],
  restoreMocks: true,
  unstubEnvs: true,
  // They end what hangs. A slow machine, busy with other things, takes minutes for what takes seconds here.
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

export default defineConfig({
  test: {
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: LongestFirst },
    // The page's script runs in a browser, out of the sight of v8 here: test/page drives it there.
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/page/client/**'] },
    projects: [
      { test: { ...SHARED, name: 'pure', include: PURE, isolate: false } },
      {
        test: {
          ...SHARED,
          name: 'acting',
          include: ACTING,
          isolate: false,
          globalSetup: ['test/build-program.ts'],
        },
      },
      {
        test: {
          ...SHARED,
          name: 'apart',
          include: ['test/**/*.test.ts'],
          exclude: [...defaultExclude, ...PURE, ...ACTING],
          globalSetup: ['test/build-program.ts'],
        },
      },
    ],
  },
});
