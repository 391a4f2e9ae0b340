/** Pairs the elements of a list that moved while some of their texts were edited. Pure. */

export interface TextOfElement {
  /** Index of the element. */
  readonly index: number;
  /** Where the text is in the element. */
  readonly place: string;
  /** Its source, or a hash of it; empty when it is not known. */
  readonly text: string;
}

/**
 * Elements belong together when both have a text that no other element has in its place.
 * @param moves the elements that are paired already
 * @returns the new index by the old one, of other elements
 */
export function pairByText(
  before: readonly TextOfElement[],
  now: readonly TextOfElement[],
  moves: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const taken = new Set(moves.values());
  const there = Map.groupBy(now, keyOf);
  const common = [...Map.groupBy(before, keyOf)].flatMap(([key, [old, ...others]]) => {
    const [one, ...more] = there.get(key) ?? [];
    if (old === undefined || one === undefined || others.length + more.length > 0) return [];
    const isFree = old.text !== '' && !moves.has(old.index) && !taken.has(one.index);
    return isFree ? [{ from: old.index, to: one.index }] : [];
  });
  const clear = common.filter(({ from, to }) =>
    common.every((other) => (other.from === from) === (other.to === to)),
  );
  return new Map(clear.map(({ from, to }) => [from, to]));
}

function keyOf({ place, text }: TextOfElement): string {
  return `${place}\0${text}`;
}
