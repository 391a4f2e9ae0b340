/** The scope of a command: `--project`, `--language` and paths. */
import { existsSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Control, Scope } from '../control/control.ts';
import { isWithin } from '../files/listing.ts';
import { parseLanguage, plural } from '../language.ts';
import type { Setup } from '../plan/planner.ts';
import { didYouMean } from '../routes/suggest.ts';
import { type CommandCall, type GlobalOptions, UsageError } from './command.ts';

export interface ScopeOptions extends GlobalOptions {
  readonly project: readonly string[];
  readonly language: readonly string[];
}

export function addScope(command: Command): Command {
  return command
    .option('--project <name>', 'only this project (repeatable)', append, [])
    .option('--language <code>', 'only this target language (repeatable)', append, []);
}

/**
 * The scope of a call; its arguments name files or folders. Tells of paths outside of every project.
 * @throws UsageError for an unknown project or language, and where all paths are outside: an empty scope would make a run report that
 * everything is done
 */
export function scopeFrom(
  call: CommandCall<ScopeOptions>,
  args: readonly string[],
  setup: Setup,
): Scope {
  const scope = scopeOfScript(call, args, setup);
  const outside = pathsOutside(scope, setup);
  const [first] = outside;
  if (first !== undefined && outside.length === scope.paths.length)
    throw new UsageError(outsideWords(first));
  for (const path of outside) call.terminal.note(outsideWords(path));
  return scope;
}

/**
 * The same for a command that a hook of git gives all changed files: those outside of every project are nothing to check.
 * @throws UsageError for an unknown project or language
 */
export function scopeOfScript(
  call: CommandCall<ScopeOptions>,
  args: readonly string[],
  { config }: Setup,
): Scope {
  const { project: projects, language: languages } = call.options;
  const known = config.projects;
  const named = known.filter(({ name }) => projects.length === 0 || projects.includes(name));
  for (const name of projects) {
    requireKnown('project', name, new Set(known.map((each) => each.name)));
  }
  const targets = new Set<string>(named.flatMap((each) => each.targets));
  for (const code of languages)
    requireKnown('target language', parseLanguage(code) ?? code, targets);
  const paths = args.map((path) => resolve(call.cwd, path));
  return { projects, languages, paths };
}

/** Paths that no route reads or writes, because they are neither in the root of a project nor around it. */
export function pathsOutside({ paths }: Scope, { config }: Pick<Setup, 'config'>): string[] {
  const roots = config.projects.map(({ root }) => root);
  return paths.filter(
    (path) => !roots.some((root) => isWithin(path, root) || isWithin(root, path)),
  );
}

export function outsideWords(path: string): string {
  return `${path} is outside of every project of the config`;
}

function requireKnown(what: string, word: string, known: ReadonlySet<string>): void {
  if (known.has(word)) return;
  const suggestion = didYouMean(word, known);
  throw new UsageError(`config has no ${what} "${word}"${suggestion}`);
}

/** The paths of a call, and what tells whether they mean something. */
export interface AskedPaths {
  readonly scope: Scope;
  readonly setup: Setup;
  hasJobs(part: Scope): Promise<boolean>;
}

/**
 * Checks the paths of a scope, after a run has read all files. Tells of paths that no route reads or writes.
 * @throws UsageError for a path that neither the disk nor a job knows; a missing target is known by its job. Also where no route has any
 * of the paths: an empty scope would make a run report that everything is done
 */
export async function requireKnownPaths(
  { terminal, cwd }: Pick<CommandCall, 'terminal' | 'cwd'>,
  { scope, setup, hasJobs }: AskedPaths,
): Promise<void> {
  const [path] = await unknownPaths(scope, hasJobs);
  if (path !== undefined) throw new UsageError(unknownWords(path));
  const unrouted: string[] = [];
  for (const each of unroutedPaths(scope, setup)) {
    // A paid document whose route was removed still waits.
    if (!(await hasJobs({ ...scope, paths: [each] }))) unrouted.push(each);
  }
  const words = unroutedWords(unrouted, cwd);
  if (words === undefined) return;
  const outside = pathsOutside(scope, setup);
  if (unrouted.length + outside.length === scope.paths.length) throw new UsageError(words);
  terminal.note(words);
}

/** Existing paths inside of the root of a project that no route reads or writes. */
export function unroutedPaths({ paths }: Scope, { config, router }: Setup): string[] {
  const isRouted = (path: string) =>
    config.projects.some(({ name, root }) => {
      if (isWithin(root, path)) return true;
      if (!isWithin(path, root)) return false;
      const own = relative(root, path);
      if (statSync(path).isDirectory()) return router.enters(name, own);
      const match = router.match(name, own);
      return match.kind !== 'skipped' || !UNROUTED.has(match.because);
    });
  return paths.filter(
    (path) =>
      existsSync(path) &&
      config.projects.some(({ root }) => isWithin(path, root) || isWithin(root, path)) &&
      !isRouted(path),
  );
}

/** The files of a route that cannot be translated have messages of their own. */
const UNROUTED: ReadonlySet<string> = new Set(['no-route', 'excluded', 'state']);

/** @returns undefined for no paths. One line for all: a hook of git names every changed file */
export function unroutedWords([first, ...others]: readonly string[], cwd: string) {
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other path')}`;
  return `no route reads or writes ${relative(cwd, first)}${more}`;
}

export function unknownWords(path: string): string {
  return `${path} does not exist, and no route writes it`;
}

export async function unknownPaths(
  scope: Scope,
  hasJobs: (scope: Scope) => Promise<boolean>,
): Promise<string[]> {
  const unknown: string[] = [];
  for (const path of scope.paths) {
    if (existsSync(path) || (await hasJobs({ ...scope, paths: [path] }))) continue;
    unknown.push(path);
  }
  return unknown;
}

/** Like `requireKnownPaths`, with the jobs of the state and of the plan. */
export async function requirePaths(
  call: Pick<CommandCall, 'terminal' | 'cwd'>,
  control: Pick<Control, 'plan' | 'status'>,
  asked: Omit<AskedPaths, 'hasJobs'>,
): Promise<void> {
  const hasJobs = async (part: Scope) => {
    const { jobs } = await control.status(part);
    if (Object.values(jobs).some((count) => count > 0)) return true;
    const plan = await control.plan(part);
    return plan.jobs.length > 0;
  };
  await requireKnownPaths(call, { ...asked, hasJobs });
}

function append(value: string, values: readonly string[]): string[] {
  return [...values, value];
}
