/** Reads a source with its translation for a reviewer: the work behind `parsers.ts`. */

import type { ReadFile } from '../../files/disk.ts';
import { positionsOf } from '../../formats/text/position.ts';
import type { Stat } from '../../job.ts';
import type { ThreadWork } from '../../parsing/thread-call.ts';
import {
  type KnownText,
  type SuggestedTerm,
  suggestTerms,
  type TextLanguages,
} from '../../segments/corrections.ts';
import { caseOf, type PackedTarget } from '../../translate/inspected-case.ts';
import {
  decideSegments,
  findingsOf,
  gather,
  type Material,
  type TextFindings,
} from '../../translate/inspection.ts';
import { Recall } from '../../translate/recall.ts';
import type { TextCase } from '../../translate/text-case.ts';
import { optionsFor, type TextFile } from '../../translate/text-files.ts';
import { type ReviewText, reviewTextsOf } from '../review-text.ts';
import { keepOpened } from './opened.ts';

export interface ReviewedFile {
  readonly texts: readonly ReviewText[];
  /** Whether the target has another structure than its source, so that its texts cannot be assigned. */
  readonly isUnlike: boolean;
  /** File status of the target; absent: there is no target. */
  readonly stat?: Stat;
}

export interface AskedReview extends PackedTarget {
  /** The number of the file in later requests, for the texts after the first portion; absent: all texts are returned at once. */
  readonly rest?: number;
}

/** The next texts of a file. */
export interface TextsPortion {
  readonly texts: readonly ReviewText[];
  /** Whether they are the last ones. */
  readonly isLast: boolean;
}

export type BegunReview = ReviewedFile & TextsPortion;

/** A question of an editor: which texts are at this line of a source or of its target? */
export interface AskedLine extends PackedTarget {
  readonly side: 'source' | 'target';
  /** From 1. */
  readonly line: number;
}

export type UnnumberedText = Omit<ReviewText, 'nth'>;

export interface TextsAtLine {
  readonly texts: readonly UnnumberedText[];
  /** The nearest line with a text, above the asked line if there is one; null: the file has no text. */
  readonly nearest: number | null;
  readonly isUnlike: boolean;
}

export interface Corrections {
  readonly texts: readonly KnownText[];
  readonly languages: TextLanguages;
}

/** Each text is named by its index in the list. */
export type Suggested = SuggestedTerm<number>;

/** Texts in one message. The thread that receives them needs about 30 ms for so many, and does nothing else in this time. */
const PORTION = 1000;

/** The texts that were not requested yet, by the number of their file. */
const begun = new Map<number, Iterator<ReviewText>>();

export const review: ThreadWork<AskedReview, BegunReview> = async ({ rest, ...packed }) => {
  const text = caseOf(packed);
  const material = await gather(text);
  return () => {
    const findings = findingsOf(text, material);
    keepFiles(text, material, findings);
    if (findings.blocker !== undefined) return { texts: [], isUnlike: true, isLast: true };
    const looked = { ...findings, ...decideSegments(text, findings, new Recall()) };
    const texts = reviewTextsOf(text, looked);
    const stat = material.target && { stat: material.target.stat };
    if (rest === undefined) return { texts: [...texts], isUnlike: false, isLast: true, ...stat };
    begun.set(rest, texts);
    return { ...portionOf(rest), isUnlike: false, ...stat };
  };
};

export const more: ThreadWork<number, TextsPortion> = async (rest) => {
  return () => portionOf(rest);
};

function portionOf(rest: number): TextsPortion {
  const left = begun.get(rest);
  // Set again below if texts are left. After the last text or a failure, nobody asks for this file again.
  begun.delete(rest);
  if (left === undefined) throw new Error(`no texts are left of the file ${rest}`);
  const texts: ReviewText[] = [];
  for (let next = left.next(); next.done !== true; next = left.next()) {
    texts.push(next.value);
    if (texts.length < PORTION) continue;
    begun.set(rest, left);
    return { texts, isLast: false };
  }
  return { texts, isLast: true };
}

