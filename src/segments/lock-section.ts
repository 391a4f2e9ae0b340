/** The lines of one source in the lock: new ones from its records, and the old lines that are still true. Pure. */

import type { CueRecord, SegmentRecord } from '../baseline.ts';
import type { StepwiseWork } from '../clock.ts';
import { partsText } from '../format.ts';
import { append } from '../parsing/append.ts';
import { lockVerdict } from './lock-decision.ts';
import type { WantsReview } from './review.ts';
import {
  type Assertion,
  lockRank,
  NO_TARGET,
  type SourceHash,
  type Statement,
  sourceHash,
  statementsOf,
  type TargetHash,
  targetHash,
  type UnitId,
  union,
  unitId,
} from './statements.ts';

export interface SectionInput {
  /** Path of the source, relative to the root of the project. */
  readonly path: string;
  /** The current texts of the target, in the order of the source. */
  readonly records: readonly SegmentRecord[];
  readonly shape: 'keyed' | 'sequence';
  /** `as stated`: a person changed the frame for an unknown version of the source, so the lines of the lock stay. */
  readonly frame?: { readonly source: string; readonly target: string } | 'as stated';
  /** Formats without keys: keys of the texts in the target that belong to no segment. */
  readonly own?: readonly string[];
  /** The path that the lock has for the source, when the source was moved since. */
  readonly formerPath?: string;
  /** Which new texts a person must review; absent: none. */
  readonly wants?: WantsReview;
  /**
   * When somebody else wrote the target since: its current texts, by id. If a text is no longer the text of its record, the lines of
   * the lock stay. Absent: the records are up to date.
   */
  readonly current?: ReadonlyMap<string, TargetHash>;
}

/** The statements about the units of a source, in its order. */
export interface Section {
  readonly path: string;
  readonly units: ReadonlyMap<UnitId, UnitStatements>;
  readonly wants: WantsReview;
}

type StatedTimes = NonNullable<CueRecord['times']>[number];

interface UnitStatements {
  readonly said: readonly Assertion[];
  /** Targets that are still there although the source has changed: the old lines about them stay. */
  readonly open: ReadonlySet<string>;
  /** The unit of the text before its source was moved. */
  readonly former?: UnitId;
  /** An earlier version took a key for the source of the text: what it stated contradicts nothing. */
  keyText?: SourceHash;
  /** Nobody has looked at the current text here: all old lines about it stay. */
  isAsStated?: true;
}

/** A file of a hundred thousand texts takes half a second, most of it for hashes. */
export function* sectionFrom(input: SectionInput): StepwiseWork<Section> {
  const { path, records, shape, frame, own = [], formerPath, wants, current } = input;
  const units = new Map<UnitId, UnitStatements & { said: Assertion[]; open: Set<string> }>();
  const at = (id?: string) => {
    const unit = unitId(path, id);
    const former = formerPath === undefined ? {} : { former: unitId(formerPath, id) };
    const known = units.get(unit) ?? { said: [], open: new Set(), ...former };
    units.set(unit, known);
    return known;
  };
  for (const record of records) {
    yield;
    if (record.isFrame || (record.origin === 'copied' && !isLeftOut(record))) continue;
    const unit = at(shape === 'keyed' ? record.id : undefined);
    const target = record.target === null ? NO_TARGET : targetHash(partsText(record.target));
    if (current !== undefined && (current.get(record.id) ?? NO_TARGET) !== target) {
      unit.isAsStated = true;
      continue;
    }
    append(unit.said, assertions(record));
    if (record.keyText !== undefined) unit.keyText = sourceHash(record.keyText);
    if (record.state !== 'ok') unit.open.add(target);
  }
  if (frame === 'as stated') at(FRAME).isAsStated = true;
  else if (frame !== undefined) {
    // A person changed the frame if it differs from the frame of the source.
    const mark = frame.source === frame.target ? 'machine' : 'human';
    at(FRAME).said.push({ ...hashesOfFrame(frame), mark });
  }
  const times = records[0]?.cue?.times;
  if (times !== undefined) append(at(FRAME).said, times.map(timesOf));
  // Only held texts without a place are looked for among them.
  if (own.length > 0 && records.some(({ state, target }) => state === 'held' && target === null)) {
    const keys = [...new Set(own)].toSorted();
    append(
      at(OWN).said,
      keys.map((key) => ({ ...hashesOfOwn(key), mark: 'human' as const })),
    );
  }
  return { path, units, wants: wants ?? (() => false) };
}

