/** Reservations of targets: of all daemons of a tree, one at a time compares a file with what it has read, and replaces it. */
import { ALONE, type Right } from './right.ts';

/** Names a target on every machine. */
export interface TargetName {
  readonly project: string;
  /** Relative to the root of the project. */
  readonly path: string;
}

/** The right to replace one target. It lapses by itself after some seconds, and ends when it is disposed of. */
export interface Reservation extends Right, Disposable {}

export interface Reservations {
  /** Waits while another job or a save has the target. Its content may have changed since it was read. */
  take(target: TargetName): Promise<Reservation>;
}

/** For files that no other daemon changes: nothing happens between the check of a file and its replacement. */
export const UNSHARED: Reservations = {
  take: async () => ({ ...ALONE, [Symbol.dispose]: () => {} }),
};
