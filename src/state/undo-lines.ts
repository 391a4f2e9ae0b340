/** The lines in which a run's undo log says what was replaced, and what was put back. */
import { appendFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { atOnce } from '../files/at-once.ts';
import { writeFailure } from '../files/disk.ts';
import { readText } from '../files/read-file.ts';
import type { Replacing, TextsBefore } from './undo.ts';

export type ReplacedTarget = Pick<Replacing, 'project' | 'path'>;

export type UndoEntry =
  | Replacing
  | { readonly tookBack: ReplacedTarget }
  | { readonly spoke: TextsBefore };

type UndoRecord = Exclude<UndoEntry, { readonly tookBack: ReplacedTarget }>;

/** A line with the number of its file, and its time. */
interface Logged<Of> {
  readonly line: Of;
  readonly log: number;
  readonly at: number;
}

/** The file of a run. When several daemons write, each has a file with this name and a tag. */
const LOG = 'log.jsonl';
const LOGS = /^log(\.[0-9a-f]+)?\.jsonl$/;

/** The lines of a run in order, from all its files, without those that were undone. */
export async function readUndoLines(folder: string): Promise<Logged<UndoRecord>[]> {
  const names = await readdir(folder).catch(() => []);
  const logs = names.filter((name) => LOGS.test(name));
  const texts = await Promise.all(logs.map((name) => readText(join(folder, name))));
  const all = texts.flatMap((text, log) => linesIn(text, log));
  return stillWritten(all.toSorted((a, b) => a.at - b.at));
}

/** The lines of one file. If the clock of its daemon was set back, a line has the time of the line before. */
function linesIn(text: string, log: number): Logged<UndoEntry>[] {
  let latest = 0;
  // A process that was killed may have left an incomplete last line. It had not replaced anything for that line yet.
  return text
    .split('\n')
    .slice(0, -1)
    .map((json) => {
      const { at = 0, ...line } = JSON.parse(json) as UndoEntry & { readonly at?: number };
      latest = Math.max(latest, at);
      return { line: line as UndoEntry, log, at: latest };
    });
}

function stillWritten(lines: readonly Logged<UndoEntry>[]): Logged<UndoRecord>[] {
  let kept: Logged<UndoRecord>[] = [];
  for (const { line, ...logged } of lines) {
    if (!('tookBack' in line)) kept.push({ line, ...logged });
    else {
      const { project, path } = line.tookBack;
      kept = kept.filter(({ line: each }) => {
        const place = 'spoke' in each ? each.spoke : each;
        return place.project !== project || place.path !== path;
      });
    }
  }
  return kept;
}

/**
 * @param tag of a process, where several write
 * @param at milliseconds since 1970, where several write
 * @throws JobFailure `unwritable`, `disk-full`
 */
export async function addUndoLine(
  folder: string,
  line: UndoEntry,
  { tag = '', at }: { readonly tag?: string; readonly at?: number } = {},
): Promise<void> {
  const log = join(folder, LOG.replace('.', `${tag}.`));
  const text = `${JSON.stringify({ ...line, at })}\n`;
  try {
    await atOnce(() => appendFileSync(log, text, { mode: 0o600 }));
  } catch (error) {
    throw writeFailure(log, error);
  }
}
