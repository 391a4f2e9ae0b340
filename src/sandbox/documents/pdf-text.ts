/** The text of a PDF page in the order in which it is drawn. Glyphs are joined to words and lines by their positions (ISO 32000-1, 9.4). */
import type { PdfFile } from './pdf-file.ts';
import { type PdfFont, readFont } from './pdf-fonts.ts';
import {
  isArray,
  isName,
  isString,
  isWord,
  type PdfDictionary,
  PdfReader,
  type PdfValue,
} from './pdf-values.ts';

/** Paragraphs of one page. */
export function pageText(file: PdfFile, page: PdfDictionary): readonly string[] {
  const lines = new PdfLines();
  const contents = file.resolve(page.entries.get('Contents'));
  const parts = isArray(contents) ? contents.items : [page.entries.get('Contents')];
  const content = parts.map((part) => file.stream(part) ?? '').join('\n');
  new Drawing(file, lines).draw(content, file.dictionary(page.entries.get('Resources')));
  return lines.paragraphs();
}

type Matrix = readonly [a: number, b: number, c: number, d: number, x: number, y: number];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** The product of two matrices: `first` is applied, then `then`. */
function multiply(first: Matrix, then: Matrix): Matrix {
  const [a, b, c, d, x, y] = first;
  const [e, f, g, h, u, v] = then;
  return [
    a * e + b * g,
    a * f + b * h,
    c * e + d * g,
    c * f + d * h,
    x * e + y * g + u,
    x * f + y * h + v,
  ];
}

/** The most forms that one page may draw: a form may draw itself, and ten forms that each draw ten others never end. */
const MAX_FORMS = 500;
const MAX_DEPTH = 8;

/** Position and size of the next glyph. */
interface NextGlyph {
  /** Current transformation matrix. */
  base: Matrix;
  line: Matrix;
  text: Matrix;
  font: PdfFont | undefined;
  size: number;
  leading: number;
  characterSpacing: number;
  wordSpacing: number;
}

/** The operands before an operator, and the resources that it may use. */
interface Operands {
  readonly values: readonly PdfValue[];
  /** The operands as numbers, 0 for anything else. */
  readonly numbers: readonly number[];
  readonly resources: PdfDictionary | undefined;
}

class Drawing {
  readonly pen: NextGlyph = {
    base: IDENTITY,
    line: IDENTITY,
    text: IDENTITY,
    font: undefined,
    size: 1,
    leading: 0,
    characterSpacing: 0,
    wordSpacing: 0,
  };
  readonly saved: Matrix[] = [];
  readonly #file: PdfFile;
  readonly #lines: PdfLines;
  readonly #fonts = new Map<PdfDictionary, PdfFont>();
  #depth = 0;
  #forms = 0;

  constructor(file: PdfFile, lines: PdfLines) {
    this.#file = file;
    this.#lines = lines;
  }

  draw(content: string, resources: PdfDictionary | undefined): void {
    const reader = new PdfReader(content);
    let values: PdfValue[] = [];
    for (let token = reader.next(); token !== undefined; token = reader.next()) {
      if (!isWord(token)) {
        values.push(token);
        continue;
      }
      if (token.word === 'ID') skipInlineImage(reader);
      const numbers = values.map((value) => (typeof value === 'number' ? value : 0));
      OPERATORS.get(token.word)?.(this, { values, numbers, resources });
      values = [];
    }
  }

  begin(matrix: Matrix): void {
    this.pen.line = matrix;
    this.pen.text = matrix;
  }

  move([x = 0, y = 0]: readonly number[]): void {
    this.begin(multiply([1, 0, 0, 1, x, y], this.pen.line));
  }

