/** The lines of one source in the lock: what its records state, with what is still true of the lines that stand there. Pure. */

import type { SegmentRecord } from '../baseline.ts';
import { partsText } from '../format.ts';
import { lockVerdict } from './lock-decision.ts';
import type { WantsReview } from './review.ts';
import {
  type Assertion,
  lockRank,
  NO_TARGET,
  type Statement,
  sourceHash,
  stated,
  type TargetHash,
  targetHash,
  type UnitId,
  union,
  unitId,
} from './statements.ts';

export interface SectionInput {
  /** Of the source, relative to the project's root. */
  readonly path: string;
  /** What stands in the target, in the order of the source. */
  readonly records: readonly SegmentRecord[];
  readonly shape: 'keyed' | 'sequence';
  /** `as stated`: nobody knows for which source a person changed it, so what the lock says of it stays. */
  readonly frame?: { readonly source: string; readonly target: string } | 'as stated';
  /** Where the lock knows the source, which was moved since. */
  readonly formerPath?: string;
  /** Which new texts are to be looked at by a person; absent: none by themselves. */
  readonly wants?: WantsReview;
  /**
   * Where somebody else wrote the target since: the texts that stand there, by id of their segment. Of a text that is another one
   * now, what the lock says stays. Absent: the records tell what stands.
   */
  readonly standing?: ReadonlyMap<string, TargetHash>;
}

/** What is said of the places of a source, in its order. */
export interface Section {
  readonly path: string;
  readonly units: ReadonlyMap<UnitId, UnitStatements>;
  readonly wants: WantsReview;
}

interface UnitStatements {
  readonly said: readonly Assertion[];
  /** Targets that stand there although the source has changed: what is known of them stays. */
  readonly open: ReadonlySet<string>;
  /** The place of the text before its source was moved. */
  readonly former?: UnitId;
  /** Nobody here has looked at what stands there: what is known of it stays, all of it. */
  isAsStated?: true;
}

export function sectionFrom(input: SectionInput): Section {
  const { path, records, shape, frame, formerPath, wants, standing } = input;
  const units = new Map<UnitId, UnitStatements & { said: Assertion[]; open: Set<string> }>();
  const at = (id?: string) => {
    const unit = unitId(path, id);
    const former = formerPath === undefined ? {} : { former: unitId(formerPath, id) };
    const known = units.get(unit) ?? { said: [], open: new Set(), ...former };
    units.set(unit, known);
    return known;
  };
  for (const record of records) {
    if (record.isFrame || record.origin === 'copied') continue;
    const unit = at(shape === 'keyed' ? record.id : undefined);
    const target = record.target === null ? NO_TARGET : targetHash(partsText(record.target));
    if (standing !== undefined && (standing.get(record.id) ?? NO_TARGET) !== target) {
      unit.isAsStated = true;
      continue;
    }
    unit.said.push(...assertions(record));
    if (record.state !== 'ok') unit.open.add(target);
  }
  if (frame === 'as stated') at(FRAME).isAsStated = true;
  else if (frame !== undefined) {
    // Whose frame is another than its source's was touched by a person.
    const mark = frame.source === frame.target ? 'machine' : 'human';
    at(FRAME).said.push({ ...hashesOfFrame(frame), mark });
  }
  return { path, units, wants: wants ?? (() => false) };
}

/** The place of what is no segment, in files without keys. */
export const FRAME = 'frame';

export function hashesOfFrame(frame: { source: string; target: string }) {
  return { source: sourceHash(frame.source), target: targetHash(frame.target) };
}

function assertions(record: SegmentRecord): Assertion[] {
  const { origin, state, target, review } = record;
  if (origin === 'adopted' && state === 'ok' && target !== null) {
    const pair = {
      source: sourceHash(record.source),
      target: targetHash(partsText(target)),
      mark: origin,
    };
    return [review === undefined ? pair : { ...pair, review }];
  }
  const said = stated(record);
  return review === undefined ? said : said.map((each) => ({ ...each, review }));
}

export interface Splice {
  readonly known: ReadonlyMap<string, readonly Statement[]>;
  /** One for each source that was worked on. */
  readonly sections: readonly Section[];
  /** Whether lines about a place stay that stand under these sources and that these do not have: a merge may have put them there. */
  isKept(unit: UnitId): boolean;
}

/** The sections of a lock with those of some sources written anew. */
export function spliced({ known, sections, isKept }: Splice): Map<string, Statement[]> {
  const byUnit = Map.groupBy([...known.values()].flat(), ({ unit }) => unit);
  const renewed = new Set(sections.flatMap(({ units }) => [...units.keys()]));
  const paths = new Set(sections.map(({ path }) => path));
  const next = new Map<string, Statement[]>();
  for (const [path, statements] of known) {
    const others = statements.filter(({ unit }) => !renewed.has(unit));
    next.set(path, paths.has(path) ? others.filter(({ unit }) => isKept(unit)) : others);
  }
  for (const { path, units, wants } of sections) {
    const frame = unitId(path, FRAME);
    const lines = [...units].flatMap(([unit, statements]) => {
      const before = [
        ...(byUnit.get(unit) ?? []),
        ...formerly(byUnit, statements).map((each) => ({ ...each, unit })),
      ];
      if (statements.isAsStated) return before;
      const [found, said] = partition(statements.said, (each) => isContradicted(each, before));
      const now = said.map((each) => ({
        unit,
        ...(unit === frame ? each : askedFor(unedited(each, before), before, wants)),
      }));
      const open = new Set([...statements.open, ...found.map(({ target }) => target)]);
      return renew(now, open, before);
    });
    next.set(path, [...lines, ...(next.get(path) ?? [])]);
  }
  return next;
}

function formerly(
  byUnit: ReadonlyMap<UnitId, readonly Statement[]>,
  { former }: UnitStatements,
): readonly Statement[] {
  return former === undefined ? [] : (byUnit.get(former) ?? []);
}

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  const { true: first = [], false: rest = [] } = Object.groupBy(all, (each) => `${isFirst(each)}`);
  return [first, rest];
}

/** Whether the lock knows better of a text that was only found beside its source: that it belongs to another one, say. */
export function isContradicted(
  { source, target, mark }: Assertion,
  statements: readonly Statement[],
): boolean {
  if (mark !== 'adopted') return false;
  const { kind } = lockVerdict({ statements, source, target });
  return kind === 'stale' || kind === 'outdated' || kind === 'edited';
}

/**
 * A text is taken for a person's where the lock does not know it. A lock that knows it by now holds: somebody put the text back,
 * and a job saw it before they said so.
 */
function unedited(said: Assertion, before: readonly Statement[]): Assertion {
  if (said.mark !== 'human') return said;
  const known = before
    .filter(({ source, target }) => source === said.source && target === said.target)
    .toSorted((a, b) => lockRank(b) - lockRank(a))[0];
  if (known?.mark !== 'machine' && known?.mark !== 'adopted') return said;
  return { ...said, mark: known.mark };
}

/** Who looks at translations looks at new ones: a pair that the lock has already is as it was left. */
function askedFor(said: Assertion, before: readonly Statement[], wants: WantsReview): Assertion {
  if (said.review !== undefined || said.target === NO_TARGET || !wants(said.mark)) return said;
  const isKnown = before.some(
    ({ source, target }) => source === said.source && target === said.target,
  );
  return isKnown ? said : { ...said, review: 'wanted' };
}

/** What is said now, as strongly as it was said before; and what tells whose an outdated text is. */
function renew(
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
