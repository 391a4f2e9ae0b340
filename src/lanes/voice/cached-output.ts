/** A file that we made of the same recording before: it serves where the spool has forgotten the result. */
import { extname, join } from 'node:path';
import { hashIfPresent } from '../../files/disk.ts';
import type { JobRecord, LedgerView } from '../../ledger.ts';
import type { Planner } from '../../plan/planner.ts';
import { spokenLanguage } from '../../plan/voice-recipe.ts';
import { isMadeFrom } from './rules/outputs.ts';
import type { VoiceCase, WantedFile } from './voice-case.ts';

export interface CachedOutputSources {
  readonly ledger: LedgerView;
  readonly planner: Planner;
}

/**
 * Of another job, or of this one at the place and in the form that config asked for before.
 * @returns its absolute path; undefined when there is none, or when a person has changed it
 */
export async function cachedOutputOf(
  { ledger, planner }: CachedOutputSources,
  voice: VoiceCase,
  file: WantedFile,
): Promise<string | undefined> {
  const to = extname(file.path);
  for (const job of ledger.all('jobs')) {
    const project = planner.project(job.project);
    if (!isSibling(job, voice) || project === undefined) continue;
    if (spokenLanguage(project) !== voice.spoken) continue;
    for (const left of job.wrote) {
      if (left.by !== undefined || left.from !== voice.sourceHash) continue;
      if (!isMadeFrom({ kind: file.kind, to, from: extname(left.path) })) continue;
      const path = join(project.root, left.path);
      if ((await hashIfPresent(path)) === left.hash) return path;
    }
  }
  return undefined;
}

function isSibling({ lane, language }: JobRecord, { job }: VoiceCase): boolean {
  return lane === 'voice' && language === job.language;
}
