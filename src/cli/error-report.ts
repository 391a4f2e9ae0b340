/** What a command says that ended with an error: one message for people, the same as data for scripts, and the exit code. Pure. */
import { CommanderError } from 'commander';
import { type Fault, faultMessage, renderFaults } from '../config/fault.ts';
import { adviceFor, JobFailure } from '../failure.ts';
import { CommandFailure, type ExitCode, UsageError } from './command.ts';
import { exitCodeFor } from './exit-code.ts';
import { shownFrom } from './shown-paths.ts';

/** What `--json` prints as `error` where a command has no result. */
export interface ErrorReport {
  readonly exit_code: ExitCode;
  readonly message: string;
  /** What to do about it, where that is known. */
  readonly next_step: string | null;
  /** Each fault of config, glossary and style files. */
  readonly faults: readonly Pick<Fault, 'file' | 'line' | 'column' | 'message'>[];
}

/** @returns undefined for what is no error: help and version were asked for */
export function errorReport(error: unknown): ErrorReport | undefined {
  if (error instanceof CommanderError && error.exitCode === 0) return undefined;
  const faults = error instanceof CommandFailure ? error.faults : [];
  return {
    exit_code: exitCodeOf(error),
    message: messageOf(error),
    next_step: error instanceof JobFailure ? adviceFor(error.failure) : null,
    faults: faults.map((fault) => {
      const { file, line, column } = fault;
      return { file, line, column, message: faultMessage(fault) };
    }),
  };
}

/** The same in lines for people. @param cwd paths below it are shown relative to it */
export function errorLines(error: unknown, report: ErrorReport, cwd: string): string[] {
  const faults = error instanceof CommandFailure ? error.faults : [];
  return [
    `dragoman: ${shownFrom({ cwd }, report.message)}`,
    ...(faults.length === 0 ? [] : [renderFaults(faults, cwd)]),
    ...(report.next_step === null ? [] : [report.next_step]),
  ];
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommanderError || error instanceof UsageError) return 64;
  return error instanceof CommandFailure ? error.exitCode : exitCodeFor(error);
}

function messageOf(error: unknown): string {
  // Without a command the help is printed on stderr, and that is the message.
  if (error instanceof CommanderError && error.code === 'commander.help') return 'name a command';
  if (error instanceof CommanderError) return error.message.replace(/^error: /, '');
  return error instanceof Error ? error.message : String(error);
}
