/** Settings that the schema knows and nothing stands behind yet. A feature that lands takes its line out. */
import type { Lane } from '../job.ts';
import type { SettingPath } from './fault.ts';
import type { Report } from './shape.ts';

export interface NotYet {
  /** `*` stands for any one name or index. */
  readonly settings: readonly string[];
  /** Lanes whose files are skipped, and that no route may name. */
  readonly lanes: readonly Lane[];
}

export const NOT_YET: NotYet = {
  settings: [],
  lanes: [],
};

/** For tests of the whole schema. */
export const EVERYTHING: NotYet = { settings: [], lanes: [] };

/** Reports every setting of the data that is on the list. */
export function refuseNotYet(
  data: unknown,
  { notYet, report }: { notYet: NotYet; report: Report },
): void {
  for (const setting of notYet.settings) {
    for (const path of matchingPaths(data, setting.split('.'))) {
      report(path, 'not in this version yet', 'name');
    }
  }
}

function matchingPaths(data: unknown, [step, ...rest]: readonly string[]): SettingPath[] {
  if (step === undefined) return [[]];
  if (data === null || typeof data !== 'object') return [];
  const names =
    step === '*' ? Object.keys(data) : [step].filter((name) => Object.hasOwn(data, name));
  return names.flatMap((name) => {
    const inner = (data as Record<string, unknown>)[name];
    const here = Array.isArray(data) ? Number(name) : name;
    return matchingPaths(inner, rest).map((path) => [here, ...path]);
  });
}
