/** Reads a source with its translation for a reviewer: the work behind `parsers.ts`. */

import type { ReadFile } from '../../files/disk.ts';
import {
  keyName,
  type Part,
  type PlaceholderSyntax,
  type PluralForm,
  partsText,
  type Segment,
  sourceParts,
} from '../../format.ts';
import { positionsOf } from '../../formats/text/position.ts';
import type { Stat } from '../../job.ts';
import type { Reading } from '../../parsing/parser.ts';
import {
  type KnownText,
  type SuggestedTerm,
  suggestTerms,
  type TextLanguages,
} from '../../segments/corrections.ts';
import type { Decision } from '../../segments/decision.ts';
import { hasBranches } from '../../segments/icu-text.ts';
import { maxLengthOf, noteOf } from '../../segments/key-pattern.ts';
import { type Translatable, takeApart } from '../../segments/pieces.ts';
import {
  markOf,
  type ReviewState,
  reviewState,
  type WantsReview,
  wantsReview,
} from '../../segments/review.ts';
import {
  type Assertion,
  type Mark,
  NO_TARGET,
  type SourceHash,
  sourceHash,
  type TargetHash,
  targetHash,
  type UnitId,
  unitId,
} from '../../segments/statements.ts';
import { caseOf, type PackedTarget } from '../../translate/inspected-case.ts';
import {
  decideSegments,
  findingsOf,
  gather,
  type Material,
  type TextFindings,
  type TextInspection,
} from '../../translate/inspection.ts';
import { Recall } from '../../translate/recall.ts';
import type { TextCase } from '../../translate/text-case.ts';
import { optionsFor, type TextFile } from '../../translate/text-files.ts';
import { keepOpened } from './opened.ts';

/** One text of a source and its translation in one language; plain data. */
export interface ReviewText {
  /** Id of the segment. */
  readonly id: string;
  /** The key as people write it; empty in formats without keys. */
  readonly key: string;
  readonly unit: UnitId;
  readonly sourceHash: SourceHash;
  /** Position among the texts of the file with the same unit and source; from 1. */
  readonly nth: number;
  /** Line in the source, from 1. */
  readonly line: number;
  readonly source: string;
  /** Text of the target; null: the target does not have it. */
  readonly target: string | null;
  readonly targetHash: TargetHash;
  readonly state: ReviewState;
  /** The lock asks for a review, also when the config does not. */
  readonly isWanted?: true;
  /** Who made the text of the target, if that is known. */
  readonly mark: Mark;
  /** The source that the translation was made from, if it is not the present one and is known. */
  readonly previousSource?: string;
  readonly context?: string;
  readonly note?: string;
  /** In Unicode code points. */
  readonly maxLength?: number;
  /** Placeholders and markup of the source, in order. They must not be changed. */
  readonly codes: readonly string[];
  /** The inputs for a check of the translation. */
  readonly check: ReviewCheck;
}

export interface ReviewCheck {
  readonly syntax: PlaceholderSyntax;
  /** The source, if it is not plain text. */
  readonly parts?: readonly Part[];
  readonly form?: PluralForm;
}

export interface ReviewedFile {
  readonly texts: readonly ReviewText[];
  /** Whether the target is built differently from its source, so that its texts cannot be told apart. */
  readonly isUnlike: boolean;
  /** File status of the target; absent: there is no target. */
  readonly stat?: Stat;
}

/** A line of a source or of its target, about which an editor asks. */
export interface AskedLine extends PackedTarget {
  readonly side: 'source' | 'target';
  /** From 1. */
  readonly line: number;
}

export type ReviewedPlace = Omit<ReviewText, 'nth'>;

export interface TextsAtLine {
  readonly texts: readonly ReviewedPlace[];
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

export const review: Reading<PackedTarget, ReviewedFile> = async (packed) => {
  const text = caseOf(packed);
  const material = await gather(text);
  return () => {
    const findings = findingsOf(text, material);
    keepFiles(text, material, findings);
    if (findings.blocker !== undefined) return { texts: [], isUnlike: true };
    return {
      texts: textsOf(text, { ...findings, ...decideSegments(text, findings, new Recall()) }),
      isUnlike: false,
      ...(material.target && { stat: material.target.stat }),
    };
  };
};

/** Keeps both files in memory: a person who reads the texts of a file may save one next. */
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

export const find: Reading<AskedLine, TextsAtLine> = async ({ line, side, ...packed }) => {
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
    const texts = textsOf(text, looked).filter(({ id }) => ids.has(id));
    return { texts, nearest: nearestOf(spans, line), isUnlike: false };
  };
};

/** The lines of a text, with its key. */
interface Lines {
  readonly id: string;
  readonly first: number;
  readonly last: number;
}

function spansIn({ text, doc }: Pick<TextFile, 'text' | 'doc'>): Lines[] {
  const positionAt = positionsOf(text);
  return doc.segments.map(({ id, line, start, end }) => ({
    id,
    first: Math.min(line, positionAt(start).line),
    last: positionAt(end).line,
  }));
}

/** Extends each text to the source text, comments and ids before its translation, which belong to the same entry. */
function withEntries(spans: readonly Lines[]): Lines[] {
  const inOrder = spans.toSorted((a, b) => a.first - b.first);
  return inOrder.map((span, index) => {
    const before = inOrder[index - 1]?.last ?? 0;
    return { ...span, first: Math.min(span.first, before + 1) };
  });
}

