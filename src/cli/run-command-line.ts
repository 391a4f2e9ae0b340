/** Finds and runs the typed command, and turns an error into one message and an exit code. */
import { dirname, resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { type Clock, systemClock } from '../clock.ts';
import { type Fault, faultMessage, renderFaults } from '../config/fault.ts';
import { findConfig } from '../config/load.ts';
import { oneLine } from '../config/one-line.ts';
import type { Config } from '../config.ts';
import { adviceFor, type Failure, JobFailure } from '../failure.ts';
import { endHashingAt } from '../files/disk.ts';
import { tellSlowPrograms } from '../files/program.ts';
import { asErrors, isJournal } from '../observe/systemd.ts';
import { type ReaderFolders, sentencesFrom, shownFrom } from '../routes/shown-paths.ts';
import { didYouMean } from '../routes/suggest.ts';
import { VERSION } from '../service/version.ts';
import { asStateFailure, firstError } from '../state/state-disk.ts';
import {
  type CliCommand,
  CommandFailure,
  type ExitCode,
  type GlobalOptions,
  type PaidWork,
  UsageError,
} from './command.ts';
import { COMMANDS } from './commands.ts';
import { endedBySignal, listenForSignals } from './ending.ts';
import { exitCodeFor } from './exit-code.ts';
import { addGlobalOptions } from './global-options.ts';
import { type CommandOutput, openTerminal, shownOn, workOnWithoutOutput } from './terminal.ts';

/** The parts of the process that commands use; tests pass their own. */
export type Host = Pick<
  NodeJS.Process,
  'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd' | 'on' | 'off'
> & {
  readonly clock?: Clock;
  /** Ends the process although work goes on. Absent: it goes on behind the result. */
  readonly exit?: (code: ExitCode) => void;
};

/**
 * @param argv arguments after the name of the program
 * @param early takes the signals that came before, once the command listens
 * @returns the exit code of the process
 */
export async function runCommandLine(
  argv: readonly string[],
  host: Host = process,
  early: () => readonly NodeJS.Signals[] = () => [],
): Promise<ExitCode> {
  // Before anything is printed, help included.
  const output = workOnWithoutOutput(host);
  const call: CommandLineCall = {
    argv,
    host,
    output,
    early,
    place: { cwd: workingFolder(host) ?? '/' },
  };
  const ended = await runTyped(call);
  await new Promise((resolve) => setImmediate(resolve)); // the error of the last line comes after it
  const fault = output.fault();
  if (fault !== undefined) {
    host.stderr.write(`dragoman: the output could not be written: ${fault.message}\n`);
  }
  // A result that nobody has, because the disk of its file is full, is no success.
  const code = fault !== undefined && ended === 0 ? 1 : ended;
  if (call.isStopped) host.exit?.(code);
  return code;
}

async function runTyped(call: CommandLineCall): Promise<ExitCode> {
  const { argv } = call;
  const name = argv.find((arg) => !arg.startsWith('-'));
  const entry = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const program = describeProgram();
  try {
    if (name === undefined || entry === undefined) {
      if (name !== undefined && name === argv[0]) throw unknownCommand(name);
      await program.parseAsync([...argv], { from: 'user' });
      return 0;
    }
    let code: ExitCode = 0;
    const command = (await entry.load()) as CliCommand<unknown>;
    addCommand(program, name, command, async (args, options) => {
      code = await runCommand(command, args, { options, call });
    });
    await program.parseAsync([...argv], { from: 'user' });
    if (call.answer !== undefined) printJson(call.answer, call);
    return code;
  } catch (error) {
    const { config } = call;
    const first = asStopped(firstError(error));
    return report(config === undefined ? first : asStateFailure(first, config), call);
  }
}

/** A signal that ends a wait has an error of its own. */
function asStopped(error: unknown): unknown {
  const isBySignal = error instanceof DOMException && error.name === 'AbortError';
  return isBySignal ? new JobFailure({ kind: 'stopped' }, { cause: error }) : error;
}

interface CommandLineCall {
  readonly argv: readonly string[];
  readonly host: Host;
  readonly output: CommandOutput;
  readonly early: () => readonly NodeJS.Signals[];
  /** The result with `--json`, until the command has ended: an error of its end is printed in the same object. */
  answer?: object;
  /** A signal came: no work that is left, whatever it is, keeps the process alive after the result. */
  isStopped?: boolean;
  /** The folder of the person, and the folder of the config as soon as the options are read. */
  readonly place: { readonly cwd: string; base?: string | undefined };
  /** The config, as soon as it is read. */
  config?: Config;
}

function unknownCommand(name: string): UsageError {
  const visible = Object.entries(COMMANDS).filter(([, { hidden }]) => hidden !== true);
  const suggestion = didYouMean(
    name,
    visible.map(([known]) => known),
  );
  return new UsageError(
    `unknown command "${name}"${suggestion}${suggestion === '' ? '; ' : ' '}"dragoman --help" lists them`,
  );
}

function describeProgram(): Command {
  const program = new Command('dragoman')
    .description('Drop source files into folders, get translated files back.')
    .usage('<command> [options]')
    .helpCommand(false)
    .version(VERSION, '--version', 'print the version')
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

type CommandAction = (args: string[], options: GlobalOptions) => Promise<void>;

function addCommand(
  program: Command,
  name: string,
  command: CliCommand<unknown>,
  act: CommandAction,
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
  { options, call }: { options: GlobalOptions; call: CommandLineCall },
): Promise<ExitCode> {
  const { host } = call;
  const unread = command.endsUnread && call.output.unread;
  using signals = listenForSignals(host, { early: call.early, ...(unread && { unread }) });
  using _ = endHashingAt(signals.abort);
  const terminal = openTerminal(host, options.input ? 'ask' : 'never');
  const { env } = host;
  const { place } = call;
  const note = (line: string) => terminal.note(oneLine(shownFrom(place, line)));
  using __ = tellSlowPrograms(note);
  const cwd = workingFolder(host);
  if (cwd === undefined)
    throw new CommandFailure(78, 'the folder that you are in was removed: go to another folder');
  place.base = baseOf(options, cwd);
  const paidWork: PaidWork[] = [];
  const clock = host.clock ?? systemClock;
  const running = command.run({
    args,
    options,
    terminal: {
      ...terminal,
      json: (value) => {
        if (command.endsUnread) printJson(value, call);
        else call.answer = value as object;
      },
      note,
    },
    stderr: host.stderr,
    env,
    cwd,
    clock,
    signals,
    noteConfig: (config) => {
      call.config = config;
    },
    notePaidWork: (work) => paidWork.push(work),
  });
  try {
    return await endedBySignal(running, { command, signals, clock, paidWork: () => paidWork });
  } finally {
    call.isStopped = signals.drain.aborted;
  }
}

/** The folder of the person; undefined when it was removed. */
function workingFolder(host: Host): string | undefined {
  try {
    return host.cwd();
  } catch {
    return undefined;
  }
}

/** The folder of the config; undefined when there is none. */
function baseOf({ config }: GlobalOptions, cwd: string): string | undefined {
  const file = config === undefined ? findConfig(cwd) : resolve(cwd, config);
  return file === undefined ? undefined : dirname(file);
}

function printJson(value: unknown, { host: { stdout }, place }: CommandLineCall): void {
  const text = JSON.stringify(sentencesFrom(place, value), null, 2);
  stdout.write(`${shownOn(stdout, text)}\n`);
}

function report(error: unknown, call: CommandLineCall): ExitCode {
  const { argv, host, place, answer } = call;
  const shown = errorReport(error);
  if (shown === undefined) return 0;
  const { env, stderr } = host;
  if (argv.includes('--json')) printJson({ ...answer, error: shown }, call);
  const say = (text: string) =>
    stderr.write(`${isJournal(env, stderr.fd) ? asErrors(text) : shownOn(stderr, text)}\n`);
  // After the help, which commander printed, no message is needed.
  const isHelp = error instanceof CommanderError && error.code === 'commander.help';
  if (!isHelp) for (const line of errorLines(error, shown, place)) say(line);
  if (argv.includes('--verbose') && error instanceof Error) say(error.stack ?? '');
  return shown.exit_code;
}

// The report of an error: a message for people, the same as data for scripts, and the exit code.

/** The `error` that `--json` prints when a command has no result. */
interface ErrorReport {
  readonly exit_code: ExitCode;
  readonly message: string;
  /** Advice; null when there is none. */
  readonly next_step: string | null;
  /** Each fault of config, glossary and style files. */
  readonly faults: readonly Pick<Fault, 'file' | 'line' | 'column' | 'message'>[];
}

/** @returns undefined when help or version was asked for, which is not an error */
export function errorReport(error: unknown): ErrorReport | undefined {
  if (error instanceof CommanderError && error.exitCode === 0) return undefined;
  const faults = error instanceof CommandFailure ? error.faults : [];
  return {
    exit_code: exitCodeOf(error),
    message: messageOf(error),
    next_step: error instanceof JobFailure ? nextStep(error.failure) : null,
    faults: faults.map((fault) => {
      const { file, line, column } = fault;
      return { file, line, column, message: faultMessage(fault) };
    }),
  };
}

function nextStep(failure: Failure): string {
  return failure.kind === 'stopped' ? 'Give the command again.' : adviceFor(failure);
}

/** The report as lines for people. */
export function errorLines(error: unknown, report: ErrorReport, place: ReaderFolders): string[] {
  const faults = error instanceof CommandFailure ? error.faults : [];
  return [
    `dragoman: ${shownFrom(place, report.message)}`,
    ...(faults.length === 0 ? [] : [renderFaults(faults, place.cwd)]),
    ...(report.next_step === null ? [] : [report.next_step]),
  ];
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommanderError || error instanceof UsageError) return 64;
  return error instanceof CommandFailure ? error.exitCode : exitCodeFor(error);
}

function messageOf(error: unknown): string {
  // Without a command, commander prints the help on stderr; this message is for `--json`.
  if (error instanceof CommanderError && error.code === 'commander.help') return 'name a command';
  if (error instanceof CommanderError) return error.message.replace(/^error: /, '');
  return error instanceof Error ? error.message : String(error);
}
