/** Conflicts with their texts, and `resolve`: a person's choice is recorded for the next run of the job, which bills nothing for it. */

import type { SegmentRecord } from '../baseline.ts';
import { isoTime } from '../clock.ts';
import { partsText } from '../format.ts';
import { type JobId, sourceId } from '../job.ts';
import { commitDecision, type Fact, type JobRecord, type Release } from '../ledger.ts';
import { type Statement, sourceHash, targetHash, unitId } from '../segments/statements.ts';
import type { LockIndex } from '../state/lock-file.ts';
import { AtRest, busyFile, targetFileOf } from './at-rest.ts';
import type { ConflictsRequest, ResolveRequest } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import type { BusyFile, ConflictLine, ConflictsReport, ResolveReport } from './report.ts';
import { inScope } from './scope.ts';

export async function resolveConflicts(
  options: LocalControlOptions,
  request: ResolveRequest,
): Promise<ResolveReport> {
  const resolved: ConflictLine[] = [];
  const busy: BusyFile[] = [];
  const rest = new AtRest(options);
  for (const id of jobsOfFile(options, request)) {
    const decided = await resolveInJob(options, { id, request, rest });
    if (decided.kind === 'busy') busy.push(decided.file);
    else resolved.push(...decided.conflicts);
  }
  return { resolved, ...(busy.length > 0 && { busy }) };
}

/** The conflicts that `resolveConflicts` would decide. */
export async function conflictsAtRest(
  options: LocalControlOptions,
  about: ConflictsRequest,
): Promise<ConflictsReport> {
  const rest = new AtRest(options);
  const jobs = jobsOfFile(options, about);
  const working = await rest.wait(jobs);
  const held = jobs.flatMap((id) => options.ledger.get('jobs', id) ?? []);
  const conflicts = await conflictsOf(options, held);
  return {
    conflicts: conflicts.filter(({ key }) => isMeant(about, key)),
    ...(working.length > 0 && { busy: working.map((job) => busyFile(options, job)) }),
  };
}

/** Those that have conflicts, or may have them when they end. Those that are at rest come first, so that they do not wait for the others. */
function jobsOfFile(
  { ledger, inForce, runState }: LocalControlOptions,
  { file, languages, projects = [] }: ConflictsRequest,
): JobId[] {
  const scope = { projects, languages, paths: [file] };
  const rootOf = (name: string) => inForce.planner.project(name)?.root;
  return [...ledger.all('jobs')]
    .filter((job) => job.state.kind === 'held' || runState.isBusy(job))
    .filter((job) => inScope(scope, job, rootOf))
    .toSorted((one, other) => Number(runState.isBusy(one)) - Number(runState.isBusy(other)))
    .map(({ id }) => id);
}

function isMeant({ key }: Pick<ConflictsRequest, 'key'>, found: string): boolean {
  return key === undefined || key === found;
}

interface JobAsked {
  readonly id: JobId;
  readonly request: ResolveRequest;
  readonly rest: AtRest;
}

type JobDecided =
  | { readonly kind: 'decided'; readonly conflicts: readonly ConflictLine[] }
  | { readonly kind: 'busy'; readonly file: BusyFile };

async function resolveInJob(
  options: LocalControlOptions,
  { id, request, rest }: JobAsked,
): Promise<JobDecided> {
  const { ledger } = options;
  for (;;) {
    const [working] = await rest.wait([id]);
    if (working !== undefined) return { kind: 'busy', file: busyFile(options, working) };
    const asked = ledger.get('jobs', id);
    if (asked?.state.kind !== 'held') return { kind: 'decided', conflicts: [] };
    const found = await conflictsOf(options, [asked]);
    const conflicts = found.filter(({ key }) => isMeant(request, key));
    let choice: RecordedChoice | 'changed' | undefined;
    await commitDecision(ledger, () => {
      choice = choiceFor(options, { asked, request, conflicts });
      return typeof choice === 'object' ? [choice.fact] : [];
    });
    if (choice === 'changed') continue;
    if (choice === undefined) return { kind: 'decided', conflicts: [] };
    options.offer([id]);
    const whole = choice.isWhole ? [wholeFile(options, asked)] : [];
    return { kind: 'decided', conflicts: [...conflicts, ...whole] };
  }
}

