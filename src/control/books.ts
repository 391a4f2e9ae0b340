/** Reports from the books: what was billed, by day, project, language and lane. Pure. */
import type { Charge } from '../ledger.ts';
import type { UsageLine } from './usage.ts';

/** What the charges that were asked for come to. */
export interface BookReport {
  readonly billed: number;
  readonly estimated: number;
  readonly possiblyTwice: number;
  readonly voiceSeconds: number;
  readonly voiceStorageBytes: number;
  readonly by: readonly UsageLine[];
}

/** Sums the charges that `counts` lets through. Possibly billed twice stands apart: whether it was billed nobody can tell. */
export function readBooks(
  charges: Iterable<Charge>,
  counts: (charge: Charge) => boolean,
): BookReport {
  const lines = new Map<string, UsageLine>();
  let [billed, estimated, possiblyTwice, voiceSeconds, voiceStorageBytes] = [0, 0, 0, 0, 0];
  for (const charge of charges) {
    if (!counts(charge)) continue;
    voiceSeconds += charge.seconds ?? 0;
    voiceStorageBytes += charge.storageBytes ?? 0;
    const characters = charge.characters ?? 0;
    if (charge.kind === 'possibly-twice') {
      possiblyTwice += characters;
      continue;
    }
    billed += characters;
    estimated += charge.estimated;
    addTo(lines, charge, characters);
  }
  const by = [...lines.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  return { billed, estimated, possiblyTwice, voiceSeconds, voiceStorageBytes, by };
}

function addTo(lines: Map<string, UsageLine>, charge: Charge, characters: number): void {
  const { project, language, lane } = charge;
  const day = charge.at.slice(0, 10);
  const key = [day, project, language, lane].join('\n');
  const before = lines.get(key);
  const seconds = (before?.voice_seconds ?? 0) + (charge.seconds ?? 0);
  lines.set(key, {
    project,
    language,
    lane,
    day,
    billed_characters: (before?.billed_characters ?? 0) + characters,
    ...(seconds > 0 ? { voice_seconds: seconds } : {}),
  });
}
