/** What became of translated films, from what was noted when they were written: nothing is read but the segment base. */
import { join } from 'node:path';
import { stepsInTurns, turnsOf } from '../clock.ts';
import { limitsFor } from '../formats/captions/limits.ts';
import { reportSteps, type SubtitleReport } from '../formats/captions/report.ts';
import { targetList } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import type { LocalControlOptions } from './options.ts';
import type { FilmLine } from './report.ts';

/** Milliseconds at a time: a film may have 100,000 cues. */
const TURN_MS = 10;

/** @returns one line for each film that has a target */
export async function filmLines(
  options: LocalControlOptions,
  jobs: readonly JobRecord[],
): Promise<FilmLine[]> {
  const lines: FilmLine[] = [];
  for (const job of jobs) {
    const report = await filmReport(options, job);
    if (report === undefined) continue;
    const root = options.inForce.planner.project(job.project)?.root ?? '';
    const [source, target] = [job.source, targetList(job.targets)[0] ?? job.source];
    lines.push({
      project: job.project,
      source: join(root, source),
      target: join(root, target),
      language: job.language,
      ...report,
    });
  }
  return lines;
}

/** @returns undefined for what is no film, or was not written yet */
export async function filmReport(
  { baselines, inForce }: LocalControlOptions,
  job: JobRecord,
): Promise<SubtitleReport | undefined> {
  if (job.lane !== 'subtitle') return undefined;
  const project = inForce.planner.project(job.project);
  const route = inForce.planner.routeOf(job.project, job.source);
  const [wrote] = job.wrote;
  if (project === undefined || route === undefined || wrote === undefined) return undefined;
  const key = { project: job.project, language: job.language, path: job.source };
  const records = [...(await baselines.of(key, wrote.hash).read(wrote.hash)).values()];
  if (records.length === 0) return undefined;
  const steps = reportSteps(records, {
    format: wrote.path.toLowerCase().endsWith('.vtt') ? 'vtt' : 'srt',
    limits: limitsFor(route.subtitles, job.language),
    source: project.source === 'auto' ? undefined : project.source,
    target: job.language,
  });
  return await stepsInTurns(steps, turnsOf(TURN_MS));
}
