/** What goes on the books when a voice job gets on: the seconds that were uploaded, the bytes that the service keeps. Pure. */
import type { Charge } from '../../ledger.ts';
import type { RemoteJob } from './rules/remote-job.ts';

/** @param now milliseconds since the epoch */
export function chargesFor(before: RemoteJob, after: RemoteJob, now: number): Charge[] {
  const charges: Charge[] = [];
  const { id, owner, project, language, seconds } = after;
  const charge = {
    job: owner,
    project,
    language,
    lane: 'voice',
    at: new Date(now).toISOString(),
    characters: null,
    estimated: 0,
  } as const;
  if (!isUploaded(before) && isUploaded(after)) {
    charges.push({ ...charge, id: `voice ${id}`, kind: 'counted', seconds });
  }
  if (before.stage.kind !== 'in-doubt' && after.stage.kind === 'in-doubt') {
    charges.push({ ...charge, id: `voice ${id}`, kind: 'possibly-twice', seconds });
  }
  if (after.stage.kind === 'ended' && before.stage.kind !== 'ended') {
    const storageBytes = after.storageUsed ?? 0;
    charges.push({ ...charge, id: `voice ${id} storage`, kind: 'counted', storageBytes });
  }
  return charges;
}

function isUploaded({ stage: { kind } }: RemoteJob): boolean {
  return kind === 'uploaded' || kind === 'ended';
}
