/** Glyphs to lines and paragraphs, by where they stand on the page: PDF files know neither words nor paragraphs. */

export interface PlacedGlyph {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Where the next glyph of the word would stand. */
  readonly end: number;
  readonly size: number;
}

interface Line {
  text: string;
  readonly y: number;
  readonly size: number;
}

export class Lines {
  readonly #lines: Line[] = [];
  #end = 0;

  add(glyph: PlacedGlyph): void {
    const line = this.#lines.at(-1);
    const sameLine = line !== undefined && Math.abs(line.y - glyph.y) < glyph.size * 0.5;
    if (!sameLine) this.#lines.push({ text: glyph.text, y: glyph.y, size: glyph.size });
    else
      line.text += this.#isApart(glyph) && !line.text.endsWith(' ') ? ` ${glyph.text}` : glyph.text;
    this.#end = glyph.end;
  }

  /** A gap of a sixth of the letter height is a space that was not drawn; going back is a new column. */
  #isApart({ x, size }: PlacedGlyph): boolean {
    return x - this.#end > size / 6 || x < this.#end - size;
  }

  /** Lines that stand as close as lines of one paragraph do are joined, and so are words that a hyphen cut. */
  paragraphs(): readonly string[] {
    const paragraphs: string[] = [];
    let previous: Line | undefined;
    for (const line of this.#lines) {
      const text = line.text.trim();
      if (text === '') continue;
      const distance = previous === undefined ? 0 : previous.y - line.y;
      const continues =
        previous !== undefined &&
        distance > 0 &&
        distance < line.size * 1.6 &&
        previous.size === line.size;
      const before = continues ? paragraphs.pop() : undefined;
      paragraphs.push(before === undefined ? text : joinLines(before, text));
      previous = line;
    }
    return paragraphs.map((text) => text.replace(/\s+/g, ' '));
  }
}

function joinLines(before: string, text: string): string {
  const cut = /\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(text);
  return cut ? before.slice(0, -1) + text : `${before} ${text}`;
}
