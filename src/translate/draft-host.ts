/** The drafts of a thread: opened, called and forgotten from the main thread, which has the memory. */
import type { StoredBaseline } from '../baseline.ts';
import type { RecipeKey } from '../job.ts';
import { limitFor, type Reading } from '../parsing/parser.ts';
import { TookTooLong, within } from '../parsing/within.ts';
import { TermIndex } from '../segments/terms.ts';
import { LockFiles } from '../state/lock-file.ts';
import { partsKey } from '../state/memories/parts.ts';
import type { Memory } from '../state/memory.ts';
import { type Draft, draftOf } from './draft.ts';
import {
  type Asked,
  type Callable,
  type DraftCall,
  type Found,
  type OpenedDraft,
  type Opening,
  type PackedTerms,
  type ToldDraft,
  unpackCase,
} from './draft-wire.ts';
import { decide, type Findings, gather, look, type Material } from './inspection.ts';
import type { TextCase } from './text-case.ts';
import { historyOf } from './text-history.ts';
import { PORTION } from './text-orders.ts';

interface OpeningDraft {
  readonly text: TextCase;
  readonly findings: Findings;
  readonly memory: AskedMemory;
}

const opening = new Map<number, OpeningDraft>();
const drafts = new Map<number, Draft>();
/** Baselines that were prepared: the main thread stores them. */
const written = new Map<number, Uint8Array>();
const indexes = new Map<number, TermIndex>();
const locks = new Map<string, LockFiles>();

export const open: Reading<OpenedDraft, Opening> = async ({ draft, text: packed, ...given }) => {
  const memory = new AskedMemory();
  const stored: StoredBaseline = {
    read: async () => given.stored,
    write: async (bytes) => void written.set(draft, bytes),
  };
  const text = unpackCase(packed, { memory, stored, indexOf, lock: lockIn });
  const gathered = await gather(text);
  const history = await historyInTime(text, gathered);
  const material = history === undefined ? gathered : { ...gathered, history };
  return () => {
    const findings = look(text, material);
    // Once to hear what the memory is asked for, and again when it is known.
    decide(text, findings);
    opening.set(draft, { text, findings, memory });
    return goOn(draft);
  };
};

/** Beside the reading itself, which has a limit of its own: what takes longer is not asked, and the reading says so. */
async function historyInTime(text: TextCase, material: Material): ReturnType<typeof historyOf> {
  const { source, target } = material;
  const ms = limitFor(source.bytes.byteLength + (target?.bytes.byteLength ?? 0));
  try {
    return await historyOf(text, material, (work) => within(ms, work));
  } catch (error) {
    if (error instanceof TookTooLong) return undefined;
    throw error;
  }
}

export const tell: Reading<ToldDraft, Opening> = async ({ draft, found }) => {
  return () => {
    opening.get(draft)?.memory.learn(found);
    return goOn(draft);
  };
};

export const call: Reading<DraftCall, unknown> = async ({ draft: id, method, args }) => {
  const draft = drafts.get(id) ?? notOpen(id);
  const act = (draft as Record<keyof Callable, (...args: readonly unknown[]) => unknown>)[method];
  return () => act(...args);
};

export const prepare: Reading<number, Uint8Array> = async (id) => {
  await (drafts.get(id) ?? notOpen(id)).prepare();
  const bytes = written.get(id) ?? notOpen(id);
  return () => bytes;
};

export const close: Reading<number, void> = async (draft) => {
  return () => {
    opening.delete(draft);
    drafts.delete(draft);
    written.delete(draft);
  };
};

function goOn(id: number): Opening {
  const { text, findings, memory } = opening.get(id) ?? notOpen(id);
  const asked = memory.ask(PORTION);
  if (asked.length > 0) return { kind: 'asks', asked };
  opening.delete(id);
  const draft = draftOf(text, findings);
  drafts.set(id, draft);
  return { kind: 'open', facts: draft.facts };
}

function notOpen(id: number): never {
  throw new Error(`draft ${id} is not open`);
}

/** Kept from draft to draft: a file of it is read again only when it changed. */
function lockIn(folder: string): LockFiles {
  const lock = locks.get(folder) ?? new LockFiles(folder);
  locks.set(folder, lock);
  return lock;
}

function indexOf({ number, entries }: PackedTerms): TermIndex {
  const known = indexes.get(number);
  if (known !== undefined) return known;
  if (entries === undefined) throw new Error(`terms ${number} are not on this thread`);
  const index = new TermIndex(entries);
  indexes.set(number, index);
  return index;
}

/** What the memory of the main thread says of the texts that were asked for; of others it knows nothing yet. */
class AskedMemory implements Memory {
  readonly #open = new Map<string, Asked>();
  readonly #found = new Map<string, Found>();
  #asked: readonly string[] = [];

  lookup(recipe: RecipeKey, parts: Asked['parts']): Found {
    const key = `${recipe}\n${partsKey(parts)}`;
    if (!this.#found.has(key)) this.#open.set(key, { recipe, parts });
    return this.#found.get(key);
  }

  /** @returns what is still to be asked, so much of it at a time */
  ask(most: number): Asked[] {
    const portion = [...this.#open.entries().take(most)];
    this.#asked = portion.map(([key]) => key);
    return portion.map(([, asked]) => asked);
  }

  /** @param found what was asked last, in its order */
  learn(found: readonly Found[]): void {
    for (const [index, key] of this.#asked.entries()) {
      this.#found.set(key, found[index]);
      this.#open.delete(key);
    }
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
