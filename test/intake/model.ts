/** A folder as plain data, a ledger kept by following changes, and the steps between them: the model that reconcile is tested against. */

import { allSteps } from '../../src/clock.ts';
import type { FoundFile } from '../../src/files/listing.ts';
import type { Change, Observed } from '../../src/intake/change.ts';
import { Inventory } from '../../src/intake/inventory.ts';
import { judgeFiles, reconcile, toHash } from '../../src/intake/reconcile.ts';
import { type Hash, jobId, type Stat, sourceId } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import type { JobRecord, SourceRecord, Written } from '../../src/ledger.ts';

export const hashOf = (content: string) => `hash of ${content}` as Hash;

export const isSource = (path: string) => !path.startsWith('out/');

/** Files by path; every write gives a new fingerprint, also when the content stays. */
export class ModelDisk {
  readonly files = new Map<string, { content: string; stat: Stat }>();
  readonly everWritten = new Set<string>();
  #clock = 0;

  write(path: string, content: string): void {
    this.files.set(path, { content, stat: this.#nextStat() });
    this.everWritten.add(path);
  }

  remove(path: string): void {
    this.files.delete(path);
  }

  rename(from: string, to: string): void {
    const file = this.files.get(from);
    if (!file || from === to) return;
    this.files.delete(from);
    this.files.set(to, { ...file, stat: this.#nextStat() });
    this.everWritten.add(to);
  }

  found(path: string): FoundFile {
    const { stat, content } = this.files.get(path) ?? { stat: '' as Stat, content: '' };
    return { path, raw: path, stat, size: content.length };
  }

  #nextStat(): Stat {
    this.#clock += 1;
    return `1:${this.#clock}:${this.#clock}:1` as Stat;
  }
}

export function sourceRecord(disk: ModelDisk, path: string): SourceRecord {
  const { content, stat } = disk.files.get(path) ?? { content: '', stat: '0:0:0:0' as Stat };
  const hash = hashOf(content);
  return { id: sourceId('p', path), project: 'p', path, hash, stat, since: '2026-01-01T00:00:00Z' };
}

/** A job that is done, with what it wrote. */
export function jobRecord(source: string, ...wrote: readonly Written[]): JobRecord {
  const language = 'de' as LanguageTag;
  return {
    id: jobId('p', language, source),
    project: 'p',
    lane: 'text',
    source,
    language,
    targets: { file: wrote[0]?.path ?? `out/${source}` },
    fingerprint: 'f' as JobRecord['fingerprint'],
    state: { kind: 'done', at: '2026-01-01T00:00:00Z' },
    fence: 1,
    wrote,
    delivered: null,
    estimate: 0,
  };
}

export function written(disk: ModelDisk, path: string): Written {
  const { content, stat } = disk.files.get(path) ?? { content: '', stat: '0:0:0:0' as Stat };
  return { path, hash: hashOf(content), stat };
}

/** The differences between the whole disk and the ledger, in the form of the watch. */
export function differences(disk: ModelDisk, inventory: Inventory): Observed {
  const isKnown = ({ path, stat }: FoundFile) => {
    const source = inventory.source(path);
    if (source) return source.stat === stat;
    return inventory.writes(path).some(({ written }) => written.stat === stat);
  };
  const isOnRecord = (path: string) =>
    inventory.source(path) !== undefined || inventory.writes(path).length > 0;
  const files = [...disk.files.keys()].map((path) => disk.found(path));
  const gone = [...disk.everWritten].filter((path) => !disk.files.has(path) && isOnRecord(path));
  return { files: files.filter((file) => !isKnown(file)), gone, missing: new Set() };
}

/** Both phases, with hashes read from the model. */
export function changesFor(disk: ModelDisk, observed: Observed, inventory: Inventory): Change[] {
  const jobsOf = ({ path }: SourceRecord) => inventory.writes(path).map(({ job }) => job);
  const reconciling = { observed, inventory, isSource, jobsOf };
  const hashes = new Map(
    allSteps(toHash(reconciling)).map(({ path }) => [
      path,
      hashOf(disk.files.get(path)?.content ?? ''),
    ]),
  );
  return reconcile(allSteps(judgeFiles(reconciling, hashes)));
}

/** The changes of a daemon to its records, for each change on the disk. */
export function follow(inventory: Inventory, changes: readonly Change[]): void {
  for (const change of changes) {
    switch (change.kind) {
      case 'moved':
        inventory.removeSource(change.before.path);
        inventory.putSource(recordOf(change));
        break;
      case 'exchanged':
        for (const { before } of change.moves) inventory.removeSource(before.path);
        for (const move of change.moves) inventory.putSource(recordOf(move));
        break;
      case 'new':
      case 'edited':
      case 'touched':
        inventory.putSource(recordOf(change));
        break;
      case 'gone':
        inventory.removeSource(change.before.path);
        break;
      case 'mass-deletion':
        for (const { path } of change.gone) inventory.removeSource(path);
        break;
      case 'skipped':
      case 'target-edited':
      case 'target-touched':
      case 'target-missing':
        break;
    }
  }
}

export function inventoryOf(...sources: readonly SourceRecord[]): Inventory {
  const inventory = new Inventory();
  for (const source of sources) inventory.putSource(source);
  return inventory;
}

function recordOf({ file, hash }: { file: FoundFile; hash: Hash }): SourceRecord {
  const { path, stat } = file;
  return { id: sourceId('p', path), project: 'p', path, hash, stat, since: '2026-01-01T00:00:00Z' };
}
