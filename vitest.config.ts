import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  throw new Error(
    `The tests need Node 24, this is ${process.version}. Run them as "npm test": the installed packages bring the right Node along.`,
  );
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/build-program.ts'],
    expect: { requireAssertions: true },
    sequence: { shuffle: true },
    restoreMocks: true,
    unstubEnvs: true,
    // They end what hangs. A slow machine, busy with other things, takes minutes for what takes seconds here.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The page's script runs in a browser, out of the sight of v8 here: test/page drives it there.
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/page/client/**'] },
  },
});
