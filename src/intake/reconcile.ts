/** Compares settled files with the ledger: which sources are new, edited, moved or gone, and which targets a person changed. Pure. */

import type { StepwiseWork } from '../clock.ts';
import type { FoundFile } from '../files/listing.ts';
import type { Hash } from '../job.ts';
import type { JobRecord, SourceRecord } from '../ledger.ts';
import { isOwnWriting } from '../plan/edition.ts';
import type { Change, Observed } from './change.ts';
import type { Inventory } from './inventory.ts';
import { pair, type SourceContent, type SourcePairing } from './pairing.ts';

export interface Reconciling {
  readonly observed: Observed;
  readonly inventory: Inventory;
  /** Whether a route matches the path as a source. */
  isSource(path: string): boolean;
  /** The jobs of a source, as the ledger has them now. */
  jobsOf(source: SourceRecord): readonly JobRecord[];
}

/** First phase: the files to hash, because their stat is not the one on record. */
export function* toHash(reconciling: Omit<Reconciling, 'jobsOf'>): StepwiseWork<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const file of reconciling.observed.files) {
    if (mustBeHashed(file, reconciling)) found.push(file);
    yield;
  }
  return found;
}

function mustBeHashed(
  { path, stat }: FoundFile,
  { inventory, isSource }: Omit<Reconciling, 'jobsOf'>,
): boolean {
  const writes = inventory.writes(path);
  const isAsLeft = writes.some(({ written }) => written.stat === stat);
  if (!isSource(path)) return writes.length > 0 && !isAsLeft;
  const source = inventory.source(path);
  return source === undefined ? !isAsLeft : source.stat !== stat;
}

/** The files, each compared with the records. */
export interface JudgedFiles extends Pick<Reconciling, 'observed' | 'inventory'> {
  readonly changes: readonly Change[];
  readonly arrivals: readonly Arrival[];
  /** Paths of sources on record that are no longer there. */
  readonly departed: ReadonlySet<string>;
}

/**
 * Second phase: what each file is by itself.
 * @param hashes of the files from `toHash`, by path; a file without a hash could not be read, and its record stays
 */
export function* judgeFiles(
  reconciling: Reconciling,
  hashes: ReadonlyMap<string, Hash>,
): StepwiseWork<JudgedFiles> {
  const { observed, inventory, isSource } = reconciling;
  const changes: Change[] = [];
  const arrivals: Arrival[] = [];
  for (const file of observed.files) {
    const hash = hashes.get(file.path);
    if (hash === undefined) continue;
    const found = isSource(file.path)
      ? judgeSource({ file, hash }, reconciling)
      : judgeTarget({ file, hash }, inventory);
    if (found.kind === 'arrival') arrivals.push(found);
    else if (found.kind !== 'as-recorded') changes.push(found);
    yield;
  }
  return { observed, inventory, changes, arrivals, departed: departures(observed, inventory) };
}

/** New sources and gone sources without a partner of equal content: a new one may be a gone one that was moved and edited. */
export interface UnknownContents {
  readonly newFiles: readonly FoundFile[];
  readonly goneSources: readonly SourceRecord[];
}

/** Third phase: the files to compare by their texts. */
export function unknownContents(judged: JudgedFiles): UnknownContents {
  const { inventory, arrivals, departed } = judged;
  const { moves: found, exchanged } = movesAmong(judged, NOBODY);
  const moves = [...found.values(), ...exchanged];
  const came = new Set(moves.map(({ file }) => file.path));
  const went = new Set(moves.map(({ before }) => before.path));
  return {
    newFiles: arrivals.flatMap(({ file }) => (came.has(file.path) ? [] : [file])),
    goneSources: [...departed].flatMap((path) =>
      went.has(path) ? [] : (inventory.source(path) ?? []),
    ),
  };
}

const NOBODY: ReadonlyMap<string, string> = new Map();

/**
 * Last phase: the changes. A record that did not change is in none of them.
 * @param similar the moves among the files from `unknownContents`: the path of the gone file, by the path of the new one
 */
export function reconcile(
  judged: JudgedFiles,
  similar: ReadonlyMap<string, string> = NOBODY,
): Change[] {
  const { observed, inventory, arrivals, changes, departed } = judged;
  const { moves, exchanged } = movesAmong(judged, similar);
  const exchanging = new Set(exchanged.map(({ file }) => file.path));
  const followed = new Set([...moves.values(), ...exchanged].map(({ before }) => before.path));
  const gone = observed.gone.flatMap((path) =>
    followed.has(path) ? [] : (inventory.source(path) ?? []),
  );
  return [
    ...changes.filter((change) => change.kind !== 'edited' || !exchanging.has(change.file.path)),
    ...arrivals
      .filter(({ file }) => !exchanging.has(file.path))
      .map((came) => moves.get(came.file.path) ?? arrived(came, { inventory, departed })),
    ...(exchanged.length === 0 ? [] : [{ kind: 'exchanged', moves: exchanged } as const]),
    ...deletions(gone, { inventory, departed, isEmptied: isEmptied(observed, inventory) }),
    ...missingTargets(observed, { inventory, departed }),
  ];
}

