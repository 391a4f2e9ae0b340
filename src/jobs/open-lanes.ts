/** Opens the lanes of a workspace: each turns a source into its target through the same till, memory and spending. */
import { join } from 'node:path';
import { Semaphore } from '../files/semaphore.ts';
import type { LaneWorker } from '../lane.ts';
import { detecting } from '../lanes/detection.ts';
import { documentLane } from '../lanes/document/lane.ts';
import { explainingFilms, fallingBack } from '../lanes/subtitle/film-fallback.ts';
import { subtitleLane } from '../lanes/subtitle/lane.ts';
import { textLane } from '../lanes/text/lane.ts';
import { voiceLane } from '../lanes/voice/lane.ts';
import { VoicePoller } from '../lanes/voice/poller.ts';
import { VoiceJobs } from '../lanes/voice/voice-jobs.ts';
import type { JobRecord, SourceRecord } from '../ledger.ts';
import type { Planner, Setup } from '../plan/planner.ts';
import type { Recipe } from '../plan/recipe.ts';
import type { Spending } from '../plan/spending.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import { purchaseAt } from '../translate/purchase.ts';
import { textCase } from '../translate/text-case.ts';
import { Translator } from '../translate/translate.ts';
import { openDocumentPurchases } from './open-document-purchases.ts';
import type { Workspace, World } from './workspace.ts';

export interface LanesOptions {
  readonly workspace: Workspace;
  readonly world: World;
  readonly inForce: TerminologyInForce;
  readonly spending: Spending;
  /** The config and planner in force. */
  setup(): Setup;
  planner(): Planner;
  /** Whether what was paid before may be unknown: documents and recordings without a target are held then. */
  factsLost(): boolean;
  /** Fires when nothing that waits is to be sent any more. */
  readonly hurry: AbortSignal;
  /** Whether jobs may still come that buy texts, beside those that have joined. */
  mayGrow(joined: number): boolean;
  /** A source turned out to be in another language: its jobs are planned anew. */
  replan(source: SourceRecord): void;
}

export interface OpenLanes {
  readonly translator: Translator;
  readonly lanes: readonly LaneWorker[];
  readonly poller: VoicePoller;
}

export function openLanes(options: LanesOptions): OpenLanes {
  const { world, workspace, spending, planner } = options;
  const voiceJobs = openVoiceJobs(options);
  const translator = openTranslator(options);
  const texts = {
    translator,
    drafts: workspace.drafts,
    clock: world.clock,
    caseOf: (job: Parameters<typeof textCase>[0]) => textCase(job, planner(), workspace),
    allow: spending.allow.bind(spending),
    onTermsMissing: (
      { id, project, lane, source, language }: JobRecord,
      findings: readonly string[],
    ) => {
      const job = { job: id, project, lane, source, language };
      world.events.emit({ kind: 'terms-missing', findings, ...job });
    },
  };
  const films = { ...workspace, planner, replan: options.replan };
  return {
    translator,
    lanes: [
      detecting(textLane(texts), {
        ...workspace,
        ...texts,
        planner,
        booked: (charges) => spending.book(charges),
        replan: options.replan,
      }),
      fallingBack(subtitleLane(texts), films),
      explainingFilms(openDocuments(options), films),
      voiceLane(voiceJobs),
    ],
    poller: new VoicePoller(voiceJobs, world.clock),
  };
}

function openTranslator({
  workspace,
  world,
  inForce,
  spending,
  hurry,
  mayGrow,
  setup,
}: LanesOptions): Translator {
  const { remote } = inForce;
  const semaphore = new Semaphore(2 * setup().config.service.concurrency);
  const purchase = purchaseAt({
    ...workspace,
    ...world,
    remoteRules: (recipe) => remote.rules(recipe),
    doubt: (recipe) => remote.doubt(recipe),
    booked: (charges) => spending.book(charges),
    semaphore,
    hurry,
  });
  const ready = (recipe: Recipe) => remote.ready(recipe);
  return new Translator({ memories: workspace.memories, purchase, ready, mayGrow });
}

function openDocuments(options: LanesOptions): LaneWorker {
  const { workspace, world, inForce, spending, setup, planner, factsLost, replan } = options;
  const purchasing = openDocumentPurchases({
    config: setup().config,
    workspace,
    world,
    spending,
    remoteRules: (recipe) => inForce.remote.rules(recipe),
    doubt: (recipe) => inForce.remote.doubt(recipe),
    rootOf: (project) => planner().project(project)?.root,
  });
  const keepMs = () => setup().config.keep.spool;
  return documentLane({
    ...workspace,
    purchasing,
    clock: world.clock,
    planner,
    keepMs,
    factsLost,
    replan,
  });
}

function openVoiceJobs(options: LanesOptions): VoiceJobs {
  const { workspace, world, spending, setup, planner, factsLost } = options;
  return new VoiceJobs({
    ...workspace,
    clock: world.clock,
    spool: join(setup().config.state, 'voice'),
    config: () => setup().config,
    planner,
    factsLost,
    allow: (job, seconds) => spending.allow(job, 0, seconds),
    booked: (charges) => spending.book(charges),
  });
}
