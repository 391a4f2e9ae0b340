/** Finds the entries of a file with all languages that got another key and another source text, while their translation stayed beside it. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import type { WantedSegment } from './decision.ts';
import { SIMILAR } from './renamed-keys.ts';
import { alikeness } from './similarity.ts';

interface SharedFile {
  readonly base: ReadonlyMap<string, SegmentRecord>;
  /** The texts of the target, by id. */
  readonly found: ReadonlyMap<string, readonly Part[]>;
  /** By new id: the one before. */
  readonly renames: ReadonlyMap<string, string>;
}

/**
 * By new id: the record of the earlier entry with the same translation, which belongs to the earlier text. That entry was in the same
 * place, between the same neighbours or at one of them; or its text was similar.
 */
export function findReworded(
  wanted: readonly WantedSegment[],
  { base, found, renames }: SharedFile,
): ReadonlyMap<string, SegmentRecord> {
  const reworded = new Map<string, SegmentRecord>();
  const ids = wanted.map(({ id }) => renames.get(id) ?? id);
  const present = new Set(ids);
  const former = [...base.values()];
  const vanished = Map.groupBy(
    former.filter(({ id, target }) => !present.has(id) && target !== null),
    ({ target }) => partsText(target ?? []),
  );
  if (vanished.size === 0) return reworded;
  const places = new Map(former.map(({ id }, index) => [id, index]));
  const idAt = (index: number) => former[index]?.id;
  for (const [index, { id, source }] of wanted.entries()) {
    const text = found.get(id);
    if (text === undefined || base.has(id) || renames.has(id)) continue;
    const before = index === 0 ? -1 : places.get(ids[index - 1] ?? '');
    const after = index === ids.length - 1 ? former.length : places.get(ids[index + 1] ?? '');
    const inPlace = [
      before === undefined ? undefined : idAt(before + 1),
      after === undefined ? undefined : idAt(after - 1),
    ];
    const own = partsText(source);
    const isEarlier = (each: SegmentRecord) =>
      inPlace.includes(each.id) || alikeness(each.source, own) >= SIMILAR;
    const record = vanished
      .get(partsText(text))
      ?.find((each) => !present.has(each.id) && each.source !== own && isEarlier(each));
    if (record === undefined) continue;
    reworded.set(id, record);
    present.add(record.id);
    // The next entry is behind this one.
    ids[index] = record.id;
  }
  return reworded;
}
