/** Checks translations on the disk, and their sources. Pays nothing, changes nothing. */
import { join } from 'node:path';
import type { BaselineReader } from '../../baseline.ts';
import { convertsInto } from '../../config/capabilities.ts';
import { describeFailure, failureOf, type Location } from '../../failure.ts';
import { bytesIn } from '../../files/disk.ts';
import { checkedOut } from '../../files/line-ends.ts';
import { partsText } from '../../format.ts';
import { adviceForHold, describeHold, type Lane, shellWords } from '../../job.ts';
import type { OpenText } from '../../lane.ts';
import { verdictOnFiles } from '../../lanes/stated-target.ts';
import { blockerHold, describeTwins } from '../../lanes/subtitle/film-model.ts';
import { inspectSubtitles, type SubtitleInspection } from '../../lanes/subtitle/inspection.ts';
import { type LanguageTag, plural, sameLanguage } from '../../language.ts';
import { parse } from '../../parsing/parse.ts';
import type { Project } from '../../project.ts';
import { shownFrom } from '../../routes/shown-paths.ts';
import type { LockVerdict } from '../../segments/lock-decision.ts';
import { type NamedText, openTexts } from '../../segments/open-texts.ts';
import { sourceHash, targetHash } from '../../segments/statements.ts';
import { statementsAt } from '../../state/lock-file.ts';
import { unpackLock } from '../../state/thread-locks.ts';
import type { ProjectTerms } from '../../terminology/project-terms.ts';
import { caseOf, type PackedTarget, type SourceToInspect } from '../../translate/inspected-case.ts';
import { EDITED, type PlacedFinding, staleBecause, UNKNOWN } from './findings.ts';
import { INSPECT_SOURCE, INSPECT_TARGET } from './target-calls.ts';

/** A finding about a file on the disk. */
export interface TargetFinding extends Required<Location> {
  /** `hold`: dragoman would not write such a translation. `warn`: it would. */
  readonly severity: 'hold' | 'warn';
  readonly message: string;
  /** Nothing is wrong with a translation: a text waits for a reviewer, or a daemon for a reload of its config. */
  readonly because?: 'unreviewed' | 'config-not-reloaded';
  /** The file cannot be read, so this is its only finding. */
  readonly isUnread?: true;
  /** Language of a target that was read. */
  readonly language?: LanguageTag;
  readonly text?: { readonly name: string; readonly about: string };
}

/** A target, with the terms of its project in its language. */
export interface TargetToInspect extends Omit<PackedTarget, 'terms' | 'style' | 'stored'> {
  readonly projectTerms: ProjectTerms;
  /** The segments that dragoman saw and wrote last. */
  readonly baselines: Pick<BaselineReader, 'of'>;
}

export interface InspectedSource {
  readonly remarks: readonly TargetFinding[];
  /** The source has no text for a target, so no target is written. */
  readonly isBare: boolean;
}

/**
 * @returns warnings about texts of a source that are not translated; if the source cannot be read, one fault: then its translations
 * cannot be checked either
 */
export async function inspectSource(inspected: SourceToInspect): Promise<InspectedSource> {
  const { project, source } = inspected;
  const [language] = project.targets;
  if (language === undefined) return { remarks: [], isBare: false };
  const file = join(project.root, source);
  try {
    const { remarks, isBare } = await parse(
      INSPECT_SOURCE,
      { ...inspected, language, target: '' },
      { file, bytes: await bytesIn(file) },
    );
    return { remarks: remarks.map((remark) => ({ file, ...remark })), isBare };
  } catch (error) {
    return { remarks: [unreadableTarget(error, file, project.root)], isBare: false };
  }
}

