/** The right to change files of a tree, where another daemon may take it away: it is looked at right before each change. */

export interface Right {
  /** Whether it is there at this moment. */
  stands(): boolean;
  /** Asks for it anew. Rejects when somebody else has it. */
  renew(): Promise<void>;
}

/** Nobody else changes the files. */
export const ALONE: Right = { stands: () => true, renew: async () => {} };

/**
 * Makes one change of the disk while the right stands.
 * @param change at once: between the look and the change nothing but system calls passes
 * @throws what `renew` rejects with; nothing is changed then
 */
export async function changeFile<T>(right: Right, change: () => Awaited<T>): Promise<Awaited<T>> {
  while (!right.stands()) await right.renew();
  return change();
}
