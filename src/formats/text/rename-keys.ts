/** Keys that the source writes differently now: written anew where they stand, before anything else, so that their entries do. */
import type { Composition } from './composition.ts';
import { type OpenFile, reread } from './open.ts';
import { splice } from './splice.ts';
import { verify } from './verify.ts';

export function renameKeys(target: OpenFile, composition: Composition): OpenFile {
  const ids = new Set(target.doc.segments.map(({ id }) => id));
  // Of a key that stands twice (`a`, `a#1`) the second would become the first.
  const isOpen = (from: string, to: string) =>
    ids.has(from) && !ids.has(to) && !ids.has(`${from}#1`);
  const open = [...(composition.renamed ?? [])].filter(([from, to]) => isOpen(from, to));
  if (open.length === 0) return target;
  const edits = target.doc.rename?.(new Map(open)) ?? [];
  if (edits.length === 0) return target;
  const renamed = reread(target, splice(target.text, edits), composition);
  const now = new Set(renamed.doc.segments.map(({ id }) => id));
  const done = new Map(open.filter(([from, to]) => now.has(to) && !now.has(from)));
  const intended = target.doc.segments.map(({ id, parts }) => ({ id: done.get(id) ?? id, parts }));
  verify(renamed, intended, composition);
  return renamed;
}
