/** The laws that every text format keeps, run over its fixtures, generated files and the corpus. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Format, FormatOptions, Part, Segment } from '../../src/format.ts';
import { sourceParts } from '../../src/format.ts';
import { compose } from '../../src/formats/text/compose.ts';
import type { ComposedText, SegmentPlacement } from '../../src/formats/text/composition.ts';
import { expectedSegments } from '../../src/formats/text/expect.ts';
import { type OpenFile, openFile } from '../../src/formats/text/open.ts';
import { hasLetters, sameParts } from '../../src/formats/text/parts.ts';
import { splice } from '../../src/formats/text/splice.ts';
import { parseLanguage } from '../../src/language.ts';
import { within } from '../../src/parsing/within.ts';
import { CORPUS } from '../corpus.ts';

export interface FormatLaws {
  readonly format: Format;
  /** File name of the fixtures, for formats that tell dialects by path. */
  readonly file: string;
  /** Small regular files; the bytes are UTF-8 unless given. */
  readonly fixtures: Readonly<Record<string, string | Uint8Array>>;
  /** Files whose entries have comments, anchors or spellings of their own, which do not come back with an entry. */
  readonly irregular?: Readonly<Record<string, string | Uint8Array>>;
  /** Further files of any shape that the format accepts. */
  readonly generated?: fc.Arbitrary<string>;
  /** How many of them; 100 unless given. */
  readonly runs?: number;
  /** The same entries in two orders. */
  readonly reordered?: readonly [string, string];
  /** Malformed texts with the place that must be named. */
  readonly malformed?: readonly (readonly [
    text: string,
    line: number | undefined,
    column: number | undefined,
  ])[];
  readonly corpus?: {
    readonly folder: string;
    /** Files that are refused, and rightly: part of their path. */
    readonly refused?: readonly string[];
    /** Files that spell one character in two ways within one text: part of their path. */
    readonly mixed?: readonly string[];
    /** MDX files with a bare address, which a letter behind it makes longer: part of their path. */
    readonly addresses?: readonly string[];
  };
  readonly options?: Partial<FormatOptions>;
  /** The languages that new files are made for; Russian and Japanese unless given. */
  readonly newFiles?: readonly string[];
  /** Appended to every text to provoke the encoder. */
  readonly hostile?: string;
}

/** `LAWS_TIMES=50 npx vitest run test/formats --testTimeout=600000` looks for what is rare. */
const TIMES = Number(process.env['LAWS_TIMES'] ?? 1);
const TEXTS = path.join(CORPUS, 'text');
const HOSTILE = ` "q" it's <R&D> \\x a#b x: y %d {z} \u00e9 NB\u00a0SP \u{1f600} $v`;

export function describeFormat(laws: FormatLaws): void {
  describe(`${laws.format.name} keeps the laws of formats`, () => {
    for (const [name, content] of Object.entries({ ...laws.fixtures, ...laws.irregular })) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      describeFile(laws, name, bytes);
      if (isEditedInPlace(laws.format) && laws.format.multiLocale === undefined) {
        it(`${name}: an entry with another key stays as it was otherwise`, () => {
          const renamed = expectRenamed(laws, bytes);
          if (name in laws.fixtures) expect(renamed).toBeGreaterThan(0);
        });
      }
      if (!(name in laws.fixtures) || !isEditedInPlace(laws.format)) continue;
      it(`${name}: an entry that is removed and inserted again is at its old place`, () =>
        expectPutBack(laws, bytes));
    }
    describeGenerated(laws);
    describeOrder(laws);
    describeMalformed(laws);
    describeCorpus(laws);
  });
}

function isEditedInPlace({ shape, bilingual }: Format): boolean {
  return shape === 'keyed' && bilingual === undefined;
}

function describeFile(laws: FormatLaws, name: string, bytes: Uint8Array): void {
  describe(name, () => {
    it('written with its own texts it keeps every byte', () => expectOwnBytes(laws, bytes));
    it('a pseudo-translation changes nothing but its spans', () =>
      expectSpansOnly(laws, bytes, pseudo));
    it('hostile texts come back as they were written', () =>
      expectSpansOnly(laws, bytes, hostileFor(laws)));
    it('composing twice is composing once', () => expectIdempotent(laws, bytes));
    // In UTF-16 the bytes of a line end are others.
    if (!bytes.includes(0))
      it('with CR LF it has the same texts under the same ids as with LF', () =>
        expectAnyLineEnds(laws, bytes));
    it('cut off anywhere, it is read or refused, and never keeps its reader busy', () =>
      expectAnswers(laws, bytes));
    if (laws.format.shape === 'keyed') {
      it('a text with other words is spelled like the old one', () =>
        expectOwnSpelling(laws, bytes));
      it('a new file of a language has the translated texts, and the others are added later', () =>
        expectNewFiles(laws, bytes));
    }
  });
}