/** @returns findings in the order of the file; one finding when source or target cannot be read */
export async function inspectTarget(inspected: TargetToInspect): Promise<TargetFinding[]> {
  const { project, source, target, projectTerms, baselines, ...rest } = inspected;
  const file = join(project.root, target);
  const { terms, style } = projectTerms;
  const key = { project: project.name, language: rest.language, path: source };
  try {
    const stored = await baselines.of(key, undefined).stored.read();
    const findings = await parse(
      INSPECT_TARGET,
      {
        ...rest,
        project,
        source,
        target,
        ...(stored && { stored }),
        ...(terms && { terms: { entries: terms.index.entries, version: terms.version } }),
        ...(style === undefined ? {} : { style }),
      },
      { file, bytes: await bytesIn(file, join(project.root, source)) },
    );
    // One file holds all languages, so the message names the language.
    const isShared = source === target && !rest.route.embeddedSource;
    return findings.map((finding) => ({
      ...{ file, language: rest.language, ...finding },
      message: isShared ? `${finding.message} (${rest.language})` : finding.message,
    }));
  } catch (error) {
    return [unreadableTarget(error, file, project.root)];
  }
}

/** Like `inspectTarget`, for subtitles; for documents and recordings with the lock alone. */
export async function inspectOther(
  inspected: Omit<TargetToInspect, 'projectTerms'> & Pick<InspectedTarget, 'lane' | 'output'>,
): Promise<TargetFinding[]> {
  const { baselines, ...rest } = inspected;
  const { project, source, target, language } = rest;
  try {
    const key = { project: project.name, language, path: source };
    const stored = await baselines.of(key, undefined).stored.read();
    const known = { ...rest, ...(stored && { stored }) };
    return rest.lane === 'subtitle' ? await ofCues(known) : await ofWhole(known);
  } catch (error) {
    return [unreadableTarget(error, join(project.root, target), project.root)];
  }
}

/** Whether dragoman writes a language: a variant of the source only when text improvement can convert into it. */
export function isTranslated(project: Project, language: LanguageTag): boolean {
  const { source } = project;
  return source === 'auto' || !sameLanguage(source, language) || convertsInto(project, language);
}

/** The finding for a file that cannot be read. Paths in its message are relative to the project's root. */
export function unreadableTarget(error: unknown, file: string, root: string): TargetFinding {
  const failure = failureOf(error);
  const place = { file, line: 1, column: 1, severity: 'hold', isUnread: true } as const;
  if (failure.kind === 'malformed') {
    const { where, message } = failure;
    return { ...place, ...where, message: shownFrom({ cwd: root }, message) };
  }
  return { ...place, message: shownFrom({ cwd: root }, describeFailure(failure)) };
}

/** For subtitles about one cue, for documents and recordings about the whole file. */
interface OtherFinding extends PlacedFinding {
  readonly file: string;
}

interface InspectedTarget extends PackedTarget {
  readonly lane: Exclude<Lane, 'text'>;
  /** For a recording: transcript, subtitles or speech. */
  readonly output?: string;
}

/**
 * Without a lock only what makes a run hold the whole file.
 * @throws JobFailure when source or target cannot be read
 */
async function ofCues(inspected: InspectedTarget): Promise<OtherFinding[]> {
  const seen = await inspectSubtitles(caseOf(inspected));
  const findings = [...unmerged(seen, inspected), ...twinsIn(seen, inspected)];
  return inspected.packedLock === undefined
    ? findings
    : [...openCues(seen, inspected), ...(await cuesNotInLock(seen, inspected)), ...findings];
}

