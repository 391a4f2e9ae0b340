/** A conflict as lines for people: the old and new source, the person's text, the machine's text, and where each comes from. */
import { relative } from 'node:path';
import { oneLine } from '../config/one-line.ts';
import type { ConflictLine } from '../control/report.ts';

/** @param cwd folder that the path is shown relative to */
export function conflictLines(line: ConflictLine, cwd: string): string[] {
  const { from, key } = line;
  // `resolve` takes the key also where it is a hash.
  const name = line.name === undefined ? key : `${line.name} (${key})`;
  const row = (label: string, text: string, origin: string | null) =>
    `        ${label.padEnd(11)} ${text}${origin === null ? '' : ` (from ${origin})`}`;
  return [
    oneLine(`conflict  ${relative(cwd, line.file)} ${name}`),
    row('old source', line.old_source || '(not known here)', from.old_source),
    ...(line.note === null || isAlreadyNamed(line) ? [] : [row('note', line.note, null)]),
    row('new source', line.new_source, null),
    row('human', line.human, from.human),
    row('machine', line.machine ?? '(not bought)', from.machine),
  ];
}

/** Whether the note only repeats where the old source comes from. */
function isAlreadyNamed({ source_commit, from }: ConflictLine): boolean {
  return source_commit !== null && from.old_source !== null;
}
