/** Finds the texts that a target cannot take, so that only these are held. Pure. */
import type { Format } from '../format.ts';
import type { Decision } from '../segments/decision.ts';
import type { Merge } from '../segments/merge.ts';

/** @typeParam Text a text, or the texts that are left out together */
export interface Fit<T, Text = string> {
  readonly made: T;
  /** The texts that were left out. */
  readonly left: ReadonlySet<Text>;
  /** Texts of `left` that may fit: there were too many misfits to try each text alone. */
  readonly untried: ReadonlySet<Text>;
}

/** Each try writes the whole file and reads it again. A text that is not tried is held, so no misfit is written for lack of tries. */
const MOST_TRIES = 40;

/**
 * Leaves out all of some texts, then adds those again that fit, half by half: one misfit among a hundred texts takes 14 tries.
 * @param make composes without some texts; undefined when the file would not read back as intended
 * @returns undefined when none of these texts is the reason
 */
export function withoutMisfits<T, Text = string>(
  texts: readonly Text[],
  make: (left: ReadonlySet<Text>) => T | undefined,
): Fit<T, Text> | undefined {
  const bare = texts.length === 0 ? undefined : make(new Set(texts));
  if (bare === undefined) return undefined;
  let best: Omit<Fit<T, Text>, 'untried'> = { made: bare, left: new Set(texts) };
  const misfits = new Set(texts.length === 1 ? texts : []);
  let tries = 1;
  const putBack = (some: readonly Text[]): void => {
    if (some.length === 0 || tries >= MOST_TRIES) return;
    tries += 1;
    const left = best.left.difference(new Set(some));
    const made = make(left);
    if (made !== undefined) best = { made, left };
    else if (some.length > 1) halvesOf(some).forEach(putBack);
    else for (const misfit of some) misfits.add(misfit);
  };
  if (texts.length > 1) halvesOf(texts).forEach(putBack);
  return { ...best, untried: best.left.difference(misfits) };
}

function halvesOf<T>(list: readonly T[]): T[][] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}

/** Ids of texts that are left out together. */
type TextGroup = readonly string[];

interface KeyedTarget {
  readonly messageOf: Format['messageOf'] | undefined;
  readonly isThere: (id: string) => boolean;
  readonly isNewFile: boolean;
}

/**
 * The texts that may be the reason why a target with keys does not read back. First the new ones, then all that are written, then every
 * change of a message at once, also what leaves it. Without any change, the target is as it was.
 */
export function suspectsIn(
  { decisions, removed }: Pick<Merge, 'decisions' | 'removed'>,
  { isThere, isNewFile, messageOf }: KeyedTarget,
): readonly (readonly TextGroup[])[] {
  const written = decisions.filter(({ kind }) => WRITTEN.has(kind)).map(({ id }) => id);
  const alone = (ids: readonly string[]) => ids.map((id) => [id]);
  const added = written.filter((id) => !isThere(id));
  if (isNewFile) return [alone(written)];
  const changes = decisions.filter(({ kind }) => CHANGING.has(kind)).map(({ id }) => id);
  const all = groupsOf(changes, {
    removed: removed.map(({ id, movedTo }) => (movedTo === undefined ? [id] : [id, movedTo])),
    messageOf,
  });
  const lists = added.length === written.length ? [added] : [added, written];
  return [...lists.map(alone), all];
}

/**
 * Not `move`: a text that cannot be written under its new id would be lost under the old one. A held list element gets the text of its
 * source.
 */
const WRITTEN: ReadonlySet<Decision['kind']> = new Set(['buy', 'copy', 'restore', 'hold']);

const CHANGING: ReadonlySet<Decision['kind']> = new Set([...WRITTEN, 'move']);

/** A person's form of a message leaves the target only with the form that replaces it. */
function groupsOf(
  changes: readonly string[],
  {
    removed,
    messageOf,
  }: Pick<KeyedTarget, 'messageOf'> & { readonly removed: readonly TextGroup[] },
): TextGroup[] {
  const ids = new Set([...changes, ...removed.flat()]);
  const rootOf = (id: string) => messageOf?.(id, (each) => ids.has(each)) ?? id;
  const groups = Map.groupBy([...ids], rootOf);
  // Texts that move leave one message for another.
  const moved = removed.flatMap(([from, to]) =>
    from === undefined || to === undefined ? [] : [[rootOf(from), rootOf(to)] as const],
  );
  for (const [from, to] of moved) {
    if (from === to) continue;
    groups.set(to, [...(groups.get(from) ?? []), ...(groups.get(to) ?? [])]);
    groups.delete(from);
  }
  return [...groups.values()];
}
