/** The memory contract: translations already paid for, found by text and recipe. */
import type { Part } from '../format.ts';
import type { RecipeKey } from '../job.ts';
import type { LanguageTag } from '../language.ts';

/** One translation that was paid for. */
export interface Remembered {
  readonly recipe: RecipeKey;
  readonly source: readonly Part[];
  readonly translation: readonly Part[];
  /** Id of the request that bought it. */
  readonly request: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A text that somebody looks for. */
export interface AskedText {
  readonly recipe: RecipeKey;
  readonly parts: readonly Part[];
}

/** Its translation; undefined when it was never bought. */
export type Found = readonly Part[] | undefined;

/** The memory of one project and language. */
export interface Memory {
  /** @returns for each text, in order, the translation that was bought last for it and its recipe */
  find(texts: readonly AskedText[]): Promise<readonly Found[]>;
  /** The same for who names a price and buys nothing: where it cannot be asked now, nothing is known. Absent: `find` always answers. */
  look?(texts: readonly AskedText[]): Promise<readonly Found[]>;
  /** Found at once, durable when it resolves. @throws JobFailure `unwritable`, `disk-full` */
  remember(entries: readonly Remembered[]): Promise<void>;
  /** Whether the answer to a request was remembered: after a crash, whether it came. */
  holdsAnswerTo(request: string): Promise<boolean>;
  /** Everything that was ever bought and is kept, oldest first. */
  entries(): AsyncIterable<Remembered>;
}

/** Knows nothing: the memory is another thread's or another process's. */
export const NO_MEMORY: Memory = {
  find: async (texts) => texts.map(() => undefined),
  async remember() {
    throw new Error('there is no memory here');
  },
  holdsAnswerTo: async () => false,
  async *entries() {},
};

/** A memory as it is for who only looks. */
export function lookedAt(memory: Memory): Memory {
  return memory.look === undefined
    ? memory
    : { ...NO_MEMORY, find: async (texts) => (await memory.look?.(texts)) ?? [] };
}

/** Whose texts are asked for: a recipe. */
export interface MemoryOwner {
  readonly project: string;
  readonly key: RecipeKey;
  readonly target: LanguageTag;
  readonly shared?: { readonly key: RecipeKey; readonly target: LanguageTag };
}

/** All memories of a state. */
export interface Memories extends AsyncDisposable {
  /** @throws JobFailure `unreadable`, `unwritable`, `disk-full` */
  open(project: string, language: LanguageTag): Promise<Memory>;
  /** The memory of a recipe's texts: of two languages, where they share them. */
  of(owner: MemoryOwner): Promise<Memory>;
}

/** How a memory is found by a recipe, whatever keeps it. */
export async function memoryOf(
  memories: Pick<Memories, 'open'>,
  { project, key, target, shared }: MemoryOwner,
): Promise<Memory> {
  const own = await memories.open(project, target);
  if (shared === undefined) return own;
  const other = await memories.open(project, shared.target);
  return sharedMemory(own, other, { own: key, shared: shared.key });
}

/** The keys under which a memory is asked, where two languages share what is bought. */
interface Sharing {
  readonly own: RecipeKey;
  readonly shared: RecipeKey;
}

/** What was remembered in the language's own name comes first: an imported translation of the variant, or what an older version bought. */
function sharedMemory(own: Memory, shared: Memory, keys: Sharing): Memory {
  const findIn = async (
    [ownOne, sharedOne]: readonly [Memory, Memory],
    texts: readonly AskedText[],
  ): Promise<readonly Found[]> => {
    const inOwnName = texts.map(({ recipe, parts }) => ({
      recipe: recipe.replace(keys.shared, keys.own) as RecipeKey,
      parts,
    }));
    const [first, second] = await Promise.all([ownOne.find(inOwnName), sharedOne.find(texts)]);
    return first.map((found, index) => found ?? second[index]);
  };
  return {
    find: (texts) => findIn([own, shared], texts),
    look: (texts) => findIn([lookedAt(own), lookedAt(shared)], texts),
    remember: (entries) => shared.remember(entries),
    holdsAnswerTo: (request) => shared.holdsAnswerTo(request),
    entries: () => shared.entries(),
  };
}
