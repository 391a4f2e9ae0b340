/** The program of a thread: it answers the calls of the main thread, one after the other. */
import { parentPort } from 'node:worker_threads';
import { packError } from './packed-error.ts';
import type { FromThread, ToThread } from './thread.ts';
import type { ThreadCall } from './thread-call.ts';

/** @param calls all that may be called; each is loaded when it is first needed */
export function answerCalls(calls: readonly ThreadCall<never, unknown>[]): void {
  const known = new Map(calls.map((call) => [call.name, call]));
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (call: ToThread) => {
    last = last.then(() => answerCall(call, known.get(call.parser)));
  });
}

async function answerCall(
  { id, parser: name, input }: ToThread,
  parser: ThreadCall<never, unknown> | undefined,
): Promise<void> {
  try {
    if (parser === undefined) throw new Error(`no thread knows the parser ${name}`);
    const reading = await parser.load();
    const work = await reading(input as never);
    // The time limit of the main thread starts here.
    send({ kind: 'begun', id });
    const value = await work();
    send({ kind: 'done', id, value }, ownedBytes(value));
  } catch (error) {
    send({ kind: 'failed', id, error: packError(error) });
  }
}

function send(message: FromThread, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

/** Bytes of a result are transferred without a copy if they are alone in their buffer. */
function ownedBytes(value: unknown): ArrayBuffer[] {
  const content = (value as { content?: { bytes?: unknown } } | undefined)?.content;
  const bytes = value instanceof Uint8Array ? value : content?.bytes;
  const isAlone = bytes instanceof Uint8Array && bytes.byteLength === bytes.buffer.byteLength;
  return isAlone && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}