/** The cues that a run takes as they are while a lock that has the film does not have them. A plan says the same of the film. */
async function cuesNotInLock(
  { merge }: SubtitleInspection,
  { project, source, target, language, packedLock, formerly }: InspectedTarget,
): Promise<OtherFinding[]> {
  const index =
    packedLock && (await unpackLock(packedLock).index({ project: project.name, language }));
  const known = index === undefined ? [] : statementsAt(index, { source, formerly });
  if (known.length === 0) return [];
  const [sources, targets] = [known.map((each) => each.source), known.map((each) => each.target)];
  const stated = new Set<string>([...sources, ...targets]);
  const unstated = merge.decisions.filter((decision) => {
    if (decision.kind !== 'adopt' && decision.kind !== 'keep') return false;
    const { origin, target: text } = decision.record;
    if (text === null || origin === 'machine' || origin === 'copied') return false;
    return (
      !stated.has(sourceHash(decision.record.source)) && !stated.has(targetHash(partsText(text)))
    );
  });
  if (unstated.length === 0) return [];
  const cues = plural(unstated.length, 'cue');
  const message = `the lock has no line of ${cues}: it was put back to an earlier version, or not committed with the translation; the next "dragoman once" writes it`;
  return [{ file: join(project.root, target), line: 1, column: 1, severity: 'hold', message }];
}

function openCues(
  { merge, film, source }: SubtitleInspection,
  inspected: InspectedTarget,
): OtherFinding[] {
  const textAt = (nth: number): NamedText | undefined => {
    const cue = film.cues[nth];
    return cue && { id: cue.id, text: cue.text, line: source.file.cues[nth]?.line ?? 1 };
  };
  const file = join(inspected.project.root, inspected.source);
  return openTexts(merge.decisions, textAt, 'sequence').flatMap(
    ({ key, line, is, because }): OtherFinding[] => {
      const said = is === 'stale' ? staleBecause(because ?? ['source']) : SAID[is];
      if (said === undefined) return [];
      const message = `"${key}" in ${inspected.language}: ${said}`;
      return [{ file, line, column: 1, severity: 'hold', message }];
    },
  );
}

function unmerged(seen: SubtitleInspection, { project, target }: InspectedTarget): OtherFinding[] {
  if (seen.blocker === undefined || seen.blocker === 'twice') return [];
  const hold = blockerHold(seen, target);
  const message = `${describeHold(hold)}; ${adviceForHold(hold, shellWords(target))}`;
  return [{ file: join(project.root, target), line: 1, column: 1, severity: 'hold', message }];
}

function twinsIn(
  { twins }: SubtitleInspection,
  { project, target }: InspectedTarget,
): OtherFinding[] {
  const file = join(project.root, target);
  return twins.map((pair) => {
    const message = describeTwins([pair]);
    return { file, line: pair[1].line, column: 1, severity: 'hold', message };
  });
}

const SAID: Readonly<Record<Exclude<OpenText['is'], 'stale'>, string | undefined>> = {
  conflict: EDITED,
  unknown: UNKNOWN,
  held: 'held: no answer of the service passed the checks when it was bought',
  missing: 'missing',
  edited: undefined,
};

/** What is said of a file that is translated whole, by the verdict of the lock. */
const SAID_OF_WHOLE: Readonly<Partial<Record<LockVerdict['kind'], string>>> = {
  stale: staleBecause(['source']),
  outdated: staleBecause(['source']),
  unknown: UNKNOWN,
};

/** Whether the lock says that a file that is translated whole was made from its source. */
async function ofWhole(inspected: InspectedTarget): Promise<OtherFinding[]> {
  const { project, source, target, language, output, packedLock, formerly } = inspected;
  // The project has no lock: nothing else states what such a file was made from.
  if (packedLock === undefined) return [];
  const index = await unpackLock(packedLock).index({ project: project.name, language });
  // The lock has no file for the language yet: nothing of it was translated.
  if (index === undefined) return [];
  const file = join(project.root, target);
  const [made, found] = [await checkedOut(join(project.root, source)), await checkedOut(file)];
  const statements = statementsAt(index, { source, formerly }, output);
  const { kind } = verdictOnFiles({
    ...{ statements, source: made.all[0], found: found.all[0] },
    alike: { source: made.all, found: found.all },
  });
  const message = SAID_OF_WHOLE[kind];
  return message === undefined ? [] : [{ file, line: 1, column: 1, severity: 'hold', message }];
}
