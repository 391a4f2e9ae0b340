/** The blanks before the elements of a list in a new order: each element keeps its own, so a line break stays before it. */

interface ElementBlanks {
  readonly lead: string;
  /** Comments behind its comma. */
  readonly tail: string;
}

/**
 * @param elements the index of an element that exists; anything else is a new one
 * @param usual for an element that was the first, or is new
 */
export function leadsInOrder(
  items: readonly ElementBlanks[],
  elements: readonly unknown[],
  usual: string,
): string[] {
  const withBreak = items.map(({ lead }) => lead).find((lead) => /[\r\n]/.test(lead));
  return elements.map((element, at) => {
    if (at === 0) return items[0]?.lead ?? '';
    const lead = isLater(element) ? (items[element]?.lead ?? usual) : usual;
    const before = elements[at - 1];
    const tail = typeof before === 'number' ? (items[before]?.tail ?? '') : '';
    // A comment that ends with its line would hide the element.
    return tail.trim() === '' || /[\r\n]/.test(lead) ? lead : (withBreak ?? lead);
  });
}

function isLater(element: unknown): element is number {
  return typeof element === 'number' && element > 0;
}
