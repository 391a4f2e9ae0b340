/** Projects with `detect: true`: the service detects the language of a file before anything of it is translated. */
import { randomUUID } from 'node:crypto';
import { type Clock, isoTime } from '../clock.ts';
import type { Events } from '../event.ts';
import { type BudgetHold, type Job, type RecipeKey, sourceId } from '../job.ts';
import type { LaneResult, LaneRun, LaneWorker } from '../lane.ts';
import { parseLanguage } from '../language.ts';
import {
  type Charge,
  commitDecision,
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
      // Asked of each claimed job: the daemon that learns the language does not know the jobs of other daemons.
      if (options.inForce.planner.isIntoItself(run.job)) return await removeJob(options, run);
      return stay ?? (await lane.run(run));
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
  if (language?.kind === 'unclear' && job.release?.fingerprint !== job.fingerprint) {
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
  const bought = await buyDetection(options, run, { source, sample, characters });
  switch (bought.kind) {
    case 'held':
      return heldBecause(options.clock, bought.hold);
    case 'elsewhere':
      return goOnWith(options, run, bought.source);
    case 'bought':
      return await take(options, run, { source, ...bought });
  }
}

/** Another daemon has learned the language, or the source has changed. */
function goOnWith(
  { clock }: DetectionOptions,
  run: LaneRun,
  source: SourceRecord | undefined,
): LaneResult {
  if (source?.language?.kind === 'unclear') return held(clock, source.language.reason);
  if (source !== undefined) run.replan(source);
  return { kind: 'superseded' };
}

async function take(
  options: DetectionOptions,
  run: LaneRun,
  bought: Extract<BoughtDetection, { kind: 'bought' }> & { readonly source: SourceRecord },
): Promise<LaneResult> {
  const { job } = run;
  const { source, open, detection } = bought;
  const language = languageIn(detection);
  // After a kill in between, the language is known, and the open request is booked as possibly billed.
  await recordLanguage(options.ledger, { ...source, language });
  const charges = [chargeFor(open, job)];
  await options.till.end(open, { entries: [], charges });
  options.booked(charges);
  if (language.kind === 'unclear') return held(options.clock, language.reason);
  run.replan({ ...source, language });
  return { kind: 'superseded' };
}

type BoughtDetection =
  | { readonly kind: 'held'; readonly hold: BudgetHold }
  /** Another daemon has asked for it meanwhile. `source`: as it is now. */
  | { readonly kind: 'elsewhere'; readonly source: SourceRecord | undefined }
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
  { source, sample, characters }: AskedSample,
): Promise<BoughtDetection> {
  const { till, service, ledger } = options;
  const open = requestFor(options, run.job, characters);
  const text = { recipe: DETECTION, parts: [sample], job: run.job.id, characters };
  for (;;) {
    const [decision] = await till.begin(open, [text]);
    if (decision?.kind === 'held') return decision;
    const isBusy = decision?.kind === 'busy';
    if (isBusy) await till.othersEnd(run.signal);
    // Whoever asked before has recorded the language before its request ended.
    const present = await ledger.presentSource(source.id);
    const isOpen =
      present?.hash === source.hash && present.language?.kind === source.language?.kind;
    if (isOpen && !isBusy) break;
    if (isOpen) continue;
    if (!isBusy) await till.forget(open);
    return { kind: 'elsewhere', source: present };
  }
  const lostCharges = (attempt: number) => [
    {
      ...chargeFor(open, run.job),
      id: open.id + '?'.repeat(attempt),
      kind: 'possibly-twice',
    } as const,
  ];
  const detect = () => service.detection.detect([sample]);
  const { results } = await sendOpened(options, detect, { open, lostCharges });
  return { kind: 'bought', open, detection: results[0] };
}

interface AskedSample {
  readonly source: SourceRecord;
  readonly sample: string;
  readonly characters: number;
}

/** Names the same language for all jobs of a source: the till knows by it that another daemon asks the same. */
function requestFor(
  { inForce, clock }: DetectionOptions,
  { id, project, language: own, lane }: Job,
  characters: number,
): OpenRequest {
  const language = inForce.planner.project(project)?.targets[0] ?? own;
  const common = { project, language, lane, characters, at: isoTime(clock) } as const;
  return { id: randomUUID(), jobs: [id], ...common };
}

function chargeFor(open: OpenRequest, { id: job, language }: Job): Charge {
  const { project, lane, at, characters } = open;
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
  using reserved = await drafts.reserve(await caseOf(job), 'read');
  using draft = await reserved.open();
  return await draft.sample(SAMPLE_CHARACTERS);
}

/** Writes the answer to the source, if its content is still the same. */
async function recordLanguage(ledger: Ledger, source: SourceRecord): Promise<void> {
  await commitDecision(ledger, () => {
    const from = ledger.get('sources', source.id);
    return from?.hash === source.hash ? [{ table: 'sources', put: source, from }] : [];
  });
}

/** Removes a job into the language of its source. A job with a target stays on record, and is neither run nor shown. */
async function removeJob({ ledger }: DetectionOptions, run: LaneRun): Promise<LaneResult> {
  await run.record(() => {
    const drop = ledger.get('jobs', run.job.id);
    // With a stale claim, this run must not remove the job.
    const isOurs = drop?.fence === run.job.fence && drop.wrote.length === 0;
    return isOurs ? [{ table: 'jobs', drop }] : [];
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
