/** Checks all translations of a project: missing files, unreadable sources, texts. */
import { join } from 'node:path';
import type { BaselineReader } from '../../baseline.ts';
import { conflictIn } from '../../files/conflict-markers.ts';
import { bytesIn, isPointer, readBytes, sizeOfFile } from '../../files/disk.ts';
import { isTextPath } from '../../files/line-ends.ts';
import { absentOnPurpose, findWorkTree } from '../../files/work-tree.ts';
import { whyImpossible } from '../../files/writable.ts';
import { READ_SUBTITLES } from '../../formats/captions/parsers.ts';
import { FENCED } from '../../jobs/unmerged.ts';
import { LARGEST_SOURCE } from '../../lane.ts';
import { estimateDocument } from '../../lanes/document/estimate.ts';
import { INSPECT_RECORDING } from '../../lanes/voice/parsers.ts';
import { type LanguageTag, languageName } from '../../language.ts';
import { parse } from '../../parsing/parse.ts';
import type { Project } from '../../project.ts';
import { extensionOf } from '../../routes/extensions.ts';
import type { LockedSource, LockFiles } from '../../state/lock-file.ts';
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

export interface TranslationsInspection {
  /** Number of checked translations. */
  readonly targets: number;
  readonly findings: readonly TargetFinding[];
}

export interface InspectionOptions {
  /** The texts that dragoman saw and wrote last. */
  readonly baselines: Pick<BaselineReader, 'of'>;
  terms(language: LanguageTag): ProjectTerms;
  /** Absent when the config names no lock. */
  readonly lock?: LockFiles;
}

export async function inspectTranslations(
  project: Project,
  { sources, findings: found }: ProjectFiles,
  options: InspectionOptions,
): Promise<TranslationsInspection> {
  const tree = findWorkTree(project.root);
  // A file that git left out of this checkout is not missing.
  const isAway = tree === undefined ? () => false : await absentOnPurpose(tree);
  const findings = [...found];
  const missing: MissingFile[] = [];
  let targets = 0;
  for (const each of sources) {
    const wanted = each.targets.filter(({ language }) => isTranslated(project, language));
    const absent = wanted.filter(
      ({ exists, target }) => !exists && !isAway(join(project.root, target)),
    );
    const impossible = absent.flatMap(({ target }) => impossibleTarget(project, target));
    findings.push(...impossible);
    const lost = absent
      .filter(({ target }) => !impossible.some(({ file }) => file === join(project.root, target)))
      .map((target) => ({ ...each, ...target }));
    const unmerged = await markersIn(project, { each, wanted });
    findings.push(...unmerged);
    if (unmerged.length > 0 || each.lane !== 'text') missing.push(...lost);
    if (unmerged.length > 0) continue;
    if (each.lane !== 'text') {
      const faults = await inspectOtherSource(project, each);
      findings.push(...faults);
      if (faults.some(({ severity }) => severity === 'hold')) continue;
      if (each.lane === 'subtitle') targets += wanted.filter(({ exists }) => exists).length;
      findings.push(...(await inspectOthers(project, { each, wanted }, options)));
      continue;
    }
    const { remarks, isBare } = await inspectSource({ project, ...each });
    if (!isBare) missing.push(...lost);
    findings.push(...remarks);
    if (remarks.some(({ severity }) => severity === 'hold')) continue;
    for (const target of wanted.filter(({ exists }) => exists)) {
      targets += 1;
      const file = join(project.root, target.target);
      if (!isBare && sizeOfFile(file) === 0)
        findings.push({ ...FAULT, file, line: 1, message: EMPTY });
      else findings.push(...(await inspectText(project, { each, target }, options)));
    }
  }
  return { targets, findings: [...findings, ...missingFiles(project, missing)] };
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
    findings.push(...(await inspectOther({ ...place, ...whole, ...ofLock, lane })));
  }
  return findings;
}

/** The lock folder, and the former path of a source that was moved. */
async function lockOf(
  { lock }: InspectionOptions,
  source: LockedSource,
): Promise<Pick<PackedTarget, 'lockFolder' | 'formerly'>> {
  if (lock === undefined) return {};
  const formerly = await lock.formerPath(source);
  return { lockFolder: lock.folder, ...(formerly === undefined ? {} : { formerly }) };
}

/** The finding that no file can be at the path of a target; else an empty list. */
function impossibleTarget({ root }: Project, target: string): TargetFinding[] {
  const file = join(root, target);
  const reason = whyImpossible(file, root);
  return reason === undefined
    ? []
    : [{ ...FAULT, file, line: 1, message: `cannot be written: ${reason}` }];
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
