/**
 * Threads that modules of src start in tests run the bundle, like the threads of users. Otherwise Node would read some 200 files of src
 * for each thread and strip their types, which takes ten times as long as most tests.
 */
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import threads, { type WorkerOptions } from 'node:worker_threads';
import { BUILT } from './main.ts';

const SRC = join(import.meta.dirname, '..', 'src');
const { Worker } = threads;

class BuiltWorker extends Worker {
  constructor(program: string | URL, options?: WorkerOptions) {
    super(builtOf(program), options);
  }
}

// Files that share a worker of vitest come by here one after the other.
if (BUILT !== undefined && Worker.name !== BuiltWorker.name) {
  threads.Worker = BuiltWorker;
  syncBuiltinESMExports();
}

function builtOf(program: string | URL): string | URL {
  if (BUILT === undefined || !(program instanceof URL)) return program;
  const file = relative(SRC, fileURLToPath(program));
  return file.startsWith('..') ? program : join(BUILT, file.replace(/\.ts$/, '.js'));
}
