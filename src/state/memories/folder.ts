/** Memories in a folder: one flushed journal per project and language; while it is used, where its texts are is held in memory. */
import { join } from 'node:path';
import { turnsOf } from '../../clock.ts';
import type { Listener } from '../../event.ts';
import { isAbsent, writeFailure } from '../../files/disk.ts';
import { makeFolder, PRIVATE } from '../../files/make-folder.ts';
import { replaceFile } from '../../files/replace.ts';
import type { RecipeKey } from '../../job.ts';
import type { LanguageTag } from '../../language.ts';
import { frame } from '../frame.ts';
import { Journal } from '../journal.ts';
import {
  type AskedText,
  type Found,
  type Memories,
  type Memory,
  type MemoryOwner,
  memoryOf,
  type Remembered,
} from '../memory.ts';
import { type JournalLine, type Replayed, readLines, replay } from '../replay.ts';
import { type HeldLine, HeldLines } from './held-lines.ts';
import { entriesOf, linesFor, type MemoryLine } from './line.ts';
import { decodeParts, partsKey } from './parts.ts';
import { RememberedTexts } from './texts.ts';

/** Milliseconds of looking up at a time: 100,000 texts take longer. */
const TURN_MS = 10;

/** It knows all of its texts, so that they can be counted. */
export interface SizedMemory extends Memory {
  readonly size: number;
}

export interface FolderMemoriesOptions {
  /** Absolute; made with mode 0700 when the first memory is opened. */
  readonly folder: string;
  /** ISO 8601: what was bought before is forgotten when a memory is opened; absent: nothing is. */
  readonly forgetBefore?: string;
  /** Hears `state-recovered` when lines of a memory cannot be read any more. */
  readonly onEvent?: Listener;
  /** Characters of lines that are held, of all memories together; absent: what a common project has. */
  readonly held?: number;
}

/** All memories of a state folder, opened when they are first asked for. */
export class FolderMemories implements Memories {
  readonly #folder: string;
  readonly #forgetBefore: string;
  readonly #onEvent: Listener;
  readonly #open = new Map<string, Promise<JournaledMemory>>();
  readonly #held: HeldLines;
  /** Where a write failed: what the file holds is not trusted to be on the disk. */
  readonly #failed = new Set<string>();
  /** What they were until then: who has one still reads in it. */
  readonly #givenUp: JournaledMemory[] = [];

  constructor({ folder, forgetBefore = '', onEvent = () => {}, held }: FolderMemoriesOptions) {
    this.#folder = folder;
    this.#forgetBefore = forgetBefore;
    this.#onEvent = onEvent;
    this.#held = new HeldLines(held);
  }

