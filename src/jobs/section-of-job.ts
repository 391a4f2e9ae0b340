/** Makes a section of the lock from the records of this machine about the texts of a job. */
import { join } from 'node:path';
import type { BaselineRecord, Baselines } from '../baseline.ts';
import { stepsInTurns, turnsOf } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { bytesIn, hashIfPresent, statOf } from '../files/disk.ts';
import { checkedOutIfText } from '../files/line-ends.ts';
import { chooseFormat } from '../formats/all.ts';
import { type Hash, type Job, sourceHashOf, targetList } from '../job.ts';
import type { JobRecord, LedgerView, Written } from '../ledger.ts';
import { parse } from '../parsing/parse.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Project } from '../project.ts';
import { type Section, type SectionInput, sectionFrom } from '../segments/lock-section.ts';
import { wantsReview } from '../segments/review.ts';
import {
  type Assertion,
  hashesOfBytes,
  type Statement,
  type UnitId,
  unitId,
} from '../segments/statements.ts';
import type { LockFiles, LockName } from '../state/lock-file.ts';
import { baselineKeyOf } from '../state/undo-log.ts';
import { HASH_TEXTS } from '../translate/thread-calls.ts';

/** Milliseconds for which the texts of a large file may stop other work. */
const TURN_MS = 10;

export interface SectionSources {
  readonly inForce: Pick<InForce, 'config' | 'router'>;
  readonly files: Pick<LockFiles, 'formerPath'>;
  readonly baselines: Baselines;
}

/** @returns undefined for a job that has left no target, or whose target somebody else has written since */
export async function sectionOf(
  sources: SectionSources,
  job: JobRecord,
): Promise<Section | undefined> {
  const { inForce, baselines } = sources;
  if (job.lane === 'document' || job.lane === 'voice') {
    return sectionOfFiles(job, await textHashesOf(inForce, job));
  }
  const wrote = job.wrote[0]?.hash;
  if (wrote === undefined) return undefined;
  const isAsLeft = !(await isOverwritten(inForce, job));
  const current = isAsLeft ? 'as left' : await currentTextsIn(inForce, job);
  if (current === 'unknown') return undefined;
  const baseline = await baselines.of(baselineKeyOf(job), wrote).record(wrote);
  if (baseline === undefined) return undefined;
  return await sectionOfRecords(sources, job, {
    ...baseline,
    ...(current === 'as left' ? {} : { current }),
  });
}

/** The texts of a target, as a run left them or would leave them. */
type RecordedTexts = Pick<BaselineRecord, 'segments' | 'frame'> & Pick<SectionInput, 'current'>;

export async function sectionOfRecords(
  { inForce, files }: Pick<SectionSources, 'inForce' | 'files'>,
  job: Job,
  { segments, frame, current }: RecordedTexts,
): Promise<Section> {
  const format = job.lane === 'text' ? await chooseFormat(job.source, '') : undefined;
  const shape = job.lane === 'subtitle' ? 'sequence' : (format?.shape ?? 'keyed');
  const hashes = frame?.isUnexplained ? 'as stated' : frame?.hashes;
  const former = await files.formerPath(job);
  const project = projectOf(inForce, job);
  const lines = sectionFrom({
    path: job.source,
    records: segments,
    shape,
    ...(hashes === undefined ? {} : { frame: hashes }),
    ...(frame?.own === undefined ? {} : { own: frame.own }),
    ...(former === undefined ? {} : { formerPath: former.source }),
    ...(project === undefined ? {} : { wants: wantsReview(project.policies, job.language) }),
    ...(current === undefined ? {} : { current }),
  });
  return await stepsInTurns(lines, turnsOf(TURN_MS));
}

function projectOf({ config }: SectionSources['inForce'], job: Job): Project | undefined {
  return config.projects.find(({ name }) => name === job.project);
}

/**
 * Hashes of text files with line feeds, by the hashes of their bytes. The lock names these hashes, because git may write other line
 * ends in another checkout.
 */
async function textHashesOf(
  inForce: SectionSources['inForce'],
  job: WholeFiles,
): Promise<ReadonlyMap<Hash, Hash>> {
  const project = projectOf(inForce, job);
  const texts = new Map<Hash, Hash>();
  if (project === undefined) return texts;
  for (const path of [job.source, ...job.wrote.map((each) => each.path)]) {
    const file = await checkedOutIfText(join(project.root, path));
    if (file !== undefined) texts.set(file.all[0], file.text);
  }
  return texts;
}

/**
 * Whether somebody else has written the target since. Then the baseline says nothing about its present texts, and the statements of the
 * lock about them stay until the job has looked at them.
 */
