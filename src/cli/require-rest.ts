/** Says which files of a command are left because their jobs run. */
import { relative } from 'node:path';
import { oneLine } from '../config/one-line.ts';
import { BUSY } from '../control/at-rest.ts';
import type { BusyFile } from '../control/report.ts';
import { type CommandCall, CommandFailure } from './command.ts';

const MOST_FILES = 3;

/** @throws CommandFailure 75 when there are such files */
export function requireRest({ cwd }: CommandCall, busy: readonly BusyFile[] = []): void {
  const [first, ...others] = busy;
  if (first === undefined) return;
  const shown = [first, ...others.slice(0, MOST_FILES - 1)].map(({ file }) => relative(cwd, file));
  const more = busy.length > MOST_FILES ? [`and ${busy.length - MOST_FILES} more`] : [];
  throw new CommandFailure(75, oneLine(`${[...shown, ...more].join(', ')}: ${BUSY}`));
}
