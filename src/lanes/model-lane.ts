/** A lane whose files are bought text by text. Texts of several jobs are joined into full requests. */
import { join } from 'node:path';
import { type Clock, isoTime } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { holdsStill } from '../files/disk.ts';
import { Mutex } from '../files/mutex.ts';
import { publish, rightToPublish } from '../files/publish.ts';
import type { Reservation, Reservations, TargetName } from '../files/reservations.ts';
import type { Hash, Hold, Job } from '../job.ts';
import { sourceHashOf } from '../job.ts';
import type {
  EstimateDetail,
  LaneResult,
  LaneRun,
  LaneWorker,
  OpenCounts,
  TextCounts,
} from '../lane.ts';
import type { JobRecord, Written } from '../ledger.ts';
import { readerVersionOf } from '../plan/reader-version.ts';
import type { Allowance } from '../plan/spending.ts';
import { OverBudget } from '../state/funds.ts';
import { lookedAt } from '../state/memory.ts';
import { improvementBill } from '../translate/file-notes.ts';
import { improved, type Prices, pricesOf } from '../translate/improvement.ts';
import type { TextCase } from '../translate/text-case.ts';
import type { CountedTexts } from '../translate/text-orders.ts';
import type { Participant, Translator } from '../translate/translate.ts';
import type { ComposedFile, ModelSource, TextModel } from './text-model.ts';

export interface ModelLaneOptions {
  readonly translator: Pick<Translator, 'join'>;
  readonly clock: Clock;
  /** A mutex for each target, by its absolute path. A job that somebody overtook takes its turn among the saves of people. */
  readonly writers: Mutex;
  /** Among all daemons of a tree: their jobs and saves of people may write the same target. */
  readonly reservations: Reservations;
  /** Everything about a job: its route, recipe, paths, memory and baseline. */
  caseOf(job: Job): Promise<TextCase>;
  /** Reserves the price of a job, or says why it must wait. */
  allow(job: JobRecord, characters: number): Promise<Allowance>;
  /** Whether `allow` may hold a job for its price. If not, it only needs to know whether the job buys anything. */
  isLimited(job: Job): boolean;
  /** Called after a delivery with the parts of the source that cannot be read, one sentence each. */
  onDamage(job: JobRecord, findings: readonly string[]): void;
  /** Called after a delivery with the translations of people that left the target, one sentence each. */
  onRemoved(job: JobRecord, findings: readonly string[]): void;
  /** Called with terms that a translation should have and does not, one sentence each. */
  onTermsMissing(job: JobRecord, findings: readonly string[]): void;
}

/** How often a run merges a target that a person changes again and again meanwhile. */
const MERGES = 5;

export function modelLane(options: ModelLaneOptions, models: ModelSource): LaneWorker {
  const mutex = new Mutex();
  return {
    lane: models.lane,
    async run(run) {
      const text = await options.caseOf(run.job);
      // Before the job joins: a job that waits for the mutex or for memory adds no texts, and must not delay the requests of others.
      using _lock = isShared(text) ? await mutex.take(text.sourcePath) : undefined;
      using reserved = await models.reserve(text, 'buy');
      using participant = options.translator.join();
      for (let merges = 1; ; merges++) {
        const take = () => (merges > 1 ? takeTurn(options, text) : undefined);
        try {
          return await inTurn(take, (turn) =>
            reserved.use((model) => runTextJob(options, { run, text, participant, model, turn })),
          );
        } catch (error) {
          const isChanged =
            error instanceof JobFailure && error.failure.kind === 'changed-meanwhile';
          if (!isChanged || merges >= MERGES) throw error;
        }
      }
    },
    async estimate(job, counted, detail) {
      const text = onlyLooking(await options.caseOf(job));
      const at = isoTime(options.clock);
      const seen = await lookInto(models, text, (model) => lookAt(model, at, detail));
      // Only once, also when the file was opened again: `counted` must get each purchase once.
      const prices = await pricesOf(text, seen.wanted, await counted);
      const texts = textCountsFrom(seen, prices);
      const { blocker, needsNothing, isUpToDate, open, named, records } = seen;
      const isKept = blocker !== undefined && !needsNothing && text.instructions.retryHeld !== true;
      return {
        job,
        characters: prices.characters,
        atLeast: false,
        notes: [...seen.notes, ...improvementBill(text, prices)],
        isUpToDate,
        named,
        states: withFrame(seen),
        ...(isKept ? { hold: blocker } : {}),
        ...(texts === undefined ? {} : { texts }),
        ...(open === undefined ? {} : { open }),
        ...(records === undefined ? {} : { records }),
      };
    },
  };
}

