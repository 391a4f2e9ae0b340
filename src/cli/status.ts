/** `dragoman status`: the work in progress, the costs so far, and everything that needs a person, on one screen. */

import type { Command } from 'commander';
import type { SoundConfig } from '../config/parse.ts';
import type { Control } from '../control/control.ts';
import { recordsForStatus } from '../control/needed-records.ts';
import type { StatusReport } from '../control/report.ts';
import { describeTeam } from '../control/team-report.ts';
import { describeStandstill } from '../jobs/offers.ts';
import { inEnglish, plural } from '../language.ts';
import type { Extent } from '../state/tree.ts';
import {
  attentionDigest,
  attentionLine,
  printAttention,
  type Standpoint,
  standpointOf,
} from './attention-lines.ts';
import type { CliCommand, CommandCall } from './command.ts';
import { conflictLines } from './conflict-lines.ts';
import { daemonOfRefused, withControl } from './open-control.ts';
import { progressLines } from './review-lines.ts';
import { addScope, type ScopeOptions, scopeFrom } from './scope.ts';
import { addSince, type SinceOptions, withSince } from './since.ts';
import { treeLines } from './tree-lines.ts';

interface StatusCommandOptions extends ScopeOptions, SinceOptions {
  readonly all?: boolean;
  readonly watch?: boolean;
}

const REFRESH_MS = 2000;
/** Number of conflicts that are shown with their texts. */
const CONFLICTS = 3;

export const command: CliCommand<StatusCommandOptions> = {
  endsUnread: true,
  describe(command: Command) {
    addSince(addScope(command))
      .option('--all', 'every job and conflict that needs you, not only the first of each kind')
      .option('--watch', 'print the status every two seconds until Ctrl-C')
      .addHelpText(
        'after',
        `
Examples:
  dragoman status                  one screen
  dragoman status --all            everything that needs you
  dragoman status --since main     only what this branch changes
  dragoman status --watch          every two seconds
  dragoman status --json           for scripts: attention, conflicts, jobs, billed_characters`,
      );
  },
  async run(call: CommandCall<StatusCommandOptions>) {
    do {
      const told = await ask(call).catch((error: unknown) => endOfWatch(call, error));
      if (told === undefined) break;
      const { report, from } = told;
      if (call.options.json) call.terminal.json(report);
      else printStatus(report, call, from);
    } while (call.options.watch === true && (await pause(call)));
    return 0;
  },
};

interface Told {
  readonly report: StatusReport;
  readonly from: Standpoint;
}

async function ask(call: CommandCall<StatusCommandOptions>): Promise<Told> {
  // With a refused config, `--since` cannot compare anything.
  const daemon = call.options.since === undefined ? await daemonOfRefused(call) : undefined;
  if (daemon === undefined) {
    const asked = async (control: Control, setup: SoundConfig) => {
      const { scope, notes } = await withSince(call, setup, scopeFrom(call, [], setup));
      const report = await control.status(scope);
      return {
        report: { ...report, notes: [...notes, ...report.notes] },
        from: standpointOf(call, setup),
      };
    };
    const needs = (setup: SoundConfig): Extent =>
      call.options.since === undefined
        ? recordsForStatus(setup, scopeFrom(call, [], setup))
        : { of: 'everything' };
    return await withControl(call, asked, needs);
  }
  const { project: projects, language: languages } = call.options;
  const report = await daemon.status({ projects, languages, paths: [] });
  return { report, from: { cwd: call.cwd, roots: new Map() } };
}

/** A watch has no end of its own: Ctrl-C is no failure of it, also while it waits for an answer. */
function endOfWatch({ options, signals }: CommandCall<StatusCommandOptions>, error: unknown) {
  if (options.watch === true && signals.drain.aborted) return undefined;
  throw error;
}

async function pause({ clock, signals }: CommandCall<StatusCommandOptions>): Promise<boolean> {
  return await clock.sleep(REFRESH_MS, signals.drain).then(
    () => true,
    () => false,
  );
}

