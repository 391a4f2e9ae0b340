/** Everything that a text job needs: its route, recipe, paths, memory and baseline. */
import type { Baselines, SegmentBaseline } from '../baseline.ts';
import { unrouted } from '../failure.ts';
import type { MovingJob } from '../intake/leaving.ts';
import {
  type Fingerprint,
  type Hash,
  type Job,
  sourceHashOf,
  sourceId,
  targetList,
} from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { Claim, JobRecord, LedgerView, Release, SourceRecord } from '../ledger.ts';
import { type Planner, sourcePath } from '../plan/planner.ts';
import type { Recipe } from '../plan/recipe.ts';
import type { Route } from '../project.ts';
import type { TranslationElsewhere } from '../segments/decision.ts';
import type { IncomingText } from '../segments/moving-texts.ts';
import type { Choice } from '../segments/record.ts';
import type { FormerPath, LockFiles } from '../state/lock-file.ts';
import { findsInOthers, type Memories, type Memory } from '../state/memory.ts';
import type { Team } from '../state/team.ts';
import type { ProjectTerms } from '../terminology/project-terms.ts';

/** One text job with all its inputs. */
export interface TextCase {
  readonly job: Job;
  readonly route: Route;
  readonly recipe: Recipe;
  readonly sourceLanguage: LanguageTag | undefined;
  /** Absolute root of the project. */
  readonly root: string;
  /** Absolute. */
  readonly sourcePath: string;
  /** Relative to the root. */
  readonly targetPath: string;
  readonly memory: Memory;
  /** Memory of improved texts of the source's language, if the config wants them. */
  readonly improvements?: Memory;
  readonly baseline: SegmentBaseline;
  /**
   * Finds translations of people for texts that came from another file. Absent: they are not looked for, and on a thread the main thread
   * looks for them.
   */
  readonly moved?: MovedLookup;
  /** Hash of the target that we wrote last, from the ledger. */
  readonly wrote: Hash | undefined;
  /** Of the claim; for a job that is only planned, of the next one. Absent: the ledger has no such job. */
  readonly fence?: number;
  /** Hash of the source that the target was last made from; absent before the first delivery. */
  readonly deliveredSource?: Hash;
  /** Terms and style of the project in this language, from their files now. */
  readonly projectTerms: ProjectTerms;
  readonly instructions: PersonsInstructions;
  /** The lock of the team; absent: the config names none. */
  readonly lock?: LockFiles;
  /** The path that the lock has for the source, when the source was moved since. */
  readonly formerly?: FormerPath;
  /**
   * `where seen`: the machine's text of a conflict is bought only if this machine has a record of the text. Otherwise the conflict waits
   * for a person, and nothing is bought.
   */
  readonly buyConflicts?: 'where seen';
}

/** A person's decisions about this content, as data. */
export interface PersonsInstructions {
  /** Held segments are tried again. */
  readonly retryHeld?: boolean;
  /** The price of texts that wait for approval is approved. */
  readonly approved?: boolean;
  /** The target stays as it is. */
  readonly keepsTarget?: boolean;
  /** By segment id: the text that ends its conflict. */
  readonly choices?: ReadonlyMap<string, Choice>;
  /** By the same ids: the hash of the source text that a choice is for. Absent for a choice that an earlier version recorded. */
  readonly chosenFor?: ReadonlyMap<string, string>;
}

export interface MovedLookup {
  /** False: no text of the project has left a file, and `find` finds nothing. */
  mayFind(): Promise<boolean>;
  /** @returns one answer per text, in order */
  find(
    format: string,
    sought: readonly IncomingText[],
  ): Promise<readonly (TranslationElsewhere | undefined)[]>;
}

export interface TextCaseSources {
  readonly ledger: LedgerView;
  readonly memories: Memories;
  readonly baselines: Baselines;
  /** Absent: the config names no lock. */
  readonly lock?: LockFiles;
  /** Absent: this checkout shares nothing. */
  readonly team?: Team;
}

/**
 * @throws JobFailure `unsupported` when no route matches the source any more
 */
