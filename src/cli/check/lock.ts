/** Findings of `check` about the lock files: git ignores them, or a merge left conflict markers in them. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { conflictLine } from '../../files/conflict-markers.ts';
import { unlessAbsent } from '../../files/disk.ts';
import { findWorkTree, ignoredBy, trackedIn, type WorkTree } from '../../files/work-tree.ts';
import type { Project } from '../../project.ts';
import { damagedLock, readLockBytes } from '../../state/lock-file.ts';
import { parseLock } from '../../state/lock-text.ts';
import type { ProjectFiles } from './project-files.ts';
import type { TargetFinding } from './targets.ts';

/** The advice for a lock that git ignores because of a pattern such as `*.lock`. */
export const UNIGNORE =
  'its name matches a pattern of .gitignore ("*.lock" is a common one); add "!dragoman.lock" after that line, or choose another name for the lock';

/** @param found the files of all projects @throws JobFailure `damaged-state` for a file that cannot be read */
export async function lockFindings(
  { lock, file }: Config,
  found: ReadonlyMap<Project, ProjectFiles>,
): Promise<TargetFinding[]> {
  if (lock === undefined) return [];
  const tree = findWorkTree(lock);
  const place = { file, line: 1, column: 1 };
  const findings = await markersIn(lock);
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

async function markersIn(lock: string): Promise<TargetFinding[]> {
  const findings: TargetFinding[] = [];
  for (const file of await filesIn(lock)) {
    const text = (await readLockBytes(file))?.bytes.toString('utf8') ?? '';
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

async function filesIn(lock: string): Promise<string[]> {
  const entries =
    (await unlessAbsent(readdir(lock, { recursive: true, withFileTypes: true }))) ?? [];
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) => join(parentPath, name));
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
