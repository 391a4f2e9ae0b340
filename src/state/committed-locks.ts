/** The files of the lock in commits of git, and what their statements say. */
import { realpath } from 'node:fs/promises';
import { type StepwiseWork, stepsInTurns, turnsOf } from '../clock.ts';
import { GitFailure, pathInRepository } from '../files/git.ts';
import { contentsOf } from '../files/git-contents.ts';
import { headsOf } from '../files/git-history.ts';
import { findWorkTree, type WorkTree } from '../files/work-tree.ts';
import { statementsByUnit } from '../segments/lock-section.ts';
import type { Statement, UnitId } from '../segments/statements.ts';
import { type LockText, lockIn } from './lock-text.ts';

/** Statements by unit. */
export type LockIndex = ReadonlyMap<UnitId, readonly Statement[]>;

export interface ParsedLock {
  readonly lock: LockText;
  index?: Promise<LockIndex>;
}

export async function lockIndex(read: ParsedLock): Promise<LockIndex> {
  read.index ??= inTurns(statementsByUnit(read.lock.sections.values()));
  return await read.index;
}

/** Milliseconds for which reading and writing a file may stop other work. */
export const TURN_MS = 10;

/** A file for a hundred thousand texts takes 50 to 100 ms at each step. */
export async function inTurns<T>(steps: StepwiseWork<T>): Promise<T> {
  return await stepsInTurns(steps, turnsOf(TURN_MS));
}

/** Files of commits that are kept at a time: large ones have a million statements. */
const MOST_PAST = 32;

export class CommittedLocks {
  /** By commit and path. */
  readonly #past = new Map<string, ParsedLock | undefined>();

  /** A file that was deleted: until the deletion is committed, its statements are still true. @param path absolute */
  async atHead(path: string): Promise<ParsedLock | undefined> {
    const tree = findWorkTree(path);
    const [commit] = tree === undefined ? [] : headsOf(tree);
    if (tree === undefined || commit === undefined) return undefined;
    try {
      return await this.at(tree, { commit, path });
    } catch (error) {
      if (error instanceof GitFailure) return undefined;
      throw error;
    }
  }

  /** @param path absolute @throws GitFailure */
  async at(
    tree: WorkTree,
    { commit, path }: { readonly commit: string; readonly path: string },
  ): Promise<ParsedLock | undefined> {
    const key = `${commit}:${path}`;
    if (this.#past.has(key)) return this.#past.get(key);
    const repository = { top: await realpath(tree.root) };
    const inside = await pathInRepository(repository, path);
    let past: ParsedLock | undefined;
    const asked = inside === undefined ? [] : [{ commit, path: inside }];
    for await (const { bytes } of contentsOf(repository, asked)) {
      if (bytes !== undefined) past = { lock: await inTurns(lockIn(bytes.toString('utf8'))) };
    }
    if (this.#past.size >= MOST_PAST) this.#past.clear();
    this.#past.set(key, past);
    return past;
  }
}