// git checks a file out with either.
function expectAnyLineEnds(laws: FormatLaws, bytes: Uint8Array): void {
  const text = Buffer.from(bytes).toString('latin1').replace(/\r\n?/g, '\n');
  const read = (content: string) =>
    open(laws, Buffer.from(content, 'latin1')).doc.segments.map((segment) => [
      segment.id,
      JSON.stringify([segment.parts, sourceParts(segment)]).replaceAll('\\r\\n', '\\n'),
    ]);
  expect(read(text.replaceAll('\n', '\r\n'))).toEqual(read(text));
}

/** Ends of a cut file with which a reader is most likely inside of a syntax element. */
const ENDS = ['', '\\', '"', "'", '<', '{', '/*'];
const CUTS = 12;
const ANSWER_MS = 5000;

function expectAnswers(laws: FormatLaws, bytes: Uint8Array): void {
  const text = Buffer.from(bytes).toString('latin1');
  const lengths = Array.from({ length: CUTS }, (_, n) => Math.ceil((text.length * (n + 1)) / CUTS));
  for (const length of lengths) {
    within(ANSWER_MS, () => {
      for (const end of ENDS)
        readOrRefuse(laws, Buffer.from(text.slice(0, length) + end, 'latin1'));
    });
  }
  expect(lengths).toHaveLength(CUTS);
}

function readOrRefuse(laws: FormatLaws, bytes: Uint8Array): void {
  try {
    open(laws, bytes);
  } catch (error) {
    expect(error).toMatchObject({ failure: { kind: 'malformed' } });
  }
}

function describeGenerated(laws: FormatLaws): void {
  const { generated } = laws;
  if (generated === undefined) return;
  it('the laws hold for generated files', () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(generated, (text) => {
        const bytes = Buffer.from(text);
        expectOwnBytes(laws, bytes);
        expectSpansOnly(laws, bytes, pseudo);
        expectSpansOnly(laws, bytes, hostileFor(laws));
        expectIdempotent(laws, bytes);
        if (laws.format.shape === 'keyed') expectNewFiles(laws, bytes);
      }),
      { numRuns: (laws.runs ?? 100) * TIMES },
    );
  });
}

function describeOrder(laws: FormatLaws): void {
  const { reordered } = laws;
  if (reordered === undefined) return;
  it('keys are the same in another order', () => {
    const [first, second] = reordered.map((text) => textsById(open(laws, Buffer.from(text))));
    expect(second).toEqual(first);
  });
}

function describeMalformed(laws: FormatLaws): void {
  for (const [text, line, column] of laws.malformed ?? []) {
    it(`refuses ${JSON.stringify(text).slice(0, 60)} and names line ${line}, column ${column}`, () => {
      expect(() => open(laws, Buffer.from(text))).toThrow(
        expect.objectContaining({
          failure: expect.objectContaining({
            kind: 'malformed',
            where: expect.objectContaining({ ...(line && { line }), ...(column && { column }) }),
          }),
        }),
      );
    });
  }
}

function describeCorpus(laws: FormatLaws): void {
  if (laws.corpus === undefined) return;
  const { folder, refused = [], mixed = [], addresses = [] } = laws.corpus;
  const root = path.join(TEXTS, folder);
  if (!existsSync(root)) {
    it.skip(`the corpus is not there (${folder})`, () => {});
    return;
  }
  describe('over real files', () => {
    for (const file of filesUnder(root)) {
      const name = path.relative(root, file);
      const own = { ...laws, file: name };
      if (refused.some((part) => name.includes(part))) {
        it(`${name} is refused`, () => expect(() => open(own, readFileSync(file))).toThrow(/./));
        continue;
      }
      it(name, () => {
        const bytes = readFileSync(file);
        expectOwnBytes(own, bytes);
        if (!bytes.includes(0)) expectAnyLineEnds(own, bytes);
        if (addresses.some((part) => name.includes(part))) return;
        expectSpansOnly(own, bytes, pseudo);
        expectSpansOnly(own, bytes, hostileFor(own));
        expectIdempotent(own, bytes);
        if (own.format.shape !== 'keyed') return;
        expectNewFiles(own, bytes);
        if (!mixed.some((part) => name.includes(part))) expectOwnSpelling(own, bytes);
      });
    }
  });
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile() && path.basename(file) !== 'SOURCES.txt')
    .sort();
}

function optionsOf(laws: FormatLaws): FormatOptions {
  const language = parseLanguage('en');
  return {
    file: laws.file,
    sourceLanguage: language,
    // A sequence is written anew each time, with the language of the target: none here, so that nothing moves.
    language: laws.format.shape === 'sequence' ? undefined : language,
    role: 'target',
    ...laws.options,
  };
}

