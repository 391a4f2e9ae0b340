/**
 * One daemon per state folder: a lock that the kernel releases when its holder dies. It also works between containers that
 * share the folder.
 */
import { existsSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, isoTime, OnwardTime } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { errorCode, isAbsent, writeFailure } from './disk.ts';
import { makeFolder, PRIVATE } from './make-folder.ts';
import { readText } from './read-file.ts';
import { replaceFile } from './replace.ts';

/** The data that the holder of the lock wrote about itself. */
export interface Holder {
  readonly pid: number;
  /** ISO 8601. */
  readonly since: string;
  /** A command that answers one question or does one thing: other processes wait for its end. */
  readonly isCommand?: true;
}

/** Another daemon works on this state folder: exit code 75. */
export class StateLocked extends Error {
  override readonly name = 'StateLocked';
  readonly folder: string;
  /** Undefined between the moment when it takes the lock and the moment when it writes about itself. */
  readonly holder: Holder | undefined;

  constructor(folder: string, holder: Holder | undefined) {
    const who = holder ? ` (pid ${holder.pid}, since ${holder.since})` : '';
    const what = holder?.isCommand === true ? 'command' : 'daemon';
    super(`another ${what} holds the state in ${folder}${who}`);
    this.folder = folder;
    this.holder = holder;
  }
}

/** A daemon has the lock and does not answer commands: its process is suspended or hangs. Exit code 75. */
export class DaemonSilent extends Error {
  override readonly name = 'DaemonSilent';
  constructor() {
    super('the daemon of this config runs and does not answer: its process is stopped or hangs');
  }
}

/** The daemon that was asked died, or was ended, before it answered. Exit code 75. */
export class DaemonEnded extends Error {
  override readonly name = 'DaemonEnded';
  constructor(cause: unknown) {
    const what = 'the daemon of this config ended before it answered';
    super(`${what}: look at "dragoman status", then give the command again`, { cause });
  }
}

/** The process that works on the state folder has another config, and must not answer for this one. Exit code 75. */
export class DaemonOfOtherConfig extends Error {
  override readonly name = 'DaemonOfOtherConfig';
  /** @param config absolute path of the config of that process */
  constructor(config: string) {
    super(
      `the process that works in this state folder has another config, ${config}: end that process first, or give each config a state folder of its own ("state")`,
    );
  }
}

const LOCK = 'lock.sqlite';
const HOLDER = 'lock.json';
const SQLITE_BUSY = 5;

/** Milliseconds that other processes wait for the end of a command. */
const COMMAND_PATIENCE_MS = 120_000;
/** Milliseconds in which a new holder writes about itself. Until then, the file is that of an earlier holder. */
const SAYS_SO_MS = 500;
const LOOK_MS = 50;

export interface StateLock extends AsyncDisposable {
  readonly folder: string;
  /** False when the folder was removed, or replaced by another one. */
  isInPlace(): Promise<boolean>;
}

export interface LockOptions {
  readonly isCommand?: true;
  /** Aborted: ends the wait, and the lock is refused. */
  readonly ending?: AbortSignal | undefined;
}

/**
 * Takes the lock of a state folder, and makes the folder with mode 0700 when it does not exist. Dispose releases the lock. When a command
 * has the lock, this waits for the end of that command. So a person who asks for the status does not make the start of a run fail. When a
 * daemon has it, this does not wait.
 * @throws StateLocked; JobFailure `unwritable`
 */
export async function lockState(
  folder: string,
  clock: Clock,
  options: LockOptions = {},
): Promise<StateLock> {
  const time = new OnwardTime(clock);
  const began = time.now();
  for (;;) {
    try {
      return await lockNow(folder, clock, options);
    } catch (error) {
      if (!(error instanceof StateLocked)) throw error;
      const waited = time.now() - began;
      if (waited >= patienceFor(error.holder) || options.ending?.aborted === true) throw error;
    }
    await clock.sleep(LOOK_MS, options.ending).catch(() => {});
  }
}

/** Whether a living process works on a state folder, also one of another container or with another `/tmp`. */
export async function isStateHeld(folder: string): Promise<boolean> {
  const path = join(folder, LOCK);
  if (!existsSync(path)) return false;
  try {
    const database = await openExclusively(path);
    database?.close();
    return database === undefined;
  } catch {
    return false;
  }
}

function patienceFor(holder: Holder | undefined): number {
  if (holder?.isCommand === true) return COMMAND_PATIENCE_MS;
  return holder === undefined || !isAlive(holder.pid) ? SAYS_SO_MS : 0;
}

/** False also for a process of another container that shares the folder. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

async function lockNow(
  folder: string,
  clock: Clock,
  { isCommand }: LockOptions,
): Promise<StateLock> {
  const path = join(folder, LOCK);
  try {
    await makeFolder(folder, PRIVATE);
    await makePrivate(path);
    const database = await openExclusively(path);
    if (!database) throw new StateLocked(folder, await readHolder(folder));
    await using opening = new AsyncDisposableStack();
    opening.defer(() => database.close());
    const holder: Holder = {
      ...{ pid: process.pid, since: isoTime(clock) },
      ...(isCommand === undefined ? {} : { isCommand }),
    };
    await replaceFile({
      path: join(folder, HOLDER),
      root: folder,
      content: `${JSON.stringify(holder)}\n`,
      durability: 'cached',
      mode: 0o600,
    });
    const file = await fileAt(path);
    const stack = opening.move();
    return {
      folder,
      isInPlace: async () => {
        // A disk that cannot be asked says nothing.
        const now = fileAt(path).catch((error: unknown) => (isAbsent(error) ? undefined : file));
        return (await now) === file;
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    // The failure names the folder, which people know, and not the file of the lock.
    if (error instanceof StateLocked) throw error;
    throw sqliteFailure(folder, error) ?? writeFailure(folder, error);
  }
}

/** Names the file itself: another file at the same path has another name. It is not opened, for the reason below. */
async function fileAt(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true });
  return `${dev}:${ino}`;
}

// Only when it does not exist: when a process closes any descriptor of a file, it loses all its fcntl locks on that file.
async function makePrivate(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

// An open transaction holds fcntl locks on the file; the database stays empty.
async function openExclusively(path: string): Promise<DatabaseSync | undefined> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)
      return undefined;
    throw error;
  }
}

/** The codes of SQLite for a disk that is full, read-only or broken. */
const SQLITE_CODES: Readonly<Record<number, string>> = {
  8: 'EROFS',
  10: 'EIO',
  13: 'ENOSPC',
  14: 'EACCES',
};

function sqliteFailure(folder: string, error: unknown): JobFailure | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  const code = SQLITE_CODES[Number(error.errcode) & 0xff];
  if (code === undefined) return undefined;
  return new JobFailure({ kind: 'unwritable', file: folder, code }, { cause: error });
}

/** Node 22 warns that SQLite is experimental. Only the lock of its file is used here, which is an old part of SQLite. */
async function loadSqlite(): Promise<typeof import('node:sqlite')> {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return await import('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function readHolder(folder: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readText(join(folder, HOLDER))) as Holder;
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
