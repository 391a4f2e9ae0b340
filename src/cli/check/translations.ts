/** Checks all translations of a project: missing files, unreadable sources, texts. */

import { join } from 'node:path';
import type { BaselineReader } from '../../baseline.ts';
import { conflictIn } from '../../files/conflict-markers.ts';
import { bytesIn, isPointer, readBytes, sizeOfFile } from '../../files/disk.ts';
import { isTextPath } from '../../files/line-ends.ts';
import { absentOnPurpose, findWorkTree } from '../../files/work-tree.ts';
import { READ_SUBTITLES } from '../../formats/captions/thread-calls.ts';
import { FENCED } from '../../jobs/unmerged.ts';
import { LARGEST_SOURCE } from '../../lane.ts';
import { estimateDocument } from '../../lanes/document/estimate.ts';
import { INSPECT_RECORDING } from '../../lanes/voice/thread-calls.ts';
import { type LanguageTag, languageName } from '../../language.ts';
import { append } from '../../parsing/append.ts';
import { parse } from '../../parsing/parse.ts';
import type { Project } from '../../project.ts';
import { extensionOf } from '../../routes/extensions.ts';
import type { LockedSource, LockFiles } from '../../state/lock-file.ts';
import { packLock } from '../../state/thread-locks.ts';
import type { ProjectTerms } from '../../terminology/project-terms.ts';
import type { PackedTarget } from '../../translate/inspected-case.ts';
import { lackOf, mayLackEnd } from '../../watch/look.ts';
import type { FoundSource, FoundTarget, ProjectFiles } from './project-files.ts';
import {
  inspectOther,
  inspectSource,
  inspectTarget,
  isTranslated,
  type TargetFinding,
  unreadableTarget,
} from './targets.ts';
import { impossibleTarget, unwritableFolders } from './unwritable.ts';

export interface TranslationsInspection {
  /** Number of checked translations. */
  readonly targets: number;
  readonly findings: readonly TargetFinding[];
  /** Translations that a run would write. */
  readonly missing: readonly MissingFile[];
}

export interface InspectionOptions {
  /** The texts that dragoman saw and wrote last. */
  readonly baselines: Pick<BaselineReader, 'of'>;
  terms(language: LanguageTag): ProjectTerms;
  /** Absent when the config names no lock. */
  readonly lock?: LockFiles;
  /** No source is begun after it. */
  readonly stopped: AbortSignal;
}

/**
 * Sources that are checked at a time. What waits at the same time is read within one time limit, and each limit starts a thread. With one
 * source after the other, 4,000 small files took 2.9 s of processor time, and 1.5 s with this.
 */
const AT_A_TIME = 16;

export async function inspectTranslations(
  project: Project,
  { sources, findings: found }: ProjectFiles,
  options: InspectionOptions,
): Promise<TranslationsInspection> {
  const tree = findWorkTree(project.root);
  // A file that git left out of this checkout is not missing.
  const isAway = tree === undefined ? () => false : await absentOnPurpose(tree);
  const inspected: TranslationsInspection[] = [];
  const rest = sources.entries();
  const inspectNext = async () => {
    for (const [nth, each] of rest) {
      options.stopped.throwIfAborted();
      const wanted = each.targets.filter(({ language }) => isTranslated(project, language));
      inspected[nth] = await inspectFiles(project, { each, wanted, isAway }, options);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, inspectNext));
  const missing = inspected.flatMap((each) => each.missing);
  return {
    targets: inspected.reduce((sum, each) => sum + each.targets, 0),
    findings: [
      ...found,
      ...inspected.flatMap(({ findings }) => findings),
      ...(await unwritableFolders(project, missing)),
      ...missingFiles(project, missing),
    ],
    missing,
  };
}

interface FilesToInspect extends SourceTargets {
  /** Whether git left a file out of this checkout. @param file absolute */
  isAway(file: string): boolean;
}

async function inspectFiles(
  project: Project,
  files: FilesToInspect,
  options: InspectionOptions,
): Promise<TranslationsInspection> {
  const { each, wanted } = files;
  const { impossible, lost } = absentTargets(project, files);
  const unmerged = await markersIn(project, files);
  const findings = [...impossible, ...unmerged];
  if (unmerged.length > 0) return { targets: 0, findings, missing: lost };
  if (each.lane !== 'text') {
    const faults = await inspectOtherSource(project, each);
    append(findings, faults);
    if (hasFault(faults)) return { targets: 0, findings, missing: lost };
    append(findings, await inspectOthers(project, files, options));
    const targets = each.lane === 'subtitle' ? wanted.filter(({ exists }) => exists).length : 0;
    return { targets, findings, missing: lost };
  }
  const { remarks, isBare } = await inspectSource({ project, ...each });
  append(findings, remarks);
  const missing = isBare ? [] : lost;
  if (hasFault(remarks)) return { targets: 0, findings, missing };
  const present = wanted.filter(({ exists }) => exists);
  for (const target of present) {
    const file = join(project.root, target.target);
    if (!isBare && sizeOfFile(file) === 0)
      findings.push({ ...FAULT, file, line: 1, message: EMPTY });
    else append(findings, await inspectText(project, { each, target }, options));
  }
  return { targets: present.length, findings, missing };
}

function hasFault(findings: readonly TargetFinding[]): boolean {
  return findings.some(({ severity }) => severity === 'hold');
}

/** Targets that are not there: those that cannot be, and those that are missing. */
function absentTargets(project: Project, { each, wanted, isAway }: FilesToInspect) {
  const pathOf = (target: string) => join(project.root, target);
  const absent = wanted.filter(({ exists, target }) => !exists && !isAway(pathOf(target)));
  const impossible = absent.flatMap(({ target }) => impossibleTarget(project, target));
  const refused = new Set(impossible.map(({ file }) => file));
  const lost = absent
    .filter(({ target }) => !refused.has(pathOf(target)))
    .map((target): MissingFile => ({ ...each, ...target }));
  return { impossible, lost };
}

