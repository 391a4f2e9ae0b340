/** The text of a PDF page in the order it is drawn: glyphs become words and lines by where they stand (ISO 32000-1, 9.4). */
import type { PdfFile } from './pdf-file.ts';
import { type PdfFont, readFont } from './pdf-fonts.ts';
import { Lines } from './pdf-lines.ts';
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
  const lines = new Lines();
  const contents = file.resolve(page.entries.get('Contents'));
  const parts = isArray(contents) ? contents.items : [page.entries.get('Contents')];
  const content = parts.map((part) => file.stream(part) ?? '').join('\n');
  new Drawing(file, lines).draw(content, file.dictionary(page.entries.get('Resources')));
  return lines.paragraphs();
}

type Matrix = readonly [a: number, b: number, c: number, d: number, x: number, y: number];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** What `first` maps is mapped by `then`. */
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

// Form inside form inside form: nobody draws deeper, and one may draw itself.
const MAX_FORMS = 8;

class Drawing {
  readonly #file: PdfFile;
  readonly #lines: Lines;
  readonly #fonts = new Map<PdfDictionary, PdfFont>();
  #base: Matrix = IDENTITY;
  readonly #saved: Matrix[] = [];
  #line: Matrix = IDENTITY;
  #text: Matrix = IDENTITY;
  #font: PdfFont | undefined;
  #size = 1;
  #leading = 0;
  #spacing = { character: 0, word: 0 };
  #forms = 0;

  constructor(file: PdfFile, lines: Lines) {
    this.#file = file;
    this.#lines = lines;
  }

  draw(content: string, resources: PdfDictionary | undefined): void {
    const reader = new PdfReader(content);
    let operands: PdfValue[] = [];
    for (let token = reader.next(); token !== undefined; token = reader.next()) {
      if (!isWord(token)) {
        operands.push(token);
        continue;
      }
      if (token.word === 'ID') skipInlineImage(reader);
      this.#operate(token.word, operands, resources);
      operands = [];
    }
  }

  #operate(
    operator: string,
    operands: readonly PdfValue[],
    resources: PdfDictionary | undefined,
  ): void {
    const numbers = operands.map((operand) => (typeof operand === 'number' ? operand : 0));
    const [first = 0, second = 0] = numbers;
    switch (operator) {
      case 'q':
        this.#saved.push(this.#base);
        return;
      case 'Q':
        this.#base = this.#saved.pop() ?? IDENTITY;
        return;
      case 'cm':
        this.#base = multiply(matrixOf(numbers), this.#base);
        return;
      case 'BT':
        this.#begin(IDENTITY);
        return;
      case 'Tm':
        this.#begin(matrixOf(numbers));
        return;
      case 'Td':
      case 'TD':
        if (operator === 'TD') this.#leading = -second;
        this.#begin(multiply([1, 0, 0, 1, first, second], this.#line));
        return;
      case 'TL':
        this.#leading = first;
        return;
      case 'Tc':
        this.#spacing.character = first;
        return;
      case 'Tw':
        this.#spacing.word = first;
        return;
      case 'Tf':
        this.#size = second;
        this.#font = this.#fontNamed(operands[0], resources);
        return;
      case 'T*':
        this.#nextLine();
        return;
      case "'":
      case '"':
        this.#nextLine();
        this.#show(operands.at(-1));
        return;
      case 'Tj':
        this.#show(operands[0]);
        return;
      case 'TJ':
        this.#showAdjusted(operands[0]);
        return;
      case 'Do':
        this.#drawForm(operands[0], resources);
        return;
    }
  }

  #begin(matrix: Matrix): void {
    this.#line = matrix;
    this.#text = matrix;
  }

  #nextLine(): void {
    this.#begin(multiply([1, 0, 0, 1, 0, -this.#leading], this.#line));
  }

  #fontNamed(
    name: PdfValue | undefined,
    resources: PdfDictionary | undefined,
  ): PdfFont | undefined {
    const fonts = this.#file.dictionary(resources?.entries.get('Font'));
    const font = isName(name) ? this.#file.dictionary(fonts?.entries.get(name.name)) : undefined;
    if (font === undefined) return undefined;
    const known = this.#fonts.get(font) ?? readFont(this.#file, font);
    this.#fonts.set(font, known);
    return known;
  }

  #showAdjusted(value: PdfValue | undefined): void {
    if (!isArray(value)) return;
    for (const item of value.items) {
      if (typeof item === 'number') this.#advance((-item / 1000) * this.#size);
      else this.#show(item);
    }
  }

  #show(value: PdfValue | undefined): void {
    if (!isString(value) || this.#font === undefined) return;
    for (const glyph of this.#font.decode(value.bytes)) {
      const placed = multiply(this.#text, this.#base);
      const size = Math.abs(this.#size) * Math.hypot(placed[2], placed[3]);
      const spacing = this.#spacing.character + (glyph.isSpace ? this.#spacing.word : 0);
      this.#advance((glyph.width / 1000) * this.#size + spacing);
      const end = multiply(this.#text, this.#base)[4];
      this.#lines.add({ text: glyph.text, x: placed[4], y: placed[5], end, size });
    }
  }

  #advance(distance: number): void {
    this.#text = multiply([1, 0, 0, 1, distance, 0], this.#text);
  }

  #drawForm(name: PdfValue | undefined, resources: PdfDictionary | undefined): void {
    const forms = this.#file.dictionary(resources?.entries.get('XObject'));
    const reference = isName(name) ? forms?.entries.get(name.name) : undefined;
    const form = this.#file.dictionary(reference);
    const subtype = form && this.#file.resolve(form.entries.get('Subtype'));
    if (!form || !isName(subtype) || subtype.name !== 'Form' || this.#forms >= MAX_FORMS) return;
    const before = this.#base;
    this.#forms++;
    const placed = this.#file.resolve(form.entries.get('Matrix'));
    if (isArray(placed)) this.#base = multiply(matrixOf(placed.items.map(Number)), this.#base);
    this.draw(
      this.#file.stream(reference) ?? '',
      this.#file.dictionary(form.entries.get('Resources')) ?? resources,
    );
    this.#forms--;
    this.#base = before;
  }
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
