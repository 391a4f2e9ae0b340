/**
 * Finds, with the lock, texts of the target whose segments left the source. So texts without a record on this machine can also be moved
 * and removed. Pure.
 */
import type { Origin, SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import type { WantedSegment } from './decision.ts';
import { type Statement, sourceHash, targetHash } from './statements.ts';

export interface LockedTexts {
  readonly wanted: readonly WantedSegment[];
  /** The texts of the target, by id. */
  readonly found: ReadonlyMap<string, readonly Part[]>;
  statements(id: string): readonly Statement[];
}

/** The baseline, with a record for every text that the lock states under an id that is no longer wanted. */
export function withVanished(
  base: ReadonlyMap<string, SegmentRecord>,
  { wanted, found, statements }: LockedTexts,
): ReadonlyMap<string, SegmentRecord> {
  const ids = new Set(wanted.map(({ id }) => id));
  const vanished = [...found].filter(([id]) => !ids.has(id) && !base.has(id));
  if (vanished.length === 0) return base;
  const sources = new Map(
    wanted.map(({ source }) => [sourceHash(partsText(source)), partsText(source)]),
  );
  const records = vanished.flatMap(([id, target]): [string, SegmentRecord][] => {
    const text = targetHash(partsText(target));
    const known = statements(id).filter((statement) => statement.target === text);
    const [first] = known;
    if (first === undefined) return [];
    const source = known.map((each) => sources.get(each.source)).find((each) => each !== undefined);
    const origin = originStated(known, target) ?? 'machine';
    return [[id, { id, source: source ?? '', target, origin, state: 'ok' }]];
  });
  return new Map([...base, ...records]);
}

/** Who wrote this text of the target: a person, where any statement about it says so. Undefined: nothing is stated. */
export function originStated(
  statements: readonly Statement[],
  target: readonly Part[],
): Origin | undefined {
  const text = targetHash(partsText(target));
  const marks = statements.flatMap((each) => (each.target === text ? each.mark : []));
  const ofPerson = (['human', 'adopted'] as const).find((each) => marks.includes(each));
  return ofPerson ?? (marks.length === 0 ? undefined : 'machine');
}
