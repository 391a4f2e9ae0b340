/**
 * The versions of glossaries and style lists in the lock: each is the last one that a run sent to the service. With it, a fresh
 * checkout finds that a file has changed since. A file without an entry was never compared and counts as unchanged.
 */
import { existsSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Config } from '../config.ts';
import { failureOf } from '../failure.ts';
import { NO_TARGET, type Statement, sourceHash, unitId } from '../segments/statements.ts';
import type { LockFiles, LockName } from '../state/lock-file.ts';
import type { TerminologyFile } from '../sync/remote.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import { recordAmended } from './lock-tidying.ts';

/** The glossaries and style lists in force, and the records of their last comparison. */
export type LockedTerminology = Pick<TerminologyInForce, 'remote' | 'config'>;

/** The lock is read only for files without a record on this machine: it may be large. */
export async function recallTerminology(
  files: Pick<LockFiles, 'index'> | undefined,
  { remote, config }: LockedTerminology,
): Promise<void> {
  if (files === undefined) return;
  for (const { key, places, version } of remote.files().map((file) => stating(file, config))) {
    if (remote.records.read(key) !== undefined) continue;
    const said: Statement[] = [];
    for (const { name, unit } of places) {
      // A lock of a newer version is not an error here: the writer of locks refuses it.
      const index = await files.index(name).catch(nothingIfNewer);
      said.push(...(index?.get(unit) ?? []));
    }
    if (said.length === 0) continue;
    const isSaid = said.some(({ source }) => source === sourceHash(version));
    remote.records.learn(key, new Set(isSaid ? [version] : []));
  }
}

function nothingIfNewer(error: unknown): undefined {
  if (failureOf(error).kind !== 'damaged-state') throw error;
}

export interface TerminologyToLock {
  readonly files: LockFiles;
  /** The state folder. */
  readonly state: string;
  readonly terminology: LockedTerminology;
}

/** The files whose versions were compared with the service, by any process, and that the lock may lack. */
export function lackingInLock({ remote, config }: LockedTerminology): TerminologyFile[] {
  if (config.sync === 'off') return [];
  return remote.files().filter(({ key, version }) => remote.records.about(key, version)?.lockLacks);
}

/** The same, without those that a run of one language cannot write: other locks that must state them do not exist yet. */
export function writableInLock({
  files,
  terminology,
}: Pick<TerminologyToLock, 'files' | 'terminology'>): TerminologyFile[] {
  return lackingInLock(terminology).filter((file) =>
    stating(file, terminology.config).places.every(({ name }) => existsSync(files.pathOf(name))),
  );
}

/**
 * Writes the versions that were compared into the locks that exist.
 * @param lacking from `lackingInLock` when everything was looked at, else from `writableInLock`
 * @returns absolute paths of the files that were written
 */
export async function writeTerminology(
  { files, state, terminology }: TerminologyToLock,
  lacking: readonly TerminologyFile[],
): Promise<string[]> {
  const { remote, config } = terminology;
  const written = new Set<string>();
  for (const file of lacking) {
    const { key, places, version } = stating(file, config);
    for (const { name, unit, heading } of places) {
      const source = sourceHash(version);
      const said: Statement = { unit, source, target: NO_TARGET, mark: 'machine' };
      const rewritten = await files.change(name, (lock) => lock && stated(lock, heading, said));
      if (rewritten === undefined) continue;
      await recordAmended({ files, state }, name, rewritten);
      written.add(files.pathOf(name));
    }
    await remote.records.isInLock(key, version);
  }
  return [...written];
}

/** The version of one file, and the locks that must state it: one language of each project with the file. */
interface StatedTerminology {
  readonly key: TerminologyFile['key'];
  readonly version: string;
  readonly places: readonly {
    readonly name: LockName;
    readonly unit: Statement['unit'];
    /** The path of the file, which heads its section of the lock. */
    readonly heading: string;
  }[];
}

function stating(
  { key, version, file, projects }: TerminologyFile,
  config: Config,
): StatedTerminology {
  const places = config.projects.flatMap(({ name: project, root, targets, rules }) => {
    const own = [...rules.styles].find(([, rule]) => 'file' in rule && rule.file === file);
    const language = key.kind === 'style' ? own?.[0] : targets[0];
    if (!projects.includes(project) || file === undefined || language === undefined) return [];
    const heading = relative(root, file).split(sep).join('/');
    return [{ name: { project, language }, unit: unitId(key.file, key.kind), heading }];
  });
  return { key, version, places };
}

function stated(
  { sections }: { readonly sections: ReadonlyMap<string, readonly Statement[]> },
  heading: string,
  said: Statement,
): Map<string, readonly Statement[]> {
  const next = new Map<string, readonly Statement[]>();
  for (const [path, statements] of sections) {
    const isIn = statements.some(({ unit }) => unit === said.unit);
    next.set(path, isIn ? statements.filter(({ unit }) => unit !== said.unit) : statements);
  }
  return next.set(heading, [...(next.get(heading) ?? []), said]);
}
