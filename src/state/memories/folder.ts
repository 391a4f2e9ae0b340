/** Memories in a folder: one flushed journal per project and language. While a memory is open, an index of its texts is in RAM. */
import { join } from 'node:path';
import { turnsOf } from '../../clock.ts';
import type { Listener } from '../../event.ts';
import { statOf, unlessAbsent, writeFailure } from '../../files/disk.ts';
import { makeFolder, PRIVATE } from '../../files/make-folder.ts';
import { replaceFile } from '../../files/replace.ts';
import type { LanguageTag } from '../../language.ts';
import { Journal } from '../journal.ts';
import { journalLine } from '../journal-line.ts';
import {
  type AskedText,
  fitting,
  type KnownTranslation,
  type Memories,
  type Memory,
  type MemoryOwner,
  memoryOf,
  type Remembered,
} from '../memory.ts';
import { type JournalLine, type Replayed, readLines, replay } from '../replay.ts';
import { type HeldLine, HeldLines } from './held-lines.ts';
import { linesFor, type MemoryLine, rememberedInLine } from './line.ts';
import { partsFromField, partsKey } from './parts.ts';
import { RememberedTexts } from './texts.ts';

/** Milliseconds of a turn: to look up 100,000 texts takes longer. */
const TURN_MS = 10;

/** A memory with the number of its texts. */
export interface SizedMemory extends Memory {
  readonly size: number;
}

export interface FolderMemoriesOptions {
  /** Absolute; made with mode 0700 when the first memory is opened. */
  readonly folder: string;
  /** ISO 8601: texts that were bought earlier are forgotten when a memory is opened; absent: none are. */
  readonly forgetBefore?: string;
  /** Called with `state-recovered` when lines of a memory cannot be read any more. */
  readonly onEvent?: Listener;
  /** Characters of the lines that are kept in RAM, for all memories together; absent: enough for a common project. */
  readonly held?: number;
}

/** All memories of a state folder. Each one is opened at its first use. */
export class FolderMemories implements Memories {
  readonly #folder: string;
  readonly #forgetBefore: string;
  readonly #onEvent: Listener;
  readonly #open = new Map<string, Promise<JournaledMemory>>();
  readonly #held: HeldLines;
  /** Paths where a write failed: their content may not be on the disk, so they are written again when they are opened. */
  readonly #failed = new Set<string>();
  /** The memories that were open then: their users still read them. */
  readonly #givenUp: JournaledMemory[] = [];

  constructor({ folder, forgetBefore = '', onEvent = () => {}, held }: FolderMemoriesOptions) {
    this.#folder = folder;
    this.#forgetBefore = forgetBefore;
    this.#onEvent = onEvent;
    this.#held = new HeldLines(held);
  }

  /** @throws JobFailure `unreadable`, `unwritable`, `disk-full` */
  open(project: string, language: LanguageTag): Promise<SizedMemory> {
    const path = journalPath(this.#folder, project, language);
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
        const message = `${found.damaged.length} damaged places, the first at byte ${damage.offset}, were left out; the texts in them are bought again if they are needed`;
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

/** Reads a memory, also while another process writes it. @param folder absolute; it may not exist */
export function memoryReader(
  folder: string,
  project: string,
  language: LanguageTag,
): Pick<Memory, 'entries'> {
  return { entries: () => entriesIn(journalPath(folder, project, language)) };
}

async function* entriesIn(path: string): AsyncGenerator<Remembered> {
  if ((await statOf(path)) === undefined) return;
  for await (const lines of readLines(path)) {
    for (const { json } of lines) yield* rememberedInLine(JSON.parse(json) as MemoryLine);
  }
}

function journalPath(folder: string, project: string, language: LanguageTag): string {
  return join(folder, folderName(project), `${language}.journal`);
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

  async find(asked: readonly AskedText[]): Promise<readonly KnownTranslation[]> {
    const found = new Array<KnownTranslation>(asked.length);
    const unread = new Map<number, SoughtText[]>();
    const turns = turnsOf(TURN_MS);
    for (const [index, text] of asked.entries()) {
      if (turns.over()) await turns.next();
      const sought = { index, text, source: partsKey(text.parts) };
      const place = this.#texts.find(text.recipe, sought.source);
      if (typeof place === 'number') listIn(unread, place).push(sought);
      else found[index] = foundIn(place, sought);
    }
    // In the order of the file, and each line once: texts of one file were bought together.
    for (const [offset, all] of [...unread].sort(([a], [b]) => a - b)) {
      const line = await this.#lineAt(offset);
      for (const sought of all) {
        found[sought.index] = foundIn(line, sought);
        if (turns.over()) await turns.next();
      }
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

  recipes(): Iterable<string> {
    return this.#texts.recipes;
  }

  async *entries(): AsyncIterable<Remembered> {
    await this.#journal.flushed();
    yield* entriesIn(this.#path);
  }

  close(): Promise<void> {
    return this.#journal[Symbol.asyncDispose]();
  }

  /** Undefined when the line was damaged since the start: its texts are bought again. */
  async #lineAt(offset: number): Promise<HeldLine | undefined> {
    const json = await this.#journal.lineAt(offset);
    if (json === undefined) return;
    return this.#texts.hold(JSON.parse(json) as MemoryLine, { offset, json });
  }

  // The next `open` reads what the file really has.
  #giveUp(): void {
    if (this.#isGivenUp) return;
    this.#isGivenUp = true;
    this.#onFailure(this);
  }
}

/** A text to find. */
interface SoughtText {
  /** Its index among all asked texts. */
  readonly index: number;
  readonly text: AskedText;
  readonly source: string;
}

function foundIn(line: HeldLine | undefined, { text, source }: SoughtText): KnownTranslation {
  const encoded = line?.translationOf(text.recipe, source);
  return encoded === undefined ? undefined : fitting(partsFromField(encoded), text);
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
  const found = await unlessAbsent(replay(path, visit));
  return found ?? { lines: 0, end: 0, torn: 0, damaged: [] };
}

/** The name of a project as the name of a folder: without separators, and never `.` or `..`. */
export function folderName(project: string): string {
  return encodeURIComponent(project).replace(/^\./, '%2E');
}

/** The project of a folder, see `folderName`. */
export function projectOfFolder(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Rewrites a journal without translations that later ones replaced, or that are too old. */
interface Compaction {
  /** The texts of the old journal. */
  readonly texts: RememberedTexts;
  /** Gets the texts of the new journal. */
  readonly kept: RememberedTexts;
  isKept(line: MemoryLine): boolean;
}

/**
 * @param lines of the old journal
 * @returns the bytes of the new journal. It has all requests of the kept lines, because recovery asks which requests were answered
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
      const bytes = Buffer.from(journalLine(json, offset));
      offset += bytes.length;
      yield bytes;
    }
  }
}
