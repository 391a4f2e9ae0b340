/**
 * The config in force with its router and planner. All parts share one such object and read it when they need it; a reload
 * replaces its content. Pure.
 */
import type { Planner, Setup } from './planner.ts';

export interface InForce extends Setup {
  /** The planner for this config and router. */
  readonly planner: Planner;
}
