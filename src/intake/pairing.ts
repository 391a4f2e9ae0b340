/**
 * Finds moves: pairs new sources with sources that are gone. It looks for equal content (first under the same name, then under any
 * name), then for exchanged names, then for similar texts. Each file is used once. Pure.
 */

import { type FoundFile, fileNameOf } from '../files/listing.ts';
import type { Hash } from '../job.ts';
import type { Change } from './change.ts';
import type { Inventory } from './inventory.ts';

/** The present content at the path of a source. */
export interface SourceContent {
  readonly file: FoundFile;
  readonly hash: Hash;
}

export type SourceMove = Extract<Change, { kind: 'moved' }>;

export interface Movement {
  /** Sources that are not on record. */
  readonly arrivals: readonly SourceContent[];
  /** Sources with other content than on record. */
  readonly edits: readonly SourceContent[];
  /** Paths of sources on record that are no longer there. */
  readonly departed: ReadonlySet<string>;
  /** By the path of an arrival: the path of the departed source that it is, edited. */
  readonly similar: ReadonlyMap<string, string>;
}

export interface SourcePairing {
  /** By the new path. */
  readonly moves: ReadonlyMap<string, SourceMove>;
  /** Files that took each other's names: they move together. */
  readonly exchanged: readonly SourceMove[];
}

export function pair(movement: Movement, inventory: Inventory): SourcePairing {
  const { arrivals, departed, similar } = movement;
  const free = new Set(departed);
  const moves = new Map<string, SourceMove>();
  const take = (came: SourceContent, paths: Iterable<string>) => {
    if (moves.has(came.file.path)) return;
    const move = moveFrom(came, paths, { free, inventory });
    if (move === undefined) return;
    free.delete(move.before.path);
    moves.set(came.file.path, move);
  };
  for (const came of departed.size === 0 ? [] : arrivals) take(came, namesakes(came, inventory));
  for (const came of departed.size === 0 ? [] : arrivals) {
    take(came, inventory.sourcesWith(came.hash));
  }
  const rest = arrivals.filter(({ file }) => !moves.has(file.path));
  const exchanged = exchange({ ...movement, arrivals: rest, departed: free }, inventory);
  for (const { before } of exchanged) free.delete(before.path);
  const exchanging = new Set(exchanged.map(({ file }) => file.path));
  for (const came of rest) {
    const path = similar.get(came.file.path);
    if (path !== undefined && !exchanging.has(came.file.path)) take(came, [path]);
  }
  return { moves, exchanged };
}

interface FreePaths {
  readonly free: ReadonlySet<string>;
  readonly inventory: Inventory;
}

function moveFrom(
  { file, hash }: SourceContent,
  paths: Iterable<string>,
  { free, inventory }: FreePaths,
): SourceMove | undefined {
  for (const path of paths) {
    const before = free.has(path) ? inventory.source(path) : undefined;
    if (before !== undefined) return { kind: 'moved', file, hash, before };
  }
  return undefined;
}

function namesakes({ file, hash }: SourceContent, inventory: Inventory): Iterable<string> {
  const name = fileNameOf(file.path);
  return inventory
    .sourcesWith(hash)
    .values()
    .filter((path) => fileNameOf(path) === name);
}

/**
 * Finds files that took each other's names. The content of A is now at the path of B, and that of B at the path of C. Such a chain ends at
 * a new path or at A. A path that only got other content, or whose own content is nowhere, was edited.
 */
function exchange(
  { arrivals, edits, departed }: Omit<Movement, 'similar'>,
  inventory: Inventory,
): SourceMove[] {
  const changed = new Set(edits.map(({ file }) => file.path));
  const free = new Set([...departed, ...changed]);
  const claims = new Map<string, SourceMove>();
  for (const came of changed.size === 0 ? [] : [...edits, ...arrivals]) {
    const others = [...inventory.sourcesWith(came.hash)].filter((path) => path !== came.file.path);
    const move = moveFrom(came, others, { free, inventory });
    if (move === undefined) continue;
    free.delete(move.before.path);
    claims.set(came.file.path, move);
  }
  for (let before = -1; before !== claims.size; ) {
    before = claims.size;
    const claimed = new Set([...claims.values()].map((move) => move.before.path));
    for (const [path, move] of claims) {
      const isLeft = !changed.has(path) || claimed.has(path);
      const isRefilled = !changed.has(move.before.path) || claims.has(move.before.path);
      if (!isLeft || !isRefilled) claims.delete(path);
    }
  }
  const moves = [...claims.values()];
  // It is an exchange only when at least one known path got the content of another one.
  return moves.some(({ file }) => changed.has(file.path)) ? moves : [];
}
