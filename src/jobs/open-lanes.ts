/** Opens the lanes of a workspace. They share the memory, the budget, and the queue of requests. */
import { join } from 'node:path';
import { spoolOf } from '../config.ts';
import { ofJob } from '../event.ts';
import { Semaphore } from '../files/semaphore.ts';
import type { FollowUp } from '../intake/leaving.ts';
import type { LaneWorker } from '../lane.ts';
import { detecting } from '../lanes/detection.ts';
import { documentLane } from '../lanes/document/lane.ts';
import {
  DocumentReservations,
  type PurchaseContext,
  releaseMoney,
} from '../lanes/document/purchase-context.ts';
import { SharedDocuments } from '../lanes/document/shared-documents.ts';
import { Spool } from '../lanes/document/spool.ts';
import { hourlySweep } from '../lanes/document/sweep.ts';
import type { ModelLaneOptions } from '../lanes/model-lane.ts';
import { InProgress } from '../lanes/remote-purchase.ts';
import { explainingFilms, fallingBack } from '../lanes/subtitle/film-fallback.ts';
import { subtitleLane } from '../lanes/subtitle/lane.ts';
import { textLane } from '../lanes/text/lane.ts';
import { voiceLane } from '../lanes/voice/lane.ts';
import { VoicePoller } from '../lanes/voice/poller.ts';
import { VoiceJobs } from '../lanes/voice/voice-jobs.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Recipe } from '../plan/recipe.ts';
import type { Spending } from '../plan/spending.ts';
import { isUnderWay } from '../state/document-purchase.ts';
import { Purchases } from '../state/document-purchases.ts';
import { StateSpace } from '../state/state-disk.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import { MovedTexts } from '../translate/moved-texts.ts';
import { acceptsAt, type PurchaseSources, purchaseAt } from '../translate/purchase.ts';
import { type TextCase, textCase } from '../translate/text-case.ts';
import { Translator } from '../translate/translate.ts';
import type { RunState } from './run-state.ts';
import { whereWritable } from './where-writable.ts';
import { leads, type Workspace, type World } from './workspace.ts';

export interface LanesOptions {
  readonly workspace: Workspace;
  readonly world: World;
  readonly terminology: TerminologyInForce;
  readonly spending: Spending;
  readonly inForce: InForce;
  readonly runState: Pick<RunState, 'isWatching'>;
  /** Aborted when no request that waits may be sent any more. */
  readonly stopWaiting: AbortSignal;
  /** See `MovedTextsSources`. */
  followUps(): readonly FollowUp[];
  /** Whether more jobs than the `joined` ones may still want to buy texts. */
  mayGrow(joined: number): boolean;
}

export interface OpenLanes {
  readonly translator: Translator;
  readonly lanes: readonly LaneWorker[];
  readonly poller: VoicePoller;
  readonly voiceJobs: Pick<VoiceJobs, 'delayed'>;
  /** See `SharedDocuments`. */
  leaveDocuments(): Promise<void>;
  /** See `hourlySweep`. */
  sweepSpool(): Promise<void>;
}

export function openLanes(options: LanesOptions): OpenLanes {
  const { world, workspace, spending, inForce } = options;
  const voiceJobs = openVoiceJobs(options);
  const translator = openTranslator(options);
  const caseOf = caseWithMovedTexts(options);
  const texts = {
    ...{ translator, clock: world.clock, drafts: workspace.drafts, left: workspace.left, caseOf },
    ...{ writers: workspace.writers, reservations: workspace.reservations },
    allow: whereWritable(inForce, spending.allowTexts.bind(spending)),
    isLimited: spending.isLimited.bind(spending),
    ...emittersOf(world.events),
  };
  const films = { ...workspace, inForce };
  const purchasing = purchasingOf(options);
  const { clock } = world;
  const knowsAllJobs = () => leads(workspace);
  const sweepSpool = hourlySweep({ ...workspace, purchasing, clock, inForce, knowsAllJobs });
  const documents = documentLane({ ...workspace, purchasing, clock, inForce, sweep: sweepSpool });
  return {
    translator,
    lanes: [
      detecting(textLane(texts), {
        ...workspace,
        ...texts,
        events: world.events,
        allow: spending.allow.bind(spending),
        inForce,
        booked: (charges) => spending.book(charges),
      }),
      fallingBack(subtitleLane(texts), films),
      explainingFilms(documents, films),
      voiceLane(voiceJobs),
    ],
    poller: new VoicePoller(voiceJobs, clock),
    voiceJobs,
    sweepSpool,
    leaveDocuments: async () =>
      await purchasing.shared?.leave(purchasing.purchases, purchasing.inProgress),
  };
}

