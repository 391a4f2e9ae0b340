/** Drift for `plan`: what differs between the files of glossaries and style lists and the service, found without writing. */
import type { Clock } from '../clock.ts';
import { describeFailure, failureOf } from '../failure.ts';
import { glossaryReports, type RulesControl } from './glossaries.ts';
import type { DriftLine, RulesReport } from './report.ts';
import { styleReports } from './styles.ts';

export interface Drift {
  readonly lines: readonly DriftLine[];
  /** What could not be asked, and faults of the files. */
  readonly notes: readonly string[];
}

/** Milliseconds that a plan waits for a service that does not answer; where nobody listens, it does not wait (decisions.md 34). */
const PATIENCE_MS = 3000;

export async function driftOf(desk: RulesControl, clock: Clock): Promise<Drift> {
  const { glossaries, styles } = desk.terminology.files;
  if (glossaries.size + styles.size === 0) return { lines: [], notes: [] };
  const done = new AbortController();
  const asked = {
    names: [],
    act: 'diff',
    options: { signal: done.signal, patienceMs: 0 },
  } as const;
  const patience = clock.sleep(PATIENCE_MS, done.signal).then(
    () => 'silent' as const,
    () => 'silent' as const,
  );
  try {
    const reports = Promise.all([glossaryReports(desk, asked), styleReports(desk, asked)]);
    reports.catch(() => {}); // after the patience is over nobody waits for it any more
    const answer = await Promise.race([reports, patience]);
    if (answer === 'silent') return { lines: [], notes: [UNASKED] };
    const all = answer.flat();
    const faults = all.flatMap((report) => [...report.faults, ...report.warnings]);
    return { lines: all.flatMap(linesOf), notes: faults };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === 'internal') throw error;
    const reason = describeFailure(failure);
    return { lines: [], notes: [`glossaries and styles were not compared: ${reason}`] };
  } finally {
    done.abort();
  }
}

const UNASKED = 'glossaries and styles were not compared: the service does not answer';

function linesOf({ kind, name, id, differences }: RulesReport): DriftLine[] {
  if (id === null && differences.length > 0) {
    return [{ kind, name, pair: '', difference: 'is not on the service yet' }];
  }
  const byPair = Map.groupBy(differences, ({ where }) => where);
  return [...byPair].map(([pair, all]) => ({ kind, name, pair, difference: counted(all) }));
}

function counted(differences: RulesReport['differences']): string {
  const of = (change: string) => differences.filter((each) => each.change === change).length;
  const parts = [
    [of('+'), 'only in the file'],
    [of('~'), 'different'],
    [of('-'), 'only on the service'],
  ] as const;
  return parts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(', ');
}
