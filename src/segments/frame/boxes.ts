/**
 * Boxes around texts of a page: `::: tip Title` to `:::` (Docusaurus, VitePress), `/// tip | Title` to `///` (Python-Markdown),
 * `!!! note "Title"` and `=== "Tab"` with indented lines (MkDocs), `> [!NOTE] Title` (GitHub, Obsidian). A line that opens a box is of use only together with what is in the box. Pure.
 */
import { append } from '../../parsing/append.ts';
import { type BoxOpening, mayOpenBox } from './block-syntax.ts';
import type { FramePiece } from './frame.ts';
import { linesOfPage, type PageLine } from './page-lines.ts';

export interface Box {
  /** Indices of pieces: its opening line, and behind its last line. */
  readonly from: number;
  readonly opened: number;
  readonly to: number;
  /** The text on its opening line. */
  readonly title: string | undefined;
  /** The texts below that line, also those in boxes inside. */
  readonly texts: readonly string[];
  readonly isEmpty: boolean;
}

export interface PageBoxes {
  /** In the order in which they end. */
  readonly boxes: readonly Box[];
  /** Number of lines that open a box without its end, or close none. */
  readonly unpaired: number;
  /** By id of a text: the number of boxes around it. */
  readonly depths: ReadonlyMap<string, number>;
}

const NO_BOXES: PageBoxes = { boxes: [], unpaired: 0, depths: new Map() };

export function boxesIn(pieces: readonly FramePiece[]): PageBoxes {
  const mayHave = pieces.some((piece) => piece.kind === 'line' && mayOpenBox(piece.text));
  if (!mayHave) return NO_BOXES;
  const reader = new BoxReader();
  for (const line of linesOfPage(pieces)) reader.read(line);
  return reader.end();
}

interface OpenBox {
  readonly box: BoxOpening['box'];
  /** Of a directive. */
  readonly signs: string;
  /** Number of colons or slashes, width of the indentation of what is in it, or number of quotes. */
  readonly size: number;
  readonly line: PageLine;
  readonly texts: string[];
  to: number;
  isEmpty: boolean;
}

class BoxReader {
  readonly #boxes: Box[] = [];
  readonly #depths = new Map<string, number>();
  #open: OpenBox[] = [];
  #unpaired = 0;
  #code: { readonly fence: string; readonly quotes: number } | undefined;

  read(line: PageLine): void {
    const { block, quotes, ids, to } = line;
    if (this.#code !== undefined && quotes < this.#code.quotes) this.#code = undefined;
    if (this.#code === undefined) this.#leave(line);
    const isCode = this.#isCode(line);
    if (!isCode && block.kind === 'end') {
      this.#closeDirective(block.signs, line);
      return;
    }
    this.#fill(line);
    if (isCode) return;
    const size = block.kind === 'opening' ? sizeOf(block, line) : 0;
    if (block.kind === 'opening' && size > 0)
      this.#open.push({
        box: block.box,
        signs: block.signs,
        size,
        line,
        texts: [],
        to,
        isEmpty: true,
      });
    for (const id of ids) this.#depths.set(id, this.#open.length);
  }

  end(): PageBoxes {
    this.#closeFrom(0);
    return { boxes: this.#boxes, unpaired: this.#unpaired, depths: this.#depths };
  }

  /** Whether a line belongs to code between fences. */
  #isCode({ block, quotes }: PageLine): boolean {
    const code = this.#code;
    if (block.kind !== 'fence') return code !== undefined;
    if (code === undefined) this.#code = { fence: block.fence, quotes };
    else if (block.isBare && block.fence.startsWith(code.fence)) this.#code = undefined;
    return true;
  }

  /** Ends the boxes that a line is outside of. */
  #leave({ block, indent, quotes }: PageLine): void {
    const isBlank = block.kind === 'blank';
    const isOutside = ({ box, size, line }: OpenBox) => {
      if (box === 'directive') return false;
      if (box === 'alert') return quotes < size && !(isBlank && quotes === 0);
      return !isBlank && (indent < size || quotes < line.quotes);
    };
    const at = this.#open.findIndex(isOutside);
    if (at >= 0) this.#closeFrom(at);
  }

  #closeDirective(end: string, line: PageLine): void {
    const at = this.#open.findLastIndex(
      ({ box, signs }) => box === 'directive' && end.startsWith(signs),
    );
    const box = this.#open[at];
    if (box === undefined) {
      this.#unpaired += 1;
      return;
    }
    this.#closeFrom(at + 1);
    this.#open = this.#open.slice(0, at);
    this.#note({ ...box, to: line.to });
  }

  #closeFrom(first: number): void {
    for (const box of this.#open.slice(first).reverse()) {
      if (box.box === 'directive') this.#unpaired += 1;
      else this.#note(box);
    }
    this.#open = this.#open.slice(0, first);
  }

  #fill({ block, ids, to }: PageLine): void {
    if (block.kind === 'blank') return;
    for (const box of this.#open) {
      box.isEmpty = false;
      box.to = to;
      append(box.texts, ids);
    }
  }

  #note({ line, texts, to, isEmpty }: OpenBox): void {
    const [title] = line.ids;
    this.#boxes.push({ from: line.from, opened: line.to, to, title, texts, isEmpty });
  }
}

/** 0: the line opens no box that ends on another one. */
function sizeOf({ box, signs, isClosed }: BoxOpening, { indent, quotes }: PageLine): number {
  switch (box) {
    case 'directive':
      return isClosed ? 0 : signs.length;
    case 'admonition':
    case 'tab':
      return indent + 4;
    case 'alert':
      return quotes;
  }
}

/**
 * The opening line of a box without its title; undefined: it opens no box, or one that needs a title.
 * @param head what is before the title on its line
 * @param tail what is behind it, with the line end
 */
export function untitledLine(head: string, tail: string): string | undefined {
  const [line] = linesOfPage([
    { kind: 'line', text: head },
    { kind: 'segment', id: '' },
    { kind: 'line', text: tail },
  ]);
  if (line?.block.kind !== 'opening' || line.block.box === 'tab') return undefined;
  if (sizeOf(line.block, line) === 0) return undefined;
  if (line.block.signs.startsWith('/')) return head.replace(/(?<![ \t])[ \t]*\|[ \t]*$/, '') + tail;
  const [, name = '', mark = ''] = /^(.*?)[ \t]*(["[]?)$/s.exec(head) ?? [];
  const rest = mark !== '' && /^["\]]/.test(tail) ? tail.slice(1) : tail;
  return name + rest;
}
