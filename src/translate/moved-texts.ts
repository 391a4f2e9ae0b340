/** Finds the translations of people for texts that came from another file of the project, in the same run or in an earlier one. */
import { join } from 'node:path';
import type { Baselines } from '../baseline.ts';
import { turnsOf } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { statOf } from '../files/disk.ts';
import { firstFormat } from '../formats/all.ts';
import type { FollowUp, MovingJob } from '../intake/leaving.ts';
import { type Job, type JobId, jobId, sourceHashOf, sourceId } from '../job.ts';
import type { JobRecord, LedgerView } from '../ledger.ts';
import { append } from '../parsing/append.ts';
import type { InForce } from '../plan/in-force.ts';
import { translatedSource } from '../segments/decide-by-records.ts';
import type { TranslationElsewhere } from '../segments/decision.ts';
import {
  type IncomingText,
  type MovingText,
  textsOfPeople,
  translationAmong,
} from '../segments/moving-texts.ts';
import { type SourceHash, sourceHash } from '../segments/statements.ts';
import type { LeftTexts, TextScope } from '../state/left-texts.ts';
import type { LockFiles, LockName } from '../state/lock-file.ts';
import { baselineKeyOf } from '../state/undo-log.ts';
import type { Drafts } from './drafts.ts';
import type { TextCase } from './text-case.ts';

export interface MovedTextsSources {
  readonly ledger: LedgerView;
  /** The jobs on record. A worker of a tree knows its own alone: what another daemon has not delivered yet is bought there. */
  jobs(): Iterable<JobRecord>;
  readonly baselines: Pick<Baselines, 'of' | 'copyOf'>;
  readonly drafts: Pick<Drafts, 'look'>;
  readonly left: LeftTexts;
  readonly inForce: Pick<InForce, 'planner' | 'router'>;
  /** Absent: the config names no lock. */
  readonly lock?: Pick<LockFiles, 'lock'>;
  caseOf(job: Job | MovingJob): Promise<TextCase>;
  /** A dry run: what a run would do with the targets of sources that moved or are gone. */
  followUps(): readonly FollowUp[];
}

/** A file that may have lost texts since its target was written. */
interface ChangedFile {
  readonly job: Job | MovingJob;
  /** The job whose baseline has the texts. Absent: this machine has no record, and the lock knows the texts. */
  readonly known?: JobRecord;
  readonly isGone?: true;
}

/** The changed files of a language when they were listed. */
interface ChangedFiles {
  /** The open jobs then: one that is not among them came later. */
  readonly open: ReadonlySet<string>;
  /** By source text, the files that had it with the translation of a person. */
  readonly byText: Promise<FilesByText>;
}

type FilesByText = ReadonlyMap<SourceHash, ReadonlySet<ChangedFile>>;

/** A text that more files have is a word or two, and is not looked for: each of the files would have to be read. */
const MOST_FILES = 8;

const NO_FILES: ReadonlySet<ChangedFile> = new Set();

/** Milliseconds of looking for texts at a time. */
const TURN_MS = 10;

export class MovedTexts {
  readonly #sources: MovedTextsSources;
  /** By project and language. */
  readonly #changed = new Map<string, ChangedFiles>();
  readonly #losses = new WeakMap<ChangedFile, Promise<readonly MovingText[]>>();

  constructor(sources: MovedTextsSources) {
    this.#sources = sources;
  }

  /** Whether `find` may find anything: in most runs no text has left a file. */
  async mayFind(job: Job): Promise<boolean> {
    const { size } = await this.#changedFiles(job).byText;
    return size > 0 || (await this.#sources.left.hasAny(job));
  }

  /** @returns for each text that the job would buy, in order, the translation of a person that it had in another file */
  async find(
    job: Job,
    format: string,
    sought: readonly IncomingText[],
  ): Promise<readonly (TranslationElsewhere | undefined)[]> {
    const { left } = this.#sources;
    const place = { project: job.project, language: job.language, format };
    const byText = await this.#changedFiles(job).byText;
    const turns = turnsOf(TURN_MS);
    const now: (TranslationElsewhere | 'unclear' | undefined)[] = [];
    for (const text of sought) {
      if (turns.over()) await turns.next();
      const losses = [...left.recent(place, text)];
      const files = byText.get(text.source) ?? NO_FILES;
      if (files.size <= MOST_FILES) {
        for (const file of files) append(losses, await this.#lossesOf(file, job, place));
      }
      now.push(translationAmong(text, losses));
    }
    const open = sought.filter((_, at) => now[at] === undefined);
    const before = (await left.find(place, open)).values();
    return now.map((found) => {
      const known = found ?? before.next().value;
      return known === 'unclear' ? undefined : known;
    });
  }

  #changedFiles(job: Job): ChangedFiles {
    const name = `${job.project}\n${job.language}`;
    const known = this.#changed.get(name);
    // A job that is only planned is not in the ledger: a plan is made for one state of the disk.
    const isPlanned = this.#sources.ledger.get('jobs', job.id)?.fingerprint !== job.fingerprint;
    if (known !== undefined && (isPlanned || known.open.has(entryOf(job)))) return known;
    const listed = this.#list(job);
    this.#changed.set(name, listed);
    return listed;
  }

  #list({ project, language }: Job): ChangedFiles {
    const { ledger, jobs, followUps } = this.#sources;
    const isMeant = (job: Job) =>
      job.project === project && job.language === language && job.lane === 'text';
    const open = new Set<string>();
    const files: ChangedFile[] = [];
    for (const known of jobs()) {
      if (!isMeant(known)) continue;
      if (known.state.kind !== 'done') open.add(entryOf(known));
      if (hasNewSource(ledger, known)) files.push({ job: asPlanned(known), known });
    }
    for (const { job, reason } of followUps()) {
      const known = 'moving' in job ? job.moving.from : ledger.get('jobs', job.id);
      if (known === undefined || !isMeant(known) || reason === 'source moved') continue;
      const isGone = reason !== 'source moved and edited';
      files.push({ job, known, ...(isGone && { isGone }) });
    }
    return { open, byText: this.#byText({ project, language }, files) };
  }

  async #byText(name: LockName, files: readonly ChangedFile[]): Promise<FilesByText> {
    const byText = new Map<SourceHash, Set<ChangedFile>>();
    const put = (source: SourceHash, file: ChangedFile) =>
      byText.set(source, (byText.get(source) ?? new Set()).add(file));
    for (const file of files) {
      for (const source of await this.#sourcesIn(file)) put(source, file);
    }
    const stated = await this.#sources.lock?.lock(name);
    for (const [path, statements] of stated?.sections ?? []) {
      const ofPeople = statements.filter(({ mark }) => mark === 'human' || mark === 'adopted');
      const job = ofPeople.length === 0 ? undefined : this.#undelivered(name, path);
      if (job === undefined) continue;
      const file = { job };
      for (const { source } of ofPeople) put(source, file);
    }
    return byText;
  }

  /** The job of a source that this machine has not delivered yet. */
  #undelivered({ project, language }: LockName, path: string): Job | undefined {
    const { ledger, inForce } = this.#sources;
    const id = jobId(project, language, path);
    const source = ledger.get('sources', sourceId(project, path));
    if (source === undefined || !isUndelivered(ledger, id)) return undefined;
    const match = inForce.router.match(project, path);
    const fingerprint = inForce.planner.fingerprint(source, language);
    if (match.kind !== 'source' || match.lane !== 'text' || !fingerprint) return undefined;
    const targets = match.targets(language);
    return { id, project, lane: 'text', source: path, targets, language, fingerprint };
  }

