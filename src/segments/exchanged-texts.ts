/** Finds the keys that got the source text of another key, which got another one: two texts of a file changed places, for example. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import type { WantedSegment } from './decision.ts';
import { type Assertion, type SourceHash, sourceHash, targetHash } from './statements.ts';

interface KnownKeys {
  readonly base: ReadonlyMap<string, SegmentRecord>;
  /** The texts of the target, by id. */
  readonly found: ReadonlyMap<string, readonly Part[]>;
  /** Undefined: there is no lock. */
  readonly statements: ((id: string) => readonly Assertion[] | undefined) | undefined;
}

/** By id: the id whose text of the target translates its source now. */
export function findExchanged(
  wanted: readonly WantedSegment[],
  known: KnownKeys,
): ReadonlyMap<string, string> {
  const changed = wanted.filter(
    (each) => each.treatment === 'translate' && hasNewSource(each, known),
  );
  const exchanged = new Map<string, string>();
  if (changed.length < 2) return exchanged;
  const bySource = Map.groupBy(changed, ({ id }) => sourceBefore(id, known));
  for (const { id, source } of changed) {
    const other = bySource.get(sourceHash(partsText(source)))?.shift();
    if (other !== undefined) exchanged.set(id, other.id);
  }
  return exchanged;
}

function hasNewSource({ id, source }: WantedSegment, known: KnownKeys): boolean {
  const text = partsText(source);
  const record = known.base.get(id);
  if (record !== undefined) return record.source !== text;
  const before = sourceBefore(id, known);
  return before !== undefined && before !== sourceHash(text);
}

/** The source that the text of the target translates. Undefined: there is no text, or it translates an older one. */
function sourceBefore(id: string, { base, found, statements }: KnownKeys): SourceHash | undefined {
  const text = found.get(id);
  const record = base.get(id);
  if (text === undefined || record?.state === 'conflict' || record?.state === 'stale') return;
  if (record !== undefined) return record.target === null ? undefined : sourceHash(record.source);
  const stated = statements?.(id) ?? [];
  if (stated.length === 0) return undefined;
  const target = targetHash(partsText(text));
  return stated.find((each) => each.target === target && each.mark !== 'held')?.source;
}