/** Keeps both files in memory: a person who reads the texts of a file often saves one of them next. */
function keepFiles(
  text: TextCase,
  material: Material,
  { reader, source, target }: TextFindings,
): void {
  if (reader.format.shape !== 'keyed') return;
  const sizeOf = (file: ReadFile) => ({ hash: file.hash, bytes: file.bytes.byteLength });
  const ofSource = { format: reader.format, options: optionsFor(text, 'source') };
  keepOpened(source, sizeOf(material.source), ofSource);
  if (target !== undefined && material.target !== undefined) {
    keepOpened(target, sizeOf(material.target), reader);
  }
}

export const find: ThreadWork<AskedLine, TextsAtLine> = async ({ line, side, ...packed }) => {
  const text = caseOf(packed);
  const material = await gather(text);
  return () => {
    const findings = findingsOf(text, material);
    if (findings.blocker !== undefined) return { texts: [], nearest: null, isUnlike: true };
    const own = side === 'source' ? spansIn(findings.source) : spansOfTarget(findings);
    const spans = findings.reader.format.bilingual === true ? withEntries(own) : own;
    const here = smallest(spans.filter(({ first, last }) => first <= line && line <= last));
    const ids = new Set(here.map(({ id }) => id));
    const looked = { ...findings, ...decideSegments(text, findings, new Recall()) };
    const texts = [...reviewTextsOf(text, looked)].filter(({ id }) => ids.has(id));
    return { texts, nearest: nearestOf(spans, line), isUnlike: false };
  };
};

/** The lines of a text, with its key. */
interface KeyedLines {
  readonly id: string;
  readonly first: number;
  readonly last: number;
}

function spansIn({ text, doc }: Pick<TextFile, 'text' | 'doc'>): KeyedLines[] {
  const positionAt = positionsOf(text);
  return doc.segments.map(({ id, line, start, end }) => ({
    id,
    first: Math.min(line, positionAt(start).line),
    last: positionAt(end).line,
  }));
}

/** Extends each text to the source text, comments and ids before its translation, which belong to the same entry. */
function withEntries(spans: readonly KeyedLines[]): KeyedLines[] {
  const inOrder = spans.toSorted((a, b) => a.first - b.first);
  return inOrder.map((span, index) => {
    const before = inOrder[index - 1]?.last ?? 0;
    return { ...span, first: Math.min(span.first, before + 1) };
  });
}

/** Texts of a page get the ids of the segments that they were related to. */
function spansOfTarget({ target, found, reader }: TextFindings): KeyedLines[] {
  if (target === undefined) return [];
  const spans = spansIn(target);
  if (reader.format.shape === 'keyed') return spans;
  const ids = new Map([...found].map(([id, parts]) => [parts, id]));
  return spans.flatMap((span, index) => {
    const parts = target.doc.segments[index]?.parts;
    const id = parts && ids.get(parts);
    return id === undefined ? [] : [{ ...span, id }];
  });
}

/** In formats that nest, a text of one line may be inside a longer one. */
function smallest(spans: readonly KeyedLines[]): readonly KeyedLines[] {
  const size = ({ first, last }: KeyedLines) => last - first;
  const least = Math.min(...spans.map(size));
  return spans.filter((span) => size(span) === least);
}

function nearestOf(spans: readonly KeyedLines[], line: number): number | null {
  const before = spans.filter(({ last }) => last < line).map(({ last }) => last);
  if (before.length > 0) return Math.max(...before);
  return spans.length === 0 ? null : Math.min(...spans.map(({ first }) => first));
}

export const suggest: ThreadWork<Corrections, readonly Suggested[]> = async ({
  texts,
  languages,
}) => {
  return () => {
    const numbers = new Map(texts.map((text, index) => [text, index]));
    return suggestTerms(texts, languages).map(({ texts: seen, ...term }) => ({
      ...term,
      texts: seen.flatMap((text) => numbers.get(text) ?? []),
    }));
  };
};
