/** The last checks of a page before a write: tables, boxes, elements, names, lines and signs. Pure. */
import type { FramePiece } from '../../segments/frame/frame.ts';
import type { PageMerge } from './merge-pages.ts';
import type { Reader } from './open.ts';
import { verifyBoxes } from './verify-boxes.ts';
import { verifyElements, verifyLines, verifyMarks } from './verify-lines.ts';
import { verifyNames } from './verify-names.ts';
import { verifySigns } from './verify-signs.ts';
import { verifyTables } from './verify-tables.ts';

interface BothSides {
  readonly source: readonly FramePiece[];
  readonly target: readonly FramePiece[];
}

/**
 * @param seen keys of the source when it was last read; undefined at first contact
 * @throws JobFailure; then the merge is tried another way
 */
export function verifyPage(
  written: readonly FramePiece[],
  pages: BothSides,
  { seen, ...merge }: Reader & PageMerge & { readonly seen: readonly string[] | undefined },
): void {
  const { before } = merge.frame;
  const isWritten = (id: string) => merge.placements.get(id)?.kind === 'write';
  verifyTables(written, pages, { ...merge, isWritten });
  verifyBoxes(written, pages, merge);
  verifyNames(written, pages, merge);
  if (seen !== undefined) {
    verifyElements(written, pages, merge);
    verifyMarks(written, pages, merge);
  }
  if (before === undefined) return;
  verifyLines(written, pages, { ...merge, before });
  verifySigns(written, pages, merge);
}
