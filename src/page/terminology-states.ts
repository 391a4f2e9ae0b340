/** Glossaries and style lists, each with whether it was equal to its file when they were last compared. */

import type { TerminologyLine } from '../control/report.ts';
import type { Remote } from '../sync/remote.ts';

/** A glossary or style list with its state; `unknown`: not compared since the start. */
export interface TerminologyState extends TerminologyLine {
  readonly state: 'equal' | 'differs' | 'unknown';
}

export function terminologyStates(
  lines: readonly TerminologyLine[],
  remote: Pick<Remote, 'isDifferent'>,
): TerminologyState[] {
  return lines.map((line) => ({ ...line, state: stateOf(line, remote) }));
}

function stateOf(
  { kind, file }: TerminologyLine,
  remote: Pick<Remote, 'isDifferent'>,
): TerminologyState['state'] {
  const isDifferent = file === null ? undefined : remote.isDifferent({ kind, file });
  if (isDifferent === undefined) return 'unknown';
  return isDifferent ? 'differs' : 'equal';
}
