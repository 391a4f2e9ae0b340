/** Projects with `detect: true`: the service detects the language of a file before anything of it is translated. */
import { randomUUID } from 'node:crypto';
import { type Clock, isoTime } from '../clock.ts';
import type { Events } from '../event.ts';
import { type BudgetHold, type Job, jobId, type RecipeKey, sourceId } from '../job.ts';
import type { LaneResult, LaneRun, LaneWorker } from '../lane.ts';
import { parseLanguage, sameLanguage } from '../language.ts';
import {
  type Charge,
  commitDecision,
  type Fact,
  type Ledger,
  type OpenRequest,
  type SourceRecord,
} from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Allowance } from '../plan/spending.ts';
import type { Service } from '../service/client.ts';
import type { Detection } from '../service/detection.ts';
import type { Till } from '../state/till.ts';
import type { Drafts } from '../translate/drafts.ts';
import { sendOpened } from '../translate/sent-once.ts';
import type { TextCase } from '../translate/text-case.ts';
import { heldBecause } from './model-lane.ts';

export interface DetectionOptions {
  readonly service: Pick<Service, 'detection'>;
  readonly ledger: Ledger;
  readonly till: Till;
  readonly events: Events;
  readonly clock: Clock;
  readonly drafts: Drafts;
  readonly inForce: InForce;
  caseOf(job: Job): Promise<TextCase>;
  allow(job: LaneRun['job'], characters: number): Promise<Allowance>;
  /** Called with each charge when it is durable. */
  booked(charges: readonly Charge[]): void;
}

/** Characters (Unicode code points) that are sent: the first lines of a page show its language. */
const SAMPLE_CHARACTERS = 500;

/** A lane that detects the language of a source first, where it is not known, and then does the work of `lane`. */
export function detecting(lane: LaneWorker, options: DetectionOptions): LaneWorker {
  const underway = new Map<string, Promise<LaneResult | undefined>>();
  return {
    ...lane,
    async run(run) {
      const stay = await once(underway, run.job, () => detectBefore(options, run));
      if (stay !== undefined) return stay;
      return options.inForce.planner.isIntoItself(run.job)
        ? await removeJob(options, run)
        : await lane.run(run);
    },
    async estimate(job, ...asked) {
      const estimate = await lane.estimate(job, ...asked);
      return isLanguageOpen(options, job)
        ? { ...estimate, notes: [...(estimate.notes ?? []), NOTE] }
        : estimate;
    },
  };
}

const NOTE = `dragoman first asks the service for the language of each new file: this bills up to ${SAMPLE_CHARACTERS} characters per file. A file is not translated into its own language`;

function isLanguageOpen({ ledger, inForce }: DetectionOptions, { project, source }: Job): boolean {
  const isAsked = inForce.planner.project(project)?.detect === true;
  return isAsked && ledger.get('sources', sourceId(project, source))?.language === undefined;
}

/** Jobs with the same source wait for one answer. */
async function once(
  underway: Map<string, Promise<LaneResult | undefined>>,
  { project, source }: Job,
  ask: () => Promise<LaneResult | undefined>,
): Promise<LaneResult | undefined> {
  const id = sourceId(project, source);
  const known = underway.get(id);
  if (known !== undefined) return await known;
  const asked = ask().finally(() => underway.delete(id));
  underway.set(id, asked);
  return await asked;
}

/** @returns undefined when the language is known and the job can go on */
async function detectBefore(
  options: DetectionOptions,
  run: LaneRun,
): Promise<LaneResult | undefined> {
  const { job } = run;
  const source = options.ledger.get('sources', sourceId(job.project, job.source));
  const project = options.inForce.planner.project(job.project);
  if (source === undefined || project?.detect !== true) return undefined;
  const { language } = source;
  if (language?.kind === 'detected') return undefined;
  if (language?.kind === 'unclear' && job.release === undefined) {
    return held(options.clock, language.reason);
  }
  return await detect(options, run, source);
}

async function detect(
  options: DetectionOptions,
  run: LaneRun,
  source: SourceRecord,
): Promise<LaneResult | undefined> {
  const { job } = run;
  const sample = await sampleOf(options, job);
  if (sample === '') return undefined;
  const characters = [...sample].length;
  const allowance = await options.allow(job, characters);
  if (allowance.kind === 'held') return heldBecause(options.clock, allowance.hold);
  using _reserved = allowance;
  const bought = await buyDetection(options, run, { sample, characters });
  if (bought.kind === 'held') return heldBecause(options.clock, bought.hold);
  const { open, detection } = bought;
  const language = languageIn(detection);
  // After a kill in between, the language is known, and the open request is booked as possibly billed.
  await recordLanguage(options, job, { ...source, language });
  const charges = [chargeFor(open, job.id)];
  await options.till.end(open, { entries: [], charges });
  options.booked(charges);
  if (language.kind === 'unclear') return held(options.clock, language.reason);
  run.replan({ ...source, language });
  return { kind: 'superseded' };
}

