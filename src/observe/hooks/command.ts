/** Runs a hook's command with the message on its standard input; when its time is up, it ends with everything that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Clock } from '../../clock.ts';
import { type HookOutcome, TIME_LIMIT_MS } from './outcome.ts';

export interface CommandTask {
  readonly command: string;
  /** Where it runs. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
  readonly clock: Clock;
  /** Ends it before its time. */
  readonly signal: AbortSignal;
}

/** sh(1): found but not executable, and not found. */
const NEVER_WORKS = [126, 127];
/** What a command may still do after SIGTERM. */
const MERCY_MS = 2000;
/** A process that the command started may keep the pipe open when the command has ended: its output is waited for so long. */
const LAST_WORDS_MS = 200;

export async function runCommand(task: CommandTask): Promise<HookOutcome> {
  const { command, folder: cwd, env, input, clock, signal } = task;
  // A process group of its own: a shell that is ended alone leaves what it started behind.
  const child = spawn(command, {
    ...{ shell: true, cwd, env, detached: true },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const complaint = lastLineOf(child);
  // A command need not read its input: it is no failure that it cannot be written.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = once(child, 'exit');
  const over = new AbortController();
  const timeLimit = endInTime(child, { clock, stop: signal, over: over.signal });
  try {
    const [code, killer] = (await ended) as [number | null, NodeJS.Signals | null];
    over.abort();
    if (code === 0) return { kind: 'told' };
    await Promise.race([once(child, 'close'), clock.sleep(LAST_WORDS_MS)]);
    const reason = code === null ? await wordsFor(timeLimit, killer) : `exit code ${code}`;
    const kind = code !== null && NEVER_WORKS.includes(code) ? 'permanent' : 'passing';
    return { kind, reason: [reason, complaint()].filter((part) => part !== '').join(': ') };
  } catch (error) {
    return { kind: 'permanent', reason: error instanceof Error ? error.message : String(error) };
  } finally {
    over.abort();
    child.stderr.destroy();
  }
}

interface Limits {
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** Fires when the command has ended by itself. */
  readonly over: AbortSignal;
}

/** @returns whether its time was up */
async function endInTime(child: ChildProcess, { clock, stop, over }: Limits): Promise<boolean> {
  await clock.sleep(TIME_LIMIT_MS, AbortSignal.any([stop, over])).catch(() => {});
  if (over.aborted) return false;
  signalGroup(child, 'SIGTERM');
  await clock.sleep(MERCY_MS, over).catch(() => {});
  // Also when the shell has obeyed: what it started may not.
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

const MOST_WORDS = 200;

/** The last line that a command wrote to its error output: "exit code 1" alone tells nobody why. */
function lastLineOf(child: ChildProcess): () => string {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-4 * MOST_WORDS);
  });
  return () => (tail.trim().split('\n').at(-1) ?? '').slice(0, MOST_WORDS);
}
