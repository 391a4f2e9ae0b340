/** Finds faults in one translation file: each with its key and place. Pure. */

import type { SegmentRecord } from '../../baseline.ts';
import {
  type Doc,
  isValue,
  keyName,
  type Part,
  partsText,
  type Segment,
  sourceParts,
} from '../../format.ts';
import { describeDuplicate } from '../../formats/text/duplicates.ts';
import { positionsOf } from '../../formats/text/position.ts';
import { shortList, UNCLEAR } from '../../job.ts';
import type { OutOfDate } from '../../lane.ts';
import { type LanguageTag, languageName, plural } from '../../language.ts';
import type { Decision } from '../../segments/decision.ts';
import {
  type CheckedTranslation,
  checkTranslation,
  findUntranslated,
} from '../../segments/inline/check.ts';
import { maxLengthOf } from '../../segments/key-pattern.ts';
import { describeOutOfDate, outOfDate } from '../../segments/out-of-date.ts';
import { reviewState, wantsReview } from '../../segments/review.ts';
import { sourceHash, targetHash } from '../../segments/statements.ts';
import { describeFinding, missingTerms } from '../../segments/term-occurrence.ts';
import type { TextFindings, TextInspection } from '../../translate/inspection.ts';
import type { TextCase } from '../../translate/text-case.ts';

export interface PlacedFinding {
  readonly line: number;
  readonly column: number;
  readonly severity: 'hold' | 'warn';
  readonly message: string;
  /** The text is not wrong: it waits for a reviewer. */
  readonly because?: 'unreviewed';
  /** For a finding about one text: its key or its beginning, and the kind of fault. Findings of one kind may be shown as a number. */
  readonly text?: { readonly name: string; readonly about: string };
}

export type LookedAtTargets = TextFindings & Pick<TextInspection, 'merge'>;

/** @returns findings in the order of the file; empty without a target */
export function findingsIn(looked: LookedAtTargets, text: TextCase): PlacedFinding[] {
  const { target, blocker, segments } = looked;
  if (target === undefined) return [];
  if (blocker === 'unlike') {
    const [found, wanted] = [target.doc.segments.length, segments.length];
    const message = `not built like its source: ${found} texts, its source has ${wanted}`;
    return [{ line: 1, column: 1, severity: 'hold', message }];
  }
  const place = findingPositions(target.doc.segments, looked);
  const position = positionsOf(target.text);
  const remarks = [...remarksOn(looked, text), ...orphans(looked, text)];
  const findings = remarks
    .map(({ id, severity, message, about = message }) => {
      return { ...place(id), severity, message, about };
    })
    .sort((a, b) => a.offset - b.offset || a.order - b.order)
    .map(({ offset, name, severity, message, about }) => ({
      ...position(offset),
      severity,
      message: `${name}: ${message}`,
      text: { name, about },
    }));
  const others = [...repeatedKeys(target.doc), ...inherited(looked, text.job.language)];
  return [...findings, ...others, ...unreviewed(looked, text)].sort((a, b) => a.line - b.line);
}

function inherited(
  { reader, source, target }: LookedAtTargets,
  language: LanguageTag,
): PlacedFinding[] {
  const { text, doc: { segments } = { segments: [] } } = target ?? {};
  const known = { language, segments, ...(text === undefined ? {} : { text }) };
  return (reader.format.inherited?.(source.doc, known) ?? []).map(({ id, line, reference }) => ({
    ...{ line, column: 1, severity: 'warn' },
    message: `${keyName(id)}: taken over by "${reference}", so its source text is not translated: write the key without a value beside "<<" to have it translated`,
  }));
}

/** One finding for the whole file: after a first run, all its texts wait for a reviewer. */
function unreviewed(looked: LookedAtTargets, { route, job }: TextCase): PlacedFinding[] {
  const severity = route.policies.review.unreviewed;
  if (severity === 'off') return [];
  const wants = wantsReview(route.policies, job.language);
  const names = looked.merge.decisions.flatMap((decision, index) => {
    const segment = looked.segments[index];
    const found = looked.found.get(decision.id);
    if (segment === undefined || found === undefined) return [];
    const pair = [sourceHash(partsText(sourceParts(segment))), targetHash(partsText(found))];
    const stated = (looked.statements?.(decision.id) ?? []).filter(
      ({ source, target }) => source === pair[0] && target === pair[1],
    );
    const isKeyed = looked.reader.format.shape === 'keyed';
    const name = isKeyed ? keyName(decision.id) : `"${beginning(found)}"`;
    return reviewState({ decision, stated, wants }) === 'unreviewed' ? [name] : [];
  });
  if (names.length === 0) return [];
  const message = `${plural(names.length, 'text')} not reviewed: ${shortList(names)}`;
  return [{ line: 1, column: 1, severity, message, because: 'unreviewed' }];
}

