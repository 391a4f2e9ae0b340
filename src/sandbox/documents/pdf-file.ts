/** The objects of a PDF file, unpacked within limits (ISO 32000-1, 7.5). A scan of the file finds them, not its cross-reference table. */
import { inflateSync } from 'node:zlib';
import { cannot, malformedDocument } from './document.ts';
import {
  isArray,
  isDictionary,
  isName,
  isPdfReference,
  isWord,
  type PdfDictionary,
  PdfReader,
  type PdfValue,
} from './pdf-values.ts';

const MAX_STREAM_BYTES = 64 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
const OBJECT = /(?<!\d)(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+obj(?![a-z])/g;

/** An object, with its stream if it has one. */
export interface PdfObject {
  readonly value: PdfValue;
  /** Offset of the first byte of the stream. */
  readonly streamStart?: number;
}

export class PdfFile {
  readonly #text: string;
  readonly #name: string;
  readonly #offsets = new Map<number, number>();
  readonly #packed = new Map<number, PdfValue>();
  readonly #read = new Map<number, PdfObject>();
  #unpackedBytes = 0;

  /** @throws JobFailure `malformedDocument` for a file that is not PDF, `unsupported` for an encrypted one */
  constructor(bytes: Uint8Array, name: string) {
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    this.#name = name;
    if (!this.#text.slice(0, 1024).includes('%PDF-'))
      throw malformedDocument(name, 'it is no PDF file');
    if (/\/Encrypt[\s\0]+\d+[\s\0]+\d+[\s\0]+R/.test(this.#text)) {
      throw cannot(`${name} is encrypted`, 'Save it without a password.');
    }
    // A later object replaces an earlier one with the same number: files grow by appending.
    for (const found of this.#text.matchAll(OBJECT)) {
      this.#offsets.set(Number(found[1]), found.index + found[0].length);
    }
    for (const number of this.#offsets.keys()) this.#openObjectStream(number);
  }

  /** Page dictionaries in reading order. */
  pages(): readonly PdfDictionary[] {
    const pages: PdfDictionary[] = [];
    const seen = new Set<number>();
    const visit = (value: PdfValue | undefined, inherited: ReadonlyMap<string, PdfValue>) => {
      if (isPdfReference(value)) {
        if (seen.has(value.object)) return;
        seen.add(value.object);
      }
      const node = this.dictionary(value);
      if (node === undefined) return;
      const entries = new Map([...inherited, ...node.entries]);
      const kids = this.resolve(node.entries.get('Kids'));
      if (!isArray(kids)) pages.push({ kind: 'dictionary', entries });
      else for (const kid of kids.items) visit(kid, inheritable(entries));
    };
    visit(this.#catalog()?.entries.get('Pages'), new Map());
    return pages;
  }

  resolve(value: PdfValue | undefined): PdfValue | undefined {
    for (let hops = 0; isPdfReference(value) && hops < 10; hops++)
      value = this.#object(value.object)?.value;
    return isPdfReference(value) ? undefined : value;
  }

  dictionary(value: PdfValue | undefined): PdfDictionary | undefined {
    const resolved = this.resolve(value);
    return isDictionary(resolved) ? resolved : undefined;
  }

  /** The unpacked stream of a referenced object, one character per byte; undefined when there is none, or its filter is not Flate. */
  stream(value: PdfValue | undefined): string | undefined {
    const object = isPdfReference(value) ? this.#object(value.object) : undefined;
    if (object?.streamStart === undefined || !isDictionary(object.value)) return undefined;
    const { entries } = object.value;
    const filter = this.resolve(entries.get('Filter'));
    const filters = isArray(filter)
      ? filter.items.map((each) => this.resolve(each))
      : filter
        ? [filter]
        : [];
    const raw = this.#rawStream(entries, object.streamStart);
    if (filters.length === 0) return raw;
    const [only] = filters;
    return filters.length === 1 && isName(only) && only.name === 'FlateDecode'
      ? this.#inflate(raw)
      : undefined;
  }

  #catalog(): PdfDictionary | undefined {
    const root = [...this.#text.matchAll(/\/Root[\s\0]+(\d+)[\s\0]+\d+[\s\0]+R/g)].at(-1);
    const named = root && this.dictionary({ kind: 'reference', object: Number(root[1]) });
    if (named?.entries.has('Pages')) return named;
    for (const object of [...this.#offsets.keys(), ...this.#packed.keys()]) {
      const dictionary = this.dictionary({ kind: 'reference', object });
      const type = dictionary?.entries.get('Type');
      if (isName(type) && type.name === 'Catalog') return dictionary;
    }
    return undefined;
  }

  #object(number: number): PdfObject | undefined {
    const known = this.#read.get(number) ?? this.#readObject(number);
    if (known) this.#read.set(number, known);
    return known;
  }

  #readObject(number: number): PdfObject | undefined {
    const packed = this.#packed.get(number);
    if (packed !== undefined) return { value: packed };
    const offset = this.#offsets.get(number);
    if (offset === undefined) return undefined;
    const reader = new PdfReader(this.#text, offset);
    const value = reader.next();
    if (value === undefined || isWord(value)) return undefined;
    reader.skipSpace();
    if (!this.#text.startsWith('stream', reader.at)) return { value };
    const lineEnd = /\r\n|\n|\r/y;
    lineEnd.lastIndex = reader.at + 'stream'.length;
    return { value, streamStart: lineEnd.lastIndex + (lineEnd.exec(this.#text)?.[0].length ?? 0) };
  }

  #rawStream(entries: ReadonlyMap<string, PdfValue>, start: number): string {
    const length = this.resolve(entries.get('Length'));
    const declared = typeof length === 'number' ? start + length : -1;
    const ends =
      declared >= start && /^\s*endstream/.test(this.#text.slice(declared, declared + 20));
    const end = ends ? declared : this.#text.indexOf('endstream', start);
    return this.#text.slice(start, end < 0 ? undefined : end);
  }

  #inflate(raw: string): string | undefined {
    let unpacked: Buffer;
    try {
      unpacked = inflateSync(Buffer.from(raw, 'latin1'), { maxOutputLength: MAX_STREAM_BYTES });
    } catch {
      return undefined;
    }
    this.#unpackedBytes += unpacked.length;
    if (this.#unpackedBytes > MAX_UNPACKED_BYTES) {
      throw cannot(
        `${this.#name} unpacks to more than ${MAX_UNPACKED_BYTES} bytes`,
        'Split the file.',
      );
    }
    return unpacked.toString('latin1');
  }

  /** Object streams hold small objects packed together (ISO 32000-1, 7.5.7). */
  #openObjectStream(number: number): void {
    const offset = this.#offsets.get(number) ?? 0;
    if (!/\/ObjStm(?![A-Za-z])/.test(this.#text.slice(offset, offset + 400))) return;
    const reference = { kind: 'reference', object: number } as const;
    const entries = this.dictionary(reference)?.entries;
    const content = this.stream(reference);
    const [count, first] = [this.resolve(entries?.get('N')), this.resolve(entries?.get('First'))];
    if (content === undefined || typeof count !== 'number' || typeof first !== 'number') return;
    const header = new PdfReader(content.slice(0, first));
    for (let index = 0; index < count; index++) {
      const [object, at] = [header.next(), header.next()];
      if (typeof object !== 'number' || typeof at !== 'number') return;
      const value = new PdfReader(content, first + at).next();
      if (value !== undefined && !isWord(value) && !this.#offsets.has(object))
        this.#packed.set(object, value);
    }
  }
}

/** The entries that a page inherits from the nodes above it, as far as they are used here (ISO 32000-1, 7.7.3.4). */
function inheritable(entries: ReadonlyMap<string, PdfValue>): ReadonlyMap<string, PdfValue> {
  return new Map([...entries].filter(([name]) => name === 'Resources'));
}