/** Of all cues of a film, or of one that a person moved. */
function timesOf([source, target]: StatedTimes, nth: number): Assertion {
  return {
    source: source as SourceHash,
    target: target as TargetHash,
    mark: nth === 0 ? 'machine' : 'human',
  };
}

/** The unit of the frame (everything that is not a segment) of a file without keys; of a film, its times. */
export const FRAME = 'frame';

/** The unit of the texts of a target that belong to no segment: a held text has no translation among them. */
export const OWN = 'own';

export function hashesOfOwn(key: string) {
  return { source: sourceHash(key), target: targetHash(key) };
}

export function hashesOfFrame(frame: { source: string; target: string }) {
  return { source: sourceHash(frame.source), target: targetHash(frame.target) };
}

/** A value without words that a person's target lacked at first contact. Without a statement, another checkout would add it. */
function isLeftOut({ origin, target }: SegmentRecord): boolean {
  return origin === 'copied' && target === null;
}

function assertions(record: SegmentRecord): Assertion[] {
  const { origin, state, target, review } = record;
  if (isLeftOut(record)) {
    return [{ source: sourceHash(record.source), target: NO_TARGET, mark: 'human' }];
  }
  if (origin === 'adopted' && state === 'ok' && target !== null) {
    const pair = {
      source: sourceHash(record.source),
      target: targetHash(partsText(target)),
      mark: origin,
    };
    return [review === undefined ? pair : { ...pair, review }];
  }
  const said = statementsOf(record);
  return review === undefined ? said : said.map((each) => ({ ...each, review }));
}

export interface SectionChange {
  readonly known: ReadonlyMap<string, readonly Statement[]>;
  /** One for each source that a job worked on. */
  readonly sections: readonly Section[];
  /**
   * Whether a line of one of these sources stays although the source does not have its unit. A merge of branches may have put the line
   * there.
   */
  isKept(unit: UnitId): boolean;
}

/** The lock with the sections of some sources replaced. */
export function* withSections({
  known,
  sections,
  isKept,
}: SectionChange): StepwiseWork<Map<string, Statement[]>> {
  const byUnit = yield* statementsByUnit(known.values());
  const renewed = new Set(sections.flatMap(({ units }) => [...units.keys()]));
  const paths = new Set(sections.map(({ path }) => path));
  const next = new Map<string, Statement[]>();
  for (const [path, statements] of known) {
    const isHere = paths.has(path);
    const others: Statement[] = [];
    for (const statement of statements) {
      yield;
      const { unit } = statement;
      if (!renewed.has(unit) && (!isHere || isKept(unit))) others.push(statement);
    }
    next.set(path, others);
  }
  for (const section of sections) {
    const { path, units, wants } = section;
    const whole = new Set([FRAME, OWN].map((id) => unitId(path, id)));
    const lines: Statement[] = [];
    for (const [unit, statements] of units) {
      yield;
      append(lines, linesOfUnit({ unit, isWhole: whole.has(unit), wants }, statements, byUnit));
    }
    next.set(path, [...lines, ...(next.get(path) ?? [])]);
  }
  return next;
}

type StatementsByUnit = ReadonlyMap<UnitId, readonly Statement[]>;

export function* statementsByUnit(
  sections: Iterable<readonly Statement[]>,
): StepwiseWork<StatementsByUnit> {
  const byUnit = new Map<UnitId, Statement[]>();
  for (const statements of sections) {
    for (const statement of statements) {
      yield;
      const known = byUnit.get(statement.unit);
      if (known === undefined) byUnit.set(statement.unit, [statement]);
      else known.push(statement);
    }
  }
  return byUnit;
}

