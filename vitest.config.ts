import { availableParallelism } from 'node:os';
import { defaultExclude, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  throw new Error(
    `The tests need Node 24, this is ${process.version}. Run them as "npm test": the installed packages bring the right Node along.`,
  );
}

/** Tests of rooms that keep no state. They need no program. */
const PURE = ['formats', 'segments', 'routes', 'config', 'terminology', 'plan'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

/** Each of them has workers of its own: it changes its process or fills its memory. All others share theirs, which saves loading the modules of src for each file. */
const APART = ['docs', 'layers', 'library', 'package'].map((name) => `test/${name}.test.ts`);

/** They take longest. The last file to begin must be a short one: the other workers wait for it. */
const LONGEST = [
  'acceptance/exit-codes',
  'acceptance/shared-tree',
  'acceptance/cluster',
  'acceptance/cluster-places',
  'acceptance/closed-targets',
  'acceptance/lock-places',
  'acceptance/cluster-lock',
  'page/page',
  'acceptance/cluster-volume',
  'acceptance/cluster-config',
  'acceptance/team-notes',
  'faults/document-crash',
  'site/site',
  'acceptance/team-pages',
  'package',
  'lanes/document/unclaimed',
  'acceptance/own-targets',
  'acceptance/team-sides',
  'acceptance/foretold',
  'faults/disks',
  'acceptance/shared-state',
  'faults/service-table',
  'acceptance/cluster-questions',
  'acceptance/cluster-stops',
  'site/ecosystems',
  'acceptance/since',
  'acceptance/lock-foreseen',
  'acceptance/lock-rights',
  'acceptance/lock-behind',
  'acceptance/team-git',
  'lanes/document/lane',
  'faults/voice-crash',
  'acceptance/shared-recordings',
  'faults/voice-faults',
  'watch/scenarios',
  'page/review',
  'docs',
  'page/typing',
  'formats/grammar/markdown-blocks',
  'parsing/parse',
  'acceptance/team-moves',
  'acceptance/vanished',
  'acceptance/cluster-copies',
  'acceptance/subtitles',
  'state/postgres/restored',
  'translate/random-pages',
  'acceptance/closed-output',
  'acceptance/shared-documents',
  'acceptance/lock-renamed',
  'cli/init/arriving',
  'lanes/voice/lane',
  'control/review/round-trip',
  'acceptance/replaced-targets',
  'jobs/shared-queue',
  'state/postgres/team',
  'control/review/large-saves',
  'formats/android',
  'observe/hooks',
  'acceptance/money',
  'upgrade/upgrade',
  'acceptance/closed',
  'formats/exchange/exchange',
  'page/people-at-work',
  'translate/drafts',
  'acceptance/cluster-one-file',
  'acceptance/service-trouble',
  'state/postgres/trouble',
  'examples/ci',
  'page/review-undo',
  'control/review/one-file',
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

/** Before the program is built: into the same folder. */
const IN_MEMORY = 'test/temporary-files-in-memory.ts';

const SHARED: TestProjectInlineConfiguration['test'] = {
  expect: {
    requireAssertions: true,
    // As the time limits below: what is waited for comes late on a busy machine.
    poll: { timeout: 500_000, interval: 20 },
  },
  sequence: { shuffle: true },
  setupFiles: ['test/built-threads.ts'],
  restoreMocks: true,
  unstubEnvs: true,
  // They end what hangs. A slow machine, busy with other things, takes minutes for what takes seconds here; no test has a shorter limit.
  testTimeout: 600_000,
  hookTimeout: 600_000,
};

export default defineConfig({
  test: {
    maxWorkers: availableParallelism() + 4,
    sequence: { sequencer: LongestFirst },
    // The page's script runs in a browser, out of the sight of v8 here: test/page drives it there.
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/page/client/**'] },
    projects: [
      {
        test: { ...SHARED, name: 'pure', include: PURE, isolate: false, globalSetup: [IN_MEMORY] },
      },
      {
        test: {
          ...SHARED,
          name: 'acting',
          include: ['test/**/*.test.ts'],
          exclude: [...defaultExclude, ...PURE, ...APART],
          isolate: false,
          globalSetup: [IN_MEMORY, 'test/build-program.ts'],
        },
      },
      {
        test: {
          ...SHARED,
          name: 'apart',
          include: APART,
          globalSetup: [IN_MEMORY, 'test/build-program.ts'],
        },
      },
    ],
  },
});