function printStatus(
  report: StatusReport,
  call: CommandCall<StatusCommandOptions>,
  from: Standpoint,
): void {
  const { terminal, options } = call;
  if (options.watch === true && terminal.interactive) terminal.clear();
  terminal.out(`${terminal.style('bold', 'dragoman')}: ${headOf(report)}`);
  if (report.page !== null) terminal.out(`page: ${report.page}`);
  const counts = Object.entries(report.jobs).map(([state, jobs]) => `${jobs} ${state}`);
  terminal.out(`jobs: ${counts.join(', ')}`);
  if (report.standstill !== null) terminal.out(describeStandstill(report.standstill));
  for (const line of projectLines(report)) terminal.out(line);
  for (const line of progressLines(report.review)) terminal.out(line);
  const shown =
    options.all === true
      ? report.attention.map((line) => attentionLine(line, from))
      : attentionDigest(report.tasks, from);
  printAttention(shown, terminal);
  printConflicts(report, call);
  for (const note of report.notes) terminal.note(note);
  if (options.all !== true && report.attention.length > shown.length) {
    terminal.note('"dragoman status --all" lists each of them.');
  }
  if (shown.length === 0) terminal.out(restOf(report));
  for (const line of report.tree === null ? [] : treeLines(report.tree, report.team))
    terminal.out(line);
  if (report.team !== null) terminal.out(`team: ${describeTeam(report.team)}`);
  const isKnown = report.team?.as_of !== null || report.billed_characters > 0;
  const billed = isKnown ? characters(report.billed_characters) : 'not known';
  terminal.out(`billed: ${billed}${waiting(report)}`);
}

function headOf(report: StatusReport): string {
  if (report.stopped_by !== null) return `${report.state}: ${report.stopped_by}`;
  return isWithoutLeader(report) ? 'running, but nobody leads the tree' : report.state;
}

/** Whether daemons work for the tree and none of them leads it. */
function isWithoutLeader({ state, tree }: StatusReport): boolean {
  return (
    state === 'not running' && tree?.daemons.some((daemon) => daemon.state !== 'silent') === true
  );
}

/** The line to print when no job needs a person. */
function restOf(report: StatusReport): string {
  const { state, stopped_by, standstill, jobs, to_do, review, notes } = report;
  if (stopped_by !== null) return 'No paid work until that is fixed: "dragoman doctor".';
  if (standstill !== null) return 'The log says why the jobs wait.';
  if (state === 'paused') return 'Nothing is bought until "dragoman resume".';
  const waiting = jobs.queued + jobs.running;
  const hasJobs = Object.values(jobs).some((count) => count > 0);
  if (isWithoutLeader(report)) return 'The notes say how new work is planned.';
  if (state === 'not running' && !hasJobs) {
    return 'There is no job yet: "dragoman plan" says what would be done.';
  }
  if (state === 'not running' && waiting > 0) {
    return `${plural(waiting, 'job')} not done yet, and dragoman does not run: start "dragoman once" or "dragoman run".`;
  }
  if (to_do !== null && to_do > 0) {
    return `A run would begin ${plural(to_do, 'job')}: "dragoman plan" says what it would do, "dragoman once" does it.`;
  }
  const isReviewed = review.every(({ counts }) => counts.unreviewed === 0);
  if (!isReviewed) return 'Nothing needs you but the review: "dragoman review list".';
  return notes.length === 0 ? 'Nothing needs you.' : 'No task needs you; see the notes.';
}

/** One line for each project. Languages with the same progress are grouped. */
function projectLines({ projects }: StatusReport): string[] {
  const width = Math.max(0, ...projects.map(({ name }) => name.length));
  return projects.map(({ name, languages }) => {
    const groups = Map.groupBy(languages, ({ done, total }) => `${done}/${total}`);
    const each = [...groups].map(
      ([progress, all]) => `${all.map(({ language }) => language).join(' ')} ${progress}`,
    );
    return `${name.padEnd(width)}  ${each.join(', ')}`;
  });
}

function printConflicts(
  { conflicts }: StatusReport,
  { terminal, options, cwd }: CommandCall<StatusCommandOptions>,
): void {
  const shown = options.all === true ? conflicts : conflicts.slice(0, CONFLICTS);
  for (const line of shown.flatMap((each) => conflictLines(each, cwd))) terminal.out(line);
  const more = conflicts.length - shown.length;
  if (more > 0) terminal.out(`and ${more} more conflicts`);
}

function waiting({ attention }: StatusReport): string {
  const sum = attention.reduce((total, line) => total + (line.price_characters ?? 0), 0);
  return sum === 0 ? '' : `; held jobs would bill up to ${characters(sum)}`;
}

function characters(number: number): string {
  return `${inEnglish(number)} characters`;
}