async function inspectText(
  project: Project,
  {
    each: { route, source },
    target: { target, language },
  }: { each: FoundSource; target: FoundTarget },
  options: InspectionOptions,
): Promise<TargetFinding[]> {
  return await inspectTarget({
    ...{ project, route, source, target, language },
    projectTerms: options.terms(language),
    baselines: options.baselines,
    ...(await lockOf(options, { project: project.name, source, language })),
  });
}

interface SourceTargets {
  readonly each: FoundSource;
  readonly wanted: readonly FoundTarget[];
}

const FAULT = { column: 1, severity: 'hold' } as const;
const MARKERS = 'conflict markers of git: choose a side; until then the file is not translated';
const EMPTY = 'the translation is empty: the next run writes it again';
const POINTER = 'only a pointer of git-LFS: fetch the file with "git lfs pull"';

/** Findings about conflict markers and git-LFS pointers in a source and its targets; such files are not checked further. */
async function markersIn(
  { root }: Pick<Project, 'root'>,
  { each, wanted }: SourceTargets,
): Promise<TargetFinding[]> {
  const paths = [
    each.source,
    ...wanted.filter(({ exists }) => exists).map(({ target }) => target),
  ].filter((path) => each.lane !== 'voice' || isTextPath(path));
  const findings: TargetFinding[] = [];
  const isRead = each.lane === 'text' || each.lane === 'subtitle';
  for (const path of paths) {
    const file = join(root, path);
    // An unreadable file gets its own finding later.
    const line = await conflictIn(file, FENCED).catch(() => undefined);
    if (line !== undefined) findings.push({ ...FAULT, file, line, message: MARKERS });
    else if (isRead && (await isPointer(file))) {
      findings.push({ ...FAULT, file, line: 1, message: POINTER });
    }
  }
  return findings;
}

/** Checks subtitles, and documents and recordings by the lock. */
async function inspectOthers(
  project: Project,
  { each: { lane, route, source }, wanted }: SourceTargets,
  options: InspectionOptions,
): Promise<TargetFinding[]> {
  const { baselines } = options;
  if (lane === 'text') return [];
  const findings: TargetFinding[] = [];
  for (const { target, language, exists, output } of wanted) {
    if (!exists) continue;
    const place = { project, route, source, target, language, baselines };
    const whole = output === undefined ? {} : { output };
    const ofLock = await lockOf(options, { project: project.name, source, language });
    append(findings, await inspectOther({ ...place, ...whole, ...ofLock, lane }));
  }
  return findings;
}

/** The lock folder, and the former path of a source that was moved. */
async function lockOf(
  { lock }: InspectionOptions,
  source: LockedSource,
): Promise<Pick<PackedTarget, 'packedLock' | 'formerly'>> {
  if (lock === undefined) return {};
  const formerly = await lock.formerPath(source);
  return { packedLock: packLock(lock), ...(formerly === undefined ? {} : { formerly }) };
}

type MissingFile = Omit<FoundSource, 'targets'> & FoundTarget;

/** Up to this number, missing files of a language are listed; more become one line, as in a project that was never translated. */
const MOST_LINES = 10;

/** Missing files as warnings. Only `once --frozen` can say whether one is a fault: it knows what is held. */
function missingFiles({ root }: Project, missing: readonly MissingFile[]): TargetFinding[] {
  const warning = (path: string, message: string): TargetFinding => ({
    file: join(root, path),
    line: 1,
    column: 1,
    severity: 'warn',
    message,
  });
  return [...Map.groupBy(missing, ({ language }) => language)].flatMap(([language, files]) => {
    const [first] = files;
    const name = languageName(language) ?? language;
    if (first !== undefined && files.length > MOST_LINES) {
      return [warning(first.target, `missing, with ${files.length - 1} other ${name} files`)];
    }
    return files.map(({ target, source }) => warning(target, `missing: ${source} in ${name}`));
  });
}

// Checks sources outside of the text lane, as a job does before it sends anything: finds cut-off and damaged files.

/** @returns a fault when the source cannot be translated, a warning when it may be cut off */
async function inspectOtherSource(
  { root }: Pick<Project, 'root'>,
  found: FoundSource,
): Promise<TargetFinding[]> {
  const file = join(root, found.source);
  try {
    const lack = lackOf(file, await bytesIn(file));
    if (lack !== undefined && !mayLackEnd(file)) return [lacking(file, lack, 'hold')];
    await readWhole(file, found);
    return lack === undefined ? [] : [lacking(file, `${lack}: it may be cut off`, 'warn')];
  } catch (error) {
    return [unreadableTarget(error, file, root)];
  }
}

async function readWhole(file: string, { lane, route }: FoundSource): Promise<void> {
  switch (lane) {
    case 'text':
      return;
    case 'subtitle': {
      const { bytes } = await readBytes(file, LARGEST_SOURCE.subtitle);
      const fallback = route.encoding ?? route.subtitles.fallbackEncoding;
      await parse(READ_SUBTITLES, { bytes, file, fallback }, { file, bytes: bytes.byteLength });
      return;
    }
    case 'document':
      await estimateDocument(file, { extension: extensionOf(file).toLowerCase(), name: file });
      return;
    case 'voice':
      await parse(INSPECT_RECORDING, file, { file, bytes: await bytesIn(file) });
  }
}

function lacking(
  file: string,
  message: string,
  severity: TargetFinding['severity'],
): TargetFinding {
  return { file, line: 1, column: 1, severity, message };
}
