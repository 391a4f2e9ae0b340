/** Memories in a folder: one flushed journal per project and language, held in memory while it is used. */
import { join } from 'node:path';
import { turnsOf } from '../../clock.ts';
import type { Listener } from '../../event.ts';
import { isAbsent, writeFailure } from '../../files/disk.ts';
import { makeFolder, PRIVATE } from '../../files/make-folder.ts';
import { replaceFile } from '../../files/replace.ts';
import type { LanguageTag } from '../../language.ts';
import { frame } from '../frame.ts';
import { Journal } from '../journal.ts';
import {
  type Asked,
  type Found,
  type Memories,
  type Memory,
  type MemoryOwner,
  memoryOf,
  type Remembered,
} from '../memory.ts';
import { type Replayed, readLines, replay } from '../replay.ts';
import { entriesOf, linesFor, type MemoryLine } from './line.ts';
import { decodeParts, partsKey } from './parts.ts';
import { Texts } from './texts.ts';

/** Milliseconds of looking up at a time: 100,000 texts take longer. */
const TURN_MS = 10;

/** It is held whole, so that its texts can be counted. */
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
}

/** All memories of a state folder, opened when they are first asked for. */
export class FolderMemories implements Memories {
  readonly #folder: string;
  readonly #forgetBefore: string;
  readonly #onEvent: Listener;
  readonly #open = new Map<string, Promise<JournaledMemory>>();
  /** Where a write failed: what the file holds is not trusted to be on the disk. */
  readonly #failed = new Set<string>();

  constructor({ folder, forgetBefore = '', onEvent = () => {} }: FolderMemoriesOptions) {
    this.#folder = folder;
    this.#forgetBefore = forgetBefore;
    this.#onEvent = onEvent;
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
  }

  async #load(path: string): Promise<JournaledMemory> {
    try {
      await makeFolder(join(path, '..'), PRIVATE);
      const texts = new Texts();
      let forgotten = 0;
      const found = await readIfPresent(path, (line) => {
        if (this.#isKept(line)) texts.add(line);
        else forgotten += line.texts.length;
      });
      const [damage] = found.damaged;
      if (damage) {
        const message = `${found.damaged.length} damaged places, the first at byte ${damage.offset}, were left out; what stood there is bought again if it is needed`;
        this.#onEvent({ kind: 'state-recovered', file: path, message });
      }
      const isToRewrite = forgotten > 0 || texts.isMostlySuperseded || this.#failed.has(path);
      const journal = isToRewrite
        ? await this.#rewrite(path, texts)
        : await Journal.open(path, found.end);
      return new JournaledMemory({ path, texts, journal }, () => this.#forget(path));
    } catch (error) {
      this.#open.delete(path);
      throw writeFailure(path, error);
    }
  }

  #isKept({ at }: MemoryLine): boolean {
    return at >= this.#forgetBefore;
  }

  async #rewrite(path: string, texts: Texts): Promise<Journal> {
    const content = compacted(readLines(path), texts, (line) => this.#isKept(line));
    const { size } = await replaceFile({
      path,
      root: this.#folder,
      tempIn: this.#folder,
      content,
      mode: 0o600,
    });
    this.#failed.delete(path);
    return Journal.open(path, size);
  }

  #forget(path: string): void {
    this.#open.delete(path);
    this.#failed.add(path);
  }
}

class JournaledMemory implements SizedMemory {
  readonly #path: string;
  readonly #texts: Texts;
  readonly #journal: Journal;
  readonly #onFailure: () => void;
  #isGivenUp = false;

  constructor(
    { path, texts, journal }: { path: string; texts: Texts; journal: Journal },
    onFailure: () => void,
  ) {
    this.#path = path;
    this.#texts = texts;
    this.#journal = journal;
    this.#onFailure = onFailure;
  }

  get size(): number {
    return this.#texts.size;
  }

  async find(asked: readonly Asked[]): Promise<readonly Found[]> {
    const found: Found[] = [];
    const turns = turnsOf(TURN_MS);
    for (const { recipe, parts } of asked) {
      if (turns.over()) await turns.next();
      const encoded = this.#texts.get(recipe, partsKey(parts));
      found.push(encoded === undefined ? undefined : decodeParts(encoded));
    }
    return found;
  }

  async remember(entries: readonly Remembered[]): Promise<void> {
    const lines = linesFor(entries);
    try {
      const durable = lines.map((line) => this.#journal.append(JSON.stringify(line)));
      for (const line of lines) this.#texts.add(line);
      await Promise.all(durable);
    } catch (error) {
      await this.#giveUp();
      throw error;
    }
  }

  async holdsAnswerTo(request: string): Promise<boolean> {
    return this.#texts.requests.has(request);
  }

  async *entries(): AsyncIterable<Remembered> {
    await this.#journal.flushed();
    for await (const lines of readLines(this.#path)) {
      for (const json of lines) yield* entriesOf(JSON.parse(json) as MemoryLine);
    }
  }

  close(): Promise<void> {
    return this.#journal[Symbol.asyncDispose]();
  }

  // Whoever opens the memory next reads what the file really holds.
  async #giveUp(): Promise<void> {
    if (this.#isGivenUp) return;
    this.#isGivenUp = true;
    this.#onFailure();
    await this.close();
  }
}

async function readIfPresent(path: string, visit: (line: MemoryLine) => void): Promise<Replayed> {
  try {
    return await replay(path, (json) => visit(JSON.parse(json) as MemoryLine));
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

/**
 * @param lines of the journal as it is
 * @param texts what those that are kept say in the end
 * @param isKept says it of a line
 * @returns the bytes of the new journal; of the lines that are kept no request is forgotten, for recovery asks which ones
 * were answered
 */
async function* compacted(
  lines: AsyncGenerator<readonly string[], Replayed>,
  texts: Texts,
  isKept: (line: MemoryLine) => boolean,
): AsyncGenerator<Buffer> {
  const kept = new Texts();
  let offset = 0;
  for await (const batch of lines) {
    for (const json of batch) {
      const line = JSON.parse(json) as MemoryLine;
      if (!isKept(line)) continue;
      const current = { ...line, texts: line.texts.filter((text) => isCurrent(line, text)) };
      kept.add(current);
      const bytes = Buffer.from(frame(JSON.stringify(current), offset));
      offset += bytes.length;
      yield bytes;
    }
  }

  function isCurrent({ recipe }: MemoryLine, [source, translation]: readonly [string, string]) {
    return texts.get(recipe, source) === translation && kept.get(recipe, source) === undefined;
  }
}