  selectFont({ values: [name], numbers: [, size = 1], resources }: Operands): void {
    const fonts = this.#file.dictionary(resources?.entries.get('Font'));
    const font = isName(name) ? this.#file.dictionary(fonts?.entries.get(name.name)) : undefined;
    const known = font && (this.#fonts.get(font) ?? readFont(this.#file, font));
    if (font && known) this.#fonts.set(font, known);
    this.pen.size = size;
    this.pen.font = known;
  }

  showAdjusted(value: PdfValue | undefined): void {
    if (!isArray(value)) return;
    for (const item of value.items) {
      if (typeof item === 'number') this.#advance((-item / 1000) * this.pen.size);
      else this.show(item);
    }
  }

  show(value: PdfValue | undefined): void {
    const { pen } = this;
    if (!isString(value) || pen.font === undefined) return;
    for (const glyph of pen.font.decode(value.bytes)) {
      const placed = multiply(pen.text, pen.base);
      const size = Math.abs(pen.size) * Math.hypot(placed[2], placed[3]);
      const spacing = pen.characterSpacing + (glyph.isSpace ? pen.wordSpacing : 0);
      this.#advance((glyph.width / 1000) * pen.size + spacing);
      const end = multiply(pen.text, pen.base)[4];
      this.#lines.add({ text: glyph.text, x: placed[4], y: placed[5], end, size });
    }
  }

  drawForm({ values: [name], resources }: Operands): void {
    const objects = this.#file.dictionary(resources?.entries.get('XObject'));
    const reference = isName(name) ? objects?.entries.get(name.name) : undefined;
    const form = this.#file.dictionary(reference);
    const subtype = form && this.#file.resolve(form.entries.get('Subtype'));
    if (!form || !isName(subtype) || subtype.name !== 'Form') return;
    if (this.#depth >= MAX_DEPTH || this.#forms++ >= MAX_FORMS) return;
    const before = this.pen.base;
    const placed = this.#file.resolve(form.entries.get('Matrix'));
    if (isArray(placed)) this.pen.base = multiply(matrixOf(placed.items.map(Number)), before);
    this.#depth++;
    const own = this.#file.dictionary(form.entries.get('Resources'));
    this.draw(this.#file.stream(reference) ?? '', own ?? resources);
    this.#depth--;
    this.pen.base = before;
  }

  #advance(distance: number): void {
    this.pen.text = multiply([1, 0, 0, 1, distance, 0], this.pen.text);
  }
}

/** ISO 32000-1, annex A: the operators that place or show text. */
const OPERATORS: ReadonlyMap<string, (drawing: Drawing, operands: Operands) => void> = new Map([
  ['q', save],
  ['Q', restore],
  ['cm', transform],
  ['BT', (drawing) => drawing.begin(IDENTITY)],
  ['Tm', (drawing, { numbers }) => drawing.begin(matrixOf(numbers))],
  ['Td', (drawing, { numbers }) => drawing.move(numbers)],
  ['TD', moveWithLeading],
  ['T*', nextLine],
  ['TL', setting('leading')],
  ['Tc', setting('characterSpacing')],
  ['Tw', setting('wordSpacing')],
  ['Tf', (drawing, operands) => drawing.selectFont(operands)],
  ['Tj', (drawing, { values }) => drawing.show(values[0])],
  ['TJ', (drawing, { values }) => drawing.showAdjusted(values[0])],
  ["'", showOnNextLine],
  ['"', showOnNextLine],
  ['Do', (drawing, operands) => drawing.drawForm(operands)],
]);

function setting(name: 'leading' | 'characterSpacing' | 'wordSpacing') {
  return ({ pen }: Drawing, { numbers: [value = 0] }: Operands): void => {
    pen[name] = value;
  };
}

function save({ pen, saved }: Drawing): void {
  saved.push(pen.base);
}

function restore({ pen, saved }: Drawing): void {
  pen.base = saved.pop() ?? IDENTITY;
}

function transform({ pen }: Drawing, { numbers }: Operands): void {
  pen.base = multiply(matrixOf(numbers), pen.base);
}

function moveWithLeading(drawing: Drawing, { numbers }: Operands): void {
  drawing.pen.leading = -(numbers[1] ?? 0);
  drawing.move(numbers);
}

function nextLine(drawing: Drawing): void {
  drawing.move([0, -drawing.pen.leading]);
}

function showOnNextLine(drawing: Drawing, { values }: Operands): void {
  nextLine(drawing);
  drawing.show(values.at(-1));
}

function matrixOf(numbers: readonly number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = numbers;
  return [a, b, c, d, x, y];
}

function skipInlineImage(reader: PdfReader): void {
  const end = /[\0\t\n\f\r ]EI(?=[\0\t\n\f\r ])/g;
  end.lastIndex = reader.at;
  reader.at = end.exec(reader.text) === null ? reader.text.length : end.lastIndex;
}

/** Some characters of a page that one operator draws, with their place. */
interface PlacedGlyph {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** The expected position of the next glyph of the word. */
  readonly end: number;
  readonly size: number;
}

interface PdfLine {
  text: string;
  readonly y: number;
  readonly size: number;
}

/** Joins glyphs to lines and paragraphs by their positions: PDF files have neither words nor paragraphs. */
class PdfLines {
  readonly #lines: PdfLine[] = [];
  #end = 0;

  add(glyph: PlacedGlyph): void {
    const line = this.#lines.at(-1);
    const sameLine = line !== undefined && Math.abs(line.y - glyph.y) < glyph.size * 0.5;
    if (!sameLine) this.#lines.push({ text: glyph.text, y: glyph.y, size: glyph.size });
    else
      line.text += this.#isApart(glyph) && !line.text.endsWith(' ') ? ` ${glyph.text}` : glyph.text;
    this.#end = glyph.end;
  }

  /** A gap of a sixth of the letter height is a space that was not drawn; a step back begins a new column. */
  #isApart({ x, size }: PlacedGlyph): boolean {
    return x - this.#end > size / 6 || x < this.#end - size;
  }

  /** Joins lines whose distance is that of lines in a paragraph, and words that a hyphen split. */
  paragraphs(): readonly string[] {
    const paragraphs: string[] = [];
    let previous: PdfLine | undefined;
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
