/** Relates a target to its source and to what is known of both: by keys, or in a page by neighbours and contents. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import { type Doc, partsText, type Segment } from '../format.ts';
import { lacksValue } from '../formats/text/expect.ts';
import { followLists } from '../segments/lists.ts';
import { withVanished } from '../segments/lock-vanished.ts';
import { relateSequence } from './page-relation.ts';
import { asFormatReads, type Related, type RelationInput } from './relation-model.ts';
import { withUnseenKeys } from './unseen.ts';

/** Keyed formats are related by keys, sequences by neighbours and contents. */
export function relate(input: RelationInput): Related {
  const { reader, target, wanted, statements } = input;
  if (reader.format.shape === 'sequence') return relateSequence(input);
  const ids = new Set(wanted.map(({ id }) => id));
  const present =
    target?.doc.segments.filter(
      (segment) => segment.gap !== 'waiting' && (ids.has(segment.id) || !lacksValue(segment)),
    ) ?? [];
  const found = new Map(present.map(({ id, parts }) => [id, parts]));
  const recorded = recordsOf(asFormatReads(input), input.source.doc);
  // What the target had when it was last written, before its source had a text: it was copied from the source.
  const isStated = (id: string) => (statements?.(id) ?? []).length > 0;
  const isCopied = ({ id, isReference, isPersons }: Segment) =>
    isReference === true &&
    isPersons !== true &&
    !recorded.has(id) &&
    !isStated(id) &&
    (input.known === undefined
      ? wanted.some((each) => isStated(each.id))
      : input.known.targetHash === target?.hash);
  const isVacant = (segment: Segment) =>
    segment.gap !== undefined || partsText(segment.parts) === '' || isCopied(segment);
  const vacantTexts = new Set(present.filter(isVacant).map(({ parts }) => parts));
  const remembered = withUnseenKeys(recorded, { segments: input.segments, wanted, found });
  const base = statements ? withVanished(remembered, { wanted, found, statements }) : remembered;
  const { deletedSource } = input.text.route.policies;
  const isOneSided = !reader.format.bilingual && !reader.format.multiLocale;
  const known = { base, found, statements, left: new Set<string>(), orders: [] };
  const followed = isOneSided ? followLists(wanted, known, deletedSource) : known;
  const { left, ...texts } = followed;
  const vacant = new Set(
    [...followed.found].flatMap(([id, parts]) => (vacantTexts.has(parts) ? [id] : [])),
  );
  const relation = { ...texts, vacant, inPlace: found, blocker: undefined, openFrame: [] };
  if (left.size === 0) return relation;
  const withPlace = wanted.map((each) =>
    left.has(each.id) ? { ...each, treatment: 'omit' as const } : each,
  );
  return { ...relation, wanted: withPlace };
}

/** Version 0.1.0 kept a record for every entry of a repeated key; now the key has the record of the entry that is read. */
function recordsOf(known: readonly SegmentRecord[], { duplicates = [] }: Doc) {
  const base = new Map(known.map((record) => [record.id, record]));
  for (const { id, lines, read } of duplicates) {
    if (read === undefined) continue;
    const own = lines.lastIndexOf(read);
    const record = own === 0 ? undefined : base.get(`${id}#${own}`);
    for (let number = 1; number < lines.length; number++) base.delete(`${id}#${number}`);
    if (record !== undefined) base.set(id, { ...record, id });
  }
  return base;
}