function repeatedKeys({ duplicates = [] }: Doc): PlacedFinding[] {
  return duplicates.map((duplicate) => ({
    line: duplicate.lines[1] ?? 1,
    column: 1,
    severity: 'warn',
    message: describeDuplicate(duplicate),
  }));
}

interface Remark {
  readonly id: string;
  readonly severity: 'hold' | 'warn';
  readonly message: string;
  /** Findings with the same value are counted together; absent: those with the same message. */
  readonly about?: string;
}

interface FindingPosition {
  readonly offset: number;
  /** Order among findings with the same offset. */
  readonly order: number;
  /** The key; in files without keys, the beginning of the text. */
  readonly name: string;
}

/** The place of an id in the target; for a missing id, the place of the nearest id before it. */
function findingPositions(
  current: readonly Segment[],
  looked: LookedAtTargets,
): (id: string) => FindingPosition {
  const isKeyed = looked.reader.format.shape === 'keyed';
  // Texts are found by identity: the alignment returns the same arrays that it was given.
  const byParts = new Map(current.map(({ parts, start }) => [parts, start]));
  const byId = new Map(current.map(({ id, start }) => [id, start]));
  const offsets = new Map<string, number>();
  let last = 0;
  for (const { id } of looked.segments) {
    const found = looked.found.get(id);
    last = (isKeyed ? byId.get(id) : found && byParts.get(found)) ?? last;
    offsets.set(id, last);
  }
  const sources = new Map(looked.segments.map((segment) => [segment.id, sourceParts(segment)]));
  const order = new Map([...sources.keys()].map((id, index) => [id, index]));
  return (id) => {
    const found = looked.found.get(id);
    return {
      offset: offsets.get(id) ?? byId.get(id) ?? (found && byParts.get(found)) ?? 0,
      order: order.get(id) ?? sources.size,
      name: isKeyed ? keyName(id) : `"${beginning(found ?? sources.get(id) ?? [])}"`,
    };
  };
}

function beginning(parts: readonly Part[]): string {
  const text = partsText(parts).replace(/\s+/g, ' ').trim();
  return text.length > 40 ? `${[...text].slice(0, 39).join('')}…` : text;
}

function remarksOn(looked: LookedAtTargets, text: TextCase): Remark[] {
  const remarks: Remark[] = [];
  const current: DecidedTranslation[] = [];
  const references = referencesIn(looked.target);
  // A translation may have another value, and a value may be in place of a text without words.
  const values = new Set(looked.target?.doc.segments.filter(isValue).map(({ parts }) => parts));
  for (const [index, decision] of looked.merge.decisions.entries()) {
    const segment = looked.segments[index];
    if (segment === undefined) continue;
    const { id } = segment;
    const found = looked.found.get(id);
    const state = stateRemark(decision, segment, { ...text, isThere: found !== undefined });
    if (state !== undefined) remarks.push({ id, ...state });
    if (found === undefined || isToBuy(decision) || references.has(id)) continue;
    if (isValue(segment) || (decision.kind !== 'buy' && values.has(found))) continue;
    // A null would be read as the word "null".
    const parts = looked.vacant?.has(id) ? [] : found;
    current.push({ id, decision, translation: translationOf(segment, parts, text) });
  }
  return [...remarks, ...current.flatMap((each) => contents(each, text)), ...same(current, text)];
}

interface DecidedTranslation {
  readonly id: string;
  readonly decision: Decision;
  readonly translation: CheckedTranslation;
}

/** Whether the target has no translation of this text, or one of an earlier source. */
function isToBuy(decision: Decision): boolean {
  switch (decision.kind) {
    case 'omit':
    case 'restore':
    case 'move':
    case 'conflict':
    case 'hold':
      return true;
    case 'buy':
      return decision.current === null || decision.reason === 'changed';
    case 'keep':
    case 'adopt':
    case 'copy':
      return false;
  }
}

/** The finding about the state: missing, stale or held. */
function stateRemark(
  decision: Decision,
  segment: Segment,
  text: TextCase & { readonly isThere: boolean },
): Omit<Remark, 'id'> | undefined {
  switch (decision.kind) {
    case 'omit':
    case 'copy':
      return undefined;
    case 'adopt':
    case 'keep':
      return decision.record.state === 'stale'
        ? { severity: 'warn', message: staleBecause(outOfDate(decision)) }
        : undefined;
    case 'conflict':
      return {
        severity: 'hold',
        message: decision.isUnknown ? UNKNOWN : EDITED,
      };
    case 'hold':
      return held(decision.record);
    case 'restore':
      // A text that is there only gets the destinations, attributes or code of the source.
      return text.isThere
        ? { severity: 'hold', message: staleBecause(['source']) }
        : { severity: 'hold', message: missing(segment, text), about: 'missing' };
    case 'move':
      return { severity: 'hold', message: `missing: it is still under ${keyName(decision.from)}` };
    case 'buy':
      if (decision.current === null) {
        return { severity: 'hold', message: missing(segment, text), about: 'missing' };
      }
      if (decision.reason !== 'changed' && decision.reason !== 'recipe') return undefined;
      return {
        severity: decision.reason === 'changed' ? 'hold' : 'warn',
        message: staleBecause(outOfDate(decision)),
      };
  }
}

