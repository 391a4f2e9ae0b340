/** Where one output of a recording stands, and whether it may be bought (again). Pure. */
import type { Release } from '../../../ledger.ts';
import { isOpen, type RemoteJob, type RemoteOutput } from './remote-job.ts';

export type PaidState =
  /** Nobody has asked for it, or it may be asked for once more. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'awaited' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'in-doubt' };

export interface Paid {
  readonly job: RemoteJob;
  readonly output: RemoteOutput;
  /** Whether its file is in the spool; one that came long ago is not. */
  readonly isKept: boolean;
  /** How often this output was lost before, the newest time included. */
  readonly losses: number;
}

export interface Permission {
  /** A person's word on this very content. */
  readonly release: Release | undefined;
  readonly recreateOnLoss: boolean;
}

/** @param paid the newest job with the output; undefined when there is none */
export function paidState(paid: Paid | undefined, permission: Permission): PaidState {
  if (paid === undefined) return { kind: 'missing' };
  const { job, output, isKept, losses } = paid;
  const { state } = output;
  const isReleased = permission.release !== undefined && isAfter(permission.release, job);
  switch (state.kind) {
    case 'fetched':
      return { kind: isKept ? 'ready' : 'missing' };
    case 'failed':
      return isReleased ? { kind: 'missing' } : state;
    case 'lost': {
      // Once by itself: a service that loses everything would be paid without end.
      const again = isReleased || (permission.recreateOnLoss && losses < 2);
      return again ? { kind: 'missing' } : state;
    }
    case 'awaited':
    case 'downloading':
      if (isOpen(job)) return { kind: 'awaited' };
      return { kind: isReleased ? 'missing' : 'in-doubt' };
  }
}

/** A person's word counts for one purchase: the job that it led to began after it. */
function isAfter({ kind, at }: Release, { begun }: RemoteJob): boolean {
  return (kind === 'retry' || kind === 'machine') && Date.parse(at) >= begun;
}