/** Lines between the texts that wait for a person count as texts that do. */
function withFrame({ states, frameConflicts }: LookedModel): OpenCounts {
  if (frameConflicts === 0) return states;
  return { ...states, conflict: (states.conflict ?? 0) + frameConflicts };
}

type LookedModel = Awaited<ReturnType<typeof lookAt>>;

async function lookInto<T>(
  models: ModelSource,
  text: TextCase,
  look: (model: TextModel) => Promise<T>,
): Promise<T> {
  using reserved = await models.reserve(text, 'read');
  return await reserved.use(look);
}

async function lookAt(model: TextModel, at: string, detail: EstimateDetail | undefined) {
  await model.foresee(at);
  const isUpToDate = await model.isUpToDate(at);
  const isStated = isUpToDate && model.facts.blocker === undefined;
  return {
    ...model.facts,
    wanted: (await Array.fromAsync(model.texts())).flat(),
    notes: await model.notes(),
    isUpToDate,
    frameConflicts: await model.frameConflicts(at),
    open: detail === 'texts' ? await model.openUnits() : undefined,
    records: detail === 'records' && isStated ? await model.records(at) : undefined,
  };
}

/** For an estimate: it does not wait for a database that is away, a purchase does. */
function onlyLooking(text: TextCase): TextCase {
  const { memory, improvements } = text;
  return {
    ...text,
    memory: lookedAt(memory),
    ...(improvements && { improvements: lookedAt(improvements) }),
  };
}

/**
 * A segment counts as from the memory when all its texts are: an ICU message is bought sentence by sentence. One of its texts that no
 * request can carry has it held.
 */
function textCountsFrom(
  { counts, sizes, frameConflicts }: LookedModel,
  { isKnown, isUnsendable }: Prices,
): TextCounts | undefined {
  if (counts === undefined) return undefined;
  let [texts, recalled, held] = [0, 0, 0];
  for (const size of sizes ?? []) {
    const own = [texts, texts + Math.abs(size)] as const;
    texts = own[1];
    if (size <= 0) continue;
    if (isUnsendable.slice(...own).includes(true)) held += 1;
    else if (isKnown.slice(...own).every((each) => each)) recalled += 1;
  }
  return {
    ...counts,
    conflicts: counts.conflicts + frameConflicts,
    bought: counts.bought - recalled - held,
    fromMemory: counts.fromMemory + recalled,
    held: counts.held + held,
  };
}

interface TextJobRun {
  readonly run: LaneRun;
  readonly text: TextCase;
  readonly participant: Participant;
  readonly model: TextModel;
  readonly turn: TargetHold | undefined;
}

/** While a job holds it, saves of people into the target wait, and so do jobs of other daemons. */
interface TargetHold extends Disposable {
  /** The reservation of the target, until the turn is over. */
  reserved(): Reservation | undefined;
}

async function takeTurn(
  { writers, reservations }: ModelLaneOptions,
  text: TextCase,
): Promise<TargetHold> {
  using taking = new DisposableStack();
  taking.use(await writers.take(targetOf(text)));
  const reserved = taking.use(await reservations.take(targetNameOf(text)));
  const taken = taking.move();
  return {
    reserved: () => (taken.disposed ? undefined : { ...reserved, [Symbol.dispose]: () => {} }),
    [Symbol.dispose]: () => taken.dispose(),
  };
}

async function inTurn<T>(
  take: () => Promise<TargetHold> | undefined,
  work: (turn: TargetHold | undefined) => Promise<T>,
): Promise<T> {
  using turn = await take();
  return await work(turn);
}

function targetNameOf({ job, targetPath }: TextCase): TargetName {
  return { project: job.project, path: targetPath };
}

function targetOf({ root, targetPath }: TextCase): string {
  return join(root, targetPath);
}

/**
 * Whether one file has all languages. Then its jobs run one after the other. The change by one job does not count as newer content of the
 * source for the next job.
 */
function isShared(text: TextCase): boolean {
  return targetOf(text) === text.sourcePath;
}

/** What a delivery into such a file began with: the next look at the file finds by it that nobody else wrote there. */
function replaced(text: TextCase, found: Hash | null): Pick<Written, 'from'> {
  return isShared(text) && found !== null ? { from: found } : {};
}

