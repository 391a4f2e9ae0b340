/** A file that we made of the same recording for another job: copied where the spool has forgotten the result. */
import { extname, join } from 'node:path';
import { hashIfPresent } from '../disk.ts';
import type { JobRecord, LedgerView } from '../ledger.ts';
import type { Planner } from '../planner.ts';
import { outputFiles } from './rules/outputs.ts';
import { spokenLanguage } from './rules/recipe.ts';
import type { VoiceCase, WantedFile } from './voice-case.ts';

export interface TwinSources {
  readonly ledger: LedgerView;
  readonly planner: Planner;
}

/** @returns its absolute path; undefined when there is none, or when a person has changed it */
export async function twinOf(
  { ledger, planner }: TwinSources,
  voice: VoiceCase,
  file: WantedFile,
): Promise<string | undefined> {
  for (const job of ledger.all('jobs')) {
    const project = planner.project(job.project);
    if (!isSibling(job, voice) || project === undefined) continue;
    if (spokenLanguage(project) !== voice.spoken) continue;
    const twin = outputFiles(job.targets).find(
      ({ kind, path }) => kind === file.kind && extname(path) === extname(file.path),
    );
    const left = job.wrote.find(({ path }) => path === twin?.path);
    if (left === undefined || left.by !== undefined || left.from !== voice.sourceHash) continue;
    const path = join(project.root, left.path);
    if ((await hashIfPresent(path)) === left.hash) return path;
  }
  return undefined;
}

function isSibling({ id, lane, language }: JobRecord, { job }: VoiceCase): boolean {
  return lane === 'voice' && id !== job.id && language === job.language;
}
