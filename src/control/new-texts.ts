/**
 * Texts of delivered files that are new because of a newer version or other settings: `plan` lists them, and they are bought after
 * `approve`.
 */

import { isoTime } from '../clock.ts';
import { failureOf } from '../failure.ts';
import { readText } from '../files/read-file.ts';
import {
  adviceForHold,
  describeHold,
  type Hold,
  type JobId,
  shellWords,
  sourceId,
  targetList,
} from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import { sourcePath } from '../plan/planner.ts';
import { mayShowMore } from '../plan/reader-version.ts';
import type { Route } from '../project.ts';
import type { Scope } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import type { NewTextsLine } from './plan-report.ts';
import type { AttentionLine } from './report.ts';
import { inScope } from './scope.ts';

export interface NewTexts {
  readonly job: JobRecord;
  readonly line: NewTextsLine;
}

export interface NewTextsInput {
  readonly scope: Scope;
  /** Jobs that a run opens anyway: they report such texts themselves. */
  readonly busy: ReadonlySet<JobId>;
  /** Names of texts that other jobs of the same plan already buy. */
  readonly counted: Set<string>;
}

export async function newTexts(
  options: LocalControlOptions,
  { scope, busy, counted }: NewTextsInput,
): Promise<NewTexts[]> {
  const { planner } = options.inForce;
  const rootOf = (project: string) => planner.project(project)?.root;
  const found: NewTexts[] = [];
  // A source is read once for all its languages.
  const known = new Map<string, Promise<boolean>>();
  for (const job of [...options.ledger.all('jobs')]) {
    const route = planner.routeToReread(job);
    if (route === undefined || busy.has(job.id) || !inScope(scope, job, rootOf)) continue;
    const id = sourceId(job.project, job.source);
    const more = known.get(id) ?? mayHaveMore(options, job, route);
    known.set(id, more);
    if (!(await more)) continue;
    const line = await lineFor(options, job, counted);
    if (line !== undefined) found.push({ job, line });
  }
  return found;
}

async function mayHaveMore(
  { inForce: { planner }, ledger }: LocalControlOptions,
  job: JobRecord,
  route: Route,
): Promise<boolean> {
  const project = planner.project(job.project);
  const source = ledger.get('sources', sourceId(job.project, job.source));
  if (project === undefined || source === undefined) return false;
  const text = await readText(sourcePath(project, source)).catch(() => '');
  return mayShowMore(text, job.source, route);
}

/** The line with the price of a run after a person has approved it. */
async function lineFor(
  { clock, estimate }: LocalControlOptions,
  job: JobRecord,
  counted: Set<string>,
): Promise<NewTextsLine | undefined> {
  const release = { kind: 'approve', fingerprint: job.fingerprint, at: isoTime(clock) } as const;
  try {
    const { texts, characters } = await estimate({ ...job, release } as JobRecord, counted);
    if (texts === undefined || texts.bought === 0) return undefined;
    const { project, source, language, targets } = job;
    const target = targetList(targets)[0] ?? source;
    return { project, source, target, language, texts: texts.bought, price_characters: characters };
  } catch (error) {
    // A file that cannot be read now is reported by its next job.
    if (failureOf(error).kind === 'stopped') throw error;
    return undefined;
  }
}

/** The line that the job will have when it is held for these texts: that happens when its page is worked on for another reason. */
export function attentionOfNewTexts({
  texts,
  price_characters,
  ...about
}: NewTextsLine): AttentionLine {
  const hold: Hold = { kind: 'approval', characters: price_characters, limit: 0, texts };
  const [reason, next_step] = [describeHold(hold), adviceForHold(hold, shellWords(about.target))];
  return { ...about, state: 'held', code: hold.kind, reason, next_step, price_characters };
}
