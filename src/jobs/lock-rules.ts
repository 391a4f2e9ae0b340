/**
 * What the lock says of glossaries and style lists: the version that the service was made equal to. A fresh checkout knows by it
 * that a file changed since. It says nothing of files that no run compared: those count as unchanged.
 */
import { relative, sep } from 'node:path';
import type { Config } from '../config.ts';
import { failureOf } from '../failure.ts';
import { NO_TARGET, type Statement, sourceHash, unitId } from '../segments/statements.ts';
import type { LockFiles, LockName } from '../state/lock-file.ts';
import type { RuleFile } from '../sync/remote.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import { noteAmended } from './lock-tidying.ts';

/** The rules of a config as they are in force, and what is known of them. */
export type LockedRules = Pick<TerminologyInForce, 'remote' | 'config'>;

/** Asked only for what this machine has no note of: a lock may be large. */
export async function recallRules(
  files: Pick<LockFiles, 'index'> | undefined,
  { remote, config }: LockedRules,
): Promise<void> {
  if (files === undefined) return;
  for (const { key, places, version } of remote.ruleFiles().map((rule) => stating(rule, config))) {
    if (remote.notes.read(key) !== undefined) continue;
    const said: Statement[] = [];
    for (const { name, unit } of places) {
      // Who writes a lock of a newer version is refused there.
      const index = await files.index(name).catch(nothingIfNewer);
      said.push(...(index?.get(unit) ?? []));
    }
    if (said.length === 0) continue;
    const isSaid = said.some(({ source }) => source === sourceHash(version));
    remote.notes.learn(key, new Set(isSaid ? [version] : []));
  }
}

function nothingIfNewer(error: unknown): undefined {
  if (failureOf(error).kind !== 'damaged-state') throw error;
}

export interface RulesToLock {
  readonly files: LockFiles;
  /** The state folder. */
  readonly state: string;
  readonly rules: LockedRules;
}

/** Writes what was compared in this process, where there is a lock. @returns absolute paths of files that were written */
export async function writeRules({ files, state, rules }: RulesToLock): Promise<string[]> {
  const { remote, config } = rules;
  if (!remote.notes.hasNews || config.sync === 'off') return [];
  const isNew = remote.notes.takeNews();
  const written = new Set<string>();
  const fresh = remote
    .ruleFiles()
    .filter(({ key, version }) => isNew(key) && remote.notes.about(key, version));
  for (const { places, version } of fresh.map((rule) => stating(rule, config))) {
    for (const { name, unit, heading } of places) {
      const source = sourceHash(version);
      const said: Statement = { unit, source, target: NO_TARGET, mark: 'machine' };
      const rewritten = await files.change(name, (lock) => lock && stated(lock, heading, said));
      if (rewritten === undefined) continue;
      await noteAmended({ files, state }, name, rewritten);
      written.add(files.pathOf(name));
    }
  }
  return [...written];
}

/** What is said of a rule, and in the lock of which language of each project that has it. */
interface Stating {
  readonly key: RuleFile['key'];
  readonly version: string;
  readonly places: readonly {
    readonly name: LockName;
    readonly unit: Statement['unit'];
    /** The path that its line stands under: of a file that is there. */
    readonly heading: string;
  }[];
}

function stating({ key, version, file, projects }: RuleFile, config: Config): Stating {
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