function held({ problem = 'not translated', unclear }: SegmentRecord): Omit<Remark, 'id'> {
  const about = unclear === undefined ? {} : { about: `held: ${UNCLEAR}` };
  return { severity: 'hold', message: `held: ${problem}`, ...about };
}

export function staleBecause(reasons: readonly OutOfDate[]): string {
  return `stale: ${describeOutOfDate(reasons)}`;
}

export const EDITED = `${staleBecause(['source'])}, and a person had edited it`;
export const UNKNOWN = `${describeOutOfDate(['unknown'])}: decide with "dragoman resolve"`;

function missing({ plural }: Segment, { job }: TextCase): string {
  if (plural === undefined) return 'missing';
  const language = languageName(job.language) ?? job.language;
  return `the plural form "${plural.category}" is missing, which ${language} needs`;
}

function contents(current: DecidedTranslation, { route, projectTerms }: TextCase): Remark[] {
  const { id, translation } = current;
  if (isEmptied(current)) return [{ id, severity: 'warn', message: 'empty: a person emptied it' }];
  const found = checkTranslation(translation, route.policies.checks);
  const source = partsText(translation.source.parts);
  const terms =
    projectTerms.terms === undefined
      ? []
      : missingTerms(source, partsText(translation.target), projectTerms.terms.index);
  return [
    ...found.map(({ severity, message }) => ({ id, severity, message })),
    ...terms.map((term) => ({ id, severity: 'warn' as const, message: describeFinding(term) })),
  ];
}

function isEmptied({ decision, translation }: DecidedTranslation): boolean {
  const isPersons = decision.kind === 'keep' && decision.record.origin === 'human';
  return isPersons && partsText(translation.target) === '';
}

/** Texts that equal their source. In a variant of the source language that is allowed. */
function same(current: readonly DecidedTranslation[], { route, recipe }: TextCase): Remark[] {
  const severity = route.policies.checks.untranslated;
  if (severity === 'off' || recipe.conversion !== undefined) return [];
  const meant = current.filter(({ decision }) => decision.kind !== 'copy' && !isCopy(decision));
  const message = 'untranslated: it equals its source';
  return findUntranslated(meant.map(({ translation }) => translation)).flatMap((index) => {
    const id = meant[index]?.id;
    return id === undefined ? [] : [{ id, severity, message }];
  });
}

function isCopy(decision: Decision): boolean {
  return decision.kind === 'keep' && decision.record.origin === 'copied';
}

function translationOf(segment: Segment, target: readonly Part[], { job, route }: TextCase) {
  const maxLength = segment.maxLength ?? maxLengthOf(route.keys.maxLength, segment.id);
  return {
    source: { parts: sourceParts(segment), syntax: segment.syntax },
    target,
    ...(maxLength === undefined ? {} : { maxLength }),
    language: job.language,
    ...(segment.form === undefined ? {} : { form: segment.form }),
  };
}

/** Ids of the target that only refer to another text. */
function referencesIn(target: LookedAtTargets['target']): ReadonlySet<string> {
  return new Set(target?.doc.segments.flatMap(({ id, isReference }) => (isReference ? [id] : [])));
}

/** Ids of the target with null or no value where the source has a group: its missing texts are written there. */
function gapsOfGroups(
  target: LookedAtTargets['target'],
  segments: readonly Segment[],
): ReadonlySet<string> {
  const gaps = target?.doc.segments.filter(({ gap }) => gap === 'node') ?? [];
  if (gaps.length === 0) return new Set();
  const ids = segments.map(({ id }) => id);
  return new Set(
    gaps.flatMap(({ id }) => (ids.some((each) => each.startsWith(`${id}.`)) ? [id] : [])),
  );
}

/** Findings about texts of the target that have no source. */
function orphans({ merge, found, target, segments }: LookedAtTargets, { job }: TextCase): Remark[] {
  const groups = new Set(segments.map(({ plural }) => plural?.group));
  const plurals = new Map(target?.doc.segments.map(({ id, plural }) => [id, plural]));
  const references = referencesIn(target);
  const filled = gapsOfGroups(target, segments);
  const kept = merge.kept.filter((id) => !references.has(id) && !filled.has(id));
  const ids = [...kept, ...merge.removed.map(({ id }) => id).filter((id) => found.has(id))];
  return ids.map((id) => {
    const plural = plurals.get(id);
    const language = languageName(job.language) ?? job.language;
    const message =
      plural === undefined || !groups.has(plural.group)
        ? 'orphaned: its source is gone'
        : `the plural form "${plural.category}" is none of ${language}`;
    return { id, severity: 'warn', message };
  });
}
