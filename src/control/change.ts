/** The changes of the last run in a target: compares the replaced copy with the present target, line by line. */
import { join } from 'node:path';
import { hashBytes, readBytes, readBytesIfPresent } from '../files/disk.ts';
import { commonSubsequence } from '../segments/subsequence.ts';
import type { Replacing } from '../state/undo.ts';
import type { ChangeRequest } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import type { ChangeLine, ChangeReport } from './report.ts';

/** Bytes. A larger file is not compared. */
const MOST_COMPARED_BYTES = 2 * 1024 * 1024;
/** The most lines that are shown, and how many unchanged lines are shown around changes. */
const MOST_LINES = 400;
const AROUND = 2;

export async function changeOf(
  options: LocalControlOptions,
  { project, file }: ChangeRequest,
): Promise<ChangeReport> {
  const root = options.inForce.planner.project(project)?.root;
  const last = await lastReplacing(options, project, (path) => join(root ?? '', path) === file);
  if (root === undefined || last === undefined) return { kind: 'unknown', lines: [], more: 0 };
  const { run, replacing } = last;
  const now = await readBytesIfPresent(file, MOST_COMPARED_BYTES);
  if (now === undefined) return { kind: 'gone', lines: [], more: 0 };
  const before =
    replacing.old === null
      ? new Uint8Array()
      : (await readBytes(options.undo.pathOf(run, replacing.old.file), MOST_COMPARED_BYTES)).bytes;
  const [old, text] = [textIn(before), textIn(now.bytes)];
  if (old === undefined || text === undefined) return { kind: 'no-text', lines: [], more: 0 };
  const lines = changedLines(linesIn(old), linesIn(text));
  const kind = hashBytes(now.bytes) === replacing.wrote ? 'as-written' : 'changed-since';
  return { kind, lines: lines.slice(0, MOST_LINES), more: Math.max(0, lines.length - MOST_LINES) };
}

async function lastReplacing(
  { undo }: LocalControlOptions,
  project: string,
  isMeant: (path: string) => boolean,
): Promise<{ run: string; replacing: Replacing } | undefined> {
  for (const run of (await undo.runs()).toReversed()) {
    const replacing = (await undo.replacings(run)).findLast(
      (each) => each.project === project && isMeant(each.path),
    );
    if (replacing !== undefined) return { run, replacing };
  }
  return undefined;
}

function linesIn(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Undefined when the bytes are not text. */
function textIn(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The changed lines with unchanged lines around them; a gap is a line of its own kind. */
export function changedLines(before: readonly string[], now: readonly string[]): ChangeLine[] {
  const all: ChangeLine[] = [];
  let [a, b] = [0, 0];
  const common = commonSubsequence(before, now);
  for (const at of [...common, { a: before.length, b: now.length }]) {
    for (; a < at.a; a++) all.push({ kind: 'removed', text: before[a] ?? '' });
    for (; b < at.b; b++) all.push({ kind: 'added', text: now[b] ?? '' });
    if (at.a < before.length && at.b < now.length) all.push({ kind: 'same', text: now[b] ?? '' });
    [a, b] = [at.a + 1, at.b + 1];
  }
  const near = new Set<number>();
  for (const [index, { kind }] of all.entries()) {
    if (kind === 'same') continue;
    for (let at = index - AROUND; at <= index + AROUND; at++) near.add(at);
  }
  return all.flatMap((line, index) => {
    if (near.has(index)) return [line];
    return near.has(index - 1) && index < all.length - 1 ? [{ kind: 'gap', text: '' }] : [];
  });
}
