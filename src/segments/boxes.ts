/**
 * Boxes around texts of a page: `::: tip Title` to `:::` (Docusaurus, VitePress), `!!! note "Title"` and `=== "Tab"` with indented lines
 * (MkDocs), `> [!NOTE] Title` (GitHub, Obsidian). A line that opens a box is of use only together with what is in the box. Pure.
 */
import type { FramePiece } from './frame.ts';
import { FENCE, linesOfPage, type PageLine } from './page-lines.ts';

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

const MAY_BE_BOX = /:::|!!!|\?\?\?|===|\[!/;

export function boxesIn(pieces: readonly FramePiece[]): PageBoxes {
  const mayHave = pieces.some((piece) => piece.kind === 'line' && MAY_BE_BOX.test(piece.text));
  if (!mayHave) return NO_BOXES;
  const reader = new BoxReader();
  for (const line of linesOfPage(pieces)) reader.read(line);
  return reader.end();
}

interface BoxKind {
  readonly kind: 'colons' | 'indented' | 'quoted';
  /** Number of colons, width of the indentation, or number of `>`. */
  readonly size: number;
}

interface OpenBox extends BoxKind {
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
    if (this.#code !== undefined && line.quotes < this.#code.quotes) this.#code = undefined;
    if (this.#code === undefined) this.#leave(line);
    const isCode = this.#isCode(line);
    const closing = isCode ? undefined : /^(:{3,})$/.exec(line.content)?.[1];
    if (closing !== undefined) this.#closeColons(closing.length, line);
    else this.#fill(line);
    if (isCode || closing !== undefined) return;
    const opening = openingOf(line);
    if (opening !== undefined)
      this.#open.push({ ...opening, line, texts: [], to: line.to, isEmpty: true });
    for (const id of line.ids) this.#depths.set(id, this.#open.length);
  }

  end(): PageBoxes {
    this.#closeFrom(0);
    return { boxes: this.#boxes, unpaired: this.#unpaired, depths: this.#depths };
  }

  /** Whether a line belongs to code between fences. */
  #isCode({ content, quotes }: PageLine): boolean {
    const [fence] = FENCE.exec(content) ?? [];
    const code = this.#code;
    if (code === undefined) {
      if (fence !== undefined) this.#code = { fence, quotes };
      return fence !== undefined;
    }
    if (fence?.startsWith(code.fence) && fence === content) this.#code = undefined;
    return true;
  }

  /** Ends the boxes that a line is outside of. */
  #leave({ content, indent, quotes }: PageLine): void {
    if (content === '' && quotes === 0) return;
    const at = this.#open.findIndex(
      ({ kind, size, line }) =>
        (kind === 'quoted' && quotes < size) ||
        (kind === 'indented' && content !== '' && (indent < size || quotes < line.quotes)),
    );
    if (at >= 0) this.#closeFrom(at);
  }

  #closeColons(count: number, line: PageLine): void {
    const at = this.#open.findLastIndex(({ kind, size }) => kind === 'colons' && size <= count);
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
      if (box.kind === 'colons') this.#unpaired += 1;
      else this.#note(box);
    }
    this.#open = this.#open.slice(0, first);
  }

  #fill({ content, ids, to }: PageLine): void {
    if (content === '') return;
    for (const box of this.#open) {
      box.isEmpty = false;
      box.to = to;
      box.texts.push(...ids);
    }
  }

  #note({ line, texts, to, isEmpty }: OpenBox): void {
    const [title] = line.ids;
    this.#boxes.push({ from: line.from, opened: line.to, to, title, texts, isEmpty });
  }
}

function openingOf({ content, indent, quotes }: PageLine): BoxKind | undefined {
  const colons = /^(:{3,})[ \t]*[^\s:]/.exec(content)?.[1]?.length;
  // `::: note words :::` is a box on one line.
  if (colons !== undefined)
    return content.endsWith(':::') ? undefined : { kind: 'colons', size: colons };
  if (/^(?:(?:!!!|\?\?\?\+?)[ \t]+[\w-]|===[!+]?[ \t]+")/.test(content))
    return { kind: 'indented', size: indent + 4 };
  const isAlert = quotes > 0 && /^\[![A-Za-z]+\]/.test(content);
  return isAlert ? { kind: 'quoted', size: quotes } : undefined;
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
  if (line === undefined || openingOf(line) === undefined || line.content.startsWith('==='))
    return undefined;
  const [, name = '', mark = ''] = /^(.*?)[ \t]*(["[]?)$/s.exec(head) ?? [];
  const rest = mark !== '' && /^["\]]/.test(tail) ? tail.slice(1) : tail;
  return name + rest;
}