/** The choice that is recorded for a job. */
interface RecordedChoice {
  readonly fact: Fact;
  /** It is for the whole target. */
  readonly isWhole: boolean;
}

interface ResolutionAsked {
  /** The job as it was when its conflicts were read. */
  readonly asked: JobRecord;
  readonly request: ResolveRequest;
  readonly conflicts: readonly ConflictLine[];
}

/** @returns undefined when there is nothing to choose; `changed` when the job has continued since its conflicts were read */
function choiceFor(
  options: LocalControlOptions,
  { asked, request, conflicts }: ResolutionAsked,
): RecordedChoice | 'changed' | undefined {
  const job = options.ledger.get('jobs', asked.id);
  if (job?.state.kind !== 'held' || job.fence !== asked.fence) return 'changed';
  const isLeft = isUnclaimed(options, job);
  if (isLeft && request.choice.kind !== 'human') return undefined;
  const isWhole = isLeft || isWholeFile(job);
  if (conflicts.length === 0 && !isWhole) return undefined;
  const fact: Fact = isLeft
    ? { table: 'jobs', drop: job }
    : decided(options, { job, request, conflicts });
  return { fact, isWhole };
}

/** A translated file without segments, or a target that cannot be merged: the choice is for the whole file. */
function isWholeFile({ state }: JobRecord): boolean {
  return state.kind === 'held' && state.hold.kind === 'edited-target';
}

/** Its source is gone, or its language or route where only its paid result is kept: there is nothing more to do for it. */
function isUnclaimed({ ledger, inForce }: LocalControlOptions, job: JobRecord): boolean {
  const { project, source, state } = job;
  const isKept = state.kind === 'held' && state.hold.kind === 'source-gone';
  if (isKept) return !inForce.planner.wants(job);
  return ledger.get('sources', sourceId(project, source)) === undefined;
}

function wholeFile(options: LocalControlOptions, job: JobRecord): ConflictLine {
  const { project, language } = job;
  const file = targetFileOf(options, job);
  const from = { old_source: null, human: null, machine: null };
  const texts = { old_source: '', new_source: '', human: '', machine: null };
  return { project, language, file, key: '', ...texts, note: null, source_commit: null, from };
}

interface ResolvedJob {
  readonly job: JobRecord;
  readonly request: ResolveRequest;
  readonly conflicts: readonly ConflictLine[];
}

function decided({ clock }: LocalControlOptions, { job, request, conflicts }: ResolvedJob): Fact {
  const { choice } = request;
  const word = choice.kind === 'text' ? { text: choice.text } : choice.kind;
  const release: Release = {
    kind: choice.kind === 'machine' ? 'machine' : 'human',
    fingerprint: job.fingerprint,
    at: isoTime(clock),
    choices: {
      ...job.release?.choices,
      ...Object.fromEntries(conflicts.map(({ key }) => [key, word])),
    },
    chosenFor: {
      ...job.release?.chosenFor,
      ...Object.fromEntries(conflicts.map(({ key, new_source }) => [key, sourceHash(new_source)])),
    },
  };
  return { table: 'jobs', from: job, set: { release } };
}

/** The open conflicts of jobs, each with all four texts. */
export async function conflictsOf(
  options: LocalControlOptions,
  jobs: readonly JobRecord[],
): Promise<ConflictLine[]> {
  const lines = await Promise.all(
    jobs.filter(mayConflict).map((job) => conflictsOfJob(options, job)),
  );
  return lines.flat();
}

/** A job that is held for damaged segments may also have conflicts. */
function mayConflict({ state }: JobRecord): boolean {
  if (state.kind !== 'held') return false;
  return state.hold.kind === 'conflict' || state.hold.kind === 'damaged-segments';
}

