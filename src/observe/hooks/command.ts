/** Runs a hook's command with the message on its standard input. After the time limit, the command and all its processes are ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Clock } from '../../clock.ts';
import { type HookOutcome, TIME_LIMIT_MS } from './outcome.ts';

export interface CommandTask {
  readonly command: string;
  /** The working folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
  readonly clock: Clock;
  /** Ends the command early. */
  readonly signal: AbortSignal;
}

/** Exit codes of sh(1): the command is not executable, or not found. */
const NEVER_WORKS = [126, 127];
/** Milliseconds between SIGTERM and SIGKILL. */
const TERM_MS = 2000;
/** Milliseconds to wait for output after the command has ended: another process of it may keep the pipe open. */
const LAST_OUTPUT_MS = 200;

export async function runCommand(task: CommandTask): Promise<HookOutcome> {
  const { command, folder: cwd, env, input, clock, signal } = task;
  // The command gets its own process group: when only the shell is ended, its processes go on.
  const child = spawn(command, {
    ...{ shell: true, cwd, env, detached: true },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const lastLine = lastLineOf(child);
  // A command may ignore its input, so a failed write is not an error.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = once(child, 'exit');
  const over = new AbortController();
  const timeLimit = endInTime(child, { clock, stop: signal, over: over.signal });
  try {
    const [code, killer] = (await ended) as [number | null, NodeJS.Signals | null];
    over.abort();
    if (code === 0) return { kind: 'sent' };
    await Promise.race([once(child, 'close'), clock.sleep(LAST_OUTPUT_MS)]);
    const reason = code === null ? await wordsFor(timeLimit, killer) : `exit code ${code}`;
    const kind = code !== null && NEVER_WORKS.includes(code) ? 'permanent' : 'passing';
    return { kind, reason: [reason, lastLine()].filter((part) => part !== '').join(': ') };
  } catch (error) {
    return { kind: 'permanent', reason: error instanceof Error ? error.message : String(error) };
  } finally {
    over.abort();
    child.stderr.destroy();
  }
}

interface CommandLimits {
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** Fires when the command has ended by itself. */
  readonly over: AbortSignal;
}

/** @returns whether the time limit ended the command */
async function endInTime(
  child: ChildProcess,
  { clock, stop, over }: CommandLimits,
): Promise<boolean> {
  await clock.sleep(TIME_LIMIT_MS, AbortSignal.any([stop, over])).catch(() => {});
  if (over.aborted) return false;
  signalGroup(child, 'SIGTERM');
  await clock.sleep(TERM_MS, over).catch(() => {});
  // Also when the shell has ended: its processes may go on.
  signalGroup(child, 'SIGKILL');
  return !stop.aborted;
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // the group is gone already
  }
}

async function wordsFor(timeLimit: Promise<boolean>, killer: string | null): Promise<string> {
  return (await timeLimit)
    ? `not done within ${TIME_LIMIT_MS / 1000} s, ended`
    : `ended by ${killer}`;
}

/** UTF-16 code units of error output in a message. */
const MOST_OUTPUT = 200;

/** The last line of the error output, since "exit code 1" alone does not say why. */
function lastLineOf(child: ChildProcess): () => string {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-4 * MOST_OUTPUT);
  });
  return () => (tail.trim().split('\n').at(-1) ?? '').slice(0, MOST_OUTPUT);
}