async function isOverwritten(inForce: SectionSources['inForce'], job: JobRecord): Promise<boolean> {
  const project = projectOf(inForce, job);
  const [wrote] = job.wrote;
  if (project === undefined || wrote === undefined) return false;
  const path = join(project.root, wrote.path);
  const stat = await statOf(path);
  if (stat === undefined || stat === wrote.stat) return false;
  return (await hashIfPresent(path)) !== wrote.hash;
}

/**
 * A file that is source and target at once is also written for other texts and other languages. The baseline is right for texts that
 * are still as dragoman left them: so their hashes are read.
 */
async function currentTextsIn({ config, router }: SectionSources['inForce'], job: JobRecord) {
  const { source, language, lane } = job;
  if (lane !== 'text' || job.wrote[0]?.path !== source) return 'unknown';
  const project = projectOf({ config, router }, job);
  const match = router.match(job.project, source);
  if (project === undefined || match.kind !== 'source') return 'unknown';
  const file = join(project.root, source);
  const packed = { project, route: match.route, source, target: source, language };
  try {
    return await parse(HASH_TEXTS, packed, { file, bytes: await bytesIn(file) });
  } catch (error) {
    // The job reports what is wrong with the file.
    if (error instanceof JobFailure) return 'unknown';
    throw error;
  }
}

/** Targets that are translated whole, as a run left them or would leave them. */
interface WholeFiles extends Job, Partial<Pick<JobRecord, 'delivered'>> {
  readonly wrote: readonly Pick<Written, 'path' | 'hash' | 'by' | 'from'>[];
}

/** The same for targets that a run would leave as they are: those of the present source. */
export async function sectionOfPresent(
  { inForce }: Pick<SectionSources, 'inForce'>,
  job: Job,
): Promise<Section | undefined> {
  const root = projectOf(inForce, job)?.root ?? '';
  const from = sourceHashOf(job.fingerprint);
  const wrote: Pick<Written, 'path' | 'hash' | 'from'>[] = [];
  for (const path of targetList(job.targets)) {
    const hash = await hashIfPresent(join(root, path));
    if (hash !== undefined) wrote.push({ path, hash, from });
  }
  const present = { ...job, wrote };
  return sectionOfFiles(present, await textHashesOf(inForce, present));
}

/** For files that are translated whole: hashes of their bytes, with a line for each output. @param texts see `textHashesOf` */
function sectionOfFiles(
  { source, lane, targets, wrote, delivered = null }: WholeFiles,
  texts: ReadonlyMap<Hash, Hash>,
): Section | undefined {
  const units = new Map();
  for (const { path, hash, by, from } of wrote) {
    const made = from ?? (delivered === null ? undefined : sourceHashOf(delivered));
    if (made === undefined) continue;
    const mark: Assertion['mark'] = by === 'person' ? 'human' : (by ?? 'machine');
    const pair = {
      source: hashesOfBytes(texts.get(made) ?? made).source,
      target: hashesOfBytes(texts.get(hash) ?? hash).target,
      mark,
    };
    const output = Object.entries(targets).find(([, target]) => target === path)?.[0];
    units.set(unitId(source, lane === 'voice' ? output : undefined), {
      said: [pair],
      open: new Set(),
    });
  }
  return units.size === 0 ? undefined : { path: source, units, wants: () => false };
}

interface ChangedSections {
  readonly name: LockName;
  readonly sections: readonly Section[];
  /** The sections of the lock now. */
  readonly known: ReadonlyMap<string, readonly Statement[]>;
}

/**
 * Which lines of these sections stay although their sources do not have the units. A merge of git by lines may have put the lines of another
 * source there.
 */
export async function keptUnits(
  sources: SectionSources & { readonly ledger: Pick<LedgerView, 'all'> },
  { name: { project, language }, sections, known }: ChangedSections,
): Promise<(unit: UnitId) => boolean> {
  const hasOrphans = sections.some(({ path, units }) =>
    known.get(path)?.some(({ unit }) => !units.has(unit)),
  );
  if (!hasOrphans) return () => true;
  const own = new Set(sections.map(({ path }) => path));
  const elsewhere = new Set<UnitId>();
  for (const job of sources.ledger.all('jobs')) {
    if (job.project !== project || job.language !== language || own.has(job.source)) continue;
    const section = await sectionOf(sources, job);
    if (section === undefined) return () => true;
    for (const unit of section.units.keys()) elsewhere.add(unit);
  }
  return (unit) => elsewhere.has(unit);
}