  /** @throws JobFailure `unreadable`, `unwritable`, `disk-full` */
  open(project: string, language: LanguageTag): Promise<SizedMemory> {
    const path = join(this.#folder, folderName(project), `${language}.journal`);
    const open = this.#open.get(path) ?? this.#load(path);
    this.#open.set(path, open);
    return open;
  }

  of(owner: MemoryOwner): Promise<Memory> {
    return memoryOf(this, owner);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const memories = await Promise.allSettled(this.#open.values());
    for (const memory of memories) {
      if (memory.status === 'fulfilled') await memory.value.close();
    }
    for (const memory of this.#givenUp) await memory.close();
  }

  async #load(path: string): Promise<JournaledMemory> {
    try {
      await makeFolder(join(path, '..'), PRIVATE);
      const texts = new RememberedTexts(this.#held);
      let forgotten = 0;
      const found = await readIfPresent(path, (json, offset) => {
        const line = JSON.parse(json) as MemoryLine;
        if (this.#isKept(line)) texts.add(line, { offset, json });
        else forgotten += line.texts.length;
      });
      const [damage] = found.damaged;
      if (damage) {
        const message = `${found.damaged.length} damaged places, the first at byte ${damage.offset}, were left out; what stood there is bought again if it is needed`;
        this.#onEvent({ kind: 'state-recovered', file: path, message });
      }
      const isToRewrite = forgotten > 0 || texts.isMostlySuperseded || this.#failed.has(path);
      const kept = isToRewrite
        ? await this.#rewrite(path, texts)
        : { texts, journal: await Journal.open(path, found.end) };
      return new JournaledMemory({ path, ...kept }, (memory) => this.#forget(path, memory));
    } catch (error) {
      this.#open.delete(path);
      throw writeFailure(path, error);
    }
  }

  #isKept({ at }: MemoryLine): boolean {
    return at >= this.#forgetBefore;
  }

  async #rewrite(
    path: string,
    texts: RememberedTexts,
  ): Promise<{ texts: RememberedTexts; journal: Journal }> {
    const kept = new RememberedTexts(this.#held);
    const isKept = (line: MemoryLine) => this.#isKept(line);
    const content = compacted(readLines(path), { texts, kept, isKept });
    const { size } = await replaceFile({
      path,
      root: this.#folder,
      tempIn: this.#folder,
      content,
      mode: 0o600,
    });
    this.#failed.delete(path);
    return { texts: kept, journal: await Journal.open(path, size) };
  }

  #forget(path: string, memory: JournaledMemory): void {
    this.#open.delete(path);
    this.#failed.add(path);
    this.#givenUp.push(memory);
  }
}

class JournaledMemory implements SizedMemory {
  readonly #path: string;
  readonly #texts: RememberedTexts;
  readonly #journal: Journal;
  readonly #onFailure: (memory: JournaledMemory) => void;
  #isGivenUp = false;

  constructor(
    { path, texts, journal }: { path: string; texts: RememberedTexts; journal: Journal },
    onFailure: (memory: JournaledMemory) => void,
  ) {
    this.#path = path;
    this.#texts = texts;
    this.#journal = journal;
    this.#onFailure = onFailure;
  }

  get size(): number {
    return this.#texts.size;
  }

  async find(asked: readonly AskedText[]): Promise<readonly Found[]> {
    const found = new Array<Found>(asked.length);
    const unread = new Map<number, Sought[]>();
    const turns = turnsOf(TURN_MS);
    for (const [index, { recipe, parts }] of asked.entries()) {
      if (turns.over()) await turns.next();
      const sought = { index, recipe, source: partsKey(parts) };
      const place = this.#texts.find(recipe, sought.source);
      if (typeof place === 'number') listIn(unread, place).push(sought);
      else found[index] = foundIn(place, sought);
    }
    // In the order of the file, and each line once: texts of one file were bought together.
    for (const [offset, all] of [...unread].sort(([a], [b]) => a - b)) {
      const line = await this.#lineAt(offset);
      for (const sought of all) found[sought.index] = foundIn(line, sought);
      if (turns.over()) await turns.next();
    }
    return found;
  }

  async remember(entries: readonly Remembered[]): Promise<void> {
    try {
      const durable = linesFor(entries).map((line) => {
        const json = JSON.stringify(line);
        const pending = this.#texts.addPending(line, json);
        return this.#journal.append(json, (offset) => pending.placed(offset));
      });
      await Promise.all(durable);
    } catch (error) {
      this.#giveUp();
      throw error;
    }
  }

  async holdsAnswerTo(request: string): Promise<boolean> {
    return this.#texts.requests.has(request);
  }

  async *entries(): AsyncIterable<Remembered> {
    await this.#journal.flushed();
    for await (const lines of readLines(this.#path)) {
      for (const { json } of lines) yield* entriesOf(JSON.parse(json) as MemoryLine);
    }
  }

  close(): Promise<void> {
    return this.#journal[Symbol.asyncDispose]();
  }

  /** Undefined where it was damaged since it was read: what stood there is bought again. */
  async #lineAt(offset: number): Promise<HeldLine | undefined> {
    const json = await this.#journal.lineAt(offset);
    if (json === undefined) return;
    return this.#texts.hold(JSON.parse(json) as MemoryLine, { offset, json });
  }

  // Whoever opens the memory next reads what the file really holds.
  #giveUp(): void {
    if (this.#isGivenUp) return;
    this.#isGivenUp = true;
    this.#onFailure(this);
  }
}

/** A text that is asked for. */
interface Sought {
  /** Which of all. */
  readonly index: number;
  readonly recipe: RecipeKey;
  readonly source: string;
}

function foundIn(line: HeldLine | undefined, { recipe, source }: Sought): Found {
  const encoded = line?.translationOf(recipe, source);
  return encoded === undefined ? undefined : decodeParts(encoded);
}

function listIn<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

async function readIfPresent(
  path: string,
  visit: (json: string, offset: number) => void,
): Promise<Replayed> {
  try {
    return await replay(path, visit);
  } catch (error) {
    if (isAbsent(error)) return { lines: 0, end: 0, torn: 0, damaged: [] };
    throw error;
  }
}

/** A project's name as a folder's: without separators, and never `.` or `..`. */
export function folderName(project: string): string {
  return encodeURIComponent(project).replace(/^\./, '%2E');
}

// A memory's journal without the translations that later ones superseded, or that are older than they are kept.

interface Compaction {
  /** What the journal as it is says in the end. */
  readonly texts: RememberedTexts;
  /** Gets what the new one says. */
  readonly kept: RememberedTexts;
  isKept(line: MemoryLine): boolean;
}

/**
 * @param lines of the journal as it is
 * @returns the bytes of the new journal; of the lines that are kept no request is forgotten, for recovery asks which ones
 * were answered
 */
async function* compacted(
  lines: AsyncGenerator<readonly JournalLine[], Replayed>,
  { texts, kept, isKept }: Compaction,
): AsyncGenerator<Buffer> {
  let offset = 0;
  for await (const batch of lines) {
    for (const before of batch) {
      const line = JSON.parse(before.json) as MemoryLine;
      if (!isKept(line)) continue;
      const isLast = (source: string) => texts.isLast(before.offset, line.recipe, source);
      const last = [...new Map(line.texts)].filter(([source]) => isLast(source));
      if (last.length === 0 && kept.requests.has(line.request)) continue;
      const current = { ...line, texts: last };
      const json = JSON.stringify(current);
      kept.add(current, { offset, json });
      const bytes = Buffer.from(frame(json, offset));
      offset += bytes.length;
      yield bytes;
    }
  }
}
