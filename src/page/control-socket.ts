/** The control socket: commands talk to the running daemon, so that there is one writer, always. HTTP with JSON over a 0600 unix socket. */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lstat, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Clock } from '../clock.ts';
import { type Control, type ControlMethod, METHODS } from '../control/control.ts';
import { describeFailure, type Failure, failureOf, JobFailure } from '../failure.ts';
import { DaemonSilent } from '../files/exclusive.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';

/** `sun_path` holds 108 bytes with its final NUL (unix(7)). */
const MAX_PATH_BYTES = 107;

/** Where the daemon of a state folder listens: in the folder, or in a private short one when its path is too long. */
export function controlSocketPath(state: string): string {
  const path = join(state, 'control.sock');
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  return join(sharedPlace(), `${hash('sha256', state).slice(0, 24)}.sock`);
}

/** Everybody can make a folder of that name before us: `requireOwn` looks whose it is. */
function sharedPlace(): string {
  return join(tmpdir(), `dragoman-${userInfo().uid}`);
}

/** @throws Error when somebody else could put a socket of theirs in place of ours */
async function requireOwn(path: string): Promise<void> {
  const folder = dirname(path);
  if (folder !== sharedPlace()) return;
  const { uid, mode } = await lstat(folder);
  if (uid !== userInfo().uid || (mode & 0o077) !== 0) {
    throw new Error(`${folder} belongs to somebody else, or others may write there: remove it`);
  }
}

/** Loaded where a socket is: a command beside no daemon would take 20 ms longer. */
function http(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}

/** Milliseconds for answers that are under way when the daemon ends. */
const LAST_ANSWERS_MS = 2000;
/** Of a question: 100,000 texts that come back from a translator are a quarter of it. */
const MOST_BYTES = 128 * 1024 * 1024;
/** So that callers who never leave do not take the files that the work needs. */
const MOST_CONNECTIONS = 256;
/** Milliseconds in which a daemon says that it listens: its loop is never held for long, on a loaded machine for a second or two. */
const LISTENS_MS = 10_000;

/** Serves until disposed. The caller holds the state's lock, so a socket file that stands there is a dead one. */
export async function serveControl(
  path: string,
  control: Control,
  clock: Pick<Clock, 'sleep'>,
): Promise<AsyncDisposable> {
  await makeFolder(dirname(path), PRIVATE);
  await requireOwn(path);
  await rm(path, { force: true });
  const server = http().createServer(
    (incoming, outgoing) => void answer(control, incoming, outgoing),
  );
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
  await chmod(path, 0o600);
  return {
    async [Symbol.asyncDispose]() {
      await rm(path, { force: true });
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      // Who has asked is answered, within reason.
      const answered = new AbortController();
      const patience = clock.sleep(LAST_ANSWERS_MS, answered.signal).catch(() => {});
      await Promise.race([closed, patience]);
      answered.abort();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Never throws: an error that nobody catches would end the daemon. */
async function answer(
  control: Control,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const method = METHODS.find((name) => incoming.url === `/${name}`);
  if (method === undefined || incoming.method !== 'POST') return reply(outgoing, 404, '{}');
  try {
    const args = argumentsIn(await textOf(incoming, MOST_BYTES));
    // Written before the head is: what cannot be written is an error like others.
    const written = JSON.stringify({ value: await call(control, method, args) });
    reply(outgoing, 200, written);
  } catch (error) {
    reply(outgoing, 500, JSON.stringify({ failure: failureOf(error) }));
  }
}

/** @throws TypeError for what no command sends */
function argumentsIn(text: string): readonly unknown[] {
  const args: unknown = JSON.parse(text);
  if (!Array.isArray(args)) throw new TypeError('a question is a list of arguments');
  return args;
}

// The socket belongs to the user who runs the daemon (0600): what arrives was written by `connectControl`.
function call(control: Control, method: ControlMethod, args: readonly unknown[]): Promise<unknown> {
  const act = control[method] as (...args: unknown[]) => Promise<unknown>;
  return act.apply(control, [...args]);
}

function reply(outgoing: ServerResponse, status: number, json: string): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(json);
}

/** @throws RangeError for more than `most` bytes */
async function textOf(stream: IncomingMessage, most = Number.POSITIVE_INFINITY): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new RangeError(`a question of more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * @param listensMs milliseconds in which a daemon must answer that it is there
 * @returns the running daemon's answers; undefined when no daemon listens there
 * @throws DaemonSilent
 */
export async function connectControl(
  path: string,
  listensMs = LISTENS_MS,
): Promise<Control | undefined> {
  if (!existsSync(path) || !(await listens(path, listensMs))) return undefined;
  await requireOwn(path);
  return controlClient(path);
}

function controlClient(path: string): Control {
  const asked = METHODS.map((method) => [
    method,
    (...args: readonly unknown[]) => post(path, method, args),
  ]);
  return Object.fromEntries(asked) as Control;
}

async function listens(path: string, patienceMs: number): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const options = { socketPath: path, method: 'GET', path: '/', timeout: patienceMs };
  const probe = http().request(options, (response) => {
    response.resume();
    resolve(true);
  });
  probe.once('timeout', () => {
    reject(new DaemonSilent());
    probe.destroy();
  });
  probe.once('error', () => resolve(false)).end();
  return await promise;
}

interface Reply {
  readonly value?: unknown;
  readonly failure?: Failure;
}

async function post(
  path: string,
  method: ControlMethod,
  args: readonly unknown[],
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { 'content-type': 'application/json' };
  const outgoing = http().request(
    { socketPath: path, method: 'POST', path: `/${method}`, headers },
    resolve,
  );
  outgoing.once('error', reject).end(JSON.stringify(args));
  const { value, failure } = JSON.parse(await textOf(await promise)) as Reply;
  if (failure !== undefined) throw new JobFailure(failure, { cause: describeFailure(failure) });
  return value;
}