/** The same for a few units. A hundred thousand statements pass in a millisecond, so a section is one step. */
export function* statementsAbout(
  sections: Iterable<readonly Statement[]>,
  units: ReadonlySet<UnitId>,
): StepwiseWork<StatementsByUnit> {
  const found: Statement[] = [];
  for (const statements of sections) {
    yield;
    for (const statement of statements) if (units.has(statement.unit)) found.push(statement);
  }
  return Map.groupBy(found, ({ unit }) => unit);
}

interface SectionUnit extends Pick<Section, 'wants'> {
  readonly unit: UnitId;
  /** It is about the whole file, not about a text. */
  readonly isWhole: boolean;
}

function linesOfUnit(
  { unit, isWhole, wants }: SectionUnit,
  statements: UnitStatements,
  byUnit: StatementsByUnit,
): readonly Statement[] {
  const before = [
    ...(byUnit.get(unit) ?? []),
    ...formerStatements(byUnit, statements).map((each) => ({ ...each, unit })),
  ];
  if (statements.isAsStated) return before;
  const ofText = before.filter(({ source }) => source !== statements.keyText);
  const [found, said] = partition(statements.said, (each) => isContradicted(each, ofText));
  const now = said.map((each) => ({
    unit,
    ...(isWhole ? each : withReviewRequest(withKnownMark(each, before), before, wants)),
  }));
  const open = new Set([...statements.open, ...found.map(({ target }) => target)]);
  return renewedStatements(now, open, before);
}

function formerStatements(
  byUnit: ReadonlyMap<UnitId, readonly Statement[]>,
  { former }: UnitStatements,
): readonly Statement[] {
  return former === undefined ? [] : (byUnit.get(former) ?? []);
}

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  const { true: first = [], false: rest = [] } = Object.groupBy(all, (each) => `${isFirst(each)}`);
  return [first, rest];
}

/** Whether the lock contradicts an adopted text: it says, for example, that the text belongs to another source. */
export function isContradicted(
  { source, target, mark }: Assertion,
  statements: readonly Statement[],
): boolean {
  if (mark !== 'adopted') return false;
  const { kind } = lockVerdict({ statements, source, target });
  return kind === 'stale' || kind === 'outdated' || kind === 'edited';
}

/**
 * A text that the lock does not know counts as a person's. If the lock knows it by now, the lock is right: somebody restored the text, and
 * a job saw it before the lock was restored.
 */
function withKnownMark(said: Assertion, before: readonly Statement[]): Assertion {
  if (said.mark !== 'human') return said;
  const known = before
    .filter(({ source, target }) => source === said.source && target === said.target)
    .toSorted((a, b) => lockRank(b) - lockRank(a))[0];
  if (known?.mark !== 'machine' && known?.mark !== 'adopted') return said;
  return { ...said, mark: known.mark };
}

/** Asks for a review of a new text. A pair that the lock has already keeps the review state that it has. */
function withReviewRequest(
  said: Assertion,
  before: readonly Statement[],
  wants: WantsReview,
): Assertion {
  if (said.review !== undefined || said.target === NO_TARGET || !wants(said.mark)) return said;
  const isKnown = before.some(
    ({ source, target }) => source === said.source && target === said.target,
  );
  return isKnown ? said : { ...said, review: 'wanted' };
}

/** The new statements, each with the strongest mark it had; and the old ones that show who wrote an outdated text. */
function renewedStatements(
  now: readonly Statement[],
  open: ReadonlySet<string>,
  before: readonly Statement[],
): Statement[] {
  const pairs = new Set(now.map(({ source, target }) => `${source} ${target}`));
  const kept = before.filter(
    ({ source, target }) => pairs.has(`${source} ${target}`) || open.has(target),
  );
  if (open.size > 0 && now.length + kept.length === 0) return [...before];
  return union(now, kept);
}
