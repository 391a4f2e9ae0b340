/** The contract of the memory: paid translations, found by text and recipe. */
import type { Part } from '../format.ts';
import type { RecipeKey } from '../job.ts';
import type { LanguageTag } from '../language.ts';

/** One paid translation. */
export interface Remembered {
  readonly recipe: RecipeKey;
  readonly source: readonly Part[];
  readonly translation: readonly Part[];
  /** Id of the request that bought it. */
  readonly request: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A text to find. */
export interface AskedText {
  readonly recipe: RecipeKey;
  readonly parts: readonly Part[];
  /**
   * Whether a translation can be used for this text; absent: every translation can. The memory finds a text by its characters, and the same
   * characters may be a placeholder in one format and words in another one.
   */
  fits?(translation: readonly Part[]): boolean;
  /** Asked about what other projects bought: to know a text of ours in a target, never to use it. */
  readonly isOfOthers?: true;
}

/** Its translation; undefined when it was never bought, or when the translation does not fit. */
export type KnownTranslation = readonly Part[] | undefined;

/** The remembered translation if the text can use it: every memory and every till decides by this. */
export function fitting(found: KnownTranslation, asked: AskedText): KnownTranslation {
  return found === undefined || asked.fits?.(found) === false ? undefined : found;
}

/** The memory of one project and language. */
export interface Memory {
  /** @returns for each text, in order, the translation that was bought last for the text and its recipe */
  find(texts: readonly AskedText[]): Promise<readonly KnownTranslation[]>;
  /** The same for an estimate, which buys nothing: when the memory cannot be asked now, nothing is found. Absent: use `find`. */
  findFree?(texts: readonly AskedText[]): Promise<readonly KnownTranslation[]>;
  /** `find` finds the entries at once; they are durable when it resolves. @throws JobFailure `unwritable`, `disk-full` */
  remember(entries: readonly Remembered[]): Promise<void>;
  /** Whether the answer to a request is in the memory: shows after a crash whether the answer came. */
  holdsAnswerTo(request: string): Promise<boolean>;
  /** The recipes of its texts, without scopes. Absent: they are not known here. */
  recipes?(): Iterable<string>;
  /** All entries, oldest first. */
  entries(): AsyncIterable<Remembered>;
}

/** Answers from the memory of a project, and for texts `isOfOthers` from those of other projects. */
export function findsInOthers(own: Memory, others: () => Promise<readonly Memory[]>): Memory {
  const findInOthers = async (texts: readonly AskedText[]) => {
    let found = texts.map((): KnownTranslation => undefined);
    for (const other of await others()) {
      const more = await other.find(texts);
      found = found.map((known, index) => known ?? more[index]);
    }
    return found;
  };
  return {
    ...(own.findFree && { findFree: own.findFree.bind(own) }),
    remember: (entries) => own.remember(entries),
    holdsAnswerTo: (request) => own.holdsAnswerTo(request),
    entries: () => own.entries(),
    async find(texts) {
      const answers = new Map<AskedText, KnownTranslation>();
      const groups = Map.groupBy(texts, ({ isOfOthers = false }) => isOfOthers);
      for (const [isOfOthers, some] of groups) {
        const found = await (isOfOthers ? findInOthers(some) : own.find(some));
        for (const [index, asked] of some.entries()) answers.set(asked, found[index]);
      }
      return texts.map((asked) => answers.get(asked));
    },
  };
}

/** An empty memory: for a thread or process that has none. */
export const NO_MEMORY: Memory = {
  find: async (texts) => texts.map(() => undefined),
  async remember() {
    throw new Error('there is no memory here');
  },
  holdsAnswerTo: async () => false,
  async *entries() {},
};

/** A memory whose `find` is `findFree`, and that remembers nothing. */
export function lookedAt(memory: Memory): Memory {
  return memory.findFree === undefined
    ? memory
    : { ...NO_MEMORY, find: async (texts) => (await memory.findFree?.(texts)) ?? [] };
}

/** Texts that are read and sent at a time. */
const AT_A_TIME = 1000;

/** What a memory has and another one lacks, in portions. */
export async function* textsLacking(
  from: Pick<Memory, 'entries'>,
  to: Pick<Memory, 'find'>,
): AsyncGenerator<readonly Remembered[]> {
  let portion: Remembered[] = [];
  const lacking = async () => {
    const known = await to.find(portion.map(({ recipe, source }) => ({ recipe, parts: source })));
    return portion.filter((_, index) => known[index] === undefined);
  };
  for await (const entry of from.entries()) {
    portion.push(entry);
    if (portion.length < AT_A_TIME) continue;
    yield await lacking();
    portion = [];
  }
  if (portion.length > 0) yield await lacking();
}

/** The recipe whose texts a memory has. */
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
  /** The memory for a recipe; of two languages, where they share translations. */
  of(owner: MemoryOwner): Promise<Memory>;
}

/** Opens the memory for a recipe, in any implementation. */
export async function memoryOf(
  memories: Pick<Memories, 'open'>,
  { project, key, target, shared }: MemoryOwner,
): Promise<Memory> {
  const own = await memories.open(project, target);
  if (shared === undefined) return own;
  const other = await memories.open(project, shared.target);
  return sharedMemory(own, other, { own: key, shared: shared.key });
}

/** The two recipe keys, where two languages share what is bought. */
interface SharedKeys {
  readonly own: RecipeKey;
  readonly shared: RecipeKey;
}

/** Entries of the language itself come first: an imported translation of the variant, or a purchase of an older version. */
function sharedMemory(own: Memory, shared: Memory, keys: SharedKeys): Memory {
  const findIn = async (
    [ownOne, sharedOne]: readonly [Memory, Memory],
    texts: readonly AskedText[],
  ): Promise<readonly KnownTranslation[]> => {
    const inOwnName = texts.map((text) => ({
      ...text,
      recipe: text.recipe.replace(keys.shared, keys.own) as RecipeKey,
    }));
    const [first, second] = await Promise.all([ownOne.find(inOwnName), sharedOne.find(texts)]);
    return first.map((found, index) => found ?? second[index]);
  };
  return {
    find: (texts) => findIn([own, shared], texts),
    findFree: (texts) => findIn([lookedAt(own), lookedAt(shared)], texts),
    remember: (entries) => shared.remember(entries),
    holdsAnswerTo: (request) => shared.holdsAnswerTo(request),
    entries: () => shared.entries(),
  };
}