/** Texts of a page get the ids of the segments that they were related to. */
function spansOfTarget({ target, found, reader }: TextFindings): Lines[] {
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
function smallest(spans: readonly Lines[]): readonly Lines[] {
  const size = ({ first, last }: Lines) => last - first;
  const least = Math.min(...spans.map(size));
  return spans.filter((span) => size(span) === least);
}

function nearestOf(spans: readonly Lines[], line: number): number | null {
  const before = spans.filter(({ last }) => last < line).map(({ last }) => last);
  if (before.length > 0) return Math.max(...before);
  return spans.length === 0 ? null : Math.min(...spans.map(({ first }) => first));
}

export const suggest: Reading<Corrections, readonly Suggested[]> = async ({ texts, languages }) => {
  return () => {
    const numbers = new Map(texts.map((text, index) => [text, index]));
    return suggestTerms(texts, languages).map(({ texts: seen, ...term }) => ({
      ...term,
      texts: seen.flatMap((text) => numbers.get(text) ?? []),
    }));
  };
};

type Looked = TextFindings & Pick<TextInspection, 'merge'>;

function textsOf(text: TextCase, looked: Looked): ReviewText[] {
  const wants = wantsReview(text.route.policies, text.job.language);
  const counts = new Map<string, number>();
  return looked.merge.decisions.flatMap((decision, index) => {
    const segment = looked.segments[index];
    if (segment === undefined) return [];
    const read = textOf(text, { looked, decision, segment, wants });
    if (read === undefined) return [];
    const place = `${read.unit}.${read.sourceHash}`;
    const nth = (counts.get(place) ?? 0) + 1;
    counts.set(place, nth);
    return [{ ...read, nth }];
  });
}

interface Judging {
  readonly looked: Looked;
  readonly decision: Decision;
  readonly segment: Segment;
  readonly wants: WantsReview;
}

function textOf(
  { job, route }: TextCase,
  { looked, decision, segment, wants }: Judging,
): Omit<ReviewText, 'nth'> | undefined {
  const { id, line, context, syntax } = segment;
  const isKeyed = looked.reader.format.shape === 'keyed';
  const parts = sourceParts(segment);
  const source = partsText(parts);
  const found = looked.vacant?.has(id) ? undefined : looked.found.get(id);
  const place = {
    unit: unitId(job.source, isKeyed ? id : undefined),
    sourceHash: sourceHash(source),
    targetHash: found === undefined ? NO_TARGET : targetHash(partsText(found)),
  };
  const statements = looked.statements?.(id) ?? [];
  const ofTarget = statements.filter(({ target }) => target === place.targetHash);
  const ofPair = ofTarget.filter((each) => each.source === place.sourceHash);
  const state = reviewState({ decision, stated: ofPair, wants });
  if (state === undefined) return undefined;
  const note = noteOf(route.keys.notes, id);
  const maxLength = segment.maxLength ?? maxLengthOf(route.keys.maxLength, id);
  const previous = previousSource(decision, looked, source);
  return {
    id,
    key: isKeyed ? keyName(id) : '',
    ...place,
    line,
    source,
    target: found === undefined ? null : partsText(found),
    state,
    ...(state === 'unreviewed' && isWanted(ofPair) ? { isWanted: true as const } : {}),
    mark: whoMade(decision, ofPair.length > 0 ? ofPair : ofTarget),
    ...(previous === undefined ? {} : { previousSource: previous }),
    ...(context === undefined ? {} : { context }),
    ...(note === undefined ? {} : { note }),
    ...(maxLength === undefined ? {} : { maxLength }),
    codes: codesOf({ parts, syntax }),
    check: {
      syntax,
      ...(parts.every((part) => typeof part === 'string') ? {} : { parts }),
      ...(segment.form === undefined ? {} : { form: segment.form }),
    },
  };
}

/** The lock does not have the pair yet, and gets it as it is shown. */
function isWanted(ofPair: readonly Assertion[]): boolean {
  return ofPair.length === 0 || ofPair.some(({ review }) => review === 'wanted');
}

function whoMade(decision: Decision, stated: readonly Assertion[]): ReviewText['mark'] {
  if ('record' in decision) {
    const { origin } = decision.record;
    return markOf(stated, origin === 'copied' ? 'machine' : origin);
  }
  const origin = decision.kind === 'buy' ? decision.standing?.origin : undefined;
  return markOf(stated, origin === undefined || origin === 'copied' ? 'machine' : origin);
}

function previousSource(decision: Decision, { base }: Looked, now: string): string | undefined {
  if (decision.kind === 'conflict') return decision.record.previousSource;
  if (decision.kind !== 'buy' || decision.standing === null) return undefined;
  const before = base.get(decision.id);
  const known = before?.previousSource ?? before?.source;
  return known === now ? undefined : known;
}

/** A message with branches is text: a translator writes the branches of the target language. */
function codesOf(source: Translatable): string[] {
  const around = (part: Part) => (typeof part === 'string' ? [] : [part.raw]);
  const { before, inner, after } = takeApart(source);
  const codes = hasBranches(source)
    ? source.parts.flatMap(around)
    : [
        ...before.flatMap(around),
        ...inner.flatMap((piece) => (piece.kind === 'text' ? [] : [partsText([piece.part])])),
        ...after.flatMap(around),
      ];
  return codes.filter((code) => code.trim() !== '');
}
