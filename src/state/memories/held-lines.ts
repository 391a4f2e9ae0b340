/** The lines of journals that are kept in RAM: those that were read last, up to a number of characters for all memories together. */
import type { MemoryLine } from './line.ts';

/** In characters: enough for a project with 50,000 texts. */
const CHARACTERS = 8_000_000;
/**
 * A line with more texts is always kept. An import of an earlier version is one line: reading that line again for one text would take
 * as long as reading the whole memory.
 */
const MANY_TEXTS = 1000;
/** From so many texts on, a map is faster than a search. */
const SEARCHED = 100;

export class HeldLines {
  readonly #characters: number;
  readonly #lines = new Set<HeldLine>();
  #held = 0;

  constructor(characters = CHARACTERS) {
    this.#characters = characters;
  }

  hold(line: HeldLine): void {
    if (line.isMany) return;
    this.#lines.add(line);
    this.#held += line.characters;
    for (const oldest of this.#lines) {
      if (this.#held <= this.#characters) return;
      this.#lines.delete(oldest);
      this.#held -= oldest.characters;
      oldest.drop();
    }
  }
}

export class HeldLine {
  readonly characters: number;
  readonly drop: () => void;
  readonly #line: MemoryLine;
  #bySource: ReadonlyMap<string, string> | undefined;

  /** @param characters length of its JSON */
  constructor(line: MemoryLine, characters: number, drop: () => void) {
    this.#line = line;
    this.characters = characters;
    this.drop = drop;
  }

  get isMany(): boolean {
    return this.#line.texts.length > MANY_TEXTS;
  }

  translationOf(recipe: string, source: string): string | undefined {
    const { texts } = this.#line;
    if (this.#line.recipe !== recipe) return;
    if (texts.length < SEARCHED) return texts.findLast(([text]) => text === source)?.[1];
    this.#bySource ??= new Map(texts);
    return this.#bySource.get(source);
  }
}