async function conflictsOfJob(
  options: LocalControlOptions,
  job: JobRecord,
): Promise<ConflictLine[]> {
  const { baselines, lock } = options;
  const [wrote] = job.wrote;
  const file = targetFileOf(options, job);
  const key = { project: job.project, language: job.language, path: job.source };
  const records = await baselines.of(key, wrote?.hash).read(wrote?.hash ?? null);
  const open = [...records.values()].filter(({ state }) => state === 'conflict');
  const index = open.length === 0 ? undefined : await lock?.index(job);
  const known = await Promise.all(open.map((record) => withSource(options, job, record)));
  return known.map((record) => ({
    project: job.project,
    language: job.language,
    file,
    key: record.id,
    ...nameIn(job, record.id),
    ...conflictTexts(record, index !== undefined),
    from: originsOf(record, index && stated(index, job.source, record.id)),
  }));
}

function nameIn({ state }: JobRecord, id: string): Pick<ConflictLine, 'name'> {
  if (state.kind !== 'held' || state.hold.kind !== 'conflict') return {};
  const name = state.hold.names?.[state.hold.keys.indexOf(id)];
  return name === undefined ? {} : { name };
}

/** Adds the source that a person's text was made from, when an exchange file or the log of edits has it. */
async function withSource(
  { edits }: LocalControlOptions,
  { project, language, source: path }: JobRecord,
  record: SegmentRecord,
): Promise<SegmentRecord> {
  const { id, source, previousSource, target } = record;
  if (previousSource !== undefined || target === null) return record;
  const place = { project, language, path, id, targetHash: targetHash(partsText(target)) };
  const before = (await edits.of(place))?.translated;
  return before === undefined || before === source ? record : { ...record, previousSource: before };
}

/** The statements of the lock about a text, in keyed formats and in others. */
function stated(index: LockIndex, source: string, id: string): Statement[] {
  return [unitId(source, id), unitId(source)].flatMap((unit) => index.get(unit) ?? []);
}

/** @param statements about the unit; undefined: there is no lock */
function originsOf(
  { previousSource, sourceCommit, target, machine, machineCommit }: SegmentRecord,
  statements: readonly Statement[] | undefined,
): ConflictLine['from'] {
  const here = 'the state of this machine';
  const text = targetHash(partsText(target ?? []));
  const isStated = statements?.some((each) => each.target === text && each.mark === 'human');
  const file = 'the present translation';
  const human =
    statements === undefined ? file : `${file}, ${isStated ? '' : 'not yet '}in the lock`;
  return {
    // Lists have the empty text for an unknown source.
    old_source: previousSource ? commitWords(sourceCommit, here) : null,
    human,
    machine: machine === undefined ? null : commitWords(machineCommit, 'the service or the memory'),
  };
}

function commitWords(commit: string | undefined, otherwise: string): string {
  return commit === undefined ? otherwise : `commit ${commit.slice(0, 10)}`;
}

/** Said about a text that was translated in another checkout, when git does not have its source either. */
const UNKNOWN_SOURCE =
  'the old source is known to neither this machine nor the history of git, and the lock has only its hash; ' +
  'where the text was translated, "dragoman status" shows it';

/** Said about lines between the texts: only their hashes are on record. */
const UNKNOWN_LINES =
  'only the present lines are on record; the old lines are in the history of the source';

function conflictTexts(record: SegmentRecord, hasLock: boolean) {
  const { previousSource, source, sourceCommit, target, joined, machine, problem } = record;
  const unknown = previousSource ? null : record.isFrame ? UNKNOWN_LINES : UNKNOWN_SOURCE;
  return {
    old_source: previousSource ?? '',
    new_source: source,
    human: partsText(target ?? joined ?? []),
    machine: machine === undefined ? null : partsText(machine),
    note: problem ?? (hasLock ? unknown : null),
    source_commit: sourceCommit ?? null,
  };
}
