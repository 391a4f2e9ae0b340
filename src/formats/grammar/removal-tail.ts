/** Which elements of a list may be taken out: those at its end, since the ids of all others are their places. */

/** @param leaves asked from the end; `isTail` says whether all behind the element leave */
export function removalTail<C>(
  elements: readonly C[],
  leaves: (element: C, isTail: boolean) => boolean,
): boolean[] {
  let isTail = true;
  return elements
    .toReversed()
    .map((element) => {
      const isLeaving = leaves(element, isTail);
      isTail &&= isLeaving;
      return isTail;
    })
    .reverse();
}
