import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import { lockState, StateLocked } from '../../src/files/exclusive.ts';
import { canMount, SmallDisk } from '../faults/small-disk.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const PROGRAM = `
  import { lockState } from ${JSON.stringify(new URL('../../src/files/exclusive.ts', import.meta.url).href)};
  import { systemClock } from ${JSON.stringify(new URL('../../src/clock.ts', import.meta.url).href)};
  try {
    await lockState(process.argv[1], systemClock);
    console.log('locked');
    setInterval(() => {}, 1000);
  } catch (error) {
    console.log(error.name);
  }
`;

/** Another process that tries to take the lock. */
async function contender(folder: string): Promise<{ said: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, folder]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  return { said: String(said).trim(), child };
}

test('one of five processes that start at once gets the state', async () => {
  const folder = await temporaryFolder();
  const said = await Promise.all(Array.from({ length: 5 }, () => contender(folder)));
  expect(said.filter((one) => one.said === 'locked')).toHaveLength(1);
  expect(said.filter((one) => one.said === 'StateLocked')).toHaveLength(4);
});

test('the refusal names the process that holds the state', async () => {
  const folder = await temporaryFolder();
  const { child } = await contender(folder);
  const refusal = await lockState(folder, systemClock).catch((error) => error);
  expect(refusal).toBeInstanceOf(StateLocked);
  expect(refusal).toMatchObject({ folder, holder: { pid: child.pid } });
  expect(refusal.message).toContain(`pid ${child.pid}`);
});

test('a command that holds the state is waited for, and a daemon is not', async () => {
  const folder = await temporaryFolder();
  const waits = Promise.withResolvers<void>();
  const clock: Clock = {
    ...systemClock,
    async sleep(ms, signal) {
      waits.resolve();
      await systemClock.sleep(ms, signal);
    },
  };
  const command = await lockState(folder, systemClock, { isCommand: true });
  const run = lockState(folder, clock);
  await waits.promise;
  await command[Symbol.asyncDispose]();
  {
    await using daemon = await run;
    expect(daemon).toBeDefined();
    await expect(lockState(folder, systemClock)).rejects.toThrow(/another daemon holds/);
  }
  await using again = await lockState(folder, systemClock, { isCommand: true });
  expect(again).toBeDefined();
  const ending = AbortSignal.abort();
  await expect(lockState(folder, clock, { ending })).rejects.toThrow(/another command holds/);
});

test('a killed holder leaves nothing that has to be cleared away', async () => {
  const folder = await temporaryFolder();
  const { child } = await contender(folder);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await using lock = await lockState(folder, systemClock);
  expect(lock).toBeDefined();
});

test('a released state can be taken again', async () => {
  const folder = join(await temporaryFolder(), 'state');
  {
    await using lock = await lockState(folder, systemClock);
    expect(lock).toBeDefined();
    await expect(lockState(folder, systemClock)).rejects.toThrow(StateLocked);
  }
  await using again = await lockState(folder, systemClock);
  expect(again).toBeDefined();
  const modes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).mode & 0o777),
  );
  expect([(await stat(folder)).mode & 0o777, ...new Set(modes)]).toEqual([0o700, 0o600]);
});

test('a state folder that cannot be made is unwritable', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  await expect(lockState(join(file, 'state'), systemClock)).rejects.toMatchObject({
    failure: { kind: 'unwritable' },
  });
});

test.runIf(canMount())(
  'a state folder that a read-only disk does not hold yet is reported as read-only',
  async () => {
    const folder = await temporaryFolder();
    using disk = new SmallDisk(folder, 65_536);
    disk.become('read-only');
    await expect(lockState(join(folder, 'a', 'state'), systemClock)).rejects.toMatchObject({
      failure: { kind: 'unwritable', code: 'EROFS' },
    });
  },
);
