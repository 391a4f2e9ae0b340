import { availableParallelism } from 'node:os';
import { defaultExclude, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

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

const SHARED: TestProjectInlineConfiguration['test'] = {
  expect: {
    requireAssertions: true,
    // As the time limits below: what is waited for comes late on a busy machine.
    poll: { timeout: 150_000, interval: 20 },
  },
  sequence: { shuffle: true },
  restoreMocks: true,
  unstubEnvs: true,
  // They end what hangs. A slow machine, busy with other things, takes minutes for what takes seconds here.
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

export default defineConfig({
  test: {
    maxWorkers: availableParallelism() + 1,
    // The page's script runs in a browser, out of the sight of v8 here: test/page drives it there.
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/page/client/**'] },
    projects: [
      { test: { ...SHARED, name: 'pure', include: PURE, isolate: false } },
      {
        test: {
          ...SHARED,
          name: 'acting',
          include: ['test/**/*.test.ts'],
          exclude: [...defaultExclude, ...PURE],
          globalSetup: ['test/build-program.ts'],
        },
      },
    ],
  },
});
