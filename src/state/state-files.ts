/**
 * All files of a state folder, and what their damage means for a person. Files of an older version and of a team's database have their own
 * checks.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { JobFailure } from '../failure.ts';
import { readFailure, unlessAbsent, writeFailure } from '../files/disk.ts';

/** How the content of a file is checked. `ledger`: its own recovery does it. */
export type StateContent = 'ledger' | 'framed-lines' | 'baselines' | 'json' | 'json-lines' | 'gzip';

export interface StateFile {
  /** Of its path in the state folder, with `/`. */
  readonly path: RegExp;
  /** How it is checked, and what its damage means. Absent: nothing is lost with it, or it is checked when it is used. */
  readonly told?: { readonly content: StateContent; readonly loss: string };
}

/** Every file. */
const STATE_FILES: readonly StateFile[] = [
  {
    path: /^db\.json$|^journal\.\d+\.log$/,
    told: { content: 'ledger', loss: 'what was done and paid last may be unknown' },
  },
  {
    path: /^memory\/[^/]+\/[^/]+\.journal$/,
    told: {
      content: 'framed-lines',
      loss: 'translations that were in it are bought again when they are needed',
    },
  },
  {
    path: /^base\/log\.\d+$/,
    told: {
      content: 'baselines',
      loss: 'of some texts it is unknown from which source they were made: the lock decides; without one, they wait for "dragoman resolve" when their source has changed',
    },
  },
  {
    path: /^undo\/[^/]+\/log\.jsonl$/,
    told: {
      content: 'json-lines',
      loss: '"dragoman undo" cannot bring back all files of that run',
    },
  },
  {
    path: /^edits\.jsonl$/,
    told: { content: 'json-lines', loss: 'who changed some texts, and when, is unknown' },
  },
  {
    path: /^review-links\.json$/,
    told: { content: 'json', loss: 'the links of reviewers are not valid any more: make new ones' },
  },
  {
    path: /^lock-seen\.json$/,
    told: {
      content: 'json',
      loss: 'the next run compares the lock with all jobs; that a file of the lock was removed may go unnoticed',
    },
  },
  {
    path: /^backup\/[^/]+\.json\.gz$/,
    told: { content: 'gzip', loss: 'the ledger of that day cannot be restored' },
  },
  // They are made again, or another file has the same.
  {
    path: /^(db\.prev\.json|initialized|languages\.json|left\.json|config-seen|base\/index)$/,
  },
  // They belong to the process that works, or to one that was killed.
  { path: /^(lock\.json|lock\.sqlite|lock-pending|state-lost)$/ },
  // Who uses them compares their hashes.
  { path: /^undo\/[^/]+\/[^/]+\.(old|base)$/ },
];

const FOLDERS = /^(memory|base|undo|backup|trash|spool|voice|damaged)$/;

/** Folders that have such files in them. A run of the undo log may have a copy for each of 100,000 files, and only its log is looked at. */
const WALKED = /^(memory|memory\/[^/]+|base|undo|backup)$/;
const UNDO_RUN = /^undo\/[^/]+$/;

/** @param path in the state folder */
export function stateFileAt(path: string): StateFile | undefined {
  return STATE_FILES.find((file) => file.path.test(path));
}

/**
 * The files that are there and whose damage is told.
 * @throws JobFailure `damaged-state` where a folder is in the place of a file, or a file in that of a folder; `unreadable`, `unwritable`
 */
export async function stateFilesIn(folder: string): Promise<Set<string>> {
  const found = new Set<string>();
  await walk(folder, { below: '', found });
  return found;
}

interface FoundFiles {
  /** Relative path of a folder, with `/` at its end. */
  readonly below: string;
  readonly found: Set<string>;
}

async function walk(folder: string, { below, found }: FoundFiles): Promise<void> {
  const entries = await unlessAbsent(readdir(join(folder, below))).catch((error: unknown) => {
    throw readFailure(join(folder, below), error);
  });
  for (const name of entries ?? []) {
    const path = `${below}${name}`;
    if (UNDO_RUN.test(path)) inspect(folder, { path: `${path}/log.jsonl`, found });
    else if (inspect(folder, { path, found })) await walk(folder, { below: `${path}/`, found });
  }
}

/** @returns whether it is a folder with files of the state */
function inspect(
  folder: string,
  { path, found }: Pick<FoundFiles, 'found'> & { readonly path: string },
): boolean {
  const known = stateFileAt(path);
  const isWalked = WALKED.test(path);
  if (known === undefined && !isWalked && !FOLDERS.test(path)) return false;
  const isFolder = isFolderAt(join(folder, path));
  if (isFolder === undefined) return false;
  const isMisplaced = known === undefined ? !isFolder && FOLDERS.test(path) : isFolder;
  if (isMisplaced) throw inPlaceOf(join(folder, path), isFolder);
  if (known?.told !== undefined) {
    if (NEEDED.has(known.told.content)) requireUsable(join(folder, path));
    found.add(path);
  }
  return isFolder && isWalked;
}

/** Files that a run reads and appends to: without one of them it would buy what it has, or lose what it bought. */
const NEEDED: ReadonlySet<StateContent> = new Set(['framed-lines', 'baselines']);

/** @throws JobFailure `unreadable`, `unwritable` */
function requireUsable(file: string): void {
  for (const [right, failure] of [
    [constants.R_OK, readFailure],
    [constants.W_OK, writeFailure],
  ] as const) {
    try {
      accessSync(file, right);
    } catch (error) {
      throw failure(file, error);
    }
  }
}

/** Undefined: nothing is there. A link to nowhere is nothing. @throws JobFailure `unreadable` */
function isFolderAt(path: string): boolean | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory();
  } catch (error) {
    throw readFailure(path, error);
  }
}

function inPlaceOf(file: string, isFolder: boolean): JobFailure {
  const message = isFolder
    ? 'a folder is in the place of this file of the state: move it away, and put the file back if you have it'
    : 'a file is in the place of this folder of the state: move it away, and put the folder back if you have it';
  return new JobFailure({ kind: 'damaged-state', file, message });
}
