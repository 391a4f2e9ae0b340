/** `dragoman status`: what is happening, what needs me, what did it cost, on one screen. */
import type { Command } from 'commander';
import type { AttentionLine, ConflictLine, StatusReport } from '../control.ts';
import type { Call, CliCommand } from './command.ts';
import { oneLine } from './one-line.ts';
import { withControl } from './open-control.ts';
import { addScope, type ScopeOptions, scopeOf } from './scope.ts';
import type { Terminal } from './terminal.ts';

interface StatusOptions extends ScopeOptions {
  readonly watch?: boolean;
}

const REFRESH_MS = 2000;
const CLEAR = '\u001b[2J\u001b[H';

export const command: CliCommand<StatusOptions> = {
  describe(command: Command) {
    addScope(command)
      .option('--watch', 'show it again every two seconds until Ctrl-C')
      .addHelpText(
        'after',
        `
Examples:
  dragoman status                  one screen
  dragoman status --watch          and keep looking
  dragoman status --json           for scripts: attention, conflicts, jobs, billed_characters`,
      );
  },
  async run(call: Call<StatusOptions>) {
    do {
      const report = await withControl(call, (control, setup) =>
        control.status(scopeOf(call, [], setup)),
      );
      if (call.options.json) call.terminal.json(report);
      else print(report, call);
    } while (call.options.watch === true && (await pause(call)));
    return 0;
  },
};

async function pause({ clock, signals }: Call<StatusOptions>): Promise<boolean> {
  return await clock.sleep(REFRESH_MS, signals.drain).then(
    () => true,
    () => false,
  );
}

function print(report: StatusReport, { terminal, options }: Call<StatusOptions>): void {
  if (options.watch === true && terminal.interactive) terminal.out(CLEAR);
  const { jobs } = report;
  const head = report.stopped_by === null ? report.state : `${report.state}: ${report.stopped_by}`;
  terminal.out(`${terminal.style('bold', 'dragoman')}: ${head}`);
  if (report.page !== null) terminal.out(`page: ${report.page}`);
  terminal.out(
    `jobs: ${jobs.queued} queued, ${jobs.running} running, ${jobs.done} done, ${jobs.held} held, ${jobs.failed} failed`,
  );
  printProjects(report, terminal);
  for (const line of report.attention) printAttention(line, terminal);
  for (const line of report.conflicts) printConflict(line, terminal);
  if (report.attention.length === 0) terminal.out('Nothing needs you.');
  terminal.out(`billed: ${report.billed_characters.toLocaleString('en-US')} characters`);
}

function printProjects({ projects }: StatusReport, terminal: Terminal): void {
  for (const { name, languages } of projects) {
    const each = languages.map(({ language, done, total }) => `${language} ${done}/${total}`);
    terminal.out(`${name}: ${each.join(', ')}`);
  }
}

function printAttention(line: AttentionLine, terminal: Terminal): void {
  const mark =
    line.state === 'failed' ? terminal.style('red', 'failed') : terminal.style('yellow', 'held');
  terminal.out(`${mark}  ${oneLine(`${line.source} -> ${line.language}: ${line.reason}`)}`);
  terminal.out(`      ${oneLine(line.next_step)}`);
}

function printConflict(line: ConflictLine, terminal: Terminal): void {
  terminal.out(oneLine(`conflict  ${line.file} ${line.key}`));
  terminal.out(`      old source  ${line.old_source}`);
  terminal.out(`      new source  ${line.new_source}`);
  terminal.out(`      human       ${line.human}`);
  terminal.out(`      machine     ${line.machine ?? '(not bought)'}`);
}
