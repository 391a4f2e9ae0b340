/**
 * The real command line in a time that runs faster: `TEST_TIME='{"start":…,"scale":…,"ahead":…}' node hurried-main.ts ARGS…`.
 * With `POINT` the process kills itself (SIGKILL) at one point of a recording's way.
 */
import type { PathLike } from 'node:fs';

// Not imported: a bundle takes what it uses of a built-in module when its first part is loaded, which would be before the patches.
const fs = process.getBuiltinModule('node:fs');
const { syncBuiltinESMExports } = process.getBuiltinModule('node:module');
const { setTimeout: wait } = process.getBuiltinModule('node:timers/promises');

const { TEST_TIME = '', POINT: point = '' } = process.env;
const { start, scale, ahead } = JSON.parse(TEST_TIME) as Record<
  'start' | 'scale' | 'ahead',
  number
>;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

if (point !== '') patchRenames();

const { systemClock } = await import('../../../src/clock.ts');
Object.assign(systemClock, {
  now: () => Math.round(start + (Date.now() - start) * scale + ahead),
  async sleep(ms: number, signal?: AbortSignal) {
    try {
      await wait(ms / scale, undefined, signal === undefined ? {} : { signal });
    } catch {
      throw signal?.reason;
    }
  },
});

if (point !== '') await setTraps();

const { runCommandLine } = await import('../../../src/cli/run-command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));

function patchRenames(): void {
  // Renames are patched before anything imports them: targets are renamed at once, results by way of a thread.
  const { renameSync } = fs;
  const { rename } = fs.promises;
  const reach = (moment: 'before' | 'after', to: PathLike) => {
    const path = String(to);
    const isTarget = path.includes('/out/') && !path.endsWith('.tmp');
    if (isTarget && point === `${moment} the target is replaced`) die();
    if (path.endsWith('.result') && point === `${moment} the result has its name`) die();
  };
  fs.renameSync = (from, to) => {
    reach('before', to);
    renameSync(from, to);
    reach('after', to);
  };
  fs.promises.rename = async (from, to) => {
    reach('before', to);
    await rename(from, to);
    reach('after', to);
  };
  syncBuiltinESMExports();
}

async function setTraps(): Promise<void> {
  const { PartFile } = await import('../../../src/files/spool-folder.ts');
  const { RemoteJobs } = await import('../../../src/lanes/voice/remote-jobs.ts');

  const put = RemoteJobs.prototype.put;
  RemoteJobs.prototype.put = async function (job, ...rest) {
    const states = [job.stage.kind, ...job.outputs.map(({ state }) => state.kind)];
    const isBegun = job.outputs.some(
      ({ state }) => state.kind === 'downloading' && state.tries > 0,
    );
    const hasHead = job.outputs.some(
      ({ state }) => state.kind === 'downloading' && state.length !== undefined,
    );
    const reached = [...states, ...(isBegun ? ['transfer'] : []), ...(hasHead ? ['head'] : [])];
    if (reached.some((state) => point === `before ${state}`)) die();
    const written = await put.call(this, job, ...rest);
    if (reached.some((state) => point === `after ${state}`)) die();
    return written;
  };

  const write = PartFile.prototype.write;
  PartFile.prototype.write = async function (chunk) {
    if (point === 'amid the download') {
      await write.call(this, chunk.subarray(0, Math.ceil(chunk.length / 2)));
      die();
    }
    await write.call(this, chunk);
  };
}
