/** A fault in a file that people write: its place, its message, and how a terminal shows it. */

import { shownFrom } from '../routes/shown-paths.ts';
import type { SettingPath } from '../setting.ts';
import { oneLine } from './one-line.ts';

export interface Fault {
  /** The path as the caller gave it; absolute for the files of a loaded config. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units, as editors count. */
  readonly column: number;
  /** `projects.webapp.targets.0`; empty when the whole file is meant. */
  readonly path: string;
  readonly message: string;
  /** The whole line of the file, for people. Absent where the line may hold a secret, or the file has no such line. */
  readonly excerpt?: string;
}

/** `projects.webapp.routes.0.from` */
export function settingPathName(path: SettingPath): string {
  return path.join('.');
}

/** By line and column, so that a person works through the file once. */
export function sortFaults(faults: readonly Fault[]): Fault[] {
  return faults.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** The setting and the message in one string: the `message` of `check --json`. */
export function faultMessage(fault: Fault): string {
  return fault.path === '' ? fault.message : `${fault.path}: ${fault.message}`;
}

/** One line, whatever the names in it hold: `dragoman.yaml:8:5 projects.webshop.targts: unknown setting; did you mean "targets"?` */
export function faultLine(fault: Fault, folder = ''): string {
  const inside = folder !== '' && fault.file.startsWith(`${folder}/`);
  const file = inside ? fault.file.slice(folder.length + 1) : fault.file;
  const message = faultMessage(fault);
  const shown = folder === '' ? message : shownFrom({ cwd: folder }, message);
  return oneLine(`${file}:${fault.line}:${fault.column} ${shown}`);
}

/**
 * All faults for a terminal. Below each fault: the line of the file, and a caret under the place.
 * @param folder absolute; files below it are shown relative to it
 */
export function renderFaults(faults: readonly Fault[], folder = ''): string {
  return faultLines(faults, folder).join('\n');
}

/** The same, line by line. */
export function faultLines(faults: readonly Fault[], folder = ''): string[] {
  return faults.flatMap((fault) => `${faultLine(fault, folder)}${caret(fault)}`.split('\n'));
}

/** UTF-16 code units. Longer lines are cut: a terminal would wrap them, and the caret would be at the wrong place. */
const EXCERPT_LENGTH = 120;

function caret(fault: Fault): string {
  if (fault.excerpt === undefined || fault.column > EXCERPT_LENGTH) return '';
  const gutter = String(fault.line).padStart(6);
  // Tabs before the place are kept, so that the caret is under it for every tab width.
  const indent = fault.excerpt.slice(0, fault.column - 1).replaceAll(/[^\t]/g, ' ');
  const blank = ' '.repeat(gutter.length);
  return `\n${gutter} | ${fault.excerpt.slice(0, EXCERPT_LENGTH)}\n${blank} | ${indent}^`;
}
