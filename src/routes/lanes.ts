/** The possible lanes of a route's files, by its pattern alone. Pure. */

import type { Lane } from '../job.ts';
import type { Route } from '../project.ts';
import { expandBraces } from './braces.ts';
import { laneOf } from './extensions.ts';

/** The lanes; undefined when the pattern does not decide, as in `inbox/**`. */
export function lanesOf({ lane, to, from }: Route): ReadonlySet<Lane> | undefined {
  if (lane !== undefined) return new Set([lane]);
  if (typeof to === 'object') return new Set(['voice']);
  const lanes = new Set<Lane>();
  for (const pattern of expandBraces(from)) {
    const extension = /\.([a-z0-9]+)$/i.exec(pattern)?.[1];
    if (extension === undefined) return undefined;
    const choice = laneOf(extension.toLowerCase(), undefined);
    if (choice.kind === 'none') continue;
    if (choice.contentDecides) return undefined;
    lanes.add(choice.lane);
  }
  return lanes;
}
