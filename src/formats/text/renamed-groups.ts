/** The groups whose key the source renamed: their ignored entries move along with the others. Pure. */
import { joinKey, splitKey } from './key-path.ts';

interface GroupSides {
  /** Ids of the target, and of the source. */
  readonly target: ReadonlySet<string>;
  readonly source: ReadonlySet<string>;
}

/** With the entries of a renamed group that are ignored: they have no translation of their own that could show the new key. */
export function withIgnoredEntries(
  renames: ReadonlyMap<string, string>,
  { target, source }: GroupSides,
): ReadonlyMap<string, string> {
  const groups = new Map<string, string>();
  for (const [id, to] of renames) {
    const change = keyChangeOf(id, to);
    if (change !== undefined && change.place !== id) groups.set(change.place, change.becomes);
  }
  if (groups.size === 0) return renames;
  const more = [...target].flatMap((id) => {
    if (renames.has(id) || source.has(id)) return [];
    const group = pathsAbove(id).find((place) => groups.has(place) && id.startsWith(place));
    const to = group && `${groups.get(group)}${id.slice(group.length)}`;
    return to !== undefined && source.has(to) && !target.has(to) ? [[id, to] as const] : [];
  });
  return new Map([...renames, ...more]);
}

/** Ids of the groups around an entry, and its own; a duplicate (`#1`) has the id of the first. */
export function pathsAbove(id: string): string[] {
  const path = splitKey(id);
  return path.map((_, index) => joinKey(path.slice(0, index + 1)));
}

export interface KeyChange {
  readonly place: string;
  readonly key: string;
  readonly becomes: string;
}

/** The single key in which two ids differ. */
export function keyChangeOf(id: string, to: string | undefined): KeyChange | undefined {
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
