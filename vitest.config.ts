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
  'acceptance/cluster',
  'acceptance/shared-tree',
  'acceptance/cluster-config',
  'acceptance/exit-codes',
  'acceptance/cluster-volume',
  'page/page',
  'upgrade/upgrade',
  'acceptance/cluster-stops',
  'control/review/round-trip',
  'faults/disks',
  'site/site',
  'acceptance/cluster-lock',
  'faults/service-table',
  'faults/voice-crash',
  'faults/document-crash',
  'acceptance/team-git',
  'acceptance/team-sides',
  'acceptance/team-notes',
  'package',
  'acceptance/since',
  'acceptance/cluster-questions',
  'lanes/document/lane',
  'watch/scenarios',
  'faults/voice-faults',
  'acceptance/shared-state',
  'acceptance/cluster-key',
  'acceptance/lock-foreseen',
  'acceptance/shared-recordings',
  'site/ecosystems',
  'acceptance/cluster-copies',
  'page/review',
  'acceptance/foretold',
  'acceptance/own-targets',
  'acceptance/team-pages',
  'lanes/document/unclaimed',
  'state/postgres/team',
  'page/typing',
  'translate/random-pages',
  'acceptance/vanished',
  'acceptance/shared-documents',
  'state/postgres/restored',
  'acceptance/lock-behind',
  'cli/init/arriving',
  'acceptance/daemon',
  'acceptance/team',
  'formats/markdown',
  'parsing/parse',
  'acceptance/replaced-targets',
  'docs',
  'formats/exchange/exchange',
  'cli/one-object',
  'lanes/document/many',
  'watch/matrix',
  'control/review/large-saves',
  'translate/drafts',
  'acceptance/answer-spaces',
  'acceptance/subtitles',
  'state/postgres/trouble',
  'acceptance/closed',
  'faults/text-kill',
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