type BoughtDetection =
  | { readonly kind: 'held'; readonly hold: BudgetHold }
  | {
      readonly kind: 'bought';
      readonly open: OpenRequest;
      readonly detection: Detection | undefined;
    };

/** The name of these purchases in the till: no translation has this recipe. */
const DETECTION = 'language detection' as RecipeKey;

async function buyDetection(
  options: DetectionOptions,
  run: LaneRun,
  { sample, characters }: { readonly sample: string; readonly characters: number },
): Promise<BoughtDetection> {
  const { till, service, clock } = options;
  const { id, project, language, lane } = run.job;
  const common = { project, language, lane, characters, at: isoTime(clock) } as const;
  const open: OpenRequest = { id: randomUUID(), jobs: [id], ...common };
  const text = { recipe: DETECTION, parts: [sample], job: id, characters };
  for (;;) {
    const [decision] = await till.begin(open, [text]);
    if (decision?.kind === 'held') return decision;
    if (decision?.kind !== 'busy') break;
    await till.othersEnd(run.signal);
  }
  const lostCharges = (attempt: number) => [
    { ...chargeFor(open, id), id: open.id + '?'.repeat(attempt), kind: 'possibly-twice' } as const,
  ];
  const detect = () => service.detection.detect([sample]);
  const { results } = await sendOpened(options, detect, { open, lostCharges });
  return { kind: 'bought', open, detection: results[0] };
}

function chargeFor(open: OpenRequest, job: Job['id']): Charge {
  const { project, language, lane, at, characters } = open;
  const common = { project, language, lane, at, characters };
  return { ...common, id: `${open.id} ${job}`, job, kind: 'counted', estimated: 0 };
}

function languageIn(detection: Detection | undefined): NonNullable<SourceRecord['language']> {
  const status = detection?.detection_status ?? 'no answer';
  const reason = detection?.detection_status === 'unknown' ? detection.reported_status : status;
  const tag =
    detection?.detection_status === 'success'
      ? parseLanguage(detection.detected_language)
      : undefined;
  return tag === undefined ? { kind: 'unclear', reason } : { kind: 'detected', tag };
}

async function sampleOf({ drafts, caseOf }: DetectionOptions, job: Job): Promise<string> {
  using reserved = await drafts.reserve(await caseOf(job), 'look');
  using draft = await reserved.open();
  return await draft.sample(SAMPLE_CHARACTERS);
}

/** Writes the answer to the source, if its content is still the same, and drops jobs into the detected language itself. */
async function recordLanguage(
  { ledger, inForce }: DetectionOptions,
  job: LaneRun['job'],
  source: SourceRecord,
): Promise<void> {
  await commitDecision(ledger, () => {
    const facts: Fact[] = [];
    const from = ledger.get('sources', source.id);
    const isSame = from?.hash === source.hash;
    if (isSame) facts.push({ table: 'sources', put: source, from });
    const { language } = source;
    if (isSame && language?.kind === 'detected') {
      const targets = inForce.planner.project(source.project)?.targets ?? [];
      const own = targets.filter((target) => sameLanguage(target, language.tag));
      for (const target of own) {
        const drop = ledger.get('jobs', jobId(source.project, target, source.path));
        if (drop !== undefined && drop.id !== job.id) facts.push({ table: 'jobs', drop });
      }
    }
    return facts;
  });
}

/** Another daemon of the tree detected the language of the job, and did not know of the job. */
async function removeJob({ ledger }: DetectionOptions, run: LaneRun): Promise<LaneResult> {
  await run.record(() => {
    const job = ledger.get('jobs', run.job.id);
    // With a stale claim, this run must not remove the job.
    return job?.fence === run.job.fence ? [{ table: 'jobs', drop: job }] : [];
  });
  return { kind: 'superseded' };
}

function held(clock: Clock, reason: string): LaneResult {
  return heldBecause(clock, {
    kind: 'unsuitable',
    message: `the service cannot tell its language (${reason})`,
    advice:
      'put it into a project that names its source language, or write more text and: dragoman retry',
  });
}