/** A case whose draft looks for texts that came from other files. These files are only looked at, and look for nothing themselves. */
function caseWithMovedTexts({ workspace, inForce, followUps }: LanesOptions) {
  const caseOf = (job: Parameters<typeof textCase>[0]) => textCase(job, inForce.planner, workspace);
  const jobs = () => workspace.ledger.all('jobs');
  const moved = new MovedTexts({ ...workspace, jobs, caseOf, inForce, followUps });
  return async (job: Parameters<typeof textCase>[0]): Promise<TextCase> => ({
    ...(await caseOf(job)),
    moved: {
      mayFind: () => moved.mayFind(job),
      find: (format, sought) => moved.find(job, format, sought),
    },
  });
}

/** @returns functions that emit the findings of a lane in the texts of a job as events */
function emittersOf(
  events: World['events'],
): Pick<ModelLaneOptions, 'onDamage' | 'onRemoved' | 'onTermsMissing'> {
  return {
    onDamage: (job, findings) => events.emit({ kind: 'source-damaged', findings, ...ofJob(job) }),
    onRemoved: (job, findings) =>
      events.emit({ kind: 'translations-removed', findings, ...ofJob(job) }),
    onTermsMissing: (job, findings) => {
      // One event, and so one line of the log, for each term.
      for (const finding of findings) {
        events.emit({ kind: 'terms-missing', findings: [finding], ...ofJob(job) });
      }
    },
  };
}

function openTranslator({
  workspace,
  world,
  terminology,
  spending,
  stopWaiting: hurry,
  mayGrow,
  inForce,
}: LanesOptions): Translator {
  const { remote } = terminology;
  const semaphore = new Semaphore(2 * inForce.config.service.concurrency);
  const space = new StateSpace(inForce.config.state);
  const sources: PurchaseSources = {
    ...workspace,
    ...world,
    remoteIds: (recipe) => remote.idsFor(recipe),
    doubt: (recipe) => remote.doubt(recipe),
    booked: (charges) => spending.book(charges),
    reserveSpace: (order) => space.reserve(order),
    semaphore,
    stopWaiting: hurry,
  };
  const ready = (recipe: Recipe) => remote.ready(recipe);
  const { clock } = world;
  const paid = { purchase: purchaseAt(sources), accepts: acceptsAt(sources) };
  return new Translator({ clock, memories: workspace.memories, ...paid, ready, mayGrow });
}

/** Downloads at a time: two fill the connection as well as eight do, and a kill loses less. */
const DOWNLOADS = 2;

function purchasingOf(options: LanesOptions): PurchaseContext {
  const { workspace, world, terminology, spending, inForce } = options;
  const { config } = inForce;
  const { dialect, limits, capabilities } = config.service;
  const { clock, events } = world;
  const spool = new Spool(join(spoolOf(config), 'spool'));
  const shared = openSharedDocuments(options, spool);
  const purchases = new Purchases(workspace.ledger, shared);
  const reservations = new DocumentReservations({
    allow: whereWritable(inForce, spending.allow.bind(spending)),
    setAside: (job, characters) => spending.setAside(job, characters),
    ended: (purchase) => spending.endPurchase(purchase),
    booked: (charges) => spending.book(charges),
  });
  // The price of documents that an earlier process has sent is reserved at once.
  for (const purchase of purchases.all()) {
    if (purchase.stage.kind === 'uploaded') reservations.keepReserved(purchase);
  }
  const polls: PurchaseContext['polls'] = new Map();
  workspace.tree?.onRemotes((record) => {
    const purchase = purchases.learn(record);
    // Another daemon went on with it and booked the bill.
    if (purchase !== undefined && !isUnderWay(purchase))
      releaseMoney({ reservations, polls }, purchase);
  });
  return {
    documents: workspace.service.documents,
    abilities: {
      dialect,
      limits,
      styles: capabilities.includes('document_style') ? 'accepted' : 'unknown',
    },
    ...{ purchases, spool, reservations, clock, events },
    ...(shared === undefined ? {} : { shared }),
    downloads: new Semaphore(DOWNLOADS),
    polls,
    inProgress: new InProgress(),
    sourceTerms: new Map(),
    remoteIds: (recipe) => terminology.remote.idsFor(recipe),
    doubt: (recipe) => terminology.remote.doubt(recipe),
    rootOf: rootIn(inForce),
    inForce,
  };
}

function openSharedDocuments(
  { workspace: { team, tree }, inForce }: LanesOptions,
  spool: Spool,
): SharedDocuments | undefined {
  const ledgers = tree === undefined ? 'many' : 'one';
  return team && new SharedDocuments({ team: team.purchases, spool, ledgers, inForce });
}

function openVoiceJobs(options: LanesOptions): VoiceJobs {
  const { workspace, world, spending, inForce, runState } = options;
  return new VoiceJobs({
    ...workspace,
    // A single run ends, and the next one asks again.
    givesUp: () => !runState.isWatching,
    clock: world.clock,
    events: world.events,
    spool: join(spoolOf(inForce.config), 'voice'),
    inForce,
    allow: whereWritable(inForce, (job, seconds) => spending.allow(job, 0, seconds)),
    booked: (charges) => spending.book(charges),
  });
}

const rootIn = (inForce: InForce) => (project: string) => inForce.planner.project(project)?.root;
