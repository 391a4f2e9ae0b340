/** Finds the elements of a list that may be removed: only elements at its end, since the id of every element is its index. */

/** @param leaves called for the last element first; `isTail`: all later elements are removed */
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
