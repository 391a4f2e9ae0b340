/** A fault of a file that people write: where it is, what is wrong, and how it is shown. */

import { shownFrom } from '../routes/shown-paths.ts';
import type { SettingPath } from '../setting.ts';

export interface Fault {
  /** As it was given to the reader; absolute for files of a loaded config. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units, as editors count. */
  readonly column: number;
  /** `projects.webapp.targets.0`; empty when the whole file is meant. */
  readonly path: string;
  readonly message: string;
  /** The line of the file, for people; absent where it may hold a secret or there is none. */
  readonly excerpt?: string;
}

/** `projects.webapp.routes.0.from` */
export function settingName(path: SettingPath): string {
  return path.join('.');
}

/** Top to bottom, so that a person works through the file once. */
export function sortFaults(faults: readonly Fault[]): Fault[] {
  return faults.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** What is wrong, with the setting it is about: the `message` of `check --json`. */
export function faultMessage(fault: Fault): string {
  return fault.path === '' ? fault.message : `${fault.path}: ${fault.message}`;
}

/** One line: `dragoman.yaml:8:5 projects.webshop.targts: unknown setting; did you mean "targets"?` */
export function faultLine(fault: Fault, folder = ''): string {
  const inside = folder !== '' && fault.file.startsWith(`${folder}/`);
  const file = inside ? fault.file.slice(folder.length + 1) : fault.file;
  const message = faultMessage(fault);
  return `${file}:${fault.line}:${fault.column} ${folder === '' ? message : shownFrom({ cwd: folder }, message)}`;
}

/**
 * All faults for a terminal: each line followed by the line of the file and a caret under the place.
 * @param folder absolute; files beneath it are shown relative to it
 */
export function renderFaults(faults: readonly Fault[], folder = ''): string {
  return faults.map((fault) => `${faultLine(fault, folder)}${caret(fault)}`).join('\n');
}

/** Longer lines are cut: a caret that wraps around points nowhere. */
const EXCERPT_LENGTH = 120;

function caret(fault: Fault): string {
  if (fault.excerpt === undefined || fault.column > EXCERPT_LENGTH) return '';
  const gutter = String(fault.line).padStart(6);
  // Tabs before the place are kept, so that the caret stands under it however wide they are.
  const indent = fault.excerpt.slice(0, fault.column - 1).replaceAll(/[^\t]/g, ' ');
  const blank = ' '.repeat(gutter.length);
  return `\n${gutter} | ${fault.excerpt.slice(0, EXCERPT_LENGTH)}\n${blank} | ${indent}^`;
}
