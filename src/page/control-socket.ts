/** The control socket: commands talk to the running daemon, so that there is only one writer. HTTP with JSON over a unix socket with mode 0600. */
import { hash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { chmod, lstat, rm } from 'node:fs/promises';
import type { IncomingMessage, RequestOptions, ServerResponse } from 'node:http';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../clock.ts';
import { type Control, type ControlMethod, METHODS } from '../control/control.ts';
import { describeFailure, type Failure, failureOf, JobFailure } from '../failure.ts';
import { DaemonEnded, DaemonOfOtherConfig, DaemonSilent } from '../files/exclusive.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';

/** `sun_path` has 108 bytes, with the NUL at its end (unix(7)). */
const MAX_PATH_BYTES = 107;

/** The socket of the daemon of a state folder. It is in that folder, or in a private folder with a short path when the path is too long. */
export function controlSocketPath(state: string): string {
  const path = join(state, 'control.sock');
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  return join(shortFolder(), `${hash('sha256', state).slice(0, 24)}.sock`);
}

/** Another user can make a folder of this name first: `requireOwn` checks its owner. */
export function shortFolder(): string {
  return join(tmpdir(), `dragoman-${userInfo().uid}`);
}

/** @throws Error when another user could replace the socket */
async function requireOwn(path: string): Promise<void> {
  const folder = dirname(path);
  if (folder === shortFolder()) await requireOwnFolder(folder);
}

/** @throws Error when another user could replace files in the folder */
export async function requireOwnFolder(folder: string): Promise<void> {
  const { uid, mode } = await lstat(folder);
  if (uid !== userInfo().uid || (mode & 0o077) !== 0) {
    throw new Error(`${folder} belongs to another user, or others may write there: remove it`);
  }
}

/** Loaded only when there is a socket, since it delays a command by 20 ms. */
function http(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}

/** Milliseconds for open answers when the daemon ends. */
const LAST_ANSWERS_MS = 2000;
/** Bytes of a question: 100,000 texts from a translator need a quarter of it. */
const MOST_QUESTION_BYTES = 128 * 1024 * 1024;
/** A limit, so that connections that never end do not use up the file descriptors of the work. */
const MOST_CONNECTIONS = 256;
/** Milliseconds in which a daemon must answer. Its loop is never blocked for long; on a loaded machine for a second or two. */
const LISTENS_MS = 10_000;

interface ServedControl {
  readonly control: Control;
  /** Absolute path of the config: the process answers no questions about another one. */
  readonly file: string;
}

/** Serves until disposed. The caller holds the lock of the state, so an existing socket file is of a dead daemon. */
export async function serveControl(
  path: string,
  served: ServedControl,
  clock: Pick<Clock, 'sleep'>,
): Promise<AsyncDisposable> {
  await makeFolder(dirname(path), PRIVATE);
  await requireOwn(path);
  await rm(path, { force: true });
  const server = http().createServer(
    (incoming, outgoing) => void answerQuestion(served, incoming, outgoing),
  );
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
  await chmod(path, 0o600);
  return {
    async [Symbol.asyncDispose]() {
      // On a read-only disk it stays. Without the end of the server, the process would not end.
      await rm(path, { force: true }).catch(() => {});
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      // Open questions are still answered, within a time limit.
      const answered = new AbortController();
      const patience = clock.sleep(LAST_ANSWERS_MS, answered.signal).catch(() => {});
      await Promise.race([closed, patience]);
      answered.abort();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Never throws: an uncaught error would end the daemon. */
async function answerQuestion(
  { control, file }: ServedControl,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (incoming.method === 'GET') return reply(outgoing, 200, JSON.stringify({ config: file }));
  const method = METHODS.find((name) => incoming.url === `/${name}`);
  if (method === undefined || incoming.method !== 'POST') return reply(outgoing, 404, '{}');
  try {
    const args = argumentsIn(await bodyText(incoming, MOST_QUESTION_BYTES));
    // The body is made before the head is sent, so that a value that cannot be serialized is an ordinary error.
    const written = JSON.stringify({ value: await call(control, method, args) });
    reply(outgoing, 200, written);
  } catch (error) {
    reply(outgoing, 500, JSON.stringify({ failure: failureOf(error) }));
  }
}

/**
 * JSON has no undefined, so an argument that is absent arrives as null.
 * @throws TypeError for a body that no command sends
 */
function argumentsIn(text: string): readonly unknown[] {
  const args: unknown = JSON.parse(text);
  if (!Array.isArray(args)) throw new TypeError('a question is a list of arguments');
  return args.map((arg: unknown) => arg ?? undefined);
}

// Only the user of the daemon can write to the socket (0600), so the arguments come from `connectControl`.
function call(control: Control, method: ControlMethod, args: readonly unknown[]): Promise<unknown> {
  const act = control[method] as (...args: unknown[]) => Promise<unknown>;
  return act.apply(control, [...args]);
}

function reply(outgoing: ServerResponse, status: number, json: string): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(json);
}

/** @throws RangeError for more than `most` bytes */
async function bodyText(stream: IncomingMessage, most = Number.POSITIVE_INFINITY): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new RangeError(`a question of more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

interface ControlConnection {
  /** Absolute path of the config that the questions are about. */
  readonly file: string;
  /** Milliseconds in which a daemon must answer that it is there. */
  readonly listensMs?: number;
  /** Ends the wait for an answer. */
  readonly signal?: AbortSignal;
}

/**
 * @returns the control of the running daemon; undefined when no daemon listens
 * @throws DaemonSilent when a daemon does not answer in time; DaemonOfOtherConfig when it works with another config in the same state folder
 */
export async function connectControl(
  path: string,
  { file, listensMs = LISTENS_MS, signal }: ControlConnection,
): Promise<Control | undefined> {
  const told = existsSync(path) ? await probe(path, listensMs) : undefined;
  if (told === undefined) return undefined;
  await requireOwn(path);
  // A daemon of an earlier version does not tell its config.
  if (told.config !== undefined && !isSameConfig(told.config, file))
    throw new DaemonOfOtherConfig(told.config);
  return controlClient({ socketPath: path, ...(signal && { signal }) });
}

type Socket = Pick<RequestOptions, 'socketPath' | 'signal'>;

function controlClient(socket: Socket): Control {
  const asked = METHODS.map((method) => [
    method,
    (...args: readonly unknown[]) => post(socket, method, args),
  ]);
  return Object.fromEntries(asked) as Control;
}

/**
 * Whether two paths lead to the same config, through links too. The file of a Kubernetes ConfigMap is a link that changes, so a link
 * is the same config as itself. In another container, the path of the daemon may not exist: there, the name of the file decides.
 */
function isSameConfig(ofDaemon: string, asked: string): boolean {
  if (!existsSync(ofDaemon)) return basename(ofDaemon) === basename(asked);
  const inFolder = (file: string) => join(realpathSync(dirname(file)), basename(file));
  return inFolder(ofDaemon) === inFolder(asked) || realpathSync(ofDaemon) === realPathOf(asked);
}

/** The path itself where nothing is: its config was removed. */
function realPathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

interface Presence {
  readonly config?: string;
}

/** What the process behind the socket tells of itself; undefined: there is none. */
async function probe(path: string, patienceMs: number): Promise<Presence | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Presence | undefined>();
  const options = { socketPath: path, method: 'GET', path: '/', timeout: patienceMs };
  const asked = http().request(options, (response) => {
    void bodyText(response).then(
      (text) => resolve(presenceIn(text)),
      () => resolve({}),
    );
  });
  asked.once('timeout', () => {
    reject(new DaemonSilent());
    asked.destroy();
  });
  asked.once('error', () => resolve(undefined)).end();
  return await promise;
}

function presenceIn(text: string): Presence {
  try {
    const { config } = JSON.parse(text) as { readonly config?: unknown };
    return typeof config === 'string' ? { config } : {};
  } catch {
    return {};
  }
}

interface SocketReply {
  readonly value?: unknown;
  readonly failure?: Failure;
}

/** @throws DaemonEnded when the daemon ends before it answers */
async function post(
  socket: Socket,
  method: ControlMethod,
  args: readonly unknown[],
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { 'content-type': 'application/json' };
  const outgoing = http().request(
    { ...socket, method: 'POST', path: `/${method}`, headers },
    resolve,
  );
  outgoing.once('error', reject).end(JSON.stringify(args));
  const written = promise
    .then((response) => bodyText(response))
    .catch((cause: unknown) => {
      throw socket.signal?.aborted ? cause : new DaemonEnded(cause);
    });
  const { value, failure } = JSON.parse(await written) as SocketReply;
  if (failure !== undefined) throw new JobFailure(failure, { cause: describeFailure(failure) });
  return value;
}
