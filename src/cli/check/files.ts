/** Findings of `check` in files: sources, translations, the lock and blockers; all findings, or those added since a commit. */

import { join, relative } from 'node:path';
import type { Fault } from '../../config/fault.ts';
import type { SoundConfig } from '../../config/parse.ts';
import type { Scope } from '../../control/control.ts';
import { noLockNotes } from '../../control/frozen.ts';
import { inPaths, isNamed } from '../../control/scope.ts';
import { NO_WORK } from '../../control/since.ts';
import { GitFailure, isAnyInHistory, openRepository } from '../../files/git.ts';
import { formerPaths } from '../../intake/former-paths.ts';
import { refuseRenamedLock } from '../../jobs/renamed-lock.ts';
import { append } from '../../parsing/append.ts';
import type { Project } from '../../project.ts';
import { type ElsewhereByFile, LinesElsewhere } from '../../state/lines-elsewhere.ts';
import { LockFiles } from '../../state/lock-file.ts';
import { loadTerminology } from '../../terminology/load-project-terms.ts';
import { projectTerms, type Terminology } from '../../terminology/project-terms.ts';
import { type CommandCall, UsageError } from '../command.ts';
import { addedFindings, type EarlierCheckout } from '../earlier-checkout.ts';
import { openBaselineReader } from '../open-baselines.ts';
import {
  outsideWords,
  pathsOutside,
  type ScopeOptions,
  scopeOfScript,
  unknownPaths,
  unknownWords,
  unroutedPaths,
  unroutedWords,
} from '../scope.ts';
import { noConfigNotes, openSince, type SinceOptions, unreadNote } from '../since.ts';
import { blockerFindings } from './blockers.ts';
import { changedTargetFindings } from './changed-targets.ts';
import { keyFindings } from './keys.ts';
import { lockFindings } from './lock.ts';
import { findingsOfLoss, NotedBaselines } from './lost-baselines.ts';
import { listProjectFiles, type ProjectFiles } from './project-files.ts';
import type { TargetFinding } from './targets.ts';
import { inspectTranslations } from './translations.ts';

export interface Conclusion {
  readonly faults: readonly Fault[];
  readonly findings?: readonly TargetFinding[];
  /** Number of files checked. */
  readonly sources?: number;
  readonly targets?: number;
}

/** All findings; with `--since`, only those that the earlier commit did not have. */
export async function checkSince(
  call: CommandCall<SinceOptions & ScopeOptions>,
  setup: SoundConfig,
  terminology: Terminology,
): Promise<Required<Conclusion>> {
  const { args, options } = call;
  const scope = scopeOfScript(call, args, setup);
  for (const path of pathsOutside(scope, setup)) call.terminal.note(outsideWords(path));
  await requireAnyPath(call, scope, (part) => hasSources(setup, part));
  const unrouted = unroutedWords(unroutedPaths(scope, setup), call.cwd);
  if (unrouted !== undefined) call.terminal.note(unrouted);
  if (options.since === undefined) return await checkFiles(call, { setup, terminology, scope });
  await using opened = await openSince(call, setup, options.since);
  const { files, earlier } = opened;
  const since = { files, languages: earlier.languages, before: NO_WORK };
  const found = await checkFiles(call, { setup, terminology, scope: { ...scope, since } });
  for (const note of noConfigNotes(call, earlier)) call.terminal.note(note);
  if (earlier.setup === undefined) return found;
  const before = await checkFiles(
    { ...call, terminal: { ...call.terminal, note: () => {} } },
    {
      setup: earlier.setup,
      terminology: await loadTerminology(earlier.setup.config),
      scope: { ...scope, paths: [] },
      isEarlier: true,
    },
  );
  const findings = addedFindings(found.findings, before.findings, earlier);
  for (const note of unreadNotes(call, { earlier, scope, findings: before.findings })) {
    call.terminal.note(note);
  }
  return { ...found, findings };
}

/**
 * A script may name files that are gone, as a hook of git does: they are only noted.
 * @throws UsageError when git and the routes know none of the paths: they were mistyped, and nothing would be checked
 */
async function requireAnyPath(
  call: CommandCall<ScopeOptions>,
  scope: Scope,
  isKnown: (part: Scope) => Promise<boolean>,
): Promise<void> {
  const unknown = await unknownPaths(scope, isKnown);
  const [first] = unknown;
  const isNothingKnown = unknown.length === scope.paths.length;
  if (first !== undefined && isNothingKnown && !(await isAnyCommitted(call.cwd, unknown))) {
    throw new UsageError(unknownWords(first));
  }
  for (const path of unknown) call.terminal.note(unknownWords(relative(call.cwd, path)));
}

