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
  'page/page',
  'acceptance/cluster-config',
  'acceptance/since',
  'site/site',
  'page/review',
  'faults/disks',
  'faults/document-crash',
  'acceptance/shared-state',
  'acceptance/team-sides',
  'faults/voice-crash',
  'faults/service-table',
  'package',
  'acceptance/cluster-questions',
  'acceptance/team-git',
  'acceptance/cluster-volume',
  'acceptance/cluster-stops',
  'control/review/round-trip',
  'upgrade/upgrade',
  'page/typing',
  'parsing/parse',
  'watch/scenarios',
  'faults/voice-faults',
  'acceptance/team-notes',
  'lanes/document/lane',
  'acceptance/shared-documents',
  'acceptance/cluster-key',
  'lanes/document/unclaimed',
  'acceptance/subtitles',
  'site/ecosystems',
  'acceptance/foretold',
  'lanes/voice/lane',
  'acceptance/shared-recordings',
  'acceptance/team-moves',
  'docs',
  'cli/init/arriving',
  'formats/grammar/markdown-blocks',
  'acceptance/replaced-targets',
  'acceptance/daemon',
  'state/postgres/restored',
  'faults/text-kill',
  'page/serve',
  'state/postgres/team',
  'cli/one-object',
  'jobs/shared-queue',
  'acceptance/team',
  'page/review-undo',
  'acceptance/team-pages',
  'watch/matrix',
  'control/review/large-saves',
  'faults/ledger-kill',
  'examples/ci',
  'acceptance/glossary',
  'acceptance/cluster-review',
  'acceptance/money',
  'acceptance/swaps',
  'translate/drafts',
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
          include: ['test/**/*.test.ts'],
          exclude: [...defaultExclude, ...PURE, ...APART],
          isolate: false,
          globalSetup: ['test/build-program.ts'],
        },
      },
      {
        test: { ...SHARED, name: 'apart', include: APART, globalSetup: ['test/build-program.ts'] },
      },
    ],
  },
});
