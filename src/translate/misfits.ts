/** Finds the texts that a target cannot take, so that they are held alone and all else goes on. Pure. */

export interface Fit<T> {
  readonly made: T;
  /** What was left out of it. */
  readonly left: ReadonlySet<string>;
  /** Of these, what may fit: there were too many misfits to try each text alone. */
  readonly untried: ReadonlySet<string>;
}

/** Each try writes the whole file and reads it again. What is not tried is held: no misfit is written for lack of tries. */
const MOST_TRIES = 40;

/**
 * Takes all of some texts out, and puts those back that fit: half by half, so that one misfit of a hundred takes 14 tries.
 * @param make composes without some texts; undefined where the file would not read back as it is meant
 * @returns undefined where none of them is the reason
 */
export function withoutMisfits<T>(
  texts: readonly string[],
  make: (left: ReadonlySet<string>) => T | undefined,
): Fit<T> | undefined {
  const bare = texts.length === 0 ? undefined : make(new Set(texts));
  if (bare === undefined) return undefined;
  let best: Omit<Fit<T>, 'untried'> = { made: bare, left: new Set(texts) };
  const misfits = new Set(texts.length === 1 ? texts : []);
  let tries = 1;
  const putBack = (some: readonly string[]): void => {
    if (some.length === 0 || tries >= MOST_TRIES) return;
    tries += 1;
    const left = best.left.difference(new Set(some));
    const made = make(left);
    if (made !== undefined) best = { made, left };
    else if (some.length > 1) halvesOf(some).forEach(putBack);
    else misfits.add(some[0] ?? '');
  };
  if (texts.length > 1) halvesOf(texts).forEach(putBack);
  return { ...best, untried: best.left.difference(misfits) };
}

function halvesOf<T>(list: readonly T[]): T[][] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}
