/** The groups whose key the source renamed: ignored entries and a person's own move along with the others. Pure. */
import { joinKey, splitKey } from './key-path.ts';

interface GroupSides {
  /** Ids of the target, and of the source. */
  readonly target: ReadonlySet<string>;
  readonly source: ReadonlySet<string>;
}

export interface WholeRenames {
  /**
   * With the entries of a renamed group that are ignored: they have no translation of their own that could show the new key.
   */
  readonly renames: ReadonlyMap<string, string>;
  /** A person's own entries in groups that the source has no longer. */
  readonly along: ReadonlyMap<string, string>;
}

export function renamesOfGroups(
  renames: ReadonlyMap<string, string>,
  { target, source }: GroupSides,
): WholeRenames {
  const groups = new Map<string, string>();
  for (const [id, to] of renames) {
    const change = keyChangeOf(id, to);
    if (change !== undefined && change.place !== id) groups.set(change.place, change.becomes);
  }
  if (groups.size === 0) return { renames, along: new Map() };
  const left = new Set([...source].flatMap(pathsAbove));
  const more = [...target].flatMap((id) => {
    if (renames.has(id) || source.has(id)) return [];
    const group = pathsAbove(id).find((place) => groups.has(place) && id.startsWith(place));
    const to = group && `${groups.get(group)}${id.slice(group.length)}`;
    if (to === undefined || target.has(to)) return [];
    if (source.has(to)) return [{ id, to, isOwn: false }];
    return left.has(group ?? '') ? [] : [{ id, to, isOwn: true }];
  });
  const idsOf = (isOwn: boolean) =>
    more.flatMap((each) => (each.isOwn === isOwn ? [[each.id, each.to] as const] : []));
  return { renames: new Map([...renames, ...idsOf(false)]), along: new Map(idsOf(true)) };
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
