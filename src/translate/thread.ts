/** A thread of drafts: opens them, answers their calls, and asks the main thread what the memory holds. Started by `drafts.ts`. */
import '../builtins.ts';
import { parentPort } from 'node:worker_threads';
import type { StoredBaseline } from '../baseline.ts';
import type { RecipeKey } from '../job.ts';
import { LockFiles } from '../state/lock-file.ts';
import { partsKey } from '../state/memories/parts.ts';
import type { Memory } from '../state/memory.ts';
import { type Draft, draftOf, PORTION } from './draft.ts';
import {
  type Asked,
  type Callable,
  type Found,
  type FromThread,
  type Packed,
  packError,
  type Question,
  type ToThread,
  unpackCase,
  unpackError,
} from './draft-wire.ts';
import { decide, look } from './inspection.ts';

if (parentPort === null) throw new Error('this file is a thread, not a program');
const port = parentPort;
const drafts = new Map<number, Draft>();
const questions = new Map<number, PromiseWithResolvers<unknown>>();
const locks = new Map<string, LockFiles>();
let asked = 0;

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'open':
      reply(message.call, open(message.draft, message.text));
      break;
    case 'call':
      reply(message.call, call(message));
      break;
    case 'close':
      drafts.delete(message.draft);
      break;
    case 'known':
      take(message.question)?.resolve(message.value);
      break;
    case 'refused':
      take(message.question)?.reject(unpackError(message.error));
      break;
  }
});

function reply(call: number, work: Promise<unknown>): void {
  work.then(
    (value) => send({ kind: 'done', call, value }, ownedBytes(value)),
    (error: unknown) => send({ kind: 'failed', call, error: packError(error) }),
  );
}

function send(message: FromThread, transfer: readonly ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

async function open(id: number, packed: Packed): Promise<Draft['facts']> {
  const memory = new AskedMemory((asked) => ask(id, { kind: 'memory', asked }));
  const stored: StoredBaseline = {
    read: () => ask(id, { kind: 'read-baseline' }),
    write: (bytes) => ask(id, { kind: 'write-baseline', bytes }, ownedMemory(bytes)),
  };
  const text = unpackCase(packed, { memory, stored, lock: lockIn });
  const findings = await look(text);
  // Once to hear what the memory is asked for, and again when it is known.
  decide(text, findings);
  await memory.fill();
  const draft = draftOf(text, findings);
  drafts.set(id, draft);
  return draft.facts;
}

async function call({ draft: id, method, args }: Extract<ToThread, { kind: 'call' }>) {
  const draft = drafts.get(id);
  if (draft === undefined) throw new Error(`draft ${id} is not open`);
  return await (draft as Record<keyof Callable, (...args: readonly unknown[]) => unknown>)[method](
    ...args,
  );
}

/** Kept from draft to draft: a file of it is read again only when it changed. */
function lockIn(folder: string): LockFiles {
  const lock = locks.get(folder) ?? new LockFiles(folder);
  locks.set(folder, lock);
  return lock;
}

function ask<T>(draft: number, about: Question, transfer: readonly ArrayBuffer[] = []): Promise<T> {
  const answer = Promise.withResolvers<unknown>();
  const question = ++asked;
  questions.set(question, answer);
  send({ kind: 'ask', question, draft, about }, transfer);
  return answer.promise as Promise<T>;
}

function take(question: number): PromiseWithResolvers<unknown> | undefined {
  const answer = questions.get(question);
  questions.delete(question);
  return answer;
}

/** The bytes of a finished target. */
function ownedBytes(value: unknown): ArrayBuffer[] {
  return ownedMemory((value as { content?: { bytes: Uint8Array } } | undefined)?.content?.bytes);
}

/** What goes over without a copy: bytes that are alone in their memory. */
function ownedMemory(bytes: Uint8Array | undefined): ArrayBuffer[] {
  const isAlone = bytes !== undefined && bytes.byteLength === bytes.buffer.byteLength;
  return isAlone && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}

/** What the memory of the main thread says of the texts that were asked for; of others it knows nothing yet. */
class AskedMemory implements Memory {
  readonly #ask: (texts: readonly Asked[]) => Promise<readonly Found[]>;
  readonly #open = new Map<string, Asked>();
  readonly #found = new Map<string, Found>();

  constructor(ask: (texts: readonly Asked[]) => Promise<readonly Found[]>) {
    this.#ask = ask;
  }

  lookup(recipe: RecipeKey, parts: Asked['parts']): Found {
    const key = `${recipe}\n${partsKey(parts)}`;
    if (!this.#found.has(key)) this.#open.set(key, { recipe, parts });
    return this.#found.get(key);
  }

  async fill(): Promise<void> {
    const open = [...this.#open];
    for (let from = 0; from < open.length; from += PORTION) {
      const portion = open.slice(from, from + PORTION);
      const found = await this.#ask(portion.map(([, text]) => text));
      for (const [index, [key]] of portion.entries()) this.#found.set(key, found[index]);
    }
    this.#open.clear();
  }

  async remember(): Promise<void> {
    throw new Error('only the main thread remembers');
  }

  holdsAnswerTo(): boolean {
    return false;
  }

  async *entries() {}

  readonly size = 0;
}
