/** `dragoman restore`: brings back a file from the trash, or the ledger of an earlier day. */
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { ALONE } from '../files/right.ts';
import { Backups } from '../state/backup.ts';
import { holdState } from '../state/damage.ts';
import { Trash, trashFolders } from '../state/trash.ts';
import {
  type CliCommand,
  type CommandCall,
  CommandFailure,
  type ExitCode,
  type GlobalOptions,
  UsageError,
} from './command.ts';
import { requireYes } from './consent.ts';
import { openConfig } from './open-config.ts';

interface RestoreOptions extends GlobalOptions {
  readonly list?: boolean;
  /** True without a day. */
  readonly ledger?: string | true;
  readonly yes?: boolean;
}

export const command: CliCommand<RestoreOptions> = {
  describe(command: Command) {
    command
      .argument('[file]', 'the file, by its old path')
      .option('--list', 'list the trash, and the days that have a copy of the ledger')
      .option('--ledger [day]', 'bring back the ledger of a day (default: the newest copy)')
      .option('--yes', 'do not ask')
      .addHelpText(
        'after',
        `
A ledger of an earlier day does not know what was paid since then: documents and recordings without a target are held,
strings come from the memory. The files that it replaces are kept in the state folder.

Examples:
  dragoman restore locales/de/app.json    the newest copy that went to the trash
  dragoman restore --list
  dragoman restore --ledger 2026-10-19`,
      );
  },
  async run(call) {
    const { config } = await openConfig(call);
    if (call.options.list === true) return await listBackups(call, config);
    if (call.options.ledger !== undefined) return await restoreLedger(call, config);
    return await restoreFile(call, config);
  },
};

async function listBackups(
  { options, terminal, clock, cwd }: CommandCall<RestoreOptions>,
  config: Config,
): Promise<ExitCode> {
  const roots = new Map(config.projects.map(({ name, root }) => [name, root]));
  const trash = (await trashOf(config, clock).list()).map(({ day, project, path }) => ({
    day: day.slice(0, '2026-10-19'.length),
    file: join(roots.get(project) ?? project, path),
  }));
  const ledgers = await new Backups(config.state, clock).days();
  if (options.json) {
    terminal.json({ trash, ledgers });
    return 0;
  }
  for (const { day, file } of trash) terminal.out(`${day}  ${relative(cwd, file)}`);
  for (const day of ledgers) terminal.out(`${day}  (ledger)`);
  if (trash.length + ledgers.length === 0)
    terminal.out('The trash is empty, and there is no copy of the ledger.');
  return 0;
}

async function restoreFile(call: CommandCall<RestoreOptions>, config: Config): Promise<ExitCode> {
  const [name] = call.args;
  if (name === undefined) throw new UsageError('name a file, or add --list or --ledger');
  const file = resolve(call.cwd, name);
  const trash = trashOf(config, call.clock);
  for (const { name: project, root } of config.projects) {
    const path = relative(root, file);
    if (path.startsWith('..') || !(await trash.restore({ project, path }, root))) continue;
    if (call.options.json) call.terminal.json({ restored: file });
    else call.terminal.out(`restored ${name}`);
    return 0;
  }
  throw new CommandFailure(1, `${name} is not in the trash`);
}

async function restoreLedger(
  call: CommandCall<RestoreOptions>,
  { state }: Config,
): Promise<ExitCode> {
  const { options, terminal, clock } = call;
  await using _lock = await holdState(state, clock, { isCommand: true });
  const backups = new Backups(state, clock);
  const day = chosenDay(await backups.days(), options.ledger);
  const question = `Put the ledger of ${day} in place of the present one?`;
  await requireYes(call, { question, otherwise: 'Nothing was changed' });
  await backups.restore(day);
  if (options.json) terminal.json({ restored: day });
  else terminal.out(`The ledger of ${day} is in place; "dragoman status" says what needs you.`);
  return 0;
}

function chosenDay(days: readonly string[], wanted: string | true | undefined): string {
  const day = typeof wanted === 'string' ? days.find((each) => each === wanted) : days.at(-1);
  if (day !== undefined) return day;
  const there = days.length === 0 ? 'there is none yet' : `there are: ${days.join(', ')}`;
  throw new CommandFailure(
    1,
    `no copy of the ledger${typeof wanted === 'string' ? ` of ${wanted}` : ''}: ${there}`,
  );
}

function trashOf(config: Config, clock: CommandCall['clock']): Trash {
  return new Trash(trashFolders(config), clock, ALONE);
}