/** @param paths absolute @returns false also without git, and before the first commit */
async function isAnyCommitted(folder: string, paths: readonly string[]): Promise<boolean> {
  try {
    return await isAnyInHistory(await openRepository(folder), paths);
  } catch (error) {
    if (error instanceof GitFailure) return false;
    throw error;
  }
}

/** Whether a path has sources: the path of a missing translation counts by its source. */
async function hasSources({ config, router }: SoundConfig, scope: Scope): Promise<boolean> {
  for (const project of config.projects) {
    const { sources } = await listProjectFiles(project, { ...scope, router });
    if (sources.length > 0) return true;
  }
  return false;
}

interface SinceComparison {
  readonly earlier: EarlierCheckout;
  readonly scope: Scope;
  readonly findings: readonly TargetFinding[];
}

function unreadNotes(
  call: CommandCall<SinceOptions>,
  { earlier, scope, findings }: SinceComparison,
): string[] {
  return findings.flatMap((finding) => {
    const file = join(earlier.top, relative(earlier.folder, finding.file));
    if (finding.isUnread !== true || !inPaths(scope.paths, '/', [file])) return [];
    return [unreadNote(call, earlier, { file, reason: finding.message })];
  });
}

interface ToCheck {
  readonly setup: SoundConfig;
  readonly terminology: Terminology;
  readonly scope: Scope;
  /** The files of an earlier commit. */
  readonly isEarlier?: boolean;
}

async function checkFiles(
  call: CommandCall<SinceOptions>,
  { setup, terminology, scope, isEarlier = false }: ToCheck,
): Promise<Required<Conclusion>> {
  const { terminal, signals } = call;
  // A check changes nothing, so the first signal ends it.
  const stopped = signals.drain;
  const { config, router } = setup;
  const { lines } = await refuseRenamedLock(setup);
  const found = new Map<Project, ProjectFiles>();
  const findings: TargetFinding[] = [];
  let sources = 0;
  let targets = 0;
  const lock = lockOf(setup, { found, lines });
  await using reader = await openBaselineReader(call, config);
  const baselines = new NotedBaselines(reader);
  for (const project of config.projects) {
    if (!isNamed({ projects: scope.projects, languages: [] }, project.name, '')) continue;
    const files = await listProjectFiles(project, { ...scope, router });
    stopped.throwIfAborted();
    found.set(project, files);
    sources += files.count;
    for (const { path, reason } of files.notes) terminal.note(`skipped: ${path}: ${reason}`);
    const inspection = await inspectTranslations(project, files, {
      baselines,
      stopped,
      ...(lock === undefined ? {} : { lock }),
      terms: (language) => projectTerms(terminology, project, language),
    });
    targets += inspection.targets;
    append(findings, inspection.findings);
  }
  const named = new Set(findings.map(({ file }) => file));
  const asked = { setup, scope, lock, terminology, isEarlier, files: found, named };
  append(findings, await blockerFindings(call, asked));
  const checked = { setup, scope, isEarlier, files: found };
  append(findings, await changedTargetFindings(call, checked, findings));
  append(findings, await findingsOfLoss(call, setup, { scope, baselines }));
  append(findings, await keyFindings({ setup, scope, files: found }));
  append(findings, await lockFindings(config, found));
  for (const note of noLockNotes(config)) terminal.note(note);
  return { faults: [], findings, sources, targets };
}

interface ListedFiles {
  /** Of the projects listed so far. */
  readonly found: ReadonlyMap<Project, ProjectFiles>;
  readonly lines: ElsewhereByFile;
}

/** The lock file with its paths followed through moves. */
function lockOf(
  { config, router }: SoundConfig,
  { found, lines }: ListedFiles,
): LockFiles | undefined {
  if (config.lock === undefined) return undefined;
  const lock = new LockFiles(config.lock, { elsewhere: new LinesElsewhere(lines) });
  const filesOf = (name: string) =>
    [...found].filter(([project]) => project.name === name).flatMap(([, files]) => files.sources);
  const sources = (name: string) =>
    filesOf(name).map(({ source }) => ({ path: source, raw: source, size: 0 }));
  lock.follow(formerPaths({ inForce: { config, router }, sources, count: () => found.size }));
  return lock;
}
