/** Finds the keys that must be renamed so that the entries below them get other ids in place. Pure. */
import { joinKey, splitKey } from '../text/key-path.ts';

/**
 * Finds keys whose entries all move under one other key of the same group. An entry that moves to another group is not renamed.
 * @param ids of all texts of the file, as `joinKey` makes them
 * @param renames new id by old id
 * @returns the new key by the id of the path that ends with the old one
 */
export function renamedKeys(
  ids: readonly string[],
  renames: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const changes = ids.map((id) => ({
    places: pathsAbove(id),
    change: changeOf(id, renames.get(id)),
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

/** Ids of the groups around an entry, and its own; a duplicate (`#1`) has the id of the first. */
function pathsAbove(id: string): string[] {
  const path = splitKey(id);
  return path.map((_, index) => joinKey(path.slice(0, index + 1)));
}

interface KeyChange {
  readonly place: string;
  readonly key: string;
  readonly becomes: string;
}

/** The single key in which two ids differ. */
function changeOf(id: string, to: string | undefined): KeyChange | undefined {
  if (to === undefined) return undefined;
  const [old, path] = [splitKey(id), splitKey(to)];
  const depth = path.findIndex((step, index) => step !== old[index]);
  const key = path[depth];
  if (typeof key !== 'string' || typeof old[depth] !== 'string') return undefined;
  const becomes = joinKey(path.slice(0, depth + 1));
  const isAlone =
    old.length === path.length &&
    path.slice(depth + 1).every((step, at) => step === old[depth + 1 + at]);
  return isAlone && joinKey(path) === to
    ? { place: joinKey(old.slice(0, depth + 1)), key, becomes }
    : undefined;
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
