/** A conflict for people: what the source was and is, what a person wrote, what the machine has, and where each comes from. */
import { relative } from 'node:path';
import type { ConflictLine } from '../control/report.ts';
import { oneLine } from './one-line.ts';

/** @param cwd where the reader stands */
export function conflictLines(line: ConflictLine, cwd: string): string[] {
  const { from } = line;
  const row = (label: string, text: string, origin: string | null) =>
    `        ${label.padEnd(11)} ${text}${origin === null ? '' : ` (from ${origin})`}`;
  return [
    oneLine(`conflict  ${relative(cwd, line.file)} ${line.key}`),
    row('old source', line.old_source || '(not kept)', from.old_source),
    ...(line.note === null || isTold(line) ? [] : [row('note', line.note, null)]),
    row('new source', line.new_source, null),
    row('human', line.human, from.human),
    row('machine', line.machine ?? '(not bought)', from.machine),
  ];
}

/** Whether the note says no more than where the old source comes from. */
function isTold({ source_commit, from }: ConflictLine): boolean {
  return source_commit !== null && from.old_source !== null;
}
