/** `dragoman undo`: puts the files that a run wrote back as they were before. Shows them and asks first. */

import { relative } from 'node:path';
import type { Command } from 'commander';
import { oneLine } from '../config/one-line.ts';
import type { UndoReport, UndoRunChanges } from '../control/report.ts';
import { plural } from '../language.ts';
import { type CliCommand, type CommandCall, CommandFailure, type ExitCode } from './command.ts';
import { requireYes } from './consent.ts';
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
      .option('--list', 'list the runs that can be undone, with what each of them wrote')
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
      if (call.options.list === true) {
        return listRuns(call, await control.undo({ act: 'changes', scope }));
      }
      const { runs } = await control.undo({ act: 'list', scope });
      const run = chosenRun(runs, call.options.run);
      const request = { run, scope } as const;
      const priced = await control.undo({ ...request, act: 'price' });
      // A deleted file can be put back, also when its source and its job are gone.
      if (priced.files.length === 0) await requirePaths(call, control, { scope, setup });
      if (!call.options.json) printUndone(call, priced);
      if (priced.files.length > 0) {
        const question = `Put ${plural(priced.files.length, 'file')} back as before the run of ${run}?`;
        await requireYes(call, { question, otherwise: 'Nothing was changed' });
      }
      return conclude(call, await control.undo({ ...request, act: 'undo' }));
    });
  },
};

function chosenRun(runs: readonly string[], named: string | undefined): string {
  // A line of the list is taken too.
  const [time = ''] = named?.trim().split(/\s/) ?? [];
  const run = named === undefined ? runs.at(-1) : runs.findLast((each) => each.startsWith(time));
  if (run !== undefined) return run;
  throw new CommandFailure(
    1,
    named === undefined
      ? 'there is no run that wrote files'
      : `there is no run of ${named}; "dragoman undo --list" lists the runs`,
  );
}

function listRuns(
  { options, terminal, cwd }: CommandCall<UndoOptions>,
  { runs, changes = [] }: UndoReport,
): ExitCode {
  if (options.json) terminal.json({ runs, changes });
  else if (runs.length === 0) terminal.out('There is no run that wrote files.');
  else for (const each of changes) terminal.out(`${each.run}  ${changesIn(each, cwd)}`);
  return 0;
}

const WRITERS = { run: 'run', import: 'import or mark', review: 'page' } as const;
const MOST_FILES = 3;

/** `import or mark: 5 texts in 2 files (locales/de.json, locales/fr.json)` */
function changesIn({ by, files, texts }: UndoRunChanges, cwd: string): string {
  const shown = files.slice(0, MOST_FILES).map((file) => relative(cwd, file));
  const more = files.length > MOST_FILES ? [`and ${files.length - MOST_FILES} more`] : [];
  const names = files.length === 0 ? '' : ` (${[...shown, ...more].join(', ')})`;
  const what = texts === null ? '' : `${plural(texts, 'text')} in `;
  return oneLine(`${WRITERS[by]}: ${what}${plural(files.length, 'file')}${names}`);
}

function printUndone(
  { terminal, cwd }: CommandCall<UndoOptions>,
  { files, left }: UndoReport,
): void {
  for (const { file, became } of files) {
    const where = became === 'trashed' ? 'to the trash' : 'as before   ';
    terminal.out(oneLine(`${where}  ${relative(cwd, file)}`));
  }
  for (const { file, reason } of left) {
    terminal.out(oneLine(`stays         ${relative(cwd, file)}: ${reason}`));
  }
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