  /** The source texts with the translations of people; of a target that was changed since, all. */
  async #sourcesIn({ known }: ChangedFile): Promise<readonly SourceHash[]> {
    if (known === undefined) return [];
    const { baselines } = this.#sources;
    const key = baselineKeyOf(known);
    const bytes = await baselines.copyOf(key);
    if (bytes === undefined) return [];
    const isEdited = await this.#isTargetEdited(known);
    const stored = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (!isEdited && !OF_PEOPLE.some((origin) => stored.includes(origin))) return [];
    const hash = known.wrote[0]?.hash;
    const record = await baselines.of(key, hash).record(hash ?? null);
    const isOfPeople = (origin: string) => isEdited || origin === 'human' || origin === 'adopted';
    return (record?.segments ?? [])
      .filter(({ origin }) => isOfPeople(origin))
      .map((segment) => sourceHash(translatedSource(segment) ?? segment.source));
  }

  async #isTargetEdited({ project, wrote: [written] }: JobRecord): Promise<boolean> {
    const root = this.#sources.inForce.planner.project(project)?.root;
    if (root === undefined || written === undefined) return false;
    const stat = await statOf(join(root, written.path));
    return stat !== undefined && stat !== written.stat;
  }

  async #lossesOf(
    file: ChangedFile,
    { id }: Job,
    { format }: TextScope,
  ): Promise<readonly MovingText[]> {
    // The losses of a delivered file are in `left`.
    if (file.job.id === id || !this.#isStillChanged(file)) return [];
    const known = this.#losses.get(file) ?? this.#readLosses(file, format);
    this.#losses.set(file, known);
    return await known;
  }

  #isStillChanged({ job, known, isGone }: ChangedFile): boolean {
    const { ledger } = this.#sources;
    if (known === undefined) return isUndelivered(ledger, job.id);
    const now = ledger.get('jobs', known.id);
    return now !== undefined && (isGone || 'moving' in job || hasNewSource(ledger, now));
  }

  async #readLosses({ job, known, isGone }: ChangedFile, format: string) {
    const { baselines, drafts, caseOf } = this.#sources;
    const name = (await firstFormat(job.source))?.name;
    if (name !== format) return [];
    if (known !== undefined && isGone) {
      const hash = known.wrote[0]?.hash;
      const record = await baselines.of(baselineKeyOf(known), hash).record(hash ?? null);
      return textsOfPeople(record?.segments ?? []);
    }
    try {
      return await drafts.look(await caseOf(job), async ({ facts }) => facts.left.texts);
    } catch (error) {
      // Its own job reports the failure.
      if (error instanceof JobFailure) return [];
      throw error;
    }
  }
}

const OF_PEOPLE = ['"origin":"human"', '"origin":"adopted"'];

function isUndelivered(ledger: LedgerView, id: JobId): boolean {
  return (ledger.get('jobs', id)?.delivered ?? null) === null;
}

function entryOf({ id, fingerprint }: Job): string {
  return `${id} ${fingerprint}`;
}

/** Without its claim: it is only looked at. */
function asPlanned({ id, project, lane, source, targets, language, fingerprint }: JobRecord): Job {
  return { id, project, lane, source, targets, language, fingerprint };
}

/** Whether the source of a job has other content than its target was made from. */
function hasNewSource(ledger: LedgerView, { project, source, delivered }: JobRecord): boolean {
  if (delivered === null) return false;
  const now = ledger.get('sources', sourceId(project, source));
  return now !== undefined && sourceHashOf(delivered) !== (now.edition ?? now.hash);
}
