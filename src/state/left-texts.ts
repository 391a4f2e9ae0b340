/**
 * Translations of people whose texts left their files. They are used again where such a text comes into another file of the project. The
 * memory of the language keeps them.
 */
import { type Clock, isoTime } from '../clock.ts';
import type { Part } from '../format.ts';
import type { RecipeKey } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { TranslationElsewhere } from '../segments/decision.ts';
import type { IncomingText, MovingText } from '../segments/moving-texts.ts';
import { sameText } from '../segments/record.ts';
import { type AskedText, lookedAt, type Memories } from './memory.ts';

/** Texts are exchanged between files of one format: in others, the same characters may mean something else. */
export interface TextScope {
  readonly project: string;
  readonly language: LanguageTag;
  /** The name of the format. */
  readonly format: string;
}

/** At most so many texts that left in this process are known beside the memory. */
const MOST_RECENT = 20_000;

const ORIGINS = ['human', 'adopted'] as const;

export class LeftTexts {
  readonly #memories: Pick<Memories, 'open'>;
  readonly #clock: Clock;
  /** Those that left in this process, by place and source text: several files may have lost a text with different translations. */
  readonly #recent = new Map<string, MovingText[]>();
  #count = 0;

  constructor(memories: Pick<Memories, 'open'>, clock: Clock) {
    this.#memories = memories;
    this.#clock = clock;
  }

  /** Resolves when they are durable. @param path of the source that lost them @throws JobFailure `unwritable`, `disk-full` */
  async keep(place: TextScope, path: string, texts: readonly MovingText[]): Promise<void> {
    if (texts.length === 0) return;
    for (const text of texts) this.#putRecent(place, text);
    const memory = await this.#memories.open(place.project, place.language);
    const common = { request: `left ${path}`, at: isoTime(this.#clock) };
    await memory.remember(
      texts.flatMap(({ id, source, translation, origin }) => {
        const entry = { ...common, recipe: recipeOf(origin, place), translation };
        return memoryKeysOf({ id, source }).map((parts) => ({ ...entry, source: parts }));
      }),
    );
  }

  /** Whether any text left a file: false in most projects, and then nobody needs to look for 100,000 texts one by one. */
  async hasAny({ project, language }: Pick<TextScope, 'project' | 'language'>): Promise<boolean> {
    if (this.#count > 0) return true;
    const recipes = (await this.#memories.open(project, language)).recipes?.();
    return recipes === undefined || [...recipes].some((recipe) => recipe.startsWith(LEFT));
  }

  /** Those of this process that have the source text of one. */
  recent(place: TextScope, { source }: IncomingText): readonly MovingText[] {
    return this.#recent.get(recentKey(place, source)) ?? [];
  }

  /** Those that left before: of a text that several files lost, the last one. */
  async find(
    place: TextScope,
    sought: readonly IncomingText[],
  ): Promise<readonly (TranslationElsewhere | undefined)[]> {
    if (sought.length === 0) return [];
    const memory = lookedAt(await this.#memories.open(place.project, place.language));
    const asked = sought.map((text) => questions(place, text));
    const answers = (await memory.find(asked.flat())).values();
    return asked.map(({ length }) => {
      const own = [...answers.take(length)];
      const at = own.findIndex((parts) => parts !== undefined);
      const parts = own[at];
      return parts && { parts, origin: ORIGINS[at % ORIGINS.length] ?? 'human' };
    });
  }

  #putRecent(place: TextScope, text: MovingText): void {
    if (this.#count >= MOST_RECENT) {
      this.#recent.clear();
      this.#count = 0;
    }
    const key = recentKey(place, text.source);
    const known = this.#recent.get(key) ?? [];
    const isSame = ({ id, translation }: MovingText) =>
      id === text.id && sameText(translation, text.translation);
    if (known.some(isSame)) return;
    this.#recent.set(key, [...known, text]);
    this.#count += 1;
  }
}

/** Whether an entry of a memory is a text that left its file. */
export function isLeftText({ recipe }: { readonly recipe: RecipeKey }): boolean {
  return recipe.startsWith(LEFT);
}

const LEFT = 'left ';

function recipeOf(origin: MovingText['origin'], { format }: TextScope): RecipeKey {
  return `${LEFT}${origin} ${format}` as RecipeKey;
}

/** With its key and without it. */
function memoryKeysOf({ id, source }: Pick<IncomingText, 'id' | 'source'>): (readonly Part[])[] {
  return [[source, { raw: id }], [source]];
}

function questions(place: TextScope, text: IncomingText): AskedText[] {
  const keys = text.isForm ? memoryKeysOf(text).slice(0, 1) : memoryKeysOf(text);
  return keys.flatMap((parts) =>
    ORIGINS.map((origin) => ({ recipe: recipeOf(origin, place), parts })),
  );
}

function recentKey({ project, language, format }: TextScope, source: string): string {
  return [project, language, format, source].join('\n');
}
