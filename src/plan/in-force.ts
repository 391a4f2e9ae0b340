/**
 * The config in force with what is made of it. All parts share one such object and read it when they need it; a reload replaces
 * its content. Pure.
 */
import type { Planner, Setup } from './planner.ts';

export interface InForce extends Setup {
  /** The planner for this config and router. */
  readonly planner: Planner;
  /** The digest of the connection and the key that requests are sent with; see `serviceDigest`. */
  readonly serviceDigest: string;
}
