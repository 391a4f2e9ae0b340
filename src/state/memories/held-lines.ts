/** The lines of memories' journals that are held while they are used: those read last, up to so many characters of all memories. */
import type { MemoryLine } from './line.ts';

/** Characters: a project of 50,000 texts is held whole. */
const CHARACTERS = 8_000_000;
/**
 * Texts of a line that is held for ever: an import of an earlier version is one line, and to read it again for one text would
 * take as long as to read the whole memory.
 */
const MANY_TEXTS = 1000;
/** Texts from which on looking at each takes longer than a map. */
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

  /** @param characters of its JSON */
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
