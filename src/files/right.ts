/** The right to change files of a tree. Another daemon may take it away, so it is checked right before each change. */

export interface Right {
  /** Whether this process has it at this moment. */
  isValid(): boolean;
  /** Asks for it again. Rejects when another process has it. */
  renew(): Promise<void>;
}

/** Two rights that are needed for the same change. */
export function bothRights(one: Right, other: Right): Right {
  return {
    isValid: () => one.isValid() && other.isValid(),
    renew: async () => {
      for (const right of [one, other]) if (!right.isValid()) await right.renew();
    },
  };
}

/** For files that no other daemon changes. */
export const ALONE: Right = { isValid: () => true, renew: async () => {} };

/**
 * Makes one change of the disk while this process has the right.
 * @param change synchronous, so that nothing happens between the check and the change
 * @throws the error of `renew`; then nothing is changed
 */
export async function changeFile<T>(right: Right, change: () => Awaited<T>): Promise<Awaited<T>> {
  while (!right.isValid()) await right.renew();
  return change();
}
