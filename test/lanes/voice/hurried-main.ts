/**
 * The real command line in a time that runs faster: `TEST_TIME='{"start":…,"scale":…,"ahead":…}' node hurried-main.ts ARGS…`.
 * With `POINT` the process kills itself (SIGKILL) at one point of a recording's way.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../../src/clock.ts';

const { TEST_TIME = '', POINT: point = '' } = process.env;
const { start, scale, ahead } = JSON.parse(TEST_TIME) as Record<
  'start' | 'scale' | 'ahead',
  number
>;

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

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

if (point !== '') await setTraps();

const { runCommandLine } = await import('../../../src/cli/run-command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));

async function setTraps(): Promise<void> {
  // Renames are patched before anything imports them.
  const { rename } = fs.promises;
  fs.promises.rename = async (from, to) => {
    const isResult = String(to).endsWith('.result');
    const isTarget = String(to).includes('/out/') && !String(to).endsWith('.tmp');
    if (isResult && point === 'before the result has its name') die();
    if (isTarget && point === 'before the target is replaced') die();
    await rename(from, to);
    if (isResult && point === 'after the result has its name') die();
    if (isTarget && point === 'after the target is replaced') die();
  };
  syncBuiltinESMExports();
  const { PartFile } = await import('../../../src/files/part-file.ts');
  const { RemoteJobs } = await import('../../../src/lanes/voice/remote-jobs.ts');

  const put = RemoteJobs.prototype.put;
  RemoteJobs.prototype.put = async function (job, charges) {
    const states = [job.stage.kind, ...job.outputs.map(({ state }) => state.kind)];
    const isBegun = job.outputs.some(
      ({ state }) => state.kind === 'downloading' && state.tries > 0,
    );
    const hasHead = job.outputs.some(
      ({ state }) => state.kind === 'downloading' && state.length !== undefined,
    );
    const reached = [...states, ...(isBegun ? ['transfer'] : []), ...(hasHead ? ['head'] : [])];
    if (reached.some((state) => point === `before ${state}`)) die();
    const written = await put.call(this, job, charges);
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
