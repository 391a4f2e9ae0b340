/** Findings of `check` about the lock files: git ignores them, or a merge left conflict markers in them. */
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { conflictLine } from '../../files/conflict-markers.ts';
import { findWorkTree, ignoredBy, trackedIn, type WorkTree } from '../../files/work-tree.ts';
import { lockPaths } from '../../jobs/lock-tidying.ts';
import type { Project } from '../../project.ts';
import { damagedLock } from '../../state/lock-file.ts';
import { readLockBytes } from '../../state/lock-reader.ts';
import { parseLock } from '../../state/lock-text.ts';
import type { ProjectFiles } from './project-files.ts';
import type { TargetFinding } from './targets.ts';

/** The advice for a lock that git ignores because of a pattern such as `*.lock`. */
export const UNIGNORE =
  'its name matches a pattern of .gitignore ("*.lock" is a common one); add "!dragoman.lock" after that line, or choose another name for the lock';

/** @param found the files of all projects @throws JobFailure `damaged-state` for a file that cannot be read */
export async function lockFindings(
  config: Config,
  found: ReadonlyMap<Project, ProjectFiles>,
): Promise<TargetFinding[]> {
  const { lock, file } = config;
  if (lock === undefined) return [];
  const tree = findWorkTree(lock);
  const place = { file, line: 1, column: 1 };
  const findings = await markersIn(lockPaths(config));
  if (tree === undefined) return findings;
  const ignored = await ignoredBy(tree, [lock, join(lock, 'app', 'de')]);
  if (ignored !== undefined && ignored.length > 0) {
    const message = `git ignores the lock ${lock}, which must be committed: ${UNIGNORE}`;
    return [...findings, { ...place, severity: 'hold', message }];
  }
  const targets = await ignoredTargets(tree, lock, found);
  if (targets.length === 0) return findings;
  const message = `the lock is committed, and translations are not: git ignores ${targets.length} of them, such as ${targets[0]}`;
  return [...findings, { ...place, severity: 'warn', message }];
}

async function markersIn(files: Iterable<string>): Promise<TargetFinding[]> {
  const findings: TargetFinding[] = [];
  for (const file of files) {
    const text = (await readLockBytes(file))?.bytes.toString('utf8');
    if (text === undefined) continue;
    const { unreadable } = parseLock(text);
    if (unreadable !== undefined) throw damagedLock(file, unreadable);
    const line = conflictLine(text);
    if (line === undefined) continue;
    const message =
      'conflict markers of git in the lock: dragoman reads both sides; "dragoman lock" removes the markers';
    findings.push({ file, line, column: 1, severity: 'hold', message });
  }
  return findings;
}

async function ignoredTargets(
  tree: WorkTree,
  lock: string,
  found: ReadonlyMap<Project, ProjectFiles>,
): Promise<readonly string[]> {
  const tracked = await trackedIn(tree, lock);
  if (tracked === undefined || tracked.length === 0) return [];
  const targets = [...found].flatMap(([{ root }, { sources }]) =>
    sources.flatMap((source) =>
      source.targets.filter(({ exists }) => exists).map(({ target }) => join(root, target)),
    ),
  );
  return targets.length === 0 ? [] : ((await ignoredBy(tree, targets)) ?? []);
}
