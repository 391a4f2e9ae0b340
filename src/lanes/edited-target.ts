/** The hold of a target that is translated whole and that a person wrote, as far as dragoman knows. */
import { dirname } from 'node:path';
import { findWorkTree, isShallow } from '../files/work-tree.ts';
import type { Hold } from '../job.ts';
import type { LockFiles } from '../state/lock-file.ts';

interface EditedFile {
  /** Absolute path. */
  readonly targetFile: string;
  /** Undefined: the config names no lock. */
  readonly lock: LockFiles | undefined;
}

/** @param price of the new version */
export function editedTarget(
  { targetFile, lock }: EditedFile,
  price: { readonly characters?: number; readonly seconds?: number },
): Hold {
  const tree = lock === undefined ? undefined : findWorkTree(dirname(targetFile));
  const withoutHistory = tree !== undefined && isShallow(tree) ? { message: SHALLOW } : {};
  return { kind: 'edited-target', beside: null, ...withoutHistory, ...price };
}

const SHALLOW =
  'a person wrote or edited the translated file, or its source is newer. The git history, which would show it, is missing: fetch it ("fetch-depth: 0" in CI), or decide';
