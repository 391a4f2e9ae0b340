/** Finds the keys that were renamed in the source, so that their translations move along. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import type { WantedSegment } from './decision.ts';
import { originNow } from './record.ts';
import { alikeness } from './similarity.ts';

interface KeyRecords {
  readonly base: ReadonlyMap<string, SegmentRecord>;
  /** The texts of the target, by id. */
  readonly found: ReadonlyMap<string, readonly Part[]>;
  readonly keepsEdited: boolean;
}

/** By new id: the old one, which vanished. The text is the same; or it is similar, and a person wrote the translation. */
export function findRenames(
  wanted: readonly WantedSegment[],
  { base, found, keepsEdited }: KeyRecords,
): Map<string, string> {
  const renames = new Map<string, string>();
  if (base.size === 0) return renames;
  const ids = new Set(wanted.map(({ id }) => id));
  const vanished = [...base.values()].filter(({ id }) => !ids.has(id));
  if (vanished.length === 0) return renames;
  const open = wanted.filter(({ id, treatment }) => !base.has(id) && treatment !== 'omit');
  const left = new Set(vanished);
  for (const [id, from] of pairEqual(open, vanished)) {
    renames.set(id, from.id);
    left.delete(from);
  }
  if (keepsEdited) return renames;
  const persons = [...left].filter((record) => originNow(record, found.get(record.id)) === 'human');
  const fresh = open.filter(
    ({ id, treatment }) => treatment === 'translate' && !renames.has(id) && !found.has(id),
  );
  for (const [id, from] of pairSimilar(fresh, persons)) renames.set(id, from);
  return renames;
}

/**
 * With the same text. Where several have it, a text moves with the others of its group. Then keys with the same end belong together:
 * `old.save` and `new.save`.
 */
function pairEqual(
  open: readonly WantedSegment[],
  vanished: readonly SegmentRecord[],
): [string, SegmentRecord][] {
  const pairs = pairInGroups(open, vanished);
  const taken = new Set<unknown>(pairs.map(([, from]) => from));
  const known = new Set(pairs.map(([id]) => id));
  for (const steps of [2, 1, 0]) {
    const keyOf = (id: string, source: string) => `${endOf(id, steps)}\0${source}`;
    const free = vanished.filter((record) => !taken.has(record));
    const byKey = Map.groupBy(free, ({ id, source }) => keyOf(id, source));
    for (const segment of open) {
      if (taken.has(segment) || known.has(segment.id)) continue;
      const from = byKey.get(keyOf(segment.id, partsText(segment.source)))?.shift();
      if (from === undefined) continue;
      pairs.push([segment.id, from]);
      taken.add(segment).add(from);
    }
  }
  return pairs;
}

/** The texts of renamed groups. A text that occurs once, under keys with the same end, shows which group became which. */
function pairInGroups(
  open: readonly WantedSegment[],
  vanished: readonly SegmentRecord[],
): [string, SegmentRecord][] {
  const keyOf = (id: string, source: string) => `${endOf(id, 1)}\0${source}`;
  const then = Map.groupBy(vanished, ({ id, source }) => keyOf(id, source));
  const now = Map.groupBy(open, ({ id, source }) => keyOf(id, partsText(source)));
  const groups = new Map<string, string>();
  for (const [key, [segment, ...others]] of now) {
    const [from, ...rest] = then.get(key) ?? [];
    if (segment === undefined || from === undefined || others.length + rest.length > 0) continue;
    const end = commonEnd(segment.id, from.id);
    groups.set(segment.id.slice(0, -end.length), from.id.slice(0, -end.length));
  }
  if (groups.size === 0) return [];
  const free = new Map(vanished.map((record) => [record.id, record]));
  return open.flatMap(({ id, source }): [string, SegmentRecord][] => {
    const former = startsOf(id).flatMap((start) => {
      const group = groups.get(start);
      return group === undefined ? [] : [`${group}${id.slice(start.length)}`];
    });
    const from = former.map((each) => free.get(each)).find((record) => record !== undefined);
    if (from === undefined || from.source !== partsText(source)) return [];
    free.delete(from.id);
    return [[id, from]];
  });
}

/** The last steps that two paths share, with the dot before them. */
function commonEnd(one: string, other: string): string {
  const [steps, others] = [one.split('.'), other.split('.')];
  let shared = 0;
  while (shared < steps.length && steps.at(-1 - shared) === others.at(-1 - shared)) shared += 1;
  return shared === 0 ? '' : `.${steps.slice(-shared).join('.')}`;
}

/** The groups around a key, the smallest one first. */
function startsOf(id: string): string[] {
  const steps = id.split('.');
  return steps.slice(1).map((_, index) => steps.slice(0, steps.length - 1 - index).join('.'));
}

/** The last steps of a path. */
function endOf(id: string, steps: number): string {
  return steps === 0 ? '' : id.split('.').slice(-steps).join('.');
}

/**
 * Two texts of one file that are less similar are often two texts ("Delete file" and "Delete folder" have 0.6). One would get the
 * translation of the other.
 */
export const SIMILAR = 0.75;
/** Comparing more pairs than this takes too long for what it finds. */
const MAX_COMPARISONS = 20_000;

/** A renamed key whose text was edited, too. The most similar ones first. */
function pairSimilar(
  fresh: readonly WantedSegment[],
  persons: readonly SegmentRecord[],
): [string, string][] {
  if (fresh.length * persons.length > MAX_COMPARISONS) return [];
  const candidates = fresh
    .flatMap(({ id, source }) =>
      persons.map((old) => ({ id, old, alike: alikeness(old.source, partsText(source)) })),
    )
    .filter(({ alike }) => alike >= SIMILAR)
    .sort((x, y) => y.alike - x.alike);
  const taken = new Set<string>();
  return candidates.flatMap(({ id, old }): [string, string][] => {
    if (taken.has(`new ${id}`) || taken.has(`old ${old.id}`)) return [];
    taken.add(`new ${id}`).add(`old ${old.id}`);
    return [[id, old.id]];
  });
}
