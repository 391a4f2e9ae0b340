/** One text in a person's target for a group of the source, or a group for one text: what stands there stays, and nothing is put beside it. */
import { type ExpectedTarget, partsText, type Segment } from '../../format.ts';

/** The text or group that a segment is in (`files` for `files.one` and `files`): one that is wanted, and one that stands there. */
export type Bases = Readonly<
  Record<'wanted' | 'standing', (segment: Pick<Segment, 'id' | 'plural'>) => string>
>;

/**
 * The segments that a target needs where it has other shapes than its source: the ones that stand there, each with the source of
 * the whole.
 * @param wanted what the source asks for, plural forms added and dropped
 */
export function withStandingShapes(
  wanted: readonly Segment[],
  target: ExpectedTarget,
  bases: Bases,
): readonly Segment[] {
  const standing = target.segments?.filter(({ gap }) => gap === undefined) ?? [];
  const ids = new Set(standing.map(({ id }) => id));
  const lacking = new Set(wanted.flatMap((each) => (ids.has(each.id) ? [] : [bases.wanted(each)])));
  for (const each of wanted) if (ids.has(each.id)) lacking.delete(bases.wanted(each));
  if (lacking.size === 0) return wanted;
  const found = Map.groupBy(
    standing.filter((each) => lacking.has(bases.standing(each))),
    bases.standing,
  );
  if (found.size === 0) return wanted;
  const asked = Map.groupBy(
    wanted.filter((each) => found.has(bases.wanted(each))),
    bases.wanted,
  );
  return wanted.flatMap((each) => {
    const base = bases.wanted(each);
    const there = found.get(base);
    const all = asked.get(base);
    if (there === undefined || all === undefined) return [each];
    const shaped = acrossShapes(all, there, target);
    if (shaped === all) return [each];
    return each === all[0] ? shaped : [];
  });
}

/**
 * A person's one text stands for a choice of the source, or a person's choice for one text: each variant then belongs to all
 * of the source's text. What is ours, or is to be replaced, gets the shape of the source.
 */
export function acrossShapes(
  wanted: readonly Segment[],
  found: readonly Segment[],
  { ours, adopted }: Pick<ExpectedTarget, 'ours' | 'adopted'>,
): readonly Segment[] {
  const whole = wanted.find(({ plural }) => plural?.category === 'other') ?? wanted.at(-1);
  if (whole === undefined) return [];
  const source = partsText(whole.parts);
  const isStale = (id: string) => adopted?.has(id) === true && adopted.get(id) !== source;
  if (found.every(({ id }) => ours?.has(id) || isStale(id))) return wanted;
  const { plural: _, ...text } = whole;
  return found.map(({ id, plural }) => ({ ...text, id, ...(plural && { plural }) }));
}
