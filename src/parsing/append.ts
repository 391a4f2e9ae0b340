/**
 * Appends a list of any length. `list.push(...more)` puts its arguments on the stack: from some 120,000 on, it fails like a file that is
 * nested too deeply. Pure.
 */
export function append<Item>(list: Item[], more: Iterable<Item>): void {
  for (const each of more) list.push(each);
}
