/** Reports on translated films, from the records that were made when they were written: only the baseline is read. */
import { join } from 'node:path';
import { stepsInTurns, turnsOf } from '../clock.ts';
import { captionLimits } from '../formats/captions/limits.ts';
import { reportSteps, type SubtitleReport } from '../formats/captions/report.ts';
import { targetList } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import type { Route } from '../project.ts';
import type { LocalControlOptions } from './options.ts';
import type { FilmLine } from './report.ts';

/** Milliseconds of work at a time: a film may have 100,000 cues. */
const TURN_MS = 10;

type FilmReportOptions = Pick<LocalControlOptions, 'baselines' | 'inForce'>;

/** @returns one line for each film with a target */
export async function filmLines(
  options: FilmReportOptions,
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

interface MadeReport {
  readonly job: JobRecord;
  readonly route: Route;
  readonly report: SubtitleReport | undefined;
}

/** Reports that were made before, by what the record says of the written target: a change of the target replaces it. */
const made = new WeakMap<JobRecord['wrote'], MadeReport>();

/** @returns undefined for a file that is not a film, or was not written yet */
export async function filmReport(
  options: FilmReportOptions,
  job: JobRecord,
): Promise<SubtitleReport | undefined> {
  const route = options.inForce.planner.routeOf(job.project, job.source);
  if (job.lane !== 'subtitle' || route === undefined) return undefined;
  const before = made.get(job.wrote);
  if (before?.route === route && (before.job === job || isInWork(job))) return before.report;
  const report = await makeReport(options, job, route);
  made.set(job.wrote, { job, route, report });
  return report;
}

/** An open job has changed nothing yet. It may be at work on the same film: reading 100,000 cues beside it takes seconds. */
function isInWork({ state }: JobRecord): boolean {
  return state.kind === 'queued' || state.kind === 'running';
}

async function makeReport(
  { baselines, inForce }: FilmReportOptions,
  job: JobRecord,
  route: Route,
): Promise<SubtitleReport | undefined> {
  const project = inForce.planner.project(job.project);
  const [wrote] = job.wrote;
  if (project === undefined || wrote === undefined) return undefined;
  const key = { project: job.project, language: job.language, path: job.source };
  const records = [...(await baselines.of(key, wrote.hash).read(wrote.hash)).values()];
  if (records.length === 0) return undefined;
  const steps = reportSteps(records, {
    format: wrote.path.toLowerCase().endsWith('.vtt') ? 'vtt' : 'srt',
    limits: captionLimits(route.subtitles, job.language),
    source: project.source === 'auto' ? undefined : project.source,
    target: job.language,
  });
  return await stepsInTurns(steps, turnsOf(TURN_MS));
}
