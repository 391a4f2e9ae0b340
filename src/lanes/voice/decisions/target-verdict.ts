/** Decides what to do with one target of a recording, from the present file. Pure. */

import type { Hash } from '../../../job.ts';
import { contentFound, type Release, type Written } from '../../../ledger.ts';
import type { Policies } from '../../../project.ts';

export interface CurrentOutput {
  readonly sourceHash: Hash;
  /** The file that dragoman wrote, by the ledger; undefined before the first delivery. */
  readonly left: Written | undefined;
  /** A person's release of this content. */
  readonly release: Release['kind'] | undefined;
  /** Hash of the present file; undefined: there is none. */
  readonly found: Hash | undefined;
  readonly policies: Pick<Policies, 'existing' | 'humanEdits'>;
  /** Whether the ledger has lost facts, so that the output may have been paid before. */
  readonly factsLost: boolean;
}

export type TargetVerdict =
  /** The present file stays, and counts as made from this source. */
  | { readonly kind: 'leave'; readonly by: Written['by'] }
  | { readonly kind: 'hold'; readonly why: 'edited-target' | 'state-lost' }
  | { readonly kind: 'obtain'; readonly old: 'replace' | 'keep-in-trash' };

export function verdictOn(current: CurrentOutput): TargetVerdict {
  const { left, release, policies } = current;
  const found = contentFound(current);
  if (found === undefined) return withoutFile(current);
  if (release === 'human') return { kind: 'leave', by: 'person' };
  if (left === undefined) {
    return policies.existing === 'adopt' && release !== 'machine'
      ? { kind: 'leave', by: 'adopted' }
      : { kind: 'obtain', old: 'keep-in-trash' };
  }
  const by = left.hash === found ? left.by : 'person';
  if (release === 'machine' && by !== undefined) return { kind: 'obtain', old: 'keep-in-trash' };
  // The file is made from this source: it stays when another output or form is added to the route.
  if (left.from === current.sourceHash) return { kind: 'leave', by };
  if (by === undefined) return { kind: 'obtain', old: 'replace' };
  return by === 'adopted' && policies.existing === 'overwrite'
    ? { kind: 'obtain', old: 'keep-in-trash' }
    : overPerson(policies.humanEdits, by);
}

function withoutFile({ factsLost, left, release }: CurrentOutput): TargetVerdict {
  const isUncertain = factsLost && left === undefined && release !== 'retry';
  return isUncertain ? { kind: 'hold', why: 'state-lost' } : { kind: 'obtain', old: 'replace' };
}

/** A file that a person edited stays although the source changed, unless config says otherwise. */
function overPerson(policy: Policies['humanEdits'], by: NonNullable<Written['by']>): TargetVerdict {
  switch (policy) {
    case 'keep':
      return { kind: 'leave', by };
    case 'overwrite':
      return { kind: 'obtain', old: 'keep-in-trash' };
    case 'conflict':
      return { kind: 'hold', why: 'edited-target' };
  }
}