function open(laws: FormatLaws, bytes: Uint8Array): OpenFile {
  return openFile(bytes, laws.format, optionsOf(laws));
}

// The file is its own target, so that there is no locale edit and no moved plural form: only written texts differ.
function write(
  laws: FormatLaws,
  file: OpenFile,
  textOf: (segment: Segment) => readonly Part[] | undefined,
): ComposedText {
  const placements = new Map<string, SegmentPlacement>();
  for (const segment of file.doc.segments) {
    const parts = textOf(segment);
    placements.set(segment.id, parts === undefined ? { kind: 'keep' } : written(segment, parts));
  }
  const { expect: _, ...format } = laws.format;
  return compose({
    format,
    options: optionsOf(laws),
    source: file,
    target: file,
    placements,
  });
}

// With its present state: each format has its own test for edits of states.
function written({ state }: Segment, parts: readonly Part[]): SegmentPlacement {
  return { kind: 'write', parts, ...(state === undefined ? {} : { state }) };
}

function expectOwnBytes(laws: FormatLaws, bytes: Uint8Array): void {
  const file = open(laws, bytes);
  const ids = file.doc.segments.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const segment of file.doc.segments) {
    expect(segment.encode(structuredClone(segment.parts))).toBe(
      file.text.slice(segment.start, segment.end),
    );
  }
  const kept = write(laws, file, () => undefined);
  expect(Buffer.compare(kept.bytes, bytes)).toBe(0);
}

function expectSpansOnly(
  laws: FormatLaws,
  bytes: Uint8Array,
  translate: (text: string) => string,
): void {
  const file = open(laws, bytes);
  const translated = new Map<string, readonly Part[]>();
  const { text } = write(laws, file, (segment) => {
    if (!isTranslatable(segment)) return undefined;
    const parts = sourceParts(segment).map((part) =>
      typeof part === 'string' && /\p{L}/u.test(part) ? translate(part) : part,
    );
    translated.set(segment.id, parts);
    return parts;
  });
  const after = open(laws, Buffer.from(file.encode(text)));
  expect(after.doc.segments).toHaveLength(file.doc.segments.length);
  if (laws.format.bilingual === undefined) expect(gaps(after)).toEqual(gaps(file));
  for (const [index, segment] of file.doc.segments.entries()) {
    const found = after.doc.segments[index];
    if (laws.format.shape === 'keyed') expect(found?.id).toBe(segment.id);
    if (laws.format.foldsWhitespace || found === undefined) continue;
    const wanted = translated.get(segment.id) ?? segment.parts;
    if (!sameParts(found.parts, wanted)) expect(found.parts).toEqual(wanted);
  }
}

function isTranslatable(segment: Segment): boolean {
  return segment.state !== 'do-not-translate' && hasLetters(sourceParts(segment));
}

function gaps({ text, doc }: OpenFile): string[] {
  const found: string[] = [];
  let from = 0;
  for (const { start, end } of doc.segments.toSorted((a, b) => a.start - b.start)) {
    found.push(text.slice(from, start));
    from = end;
  }
  return [...found, text.slice(from)];
}

/** Between the words every character stays as it was spelled: escapes, blanks, quotes. The places of line wraps are layout. */
function expectOwnSpelling(laws: FormatLaws, bytes: Uint8Array): void {
  const file = open(laws, bytes);
  const spelled = file.doc.segments.filter(isTranslatable).map((segment) => {
    const raw = file.text.slice(segment.start, segment.end);
    const parts = segment.parts.map((part) =>
      typeof part === 'string' ? part.replace(/\p{L}+/gu, `$&${MARK}`) : part,
    );
    const isSkipped = raw.includes(MARK) || /[\r\n]/.test(raw);
    return isSkipped ? [raw, raw] : [segment.encode(parts).replaceAll(MARK, ''), raw];
  });
  expect(spelled.map(([written]) => written)).toEqual(spelled.map(([, raw]) => raw));
}

const MARK = 'QQ';

function expectIdempotent(laws: FormatLaws, bytes: Uint8Array): void {
  const file = open(laws, bytes);
  const texts = new Map(
    file.doc.segments
      .filter(isTranslatable)
      .map((segment) => [segment.id, sourceParts(segment).map(pseudoPart)]),
  );
  const once = write(laws, file, ({ id }) => texts.get(id));
  const again = open(laws, once.bytes);
  const index = new Map(again.doc.segments.map(({ id }, at) => [id, file.doc.segments[at]?.id]));
  const twice = write(laws, again, ({ id }) => texts.get(index.get(id) ?? ''));
  expect(Buffer.compare(twice.bytes, once.bytes)).toBe(0);
}

/** With more and with fewer plural forms than the source's language. */
const OTHER_LANGUAGES = ['ru', 'ja'];

