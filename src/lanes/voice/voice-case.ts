/** A voice job with its project, route, paths and records, and the outputs that the service is asked for. */
import { join } from 'node:path';
import { unrouted } from '../../failure.ts';
import { hashIfPresent, holdsStill, statOf } from '../../files/disk.ts';
import { type Hash, type Job, sourceHashOf, sourceId } from '../../job.ts';
import { apiCode, type LanguageTag, targetCode } from '../../language.ts';
import type { JobRecord, LedgerView, Release, SourceRecord, Written } from '../../ledger.ts';
import { type Planner, sourcePath } from '../../plan/planner.ts';
import { type ContentKey, contentKey, spokenLanguage } from '../../plan/voice-recipe.ts';
import type { Project, Route } from '../../project.ts';
import type { LockFiles } from '../../state/lock-file.ts';
import { lockedTarget, type OtherSide, onOtherSide } from '../stated-history.ts';
import {
  OUTPUT_TYPES,
  type OutputFile,
  type OutputRequest,
  outputFiles,
} from './decisions/outputs.ts';
import { type TargetVerdict, verdictOn } from './decisions/target-verdict.ts';

export interface VoiceCase {
  readonly job: Job;
  readonly project: Project;
  readonly route: Route;
  readonly source: SourceRecord;
  /** Absolute. */
  readonly sourcePath: string;
  readonly sourceHash: Hash;
  /** The spoken language as the API spells it; undefined: the service detects it. */
  readonly spoken: string | undefined;
  readonly content: ContentKey;
  /** A person's release of this content. */
  readonly release: Release | undefined;
  /** Undefined for a job that is only planned. */
  readonly record: JobRecord | undefined;
  /** Absent: the config names no lock files. */
  readonly lock?: LockFiles;
}

/** One file that the job writes, and what to do with it. */
export interface WantedFile extends OutputFile {
  readonly output: OutputRequest;
  /** Hash of the present target; undefined: there is none. */
  readonly found: Hash | undefined;
  readonly verdict: TargetVerdict;
}

export interface VoiceCaseSources {
  readonly ledger: LedgerView;
  readonly planner: Planner;
  readonly lock?: LockFiles;
}

/** @throws JobFailure `unsupported` when no route matches the source any more */
export function voiceCase(job: Job, { ledger, planner, lock }: VoiceCaseSources): VoiceCase {
  const project = planner.project(job.project);
  const source = ledger.get('sources', sourceId(job.project, job.source));
  const route = planner.routeOf(job.project, job.source);
  if (project === undefined || source === undefined || route === undefined)
    throw unrouted(job.source);
  const spoken = spokenLanguage(project);
  const sourceHash = sourceHashOf(job.fingerprint);
  const record = ledger.get('jobs', job.id);
  const release = record?.release?.fingerprint === job.fingerprint ? record.release : undefined;
  return {
    job,
    project,
    route,
    source,
    sourcePath: sourcePath(project, source),
    sourceHash,
    spoken,
    content: contentKey(sourceHash, spoken),
    release,
    record,
    ...(lock === undefined ? {} : { lock }),
  };
}

/** The outputs that the service is asked for. */
export function outputsOf({ job, project }: VoiceCase): OutputRequest[] {
  const language = outputLanguage(project, job.language);
  return outputFiles(job.targets).map(({ kind }) => ({ language, type: OUTPUT_TYPES[kind] }));
}

/** Reads the present targets. @param factsLost whether the ledger has lost facts */
export async function wantedFiles(
  { job, project, route, release, record, sourcePath, sourceHash, lock }: VoiceCase,
  factsLost: boolean,
): Promise<WantedFile[]> {
  const language = outputLanguage(project, job.language);
  return await Promise.all(
    outputFiles(job.targets).map(async (file): Promise<WantedFile> => {
      const own = record?.wrote.find(({ path }) => path === file.path);
      const found = await hashOf(join(project.root, file.path), own);
      const { path, kind: output } = file;
      const files = [sourcePath, join(project.root, path)] as const;
      const { root } = project;
      const locked = { job, lock, files, output, source: sourceHash, found, path, left: own, root };
      const left = (await lockedTarget(locked)) ?? own;
      const verdict = verdictOn({
        sourceHash,
        left,
        release: release?.kind,
        found,
        policies: route.policies,
        factsLost,
      });
      return { ...file, output: { language, type: OUTPUT_TYPES[file.kind] }, found, verdict };
    }),
  );
}

/** Looks for an output of the same recording that a merge left out: it is not bought again. */
export async function outputOnOtherSide(
  { job, project: { root }, release, sourcePath, sourceHash: source, lock }: VoiceCase,
  { path, kind: output, found }: Pick<WantedFile, 'path' | 'kind' | 'found'>,
): Promise<OtherSide | undefined> {
  // A person asked for it again.
  if (release !== undefined) return undefined;
  const files = [sourcePath, join(root, path)] as const;
  const left = undefined;
  return await onOtherSide({ job, lock, files, output, source, found, path, left, root });
}

/** Files with hours of speech are not read again each time: an untouched file has the hash of the record. */
async function hashOf(path: string, left: Written | undefined): Promise<Hash | undefined> {
  const isUntouched = left !== undefined && (await statOf(path)) === left.stat;
  return isUntouched ? left.hash : await hashIfPresent(path);
}

/** Whether the source on disk is unchanged since the job was planned. */
export async function isSameSource({
  source,
  sourcePath,
  sourceHash,
}: VoiceCase): Promise<boolean> {
  return source.hash === sourceHash && (await holdsStill(sourcePath, source));
}

/** The language of an output as the API spells it. */
export function outputLanguage({ locales }: Project, language: LanguageTag): string {
  return locales.get(language)?.api ?? apiCode(targetCode(language), 'v3');
}
