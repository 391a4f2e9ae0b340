/** Finds the texts that a target cannot take, so that only these are held. Pure. */

export interface Fit<T> {
  readonly made: T;
  /** The texts that were left out. */
  readonly left: ReadonlySet<string>;
  /** Texts of `left` that may fit: there were too many misfits to try each text alone. */
  readonly untried: ReadonlySet<string>;
}

/** Each try writes the whole file and reads it again. A text that is not tried is held, so no misfit is written for lack of tries. */
const MOST_TRIES = 40;

/**
 * Leaves out all of some texts, then adds those again that fit, half by half: one misfit among a hundred texts takes 14 tries.
 * @param make composes without some texts; undefined when the file would not read back as intended
 * @returns undefined when none of these texts is the reason
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