function movesAmong(
  { arrivals, changes, departed, inventory }: JudgedFiles,
  similar: ReadonlyMap<string, string>,
): SourcePairing {
  const edits = changes.filter((change) => change.kind === 'edited');
  return pair({ arrivals, edits, departed, similar }, inventory);
}

interface Arrival extends SourceContent {
  readonly kind: 'arrival';
}

interface AsRecorded {
  readonly kind: 'as-recorded';
}

const AS_RECORDED: AsRecorded = { kind: 'as-recorded' };

function judgeSource(
  content: SourceContent,
  { inventory, jobsOf }: Reconciling,
): Change | Arrival | AsRecorded {
  const { file, hash } = content;
  const before = inventory.source(file.path);
  // One file may have all languages: then the target of a job is also the source.
  if (before && isOwnWriting(before, hash, jobsOf(before))) {
    const isAsRecorded = before.hash === hash && before.stat === file.stat;
    return isAsRecorded ? AS_RECORDED : { kind: 'touched', ...content, before };
  }
  const reason = ownOutput(content, inventory);
  if (reason !== undefined) return { kind: 'skipped', path: file.path, reason };
  return before ? { kind: 'edited', ...content, before } : { kind: 'arrival', ...content };
}

/** Targets of dragoman are not translated again, also under other paths: copies, links, bind mounts, conflict copies. */
function ownOutput({ file, hash }: SourceContent, inventory: Inventory): string | undefined {
  if (inventory.writes(file.path).length > 0 && !inventory.source(file.path)) {
    return 'dragoman wrote it as a translation';
  }
  // The target of a text that needs no translation equals its source: then the content proves nothing.
  if (inventory.sourcesWith(hash).size > 0) return undefined;
  // A file that is its own target is no copy of itself: it may be put back to what one delivery left.
  const target = [...inventory.targetsWith(hash)].find((path) => path !== file.path);
  return target === undefined ? undefined : `it has the content of the translation ${target}`;
}

function judgeTarget({ file, hash }: SourceContent, inventory: Inventory): Change | AsRecorded {
  const writes = inventory.writes(file.path);
  const ours = writes.find(({ written }) => written.hash === hash);
  if (ours === undefined) {
    return writes.length === 0 ? AS_RECORDED : { kind: 'target-edited', file, hash, writes };
  }
  return ours.written.stat === file.stat ? AS_RECORDED : { kind: 'target-touched', file, writes };
}

function departures({ gone, missing }: Observed, inventory: Inventory): ReadonlySet<string> {
  return new Set([...gone, ...missing].filter((path) => inventory.source(path) !== undefined));
}

interface Context {
  readonly inventory: Inventory;
  readonly departed: ReadonlySet<string>;
}

function arrived({ file, hash }: Arrival, { inventory, departed }: Context): Change {
  for (const path of inventory.sourcesWith(hash)) {
    if (!departed.has(path)) return { kind: 'new', file, hash, copyOf: path };
  }
  return { kind: 'new', file, hash };
}

/**
 * Whether all files on record are gone together, sources and targets: for example, because a disk is not mounted. A person who removes all
 * sources leaves their targets. A person who removes the only source together with its targets leaves other files or folders in the root.
 * The root of a disk that is not mounted is an empty folder.
 */
function isEmptied(
  { files, gone, missing, isBare = false }: Observed,
  inventory: Inventory,
): boolean {
  if (files.length > 0) return false;
  if (isBare) return true;
  if (inventory.sourceCount === 1) return false;
  const isGone = (path: string) => missing.has(path) || left.has(path);
  const left = new Set(gone);
  let targets = 0;
  for (const path of inventory.written()) {
    if (!isGone(path)) return false;
    if (inventory.source(path) === undefined) targets += 1;
  }
  return targets > 0 && Iterator.from(inventory.sources()).every(({ path }) => isGone(path));
}

/** A deletion of so many files, and of more than this share of all sources, needs a person's confirmation. */
const MANY_FILES = 20;
const MANY_SHARE = 0.2;

/**
 * A gone source whose content exists elsewhere does not count for a mass deletion. A move of a folder to another disk copies each file
 * first.
 */
function deletions(
  all: readonly SourceRecord[],
  { inventory, departed, isEmptied }: Context & { readonly isEmptied: boolean },
): Change[] {
  const of = inventory.sourceCount;
  const isLost = ({ hash }: SourceRecord) =>
    inventory
      .sourcesWith(hash)
      .values()
      .every((path) => departed.has(path));
  const lost = all.filter(isLost);
  const isMass =
    (isEmptied && lost.length > 0) || (lost.length >= MANY_FILES && lost.length > of * MANY_SHARE);
  const gone = isMass ? all.filter((before) => !isLost(before)) : all;
  return [
    ...gone.map((before): Change => ({ kind: 'gone', before })),
    ...(isMass ? [{ kind: 'mass-deletion', gone: lost, of } as const] : []),
  ];
}

/** Targets that vanished, without those whose source is gone or moved too. */
function missingTargets({ gone }: Observed, { inventory, departed }: Context): Change[] {
  return gone.flatMap((path): Change[] => {
    if (inventory.source(path)) return [];
    const writes = inventory.writes(path).filter(({ job }) => !departed.has(job.source));
    return writes.length === 0 ? [] : [{ kind: 'target-missing', path, writes }];
  });
}
