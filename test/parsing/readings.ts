/** Parsers for the tests of the threads: they run here and on threads, like those of files. */
import { JobFailure } from '../../src/failure.ts';
import type { ThreadCall, ThreadWork } from '../../src/parsing/thread-call.ts';

function named<I, O>(name: string, reading: ThreadWork<I, O>): ThreadCall<I, O> {
  return { name, load: async () => reading };
}

export const DEEP = named('deep', deep);
export const ECHO = named('echo', echo);
export const HANG = named('hang', hang);
export const REFUSE = named('refuse', refuse);
export const WAIT = named('wait', waitFor);
export const FILL = named('fill', fill);
export const SPIN = named('spin', spin);
export const STAND = named('stand', stand);
export const NEXT = named('next', next);

async function echo(text: string): Promise<() => string> {
  return () => text;
}

/** One of each kind of computation that no `catch` and no signal ends. */
async function hang(how: 'loop' | 'expression'): Promise<() => boolean> {
  return () => {
    if (how === 'expression') return /^(?:a+)+$/.test(`${'a'.repeat(60)}b`);
    for (;;);
  };
}

async function refuse(file: string): Promise<() => never> {
  return () => {
    throw new JobFailure({ kind: 'malformed', where: { file, line: 7 }, message: 'no' });
  };
}

/** The time of a slow disk does not count. */
async function waitFor(ms: number): Promise<() => number> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return () => ms;
}

async function fill(megabytes: number): Promise<() => number> {
  return () => {
    const texts: string[][] = [];
    while (texts.length < megabytes) texts.push(Array.from({ length: 130_000 }, String));
    return texts.length;
  };
}

/** Computes for the given time, also on a busy machine. */
async function spin(ms: number): Promise<() => number> {
  return () => {
    const end = performance.now() + ms;
    while (performance.now() < end);
    return ms;
  };
}

/** Computes nothing meanwhile, as on a machine that is busy with other things. */
async function stand(ms: number): Promise<() => number> {
  return () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return ms;
  };
}

/** Walks into parts of parts without end, as some libraries do. */
async function deep(how: 'as it is' | 'in a failure'): Promise<() => number> {
  const walk = (level: number): number => walk(level + 1) + 1;
  return () => {
    try {
      return walk(0);
    } catch (error) {
      if (how === 'as it is') throw error;
      const { message } = error as Error;
      throw new JobFailure({ kind: 'malformed', where: { file: 'a.json5' }, message });
    }
  };
}

let count = 0;

async function next(_: null): Promise<() => number> {
  return () => ++count;
}
