/** The path and the owner of the control socket. */
import { chmod, mkdir, mkdtemp, rm, rmdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Control } from '../../src/control/control.ts';
import { DaemonEnded, DaemonSilent } from '../../src/files/exclusive.ts';
import { connectControl, controlSocketPath, serveControl } from '../../src/page/control-socket.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const CONTROL = { visit: async () => ({ page: 'here' }) } as unknown as Control;
const FILE = '/app/dragoman.yaml';

/** State folders whose path is too long for a socket, on a machine whose temporary folder is the test's own. */
async function longPaths() {
  const folder = await mkdtemp(join(tmpdir(), 'd-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    return rm(folder, { recursive: true });
  });
  const [one, other] = ['a', 'b'].map((letter) => join(folder, letter.repeat(120)));
  return { one: one ?? '', other: other ?? '', place: join(folder, `dragoman-${userInfo().uid}`) };
}

test('the socket is in the state folder, for its owner only', async () => {
  const path = controlSocketPath(await temporaryFolder());
  expect(basename(path)).toBe('control.sock');
  await using _ = await serveControl(path, { control: CONTROL, file: FILE }, systemClock);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const control = await connectControl(path, { file: FILE });
  expect(await control?.visit()).toEqual({ page: 'here' });
});

test('a path that is too long has a short one elsewhere, in a folder of our own', async () => {
  const { one, place } = await longPaths();
  const path = controlSocketPath(one);
  expect(dirname(path)).toBe(place);
  await using _ = await serveControl(path, { control: CONTROL, file: FILE }, systemClock);
  expect(await (await connectControl(path, { file: FILE }))?.visit()).toEqual({ page: 'here' });
});

test('a short place where others may write is not trusted, by daemon and commands', async () => {
  const { one, other, place } = await longPaths();
  const path = controlSocketPath(one);
  await using _ = await serveControl(path, { control: CONTROL, file: FILE }, systemClock);
  await chmod(place, 0o777);
  await expect(connectControl(path, { file: FILE })).rejects.toThrow('others may write there');
  await expect(
    serveControl(controlSocketPath(other), { control: CONTROL, file: FILE }, systemClock),
  ).rejects.toThrow('others may write');
});

test('an argument that a command leaves out is left out for the daemon, too', async () => {
  const path = controlSocketPath(await temporaryFolder());
  const explain = async (...args: readonly unknown[]) => args.map((arg) => typeof arg);
  const asked = { explain } as unknown as Control;
  await using _ = await serveControl(path, { control: asked, file: FILE }, systemClock);
  const control = await connectControl(path, { file: FILE });
  expect(await control?.explain('en/app.json', undefined)).toEqual(['string', 'undefined']);
});

/** @returns status and body */
async function ask(socketPath: string, path: string, body: string): Promise<[number, string]> {
  const { promise, resolve, reject } = Promise.withResolvers<[number, string]>();
  const outgoing = request({ socketPath, method: 'POST', path }, (response) => {
    let text = '';
    response.on('data', (chunk) => {
      text += chunk;
    });
    response.once('end', () => resolve([response.statusCode ?? 0, text]));
  });
  outgoing.once('error', reject).end(body);
  return await promise;
}

test.for(['', '{', '7', 'null', '{"length": 3}', '"abc"'])(
  'a question that is no list of arguments gets a failure, and the next one its answer: %j',
  async (body) => {
    const path = controlSocketPath(await temporaryFolder());
    await using _ = await serveControl(path, { control: CONTROL, file: FILE }, systemClock);
    const [status, answer] = await ask(path, '/visit', body);
    expect(status).toBe(500);
    expect(JSON.parse(answer)).toMatchObject({ failure: { kind: 'internal' } });
    expect(await (await connectControl(path, { file: FILE }))?.visit()).toEqual({ page: 'here' });
  },
);

test('an answer that cannot be written is a failure, and does not end the daemon', async () => {
  const path = controlSocketPath(await temporaryFolder());
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const control = { visit: async () => circular } as unknown as Control;
  await using _ = await serveControl(path, { control, file: FILE }, systemClock);
  expect((await ask(path, '/visit', '[]'))[0]).toBe(500);
});

test('a process that holds the socket and does not answer is reported after a time limit', async () => {
  const path = controlSocketPath(await temporaryFolder());
  const mute = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => mute.listen(path, resolve));
  onTestFinished(() => new Promise<void>((resolve) => void mute.close(() => resolve())));
  await expect(connectControl(path, { file: FILE, listensMs: 50 })).rejects.toThrow(DaemonSilent);
});

test.for(['before', 'within'])(
  'a daemon that dies %s its answer is named, with what to do',
  async (moment) => {
    const path = controlSocketPath(await temporaryFolder());
    const dying = createServer((socket) => {
      socket.once('data', (asked) => {
        // It still answers the question whether it is there.
        if (asked.toString().startsWith('GET')) socket.end('HTTP/1.1 200 OK\r\n\r\n');
        else if (moment === 'before') socket.destroy();
        else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{');
      });
    });
    await new Promise<void>((resolve) => dying.listen(path, resolve));
    onTestFinished(() => new Promise<void>((resolve) => void dying.close(() => resolve())));
    const answer = (await connectControl(path, { file: FILE }))?.visit();
    await expect(answer).rejects.toThrow(DaemonEnded);
    await expect(answer).rejects.toThrow('give the command again');
  },
);

test('the socket is closed also where its file cannot be removed, as on a read-only disk', async () => {
  const path = controlSocketPath(await temporaryFolder());
  const served = await serveControl(path, { control: CONTROL, file: FILE }, systemClock);
  await rm(path);
  // No `rm` without `recursive` removes a folder.
  await mkdir(path);
  await served[Symbol.asyncDispose]();
  await rmdir(path);
  expect(await connectControl(path, { file: FILE })).toBeUndefined();
});
