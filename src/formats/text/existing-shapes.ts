/**
 * Shapes in a person's target: one text where the source has a group, or a group where the source has one text. They stay, and nothing is
 * put beside them.
 */
import { type ExpectedTarget, partsText, type Segment } from '../../format.ts';

/** The text or group that a segment belongs to (`files` for `files.one` and `files`): in the wanted segments, and in the target. */
export type Bases = Readonly<
  Record<'wanted' | 'existing', (segment: Pick<Segment, 'id' | 'plural' | 'positional'>) => string>
>;

/**
 * The segments that a target with other shapes than its source needs: those of the target, each with the source of the whole group.
 * @param wanted the segments of the source, with plural forms added and dropped
 */
export function withExistingShapes(
  wanted: readonly Segment[],
  target: ExpectedTarget,
  bases: Bases,
): readonly Segment[] {
  const existing = target.segments?.filter(({ gap }) => gap === undefined) ?? [];
  const ids = new Set(existing.map(({ id }) => id));
  const lacking = new Set(wanted.flatMap((each) => (ids.has(each.id) ? [] : [bases.wanted(each)])));
  // Most targets lack nothing, and a save in a large file comes here.
  if (lacking.size === 0) return wanted;
  for (const each of wanted) if (ids.has(each.id)) lacking.delete(bases.wanted(each));
  if (lacking.size === 0) return wanted;
  const found = Map.groupBy(
    existing.filter((each) => lacking.has(bases.existing(each))),
    bases.existing,
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
 * A person's single text may translate a choice of the source, or a person's choice a single text. Then each variant belongs to the whole
 * source text. Our own texts, and texts to be replaced, get the shape of the source.
 */
export function acrossShapes(
  wanted: readonly Segment[],
  found: readonly Segment[],
  target: Pick<ExpectedTarget, 'ours' | 'isOutdated'>,
): readonly Segment[] {
  const whole = wanted.find(({ plural }) => plural?.category === 'other') ?? wanted.at(-1);
  if (whole === undefined) return [];
  const source = partsText(whole.parts);
  const isReplaced = (id: string) => target.ours?.has(id) || target.isOutdated?.(id, source);
  if (found.every(({ id }) => isReplaced(id))) return wanted;
  const { plural: _, ...text } = whole;
  return found.map(({ id, plural }) => ({ ...text, id, ...(plural && { plural }) }));
}
