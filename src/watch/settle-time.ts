/** How long a file must not change before it is taken: by its route, longer for recordings and large files. Pure. */
import type { Setup } from '../plan/planner.ts';
import type { SettlingFile } from './settling.ts';

const LARGE_BYTES = 20 * 1024 * 1024;
const LARGE_MS = 10_000;

/** @returns milliseconds */
export function settleTime({ router }: Setup, { project, path, size }: SettlingFile): number {
  const claim = router.claim(project, path);
  if (claim.kind === 'skipped') return 0;
  const { settleMs, settleIsExplicit } = claim.route.policies;
  const isHeavy = (claim.kind === 'source' && claim.lane === 'voice') || size > LARGE_BYTES;
  return isHeavy && !settleIsExplicit ? Math.max(settleMs, LARGE_MS) : settleMs;
}
