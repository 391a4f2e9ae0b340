/** Without a lock, only baselines say which source a translation was made from. Where they are lost, a translation may be stale. */
import { join } from 'node:path';
import type { BaselineKey, BaselineReader } from '../../baseline.ts';
import type { SoundConfig } from '../../config/parse.ts';
import type { Scope } from '../../control/control.ts';
import { hasLedger } from '../../state/recovery.ts';
import type { CommandCall } from '../command.ts';
import { withControl } from '../open-control.ts';
import type { TargetFinding } from './targets.ts';

/** Reads baselines, and remembers which translations have none. Only `stored` of each is used. */
export class NotedBaselines {
  readonly #from: Pick<BaselineReader, 'of'>;
  readonly #without = new Set<string>();

  constructor(from: Pick<BaselineReader, 'of'>) {
    this.#from = from;
  }

  get isAnyMissing(): boolean {
    return this.#without.size > 0;
  }

  readonly of: BaselineReader['of'] = (key, claim) => {
    const { stored, ...others } = this.#from.of(key, claim);
    const read = async () => {
      const found = await stored.read();
      if (found === undefined) this.#without.add(baselineName(key));
      return found;
    };
    return { ...others, stored: { ...stored, read } };
  };

  isMissing(key: BaselineKey): boolean {
    return this.#without.has(baselineName(key));
  }
}

function baselineName({ project, language, path }: BaselineKey): string {
  return [project, language, path].join('\n');
}

/** The ledger knows whether a source has changed since its translation was written. */
export async function findingsOfLoss(
  call: CommandCall,
  setup: SoundConfig,
  { scope, baselines }: { readonly scope: Scope; readonly baselines: NotedBaselines },
): Promise<TargetFinding[]> {
  const { config } = setup;
  if (config.lock !== undefined || !baselines.isAnyMissing || !hasLedger(config.state)) return [];
  const { jobs } = await withControl(call, (control) => control.frozen(scope), 'asks');
  return jobs.flatMap(({ project, source, language, reason }): TargetFinding[] => {
    const root = config.projects.find(({ name }) => name === project)?.root;
    const key = { project, language, path: source } as BaselineKey;
    if (reason !== 'source changed' || root === undefined || !baselines.isMissing(key)) return [];
    const message = `may be stale in ${language}: it has changed since it was translated, and a part of "base" in the state folder is lost; "dragoman once" says which texts wait for "dragoman resolve"`;
    return [{ file: join(root, source), line: 1, column: 1, severity: 'hold', message }];
  });
}