function expectNewFiles(laws: FormatLaws, bytes: Uint8Array): void {
  if (isRefusedAsSource(laws, bytes)) return;
  for (const code of laws.newFiles ?? OTHER_LANGUAGES) {
    const language = parseLanguage(code);
    if (language === undefined) throw new TypeError(code);
    const options = { ...optionsOf(laws), language };
    const { format } = laws;
    const source = openFile(bytes, format, { ...options, role: 'source' });
    const wanted = expectedSegments(format, source, { language });
    const texts = new Map(
      wanted
        .filter(isTranslatable)
        .map((segment) => [segment.id, sourceParts(segment).map(pseudoPart)]),
    );
    // `compose` reads its result back, and throws if the result is not as intended.
    const composeWith = (isHeld: (index: number) => boolean, target?: OpenFile): OpenFile => {
      const placements = new Map(
        [...texts].map(([id, parts], index): [string, SegmentPlacement] => [
          id,
          isHeld(index) ? { kind: 'omit' } : { kind: 'write', parts },
        ]),
      );
      const given = target === undefined ? {} : { target };
      const composed = compose({ format, options, source, expected: wanted, placements, ...given });
      return openFile(composed.bytes, format, options);
    };
    for (const rest of [0, 1]) {
      const partial = composeWith((index) => index % 2 === rest);
      const whole = composeWith(() => false, partial);
      const found = textsById(whole);
      const missing = [...texts].filter(([id, parts]) => !sameParts(found.get(id) ?? [], parts));
      expect(missing).toEqual([]);
    }
  }
}

/** A file with the same key twice is not a source in some formats. */
function isRefusedAsSource(laws: FormatLaws, bytes: Uint8Array): boolean {
  if (open(laws, bytes).doc.duplicates === undefined) return false;
  const read = () => openFile(bytes, laws.format, { ...optionsOf(laws), role: 'source' });
  try {
    read();
    return false;
  } catch (error) {
    expect(String(error)).toContain('already');
    return true;
  }
}

function expectPutBack(laws: FormatLaws, bytes: Uint8Array): void {
  const file = open(laws, bytes);
  expect(file.doc.segments.length).toBeGreaterThan(0);
  const { format } = laws;
  const options = optionsOf(laws);
  for (const [index, segment] of file.doc.segments.entries()) {
    const isRepeated = file.doc.duplicates?.some(({ id }) => id === segment.id) === true;
    if (index === 0 || segment.positional || isRepeated) continue;
    const common = { format, options, source: file } as const;
    const removed = new Set([segment.id]);
    const without = compose({ ...common, target: file, placements: new Map(), removed });
    const target = open(laws, without.bytes);
    expect(target.doc.segments.map(({ id }) => id)).not.toContain(segment.id);
    const placements = new Map([[segment.id, written(segment, segment.parts)]]);
    const back = compose({ ...common, target, placements });
    expect(back.text).toBe(file.text);
  }
}

/** Renames every entry that can be renamed alone: only its key changes. @returns how many there are */
function expectRenamed(laws: FormatLaws, bytes: Uint8Array): number {
  const file = open(laws, bytes);
  const ids = file.doc.segments.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  let renamed = 0;
  for (const [index, id] of ids.entries()) {
    if (!/\w$/.test(id) || ids.includes(`${id}#1`)) continue;
    const to = `${id}_renamed`;
    const edits = file.doc.rename?.(new Map([[id, to]])) ?? [];
    if (edits.length === 0) continue;
    renamed += 1;
    const text = splice(file.text, edits);
    expect(text.replace(/_renamed/g, '')).toBe(file.text);
    const after = open(laws, Buffer.from(file.encode(text))).doc.segments;
    expect(after.map((segment) => segment.id)).toEqual(ids.with(index, to));
    expect(after.map(({ parts }) => parts)).toEqual(file.doc.segments.map(({ parts }) => parts));
  }
  return renamed;
}

function textsById(file: OpenFile): Map<string, readonly Part[]> {
  return new Map(file.doc.segments.map(({ id, parts }) => [id, parts]));
}

function pseudoPart(part: Part): Part {
  return typeof part === 'string' && /\p{L}/u.test(part) ? pseudo(part) : part;
}

const ACCENTS = new Map(
  Object.entries({ a: '\u00e0', e: '\u00e9', i: '\u00ef', o: '\u00f6', u: '\u00fc' }),
);

function pseudo(text: string): string {
  return `\u27e6${text.replace(/[aeiou]/g, (letter) => ACCENTS.get(letter) ?? letter)}\u27e7`;
}

function hostileFor({ format, hostile = HOSTILE }: FormatLaws): (text: string) => string {
  const tail = format.foldsWhitespace ? hostile : `${hostile}\n- b:\tc`;
  return (text) => text + tail;
}
