import { availableParallelism } from 'node:os';
import {
  defaultExclude,
  defineConfig,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  throw new Error(
    `The tests need Node 24, this is ${process.version}. Run them as "npm test": the installed packages bring the right Node along.`,
  );
}

/** Tests of rooms that keep no state start no program. Where only such files are named, none is built. */
const PURE = /^test\/(formats|segments|routes|config|terminology|plan)\//;
const named = process.argv.slice(2).filter((word) => word.startsWith('test/'));
const isPure = named.length > 0 && named.every((file) => PURE.test(file));

/** Each of them has workers of its own: it changes its process or fills its memory. All others share theirs, which saves loading the modules of src for each file. */
const APART = ['package', 'docs', 'library', 'layers'].map((name) => `test/${name}.test.ts`);

/**
 * They take longest. The last file to begin must be a short one: the other workers wait for it.
 * No file of `APART` may be among them: vitest ends a worker when the next file is one of another project, and the next worker loads src
 * again.
 */
const LONGEST = [
  'acceptance/exit-codes',
  'faults/voice-faults',
  'acceptance/shared-tree',
  'acceptance/cluster',
  'acceptance/cluster-places',
  'page/page',
  'acceptance/cluster-lock',
  'site/site',
  'acceptance/shared-state',
  'acceptance/lock-places',
  'faults/document-crash',
  'acceptance/cluster-volume',
  'acceptance/team-notes',
  'page/review',
  'faults/voice-crash',
  'acceptance/lock-foreseen',
  'acceptance/team-pages',
  'faults/service-table',
  'faults/disks',
  'acceptance/cluster-config',
  'acceptance/cluster-stops',
  'control/review/round-trip',
  'page/typing',
  'lanes/document/lane',
  'acceptance/own-targets',
  'watch/scenarios',
  'acceptance/closed-targets',
  'acceptance/foretold',
  'lanes/document/unclaimed',
  'acceptance/team-git',
  'site/ecosystems',
  'acceptance/since',
  'formats/grammar/markdown-blocks',
  'upgrade/upgrade',
  'acceptance/shared-recordings',
  'parsing/parse',
  'acceptance/cluster-questions',
  'translate/drafts',
  'acceptance/team-sides',
  'acceptance/lock-behind',
  'translate/random-pages',
  'acceptance/lock-rights',
  'formats/exchange/exchange',
  'formats/markdown',
  'acceptance/cluster-copies',
  'acceptance/team-moves',
  'acceptance/vanished',
  'acceptance/money',
  'acceptance/shared-documents',
  'state/postgres/team',
  'lanes/voice/lane',
  'cli/init/arriving',
  'lanes/document/many',
  'acceptance/replaced-targets',
  'lanes/voice/poller',
  'control/review/large-saves',
  'acceptance/service-trouble',
  'acceptance/daemon',
  'observe/hooks',
  'acceptance/cluster-key',
  'acceptance/cluster-one-file',
  'acceptance/subtitles',
  'state/postgres/trouble',
  'state/postgres/restored',
  'acceptance/team',
  'acceptance/glossary',
  'page/people-at-work',
  'acceptance/answer-spaces',
  'cli/ending',
  'examples/ci',
  'cli/one-object',
].map((name) => `/test/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId, project }: TestSpecification) => {
      if (project.name === 'apart') return -1;
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return rank === -1 ? LONGEST.length : rank;
    };
    return files.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

/** The program is built into the folder for temporary files. */
const SETUP = ['test/temporary-files-in-memory.ts', ...(isPure ? [] : ['test/build-program.ts'])];

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

/** Libraries as users run them. Else vitest takes the builds for their developers, which check each step of a parser. */
const releasedLibraries: NonNullable<ViteUserConfig['plugins']>[number] = {
  name: 'released-libraries',
  enforce: 'post',
  config: {
    order: 'post',
    handler({ resolve, environments = {} }) {
      for (const each of [resolve, ...Object.values(environments).map((of) => of.resolve)]) {
        if (each?.conditions === undefined) continue;
        each.conditions = each.conditions.filter((name) => !name.includes('development'));
      }
    },
  },
};

export default defineConfig({
  test: {
    maxWorkers: availableParallelism() + 4,
    sequence: { sequencer: LongestFirst },
    // The page's script runs in a browser, out of the sight of v8 here: test/page drives it there.
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/page/client/**'] },
    projects: [
      {
        plugins: [releasedLibraries],
        test: {
          ...SHARED,
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...defaultExclude, ...APART],
          isolate: false,
          globalSetup: SETUP,
        },
      },
      {
        plugins: [releasedLibraries],
        test: { ...SHARED, name: 'apart', include: APART, globalSetup: SETUP },
      },
    ],
  },
});