export async function textCase(
  job: Job | MovingJob,
  planner: Planner,
  { ledger, memories, baselines, lock, team }: TextCaseSources,
): Promise<TextCase> {
  const moving = 'moving' in job ? job.moving : undefined;
  const source = moving?.source ?? ledger.get('sources', sourceId(job.project, job.source));
  const project = source && planner.projectOf(source);
  const route = planner.routeOf(job.project, job.source);
  const current = moving?.from ?? job;
  const [targetPath] = targetList(current.targets);
  if (
    project === undefined ||
    source === undefined ||
    route === undefined ||
    targetPath === undefined
  ) {
    throw unrouted(job.source);
  }
  const record = ledger.get('jobs', current.id);
  const recipe = planner.recipe(project, job.language);
  const key = { project: job.project, language: job.language, path: current.source };
  const wrote = record?.wrote[0]?.hash;
  const claim = claimOf(job, record);
  const isKnown = record !== undefined && record.delivered !== null;
  const formerly = isKnown ? undefined : await lock?.formerPath(job);
  return {
    job,
    route,
    recipe,
    projectTerms: planner.terms(project, job.language),
    sourceLanguage: project.source === 'auto' ? undefined : project.source,
    root: project.root,
    sourcePath: sourcePath(project, source),
    targetPath,
    memory: await memoryFor(recipe, planner, memories),
    ...(recipe.polish === undefined
      ? {}
      : { improvements: await memories.open(job.project, recipe.polish.target) }),
    baseline: baselines.of(key, wrote, claim),
    wrote,
    ...(claim && { fence: claim.fence }),
    ...(lock === undefined ? {} : { lock }),
    ...(formerly === undefined ? {} : { formerly }),
    // A team with a shared memory buys a text once, for all runners.
    ...(lock !== undefined && team === undefined ? { buyConflicts: 'where seen' as const } : {}),
    ...(record?.delivered ? { deliveredSource: deliveredSource(source, record.delivered) } : {}),
    instructions: instructionsOf(job, record),
  };
}

async function memoryFor(recipe: Recipe, planner: Planner, memories: Memories): Promise<Memory> {
  const { project, target } = recipe;
  const openOthers = async () => {
    const others = planner.othersWith(target, project);
    return await Promise.all(others.map((name) => memories.open(name, target)));
  };
  return findsInOthers(await memories.of(recipe), openOthers);
}

/** A file that is its own target has another hash after each delivery. */
function deliveredSource({ hash, edition }: SourceRecord, delivered: Fingerprint): Hash {
  const made = sourceHashOf(delivered);
  return made === edition ? hash : made;
}

/** A job that is only planned has no claim: it is read as the next one would read it, and never prepares its baseline. */
function claimOf(job: Job | JobRecord, record: JobRecord | undefined): Claim | undefined {
  if ('fence' in job) return { id: job.id, fence: job.fence };
  return record && { id: record.id, fence: record.fence + 1 };
}

/**
 * Whether the ledger says that the target was made from an earlier source. Where nothing is known of its texts although it says so, that
 * knowledge is lost.
 */
export function isOfEarlierSource(
  { wrote, deliveredSource }: Pick<TextCase, 'wrote' | 'deliveredSource'>,
  source: Hash,
): boolean {
  return wrote !== undefined && deliveredSource !== undefined && deliveredSource !== source;
}

/** The paths under which the lock may have the source of a job. */
export function lockedSourceOf({ job, formerly }: Pick<TextCase, 'job' | 'formerly'>) {
  return { source: job.source, formerly };
}

/**
 * A person's decision holds only for the content that it was made for, a choice for its text. While the price of a release is computed and nobody has confirmed
 * it, the release is in the job, not yet in the ledger.
 */
function instructionsOf(
  job: Job & Pick<JobRecord, 'release'>,
  record?: JobRecord,
): PersonsInstructions {
  const release = job.release ?? record?.release;
  if (release === undefined) return {};
  const choices = { choices: choicesIn(release), chosenFor: chosenForIn(release) };
  if (release.fingerprint !== job.fingerprint) return choices;
  return {
    retryHeld: release.kind === 'retry',
    approved: release.kind === 'approve',
    keepsTarget: release.kind === 'human',
    ...choices,
  };
}

function chosenForIn({ chosenFor = {} }: Release): ReadonlyMap<string, string> {
  return new Map(Object.entries(chosenFor));
}

function choicesIn({ choices = {} }: Release): ReadonlyMap<string, Choice> {
  return new Map(
    Object.entries(choices).map(([id, choice]): [string, Choice] => [
      id,
      typeof choice === 'object' ? { parts: [choice.text] } : choice,
    ]),
  );
}
