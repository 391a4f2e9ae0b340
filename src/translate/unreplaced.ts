/**
 * Messages that change their shape, such as a text that becomes a plural. While a text of the new shape is held, the old one stays in the
 * target. Pure.
 */
import type { SegmentRecord } from '../baseline.ts';
import { keyName } from '../format.ts';
import type { InspectedDraft } from './draft-target.ts';

/** @returns by id of the texts that stay out of the target, or in it: a held text of their message */
export function unreplacedTexts(
  { merge, found, reader }: Pick<InspectedDraft, 'merge' | 'found' | 'reader'>,
  records: readonly SegmentRecord[],
): ReadonlyMap<string, string> {
  const leaving = merge.removed
    .filter(({ id, movedTo }) => movedTo === undefined && found.has(id))
    .map(({ id }) => id);
  const { shape, messageOf } = reader.format;
  if (leaving.length === 0 || shape !== 'keyed' || messageOf === undefined) return new Map();
  const coming = records.filter(({ id }) => !found.has(id));
  const ids = new Set([...leaving, ...coming.map(({ id }) => id)]);
  const rootOf = (id: string) => messageOf(id, (each) => ids.has(each));
  const left = new Set(leaving.map(rootOf));
  const held = new Map(
    coming.flatMap(({ id, state }) => (state === 'held' ? [[rootOf(id), id] as const] : [])),
  );
  return new Map(
    [...ids].flatMap((id) => {
      const root = rootOf(id);
      const awaited = left.has(root) ? held.get(root) : undefined;
      return awaited === undefined ? [] : [[id, awaited] as const];
    }),
  );
}

/** Records of texts that wait because another text of their message is held. They are tried again in each run, and cost nothing then. */
export function withAwaited(
  records: readonly SegmentRecord[],
  unreplaced: ReadonlyMap<string, string>,
): SegmentRecord[] {
  return records.map((record) => {
    const awaited = unreplaced.get(record.id);
    if (awaited === undefined || record.state === 'held') return record;
    const { id, source, origin } = record;
    const problem = `the message has another shape in the target, which stays until all texts of the new one can be written; "${keyName(awaited)}" is held`;
    return { id, source, target: null, origin, state: 'held', problem, awaits: 'target' };
  });
}
