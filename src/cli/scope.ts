/** `--project`, `--language` and paths: what a command is narrowed to. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Scope } from '../control.ts';
import type { Call, GlobalOptions } from './command.ts';

export interface ScopeOptions extends GlobalOptions {
  readonly project: readonly string[];
  readonly language: readonly string[];
}

export function addScope(command: Command): Command {
  return command
    .option('--project <name>', 'only this project (repeatable)', append, [])
    .option('--language <code>', 'only this target language (repeatable)', append, []);
}

/** The scope of a call; `paths` are its arguments that name files or folders. */
export function scopeOf(call: Call<ScopeOptions>, paths: readonly string[]): Scope {
  return {
    projects: call.options.project,
    languages: call.options.language,
    paths: paths.map((path) => resolve(call.cwd, path)),
  };
}

function append(value: string, values: readonly string[]): string[] {
  return [...values, value];
}