async function runTextJob(options: ModelLaneOptions, work: TextJobRun): Promise<LaneResult> {
  const { run, text, model } = work;
  const { source } = model.facts;
  const isNewer = source.hash !== sourceHashOf(run.job.fingerprint);
  if (isNewer && !isShared(text)) return { kind: 'superseded' };
  const stay = await leaveAlone(options.clock, work);
  if (stay !== undefined) return stay;
  const { characters, texts } = await priceOf(work, options.isLimited(run.job));
  // Nobody waits for the answers of the service.
  if (characters > 0) work.turn?.[Symbol.dispose]();
  const allowance = await options.allow(run.job, characters);
  if (allowance.kind === 'held') return heldBecause(options.clock, allowance.hold);
  using _reserved = allowance;
  if (texts > 0) await work.model.foresee(isoTime(options.clock));
  const over = await buy(work).catch(overBudget);
  if (over !== undefined) return heldBecause(options.clock, over);
  // The bought answers are in the memory: the job for the newer content finds them there.
  if (!(await holdsStill(text.sourcePath, source))) {
    if (!isShared(text)) return { kind: 'superseded' };
    throw new JobFailure({ kind: 'changed-meanwhile', file: text.sourcePath });
  }
  const composed = await model.compose(isoTime(options.clock));
  const { termsMissing, problem, state } = composed;
  if (termsMissing.length > 0) options.onTermsMissing(run.job, termsMissing);
  if (problem !== undefined) return heldBecause(options.clock, problem);
  const delivered = await put(options, work, composed);
  const { damage, removed } = model.facts;
  if (damage.length > 0) options.onDamage(run.job, damage);
  if (removed.length > 0) options.onRemoved(run.job, removed);
  const reading = readerVersionOf(text.job.source, text.route);
  return { kind: 'delivered', ...delivered, state, reading };
}

/** @param whole false: up to the first texts that have to be bought. 500,000 texts of one file were read, cut and looked up for nothing */
async function priceOf({ text, model }: TextJobRun, whole: boolean) {
  const counted: CountedTexts = new Set();
  let characters = 0;
  let texts = 0;
  for await (const portion of model.texts()) {
    characters += (await pricesOf(text, portion, counted)).characters;
    texts += portion.length;
    if (characters > 0 && !whole) break;
  }
  return { characters, texts };
}

async function buy({ text, participant, model }: TextJobRun): Promise<undefined> {
  for (let open = model.texts(); ; ) {
    const wanted = improved(participant, text, open);
    for await (const answers of participant.translateInPortions(wanted))
      await model.answer(answers);
    const again = await model.again();
    if (again.length === 0) return;
    open = [again];
  }
}

/** A target that cannot be merged stays as it is. The job is done when the target needs nothing, else it waits for a person. */
async function leaveAlone(
  clock: Clock,
  { run, text, model }: TextJobRun,
): Promise<LaneResult | undefined> {
  const { target, blocker, needsNothing } = model.facts;
  if (blocker === undefined || target === undefined || isReleased(run.job)) return undefined;
  const at = isoTime(clock);
  await model.keep(at);
  return {
    kind: 'delivered',
    wrote: [{ path: text.targetPath, ...target, ...replaced(text, target.hash) }],
    changed: [],
    state: needsNothing ? { kind: 'done', at } : { kind: 'held', at, hold: blocker },
  };
}

/** Whether a person allowed the machine's version to replace the target. */
function isReleased({ release }: JobRecord): boolean {
  return release?.kind === 'machine' || release?.kind === 'retry';
}

/** Before each request, the shared budget is checked again, because others of the team spend too. Bought texts stay in the memory. */
function overBudget(error: unknown): Hold {
  if (error instanceof OverBudget) return error.hold;
  throw error;
}

async function put(
  { reservations }: ModelLaneOptions,
  { run, text, model, turn }: TextJobRun,
  { content }: ComposedFile,
): Promise<{ wrote: Written[]; changed: string[] }> {
  if (content === undefined) return { wrote: [], changed: [] };
  const expectedOld = model.facts.target?.hash ?? null;
  const written = await publish(run, {
    root: text.root,
    path: text.targetPath,
    ...content,
    expectedOld,
    statOfOld: model.facts.target?.stat,
    reserve: async () => turn?.reserved() ?? (await reservations.take(targetNameOf(text))),
    prepare: () => model.prepare(),
    withdraw: () => text.baseline.withdraw(),
  });
  const { path, hash } = written;
  await model.report(rightToPublish(run, { kind: 'publishing', path, hash, expectedOld: hash }));
  return {
    wrote: [{ ...written, ...replaced(text, expectedOld) }],
    changed: written.hash === expectedOld ? [] : [written.path],
  };
}

export function heldBecause(clock: Clock, hold: Hold): LaneResult {
  return { kind: 'held', state: { kind: 'held', at: isoTime(clock), hold } };
}
