/** Everything that needs a person, short enough for a screen: the first of each kind in full, the others as a number. */

import { join, relative } from 'node:path';
import { oneLine } from '../config/one-line.ts';
import { type AttentionLine, nameOfProject, type Task } from '../control/report.ts';
import { shellWords } from '../job.ts';
import { inEnglish } from '../language.ts';
import type { Setup } from '../plan/planner.ts';
import { shownFrom } from '../routes/shown-paths.ts';
import type { CommandCall } from './command.ts';
import type { Terminal } from './terminal.ts';

/** The folder of the person: paths are shown relative to it, so that they can be typed there. */
export interface Standpoint {
  readonly cwd: string;
  /** Folder of the config. */
  readonly base?: string;
  /** Absolute roots of the projects, by name. */
  readonly roots: ReadonlyMap<string, string>;
}

export function standpointOf({ cwd }: Pick<CommandCall, 'cwd'>, { config }: Setup): Standpoint {
  return {
    cwd,
    base: config.base,
    roots: new Map(config.projects.map(({ name, root }) => [name, root])),
  };
}

/** One job or task that needs a person, with its reason and a command. */
export interface ShownAttention {
  readonly state: AttentionLine['state'];
  readonly what: string;
  readonly details: readonly string[];
}

/** Number of failures of one project that are shown in full, since each has its own reason. Of every other kind, one is shown. */
const FAILURES = 3;

/** The first tasks of each kind and project, with the number of those that are not shown. */
export function attentionDigest(tasks: readonly Task[], from: Standpoint): ShownAttention[] {
  const kinds = Map.groupBy(tasks, ({ key, project }) => `${project}\n${key.split('\n', 1)[0]}`);
  return [...kinds.values()].flatMap((alike) => {
    const isFailed = alike[0]?.state === 'failed';
    const first = alike.slice(0, isFailed ? FAILURES : 1);
    const shown = first.map((task) => taskLines(task, from));
    const last = shown.at(-1);
    const others = alike.length - first.length;
    if (last === undefined || others === 0) return shown;
    const price = priceSuffix(isFailed ? alike.slice(FAILURES) : alike, ' in all');
    const more = isFailed
      ? `and ${inEnglish(others)} more failed for other reasons`
      : `and ${inEnglish(others)} more like it`;
    return [...shown.slice(0, -1), { ...last, details: [...last.details, `${more}${price}`] }];
  });
}

function taskLines(task: Task, from: Standpoint): ShownAttention {
  const root = from.roots.get(task.project) ?? '';
  const target = relative(from.base ?? root, task.file);
  const [source = '', ...others] = task.sources.lines;
  const also = task.sources.total - 1;
  const first = source === '*' ? nameOfProject(task.project) : seen(join(root, source), from);
  const what = others.length === 0 ? first : `${first} and ${inEnglish(also)} more`;
  const into = task.languages.length === 0 ? '' : ` -> ${task.languages.join(' ')}`;
  return {
    state: task.state,
    what: oneLine(`${what}${into}${priceSuffix([task])}`),
    details: details(task, {
      ...{ target, shown: seen(task.file, from), from, daemons: task.daemons ?? [] },
    }),
  };
}

/** One job, for a list of all. */
export function attentionLine(line: AttentionLine, from: Standpoint): ShownAttention {
  const root = from.roots.get(line.project) ?? '';
  const shown = seen(join(root, line.target), from);
  const source =
    line.source === '*' ? nameOfProject(line.project) : seen(join(root, line.source), from);
  const into = line.language === '*' ? '' : ` -> ${line.language}`;
  return {
    state: line.state,
    what: oneLine(`${source}${into}${priceSuffix([line])}`),
    details: details(line, {
      ...{ target: line.target, shown, from },
      daemons: line.daemon === undefined ? [] : [line.daemon],
    }),
  };
}

interface NamedTarget {
  /** The path that `next_step` names: relative to the project's root; for a task, relative to the folder of the config. */
  readonly target: string;
  readonly shown: string;
  readonly from: Standpoint;
  /** The daemons in which it failed. */
  readonly daemons: readonly string[];
}

function details(
  { reason, next_step }: Pick<AttentionLine, 'reason' | 'next_step'>,
  { target, shown, from, daemons }: NamedTarget,
): string[] {
  const [named, own] = [shellWords(target), shellWords(shown)];
  const typed = target === '' ? next_step : next_step.replaceAll(` ${named}`, ` ${own}`);
  const where = daemons.length === 0 ? '' : `, on ${daemons.join(', ')}`;
  return [oneLine(`${shownFrom(from, reason)}${where}`), oneLine(typed)];
}

/** Prints each entry: what, why, which command helps. */
export function printAttention(shown: readonly ShownAttention[], terminal: Terminal): void {
  for (const { state, what, details } of shown) {
    const mark = terminal.style(state === 'failed' ? 'red' : 'yellow', state.padEnd(6));
    terminal.out(`${mark}  ${what}`);
    for (const detail of details) terminal.out(`        ${detail}`);
  }
}

/** `2 held`, `1 failed`; empty when there is none. */
export function countAttention(lines: readonly Pick<AttentionLine, 'state'>[]): string[] {
  return (['held', 'failed'] as const).flatMap((state) => {
    const found = lines.filter((line) => line.state === state).length;
    return found === 0 ? [] : [`${inEnglish(found)} ${state}`];
  });
}

/** A path relative to the folder of the person. */
export function seen(path: string, { cwd }: Standpoint): string {
  return relative(cwd, path);
}

function priceSuffix(
  priced: readonly Pick<AttentionLine, 'price_characters'>[],
  suffix = '',
): string {
  const sum = priced.reduce((total, { price_characters }) => total + (price_characters ?? 0), 0);
  return sum === 0 ? '' : `, ${inEnglish(sum)} characters${suffix}`;
}
