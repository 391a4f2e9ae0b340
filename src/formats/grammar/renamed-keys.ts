/** Finds the keys that must be renamed so that the entries below them get other ids in place. Pure. */
import { keyChangeOf, pathsAbove } from '../text/renamed-groups.ts';

/**
 * Finds keys whose entries all move under one other key of the same group. An entry that moves to another group is not renamed.
 * @param ids of all texts of the file, as `joinKey` makes them
 * @param renames new id by old id
 * @param along the same for entries that move only together with others
 * @returns the new key by the id of the path that ends with the old one
 */
export function renamedKeys(
  ids: readonly string[],
  renames: ReadonlyMap<string, string>,
  along: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const changes = ids.map((id) => ({
    places: pathsAbove(id),
    change: keyChangeOf(id, renames.get(id) ?? along.get(id)),
  }));
  const taken = new Set(changes.flatMap(({ places }) => places));
  const keys = new Map<string, string>();
  for (const { change } of changes) {
    if (change === undefined || keys.has(change.place) || taken.has(change.becomes)) continue;
    taken.add(change.becomes);
    keys.set(change.place, change.key);
  }
  for (const { places, change } of changes) {
    for (const place of places) {
      const isMeant = change?.place === place && change.key === keys.get(place);
      if (!isMeant) keys.delete(place);
    }
  }
  return keys;
}

/**
 * The same for entries of a flat file. Gives the new common beginning of these ids, if all of them get the same one.
 * @param ids of one entry, which begin with `base`
 */
export function renamedBaseline(
  base: string,
  ids: readonly string[],
  renames: ReadonlyMap<string, string>,
): string | undefined {
  const found = new Set(
    ids.map((id) => {
      const [to, tail] = [renames.get(id), id.slice(base.length)];
      return to?.endsWith(tail) ? to.slice(0, to.length - tail.length) : undefined;
    }),
  );
  const [only] = found;
  return found.size === 1 ? only : undefined;
}
