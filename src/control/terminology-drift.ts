/** How the glossaries and style lists of the repository differ from those on the service: a run would send them before it translates. */
import { askBriefly } from './ask-briefly.ts';
import type { Blocker } from './blockers.ts';
import { askForStyles } from './forbidden-styles.ts';
import { glossaryReports, type TerminologyControl } from './glossaries.ts';
import type { LocalControlOptions } from './options.ts';
import type { DriftLine } from './plan-report.ts';
import type { TerminologyReport } from './report.ts';
import { styleReports } from './styles.ts';

export interface TerminologyDrift {
  readonly lines: readonly DriftLine[];
  /** Questions without an answer, and faults of the files. */
  readonly notes: readonly string[];
  readonly blockers: readonly Blocker[];
  /** Why the service gave no answer. */
  readonly unanswered?: string;
}

/** Compares the glossaries and style lists in use with the service. It waits for the service only for a moment. */
export async function driftOf(
  rules: TerminologyControl,
  { clock, inForce }: Pick<LocalControlOptions, 'clock' | 'inForce'>,
): Promise<TerminologyDrift> {
  const { glossaries, styles } = rules.terminology.files;
  const { config } = inForce;
  const usesStyles = config.projects.some((project) => project.rules.styles.size > 0);
  if (glossaries.size + styles.size === 0 && !usesStyles) return NO_DRIFT;
  const asked = await askBriefly(clock, async (options) => {
    const request = { names: [], act: 'diff', options } as const;
    const blockers = await askForStyles(rules.service, config, options);
    const of = blockers.length > 0 ? [] : [styleReports(rules, request)];
    const all = await Promise.all([glossaryReports(rules, request), ...of]);
    return { blockers, all: all.flat() };
  });
  if ('unanswered' in asked) {
    const { unanswered } = asked;
    const notes = [`glossaries and styles were not compared: ${unanswered}`];
    return { ...NO_DRIFT, notes, unanswered };
  }
  const { all, blockers } = asked.answer;
  const faults = all.flatMap((report) => [...report.faults, ...report.warnings]);
  return { lines: all.flatMap(driftLines), notes: faults, blockers };
}

const NO_DRIFT: TerminologyDrift = { lines: [], notes: [], blockers: [] };

function driftLines({ kind, name, id, differences }: TerminologyReport): DriftLine[] {
  if (id === null && differences.length > 0) {
    return [{ kind, name, pair: '', difference: 'is not on the service yet' }];
  }
  const byPair = Map.groupBy(differences, ({ where }) => where);
  return [...byPair].map(([pair, all]) => ({ kind, name, pair, difference: counted(all) }));
}

function counted(differences: TerminologyReport['differences']): string {
  const of = (change: string) => differences.filter((each) => each.change === change).length;
  const parts = [
    [of('+'), 'only in the file'],
    [of('~'), 'different'],
    [of('-'), 'only on the service'],
  ] as const;
  return parts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(', ');
}
