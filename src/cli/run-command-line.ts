/** Finds the command that was typed, runs it, and turns whatever it throws into one message and an exit code. */
import { Command, CommanderError } from 'commander';
import { systemClock } from '../clock.ts';
import { adviceFor, JobFailure } from '../failure.ts';
import { asErrors, isJournal } from '../observe/systemd.ts';
import {
  type CliCommand,
  CommandFailure,
  type ExitCode,
  type GlobalOptions,
  UsageError,
} from './command.ts';
import { COMMANDS } from './commands.ts';
import { exitCodeFor } from './exit-code.ts';
import { addGlobalOptions } from './global-options.ts';
import { listenForSignals } from './signals.ts';
import { openTerminal } from './terminal.ts';
import { version } from './version.ts';

/** @returns the exit code of the process */
export async function runCommandLine(argv: readonly string[]): Promise<ExitCode> {
  const name = argv.find((arg) => !arg.startsWith('-'));
  const entry = name === undefined ? undefined : COMMANDS[name];
  const program = describeProgram();
  try {
    if (name === undefined || entry === undefined) {
      await program.parseAsync([...argv], { from: 'user' });
      return 0;
    }
    let code: ExitCode = 0;
    const command = (await entry.load()) as CliCommand<unknown>;
    addCommand(program, name, command, async (args, options) => {
      code = await runCommand(command, args, options);
    });
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return report(error, argv.includes('--verbose'));
  }
}

function describeProgram(): Command {
  const program = new Command('dragoman')
    .description('Drop source files into folders, get translated files back.')
    .usage('<command> [options]')
    .helpCommand(false)
    .version(version(), '--version', 'print the version')
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .action(() => program.help({ error: true }));
  program.allowExcessArguments(false);
  const visible = Object.entries(COMMANDS).filter(([, entry]) => entry.hidden !== true);
  const width = Math.max(...visible.map(([name]) => name.length));
  const lines = visible.map(([name, entry]) => `  ${name.padEnd(width)}  ${entry.summary}`);
  program.addHelpText(
    'after',
    `\nCommands:\n${lines.join('\n')}\n\n"dragoman <command> --help" shows options and examples.`,
  );
  return program;
}

type Action = (args: string[], options: GlobalOptions) => Promise<void>;

function addCommand(
  program: Command,
  name: string,
  command: CliCommand<unknown>,
  act: Action,
): void {
  const sub = program
    .command(name)
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  sub.description(COMMANDS[name]?.summary ?? '');
  command.describe(sub);
  addGlobalOptions(sub);
  sub.action(async () => act(sub.args, sub.opts<GlobalOptions>()));
}

async function runCommand(
  command: CliCommand<unknown>,
  args: readonly string[],
  options: GlobalOptions,
): Promise<ExitCode> {
  using signals = listenForSignals(process);
  return await command.run({
    args,
    options,
    terminal: openTerminal(process, options.input ? 'ask' : 'never'),
    env: process.env,
    cwd: process.cwd(),
    clock: systemClock,
    signals,
  });
}

function report(error: unknown, verbose: boolean): ExitCode {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const { env, stderr } = process;
  const say = (text: string) =>
    stderr.write(`${isJournal(env, stderr.fd) ? asErrors(text) : text}\n`);
  if (error instanceof CommanderError) {
    if (error.code !== 'commander.help') say(`dragoman: ${withoutPrefix(error.message)}`);
    return 64;
  }
  say(`dragoman: ${error instanceof Error ? error.message : String(error)}`);
  if (error instanceof JobFailure) say(adviceFor(error.failure));
  if (verbose && error instanceof Error) say(error.stack ?? '');
  if (error instanceof UsageError) return 64;
  if (error instanceof CommandFailure) return error.exitCode;
  return exitCodeFor(error);
}

function withoutPrefix(message: string): string {
  return message.replace(/^error: /, '');
}
