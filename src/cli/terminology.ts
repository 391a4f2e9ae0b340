/** `glossary` and `style`: show differences as a diff, and ask a person before anything is written. */
import { relative } from 'node:path';
import type { TerminologyRequest } from '../control/control.ts';
import type { TerminologyDifference, TerminologyReport } from '../control/report.ts';
import { type CommandCall, CommandFailure, type ExitCode, type GlobalOptions } from './command.ts';
import { requireYes } from './consent.ts';
import { withControl } from './open-control.ts';
import type { Terminal } from './terminal.ts';

export interface TerminologyOptions extends GlobalOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

type AskedAction = Pick<TerminologyRequest, 'kind' | 'names' | 'act'>;

/** @returns 0: equal, or made equal; 1: they differ, or a file has a fault; 2: a person did not agree */
export async function runTerminology(
  call: CommandCall<TerminologyOptions>,
  asked: AskedAction,
): Promise<ExitCode> {
  const { options, terminal } = call;
  return await withControl(call, async (control) => {
    const found = await control.rules({ ...asked, act: 'diff' });
    requireNamed(found, asked);
    if (found.length === 0) terminal.note(`dragoman.yaml names no ${asked.kind} with a file`);
    if (!options.json) for (const report of found) printDifferences(report, asked, terminal);
    const isFaulty = found.some(({ faults }) => faults.length > 0);
    const isDone = asked.act === 'diff' || options.dryRun === true;
    const isEqual = found.every(
      ({ calls, differences }) => calls.length + differences.length === 0,
    );
    if (isDone || isEqual) {
      if (options.json) terminal.json(jsonOf(asked, found));
      return isEqual && !isFaulty ? 0 : 1;
    }
    const question = questionFor(asked, found);
    await requireYes(call, { question, otherwise: 'Nothing was changed' });
    const done = await control.rules(asked);
    if (options.json) terminal.json(jsonOf(asked, done));
    else for (const report of done) printDone(report, call);
    return isFaulty ? 1 : 0;
  });
}

function requireNamed(found: readonly TerminologyReport[], { kind, names }: AskedAction): void {
  if (found.length > 0 || names.length === 0) return;
  throw new CommandFailure(64, `no ${kind} in dragoman.yaml is named ${names.join(', ')}`);
}

function jsonOf({ kind }: AskedAction, reports: readonly TerminologyReport[]): object {
  return kind === 'glossary' ? { glossaries: reports } : { styles: reports };
}

/** Number of differences shown for each place; the others become a number. */
const SHOWN_DIFFERENCES = 50;

function printDifferences(
  report: TerminologyReport,
  { act }: AskedAction,
  terminal: Terminal,
): void {
  const { kind, name, id, faults, warnings, differences, calls } = report;
  const place = id === null ? 'is not on the service yet' : `differs (${id})`;
  const state = differences.length === 0 ? 'is equal to its file' : place;
  terminal.out(
    terminal.style('bold', `${kind} ${name} ${faults.length > 0 ? 'cannot be used' : state}`),
  );
  for (const fault of faults) terminal.out(`  ${fault}`);
  for (const warning of warnings) terminal.note(`  ${warning}`);
  const byPlace = Map.groupBy(differences, ({ where }) => where);
  for (const [where, all] of byPlace) {
    terminal.out(`  ${where}`);
    for (const difference of all.slice(0, SHOWN_DIFFERENCES))
      terminal.out(differenceLine(difference, terminal));
    if (all.length > SHOWN_DIFFERENCES)
      terminal.out(`    and ${all.length - SHOWN_DIFFERENCES} more`);
  }
  if (act === 'pull') return;
  for (const line of calls) terminal.note(`  push would send: ${line}`);
}

const COLOURS = { '+': 'green', '-': 'red', '~': 'yellow' } as const;

function differenceLine(
  { change, what, from, to }: TerminologyDifference,
  terminal: Terminal,
): string {
  const sides = [from, to].filter((side) => side !== undefined).join(' -> ');
  const line = `    ${change} ${what}${sides === '' ? '' : `: ${sides}`}`;
  return terminal.style(COLOURS[change], line);
}

function questionFor({ act }: AskedAction, found: readonly TerminologyReport[]): string {
  if (act === 'pull') return 'Make the files equal to the service?';
  const calls = found.reduce((sum, report) => sum + report.calls.length, 0);
  return `Make the service equal to the files (${calls} ${calls === 1 ? 'call' : 'calls'})?`;
}

function printDone(
  { name, calls, wrote }: TerminologyReport,
  { terminal, cwd }: CommandCall,
): void {
  for (const line of calls) terminal.out(`${name}: ${line}`);
  for (const file of wrote) terminal.out(`wrote ${relative(cwd, file)}`);
}
