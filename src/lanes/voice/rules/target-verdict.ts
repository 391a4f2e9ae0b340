/** What to do about one file that a recording becomes, from what stands at its place. Pure. */

import type { Hash } from '../../../job.ts';
import type { Release, Written } from '../../../ledger.ts';
import type { Policies } from '../../../project.ts';

export interface StandingOutput {
  readonly sourceHash: Hash;
  /** What the ledger says we left there; undefined before the first delivery. */
  readonly left: Written | undefined;
  /** A person's word on this very content. */
  readonly release: Release['kind'] | undefined;
  /** Hash of what stands there now. */
  readonly found: Hash | undefined;
  readonly policies: Pick<Policies, 'existing' | 'humanEdits'>;
  /** Whether the ledger has lost facts, so that it may have been paid before. */
  readonly factsLost: boolean;
}

export type TargetVerdict =
  /** What stands there stays, and is nothing to come back to. */
  | { readonly kind: 'leave'; readonly by: Written['by'] }
  | { readonly kind: 'hold'; readonly why: 'edited-target' | 'state-lost' }
  | { readonly kind: 'obtain'; readonly old: 'replace' | 'keep-in-trash' };

export function verdictOn(standing: StandingOutput): TargetVerdict {
  const { found, left, release, policies } = standing;
  if (found === undefined) return withoutFile(standing);
  if (release === 'human') return { kind: 'leave', by: 'person' };
  if (left === undefined) {
    return policies.existing === 'adopt' && release !== 'machine'
      ? { kind: 'leave', by: 'adopted' }
      : { kind: 'obtain', old: 'keep-in-trash' };
  }
  const by = left.hash === found ? left.by : 'person';
  if (release === 'machine' && by !== undefined) return { kind: 'obtain', old: 'keep-in-trash' };
  // Another output, or another form of one, makes nothing else anew.
  if (left.from === standing.sourceHash) return { kind: 'leave', by };
  if (by === undefined) return { kind: 'obtain', old: 'replace' };
  return by === 'adopted' && policies.existing === 'overwrite'
    ? { kind: 'obtain', old: 'keep-in-trash' }
    : overPerson(policies.humanEdits, by);
}

function withoutFile({ factsLost, left, release }: StandingOutput): TargetVerdict {
  const isUncertain = factsLost && left === undefined && release !== 'retry';
  return isUncertain ? { kind: 'hold', why: 'state-lost' } : { kind: 'obtain', old: 'replace' };
}

/** A person's subtitles win over new automatic ones, unless config says otherwise. */
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
