/**
 * Runs a foreign program to its end, within a time limit. A git that waits for a password, or a converter in an endless loop, would
 * otherwise stop everything without a word.
 */
import type { ChildProcess, ExecFileException } from 'node:child_process';
import { JobFailure } from '../failure.ts';

export interface ProgramCall {
  /** A name on PATH. */
  readonly program: string;
  readonly words: readonly string[];
  readonly limitMs: number;
  readonly folder?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The standard input; absent: empty. */
  readonly input?: string;
  /** Bytes of output and of messages; with more, the program is ended. */
  readonly maxBuffer?: number;
  /** Ends the program. */
  readonly signal?: AbortSignal;
}

export interface ProgramAnswer {
  readonly code: number;
  readonly text: string;
  readonly complaint: string;
}

/** A program that gave no answer in time gets no further question for so many milliseconds: a run asks git for each of its files. */
const REST_MS = 60_000;

/** Programs that gave no answer in time, and until when nothing is asked. */
const silent = new Map<string, { readonly until: number; readonly failure: JobFailure }>();

/**
 * @returns the answer, whatever the exit code
 * @throws JobFailure `program-silent`; the error of the system when the program did not start, or when its output was too long
 */
export async function runProgram(call: ProgramCall): Promise<ProgramAnswer> {
  refuseSilent(call.program);
  const { program, words, folder: cwd, input, limitMs: timeout, ...options } = call;
  const { promise, resolve, reject } = Promise.withResolvers<ProgramAnswer>();
  const limits = { cwd, timeout, killSignal: 'SIGKILL', encoding: 'utf8' } as const;
  const told = tellWhenSlow(call);
  const child = processes().execFile(
    program,
    [...words],
    { ...options, ...limits },
    (error, text, complaint) => {
      clearTimeout(told);
      if (error === null) resolve({ code: 0, text, complaint });
      else if (typeof error.code === 'number') resolve({ code: error.code, text, complaint });
      else if (isOverdue(error, call)) reject(silenceOf(call));
      else reject(error.code === TOO_LONG ? inOurWords(error, call) : error);
    },
  );
  child.stdin?.on('error', () => {}); // the exit code says why it ended before it read everything
  child.stdin?.end(input);
  return await promise;
}

/** Only the time limit ends a program with this signal; too much output and an abort have a code. */
function isOverdue({ killed, code, signal }: ExecFileException, call: ProgramCall): boolean {
  const isEnded = killed === true && signal === 'SIGKILL' && typeof code !== 'string';
  return isEnded && call.signal?.aborted !== true;
}

const TOO_LONG = 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';

/** Bytes; the default of `execFile`. */
const MOST_OUTPUT = 1024 * 1024;

/** The error with a message that names the command and the limit. */
function inOurWords(
  error: ExecFileException,
  { program, words, maxBuffer = MOST_OUTPUT }: ProgramCall,
): Error {
  const command = [program, ...words.slice(0, 1)].join(' ');
  error.message = `the answer of "${command}" is longer than ${maxBuffer / 1024 ** 2} MiB`;
  return error;
}

/** Starts a program that answers one question after the other; `answerInTime` limits the time of each. */
export function startProgram(
  program: string,
  words: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): ChildProcess {
  refuseSilent(program);
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
  return processes().spawn(program, [...words], { cwd: folder, env, stdio });
}

/** The answer of a started program; without one in time, it is ended. @throws JobFailure `program-silent` */
export async function answerInTime<T>(
  child: ChildProcess,
  answer: Promise<T>,
  call: Pick<ProgramCall, 'program' | 'words' | 'limitMs' | 'folder'>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const told = tellWhenSlow(call);
  const timer = setTimeout(() => {
    child.kill('SIGKILL');
    // Processes that it started may keep the pipe open.
    child.stdout?.destroy();
    late.reject(silenceOf(call));
  }, call.limitMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
    clearTimeout(told);
  }
}

/** Milliseconds without an answer after which a person hears of it. */
const SLOW_MS = 10_000;

type SlowCall = Pick<ProgramCall, 'program' | 'words' | 'folder'>;

/** Says that a program gives no answer yet; undefined: nobody hears it. */
let sayThatSlow: ((line: string) => void) | undefined;

/**
 * Until it is disposed of, a person hears which program gives no answer for ten seconds. The limit for git is two minutes, and nothing else
 * is said in this time.
 */
export function tellSlowPrograms(say: (line: string) => void): Disposable {
  const told = new Set<string>();
  sayThatSlow = (line) => {
    if (!told.has(line)) say(line);
    told.add(line);
  };
  return {
    [Symbol.dispose]: () => {
      sayThatSlow = undefined;
    },
  };
}

function tellWhenSlow({ program, folder }: SlowCall): NodeJS.Timeout {
  const where = folder === undefined ? '' : ` in ${folder}/`;
  // A blank behind the "/": see `program-silent` in failure.ts.
  const line = `waiting for "${program}"${where} to give an answer`;
  return setTimeout(() => sayThatSlow?.(line), SLOW_MS).unref();
}

function silenceOf({
  program,
  words,
  folder,
  limitMs,
}: Pick<ProgramCall, 'program' | 'words' | 'limitMs' | 'folder'>): JobFailure {
  const failure = new JobFailure({
    kind: 'program-silent',
    command: [program, ...words].join(' ').slice(0, LONGEST_COMMAND),
    seconds: limitMs / 1000,
    ...(folder === undefined ? {} : { folder }),
  });
  silent.set(program, { until: performance.now() + REST_MS, failure });
  return failure;
}

/** UTF-16 units of a command in a message. */
const LONGEST_COMMAND = 200;

function refuseSilent(program: string): void {
  const known = silent.get(program);
  if (known === undefined) return;
  if (performance.now() < known.until) throw known.failure;
  silent.delete(program);
}

/** Loaded at the first use: else every command would take 5 ms longer. */
function processes(): typeof import('node:child_process') {
  return process.getBuiltinModule('node:child_process');
}
