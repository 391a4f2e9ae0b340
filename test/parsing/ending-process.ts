/** A process that has nothing to wait for but the end of its threads. */
import { ParserThreads } from '../../src/parsing/threads.ts';
import { ECHO } from './readings.ts';

const program = new URL('./readings-process.ts', import.meta.url);
const threads = new ParserThreads({ program });
const subject = { file: 'a.json', bytes: 10 };
await threads.run(ECHO, 'a', subject);
// Answered, and not heard before the thread is ending.
void threads.run(ECHO, 'b', subject).catch(() => {});
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
await threads.end();
console.log('ended');
