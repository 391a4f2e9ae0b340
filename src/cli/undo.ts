/** `dragoman undo`: puts the files that a run wrote back as they were before. Shows them and asks first. */

import { relative } from 'node:path';
import type { Command } from 'commander';
import type { UndoReport } from '../control/report.ts';
import { plural } from '../language.ts';
import { type CliCommand, type CommandCall, CommandFailure, type ExitCode } from './command.ts';
import { withControl } from './open-control.ts';
import { addScope, requirePaths, type ScopeOptions, scopeFrom } from './scope.ts';

interface UndoOptions extends ScopeOptions {
  readonly run?: string;
  readonly list?: boolean;
  readonly yes?: boolean;
}

export const command: CliCommand<UndoOptions> = {
  describe(command: Command) {
    addScope(command)
      .argument('[file...]', 'only these files or folders')
      .option('--run <time>', 'an earlier run, by its time or the beginning of its time')
      .option('--list', 'list the runs that can be undone')
      .option('--yes', 'do not ask')
      .addHelpText(
        'after',
        `
Files come back as they were before the run; new ones go to the trash. A file that somebody changed since stays.
The jobs then wait until the source or the config changes, or until "retry". The memory keeps what was paid.

Examples:
  dragoman undo                      the files of the last run
  dragoman undo locales/de           the same, in one folder
  dragoman undo --list               the runs that can be undone
  dragoman undo --run 2026-10-19T08  an earlier run`,
      );
  },
  async run(call) {
    return await withControl(call, async (control, setup) => {
      const scope = scopeFrom(call, call.args, setup);
      const { runs } = await control.undo({ act: 'list', scope });
      if (call.options.list === true) return listRuns(call, runs);
      const run = chosenRun(runs, call.options.run);
      const request = { run, scope } as const;
      const priced = await control.undo({ ...request, act: 'price' });
      // A deleted file can be put back, also when its source and its job are gone.
      if (priced.files.length === 0) await requirePaths(control, scope);
      if (!call.options.json) printUndone(call, priced);
      if (priced.files.length > 0 && call.options.yes !== true) {
        const question = `Put ${plural(priced.files.length, 'file')} back as before the run of ${run}?`;
        if (!(await call.terminal.confirm(question))) {
          call.terminal.note('Nothing was changed. Add --yes to do it without a question.');
          return 2;
        }
      }
      return conclude(call, await control.undo({ ...request, act: 'undo' }));
    });
  },
};

function chosenRun(runs: readonly string[], named: string | undefined): string {
  const run = named === undefined ? runs.at(-1) : runs.findLast((each) => each.startsWith(named));
  if (run !== undefined) return run;
  throw new CommandFailure(
    1,
    named === undefined
      ? 'there is no run that wrote files'
      : `there is no run of ${named}; "dragoman undo --list" lists the runs`,
  );
}

function listRuns(
  { options, terminal }: CommandCall<UndoOptions>,
  runs: readonly string[],
): ExitCode {
  if (options.json) terminal.json({ runs });
  else if (runs.length === 0) terminal.out('There is no run that wrote files.');
  else for (const run of runs) terminal.out(run);
  return 0;
}

function printUndone(
  { terminal, cwd }: CommandCall<UndoOptions>,
  { files, left }: UndoReport,
): void {
  for (const { file, became } of files) {
    terminal.out(
      `${became === 'trashed' ? 'to the trash' : 'as before   '}  ${relative(cwd, file)}`,
    );
  }
  for (const { file, reason } of left)
    terminal.out(`stays         ${relative(cwd, file)}: ${reason}`);
}

/** @returns 2 when some files stay, since a person has to look at them */
function conclude({ options, terminal }: CommandCall<UndoOptions>, report: UndoReport): ExitCode {
  const { run, files, left } = report;
  if (options.json) terminal.json({ run, files, left });
  else
    terminal.out(
      `${plural(files.length, 'file')} undone${left.length === 0 ? '' : `, ${plural(left.length, 'file')} left as they are`}`,
    );
  return left.length === 0 ? 0 : 2;
}
