/** Settled files against the ledger: what is new, edited, moved or gone, and what a person did to our outputs. Pure. */

import type { FoundFile } from '../files/listing.ts';
import type { Hash } from '../job.ts';
import type { SourceRecord } from '../ledger.ts';
import type { Change, Observed } from './change.ts';
import type { Inventory } from './inventory.ts';
import { pair, type SourceContent } from './pairing.ts';

export interface Reconciling {
  readonly observed: Observed;
  readonly inventory: Inventory;
  /** Whether a route takes the path as a source. */
  isSource(path: string): boolean;
}

/** First phase: the files whose content must be hashed, because their fingerprint is not the one on record. */
export function toHash({ observed, inventory, isSource }: Reconciling): FoundFile[] {
  return observed.files.filter(({ path, stat }) => {
    const writes = inventory.writes(path);
    const isAsLeft = writes.some(({ written }) => written.stat === stat);
    if (!isSource(path)) return writes.length > 0 && !isAsLeft;
    const source = inventory.source(path);
    return source === undefined ? !isAsLeft : source.stat !== stat;
  });
}

/** Sources that came and sources that went, and that no content pairs: one may be the other, edited on the way. */
export interface UnknownContents {
  readonly came: readonly FoundFile[];
  readonly went: readonly SourceRecord[];
}

/** Second phase: which files to compare by their texts. @param hashes as `reconcile` takes them */
export function unknownContents(
  reconciling: Reconciling,
  hashes: ReadonlyMap<string, Hash>,
): UnknownContents {
  const { inventory } = reconciling;
  const { arrivals, departed, pairing } = compare(reconciling, { hashes, similar: NOBODY });
  const moves = [...pairing.moves.values(), ...pairing.exchanged];
  const came = new Set(moves.map(({ file }) => file.path));
  const went = new Set(moves.map(({ before }) => before.path));
  return {
    came: arrivals.flatMap(({ file }) => (came.has(file.path) ? [] : [file])),
    went: [...departed].flatMap((path) => (went.has(path) ? [] : (inventory.source(path) ?? []))),
  };
}

const NOBODY: ReadonlyMap<string, string> = new Map();

/**
 * Last phase: what happened. Records that did not change appear in no change.
 * @param hashes of the files that `toHash` named; a file without one was not readable and is left as it was
 * @param similar of the unknown contents, where one that came was found to be one that went: by its path, the other's
 */
export function reconcile(
  reconciling: Reconciling,
  hashes: ReadonlyMap<string, Hash>,
  similar: ReadonlyMap<string, string> = NOBODY,
): Change[] {
  const { observed, inventory } = reconciling;
  const { arrivals, changes, departed, pairing } = compare(reconciling, { hashes, similar });
  const { moves, exchanged } = pairing;
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
    ...deletions(gone, { inventory, departed }),
    ...missingTargets(observed, { inventory, departed }),
  ];
}

interface Evidence {
  readonly hashes: ReadonlyMap<string, Hash>;
  readonly similar: ReadonlyMap<string, string>;
}

function compare(reconciling: Reconciling, { hashes, similar }: Evidence) {
  const { observed, inventory } = reconciling;
  const { arrivals, changes } = judge(reconciling, hashes);
  const edits = changes.filter((change) => change.kind === 'edited');
  const departed = departures(observed, inventory);
  return {
    arrivals,
    changes,
    departed,
    pairing: pair({ arrivals, edits, departed, similar }, inventory),
  };
}

function judge(
  { observed, inventory, isSource }: Reconciling,
  hashes: ReadonlyMap<string, Hash>,
): { changes: Change[]; arrivals: Arrival[] } {
  const changes: Change[] = [];
  const arrivals: Arrival[] = [];
  for (const file of observed.files) {
    const hash = hashes.get(file.path);
    if (hash === undefined) continue;
    const found = isSource(file.path)
      ? judgeSource({ file, hash }, inventory)
      : judgeTarget({ file, hash }, inventory);
    if (found.kind === 'arrival') arrivals.push(found);
    else if (found.kind !== 'as-recorded') changes.push(found);
  }
  return { changes, arrivals };
}

interface Arrival extends SourceContent {
  readonly kind: 'arrival';
}

interface AsRecorded {
  readonly kind: 'as-recorded';
}

const AS_RECORDED: AsRecorded = { kind: 'as-recorded' };

function judgeSource(content: SourceContent, inventory: Inventory): Change | Arrival | AsRecorded {
  const { file, hash } = content;
  const before = inventory.source(file.path);
  if (before?.hash === hash) {
    return before.stat === file.stat ? AS_RECORDED : { kind: 'touched', ...content, before };
  }
  const writes = inventory.writes(file.path);
  // One file may hold all languages: then what a job wrote is the source as well.
  const isOurs = writes.some(({ written }) => written.hash === hash);
  if (before && isOurs) return { kind: 'touched', ...content, before };
  const reason = ownOutput(content, inventory);
  if (reason !== undefined) return { kind: 'skipped', path: file.path, reason };
  return before ? { kind: 'edited', ...content, before } : { kind: 'arrival', ...content };
}

/** Copies of our outputs and other roads to them (links, bind mounts, conflict copies) are not translated again. */
function ownOutput({ file, hash }: SourceContent, inventory: Inventory): string | undefined {
  if (inventory.writes(file.path).length > 0 && !inventory.source(file.path)) {
    return 'dragoman wrote it as a translation';
  }
  // A text that needs no translation is its own: then the content is a source's as well, and proves nothing.
  if (inventory.sourcesWith(hash).size > 0) return undefined;
  const [target] = inventory.targetsWith(hash);
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

/** Sources that are not where they were. */
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

const MANY_FILES = 20;
const MANY_SHARE = 0.2;

/** What stands elsewhere as well was copied before it was removed: a folder that is moved like that is no loss. */
function deletions(all: readonly SourceRecord[], { inventory, departed }: Context): Change[] {
  const of = inventory.sourceCount;
  const isLost = ({ hash }: SourceRecord) =>
    inventory
      .sourcesWith(hash)
      .values()
      .every((path) => departed.has(path));
  const lost = all.filter(isLost);
  const isMass = lost.length >= MANY_FILES && lost.length > of * MANY_SHARE;
  const gone = isMass ? all.filter((before) => !isLost(before)) : all;
  return [
    ...gone.map((before): Change => ({ kind: 'gone', before })),
    ...(isMass ? [{ kind: 'mass-deletion', gone: lost, of } as const] : []),
  ];
}

/** Targets that vanished, but for those whose source went as well: they follow it. */
function missingTargets({ gone }: Observed, { inventory, departed }: Context): Change[] {
  return gone.flatMap((path): Change[] => {
    if (inventory.source(path)) return [];
    const writes = inventory.writes(path).filter(({ job }) => !departed.has(job.source));
    return writes.length === 0 ? [] : [{ kind: 'target-missing', path, writes }];
  });
}
