/** How tests wait for what no event tells them: they look again and again, with pauses that leave the processors to those who work. */
import { setTimeout as wait } from 'node:timers/promises';

const PAUSE_MS = 20;

/** Looks until it holds; the test's own deadline ends it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(PAUSE_MS);
}
