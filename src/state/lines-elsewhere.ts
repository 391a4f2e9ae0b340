/**
 * Lines of the lock that are in the file of another project than the one that has their source now. The project was renamed, merged or split,
 * or its routes or its root changed. Their statements count for the place of the source, until a run has moved them.
 */
import type { Statement } from '../segments/statements.ts';
import type { LockText } from './lock-text.ts';

/** Lines of one file of the lock that belong into another one. */
export interface LinesElsewhere {
  /** Absolute path of the file that has them. */
  readonly file: string;
  /** The path that the lines have for a source, by its path in the project that has the source now. */
  readonly paths: ReadonlyMap<string, string>;
}

/** The same, with the sections of the file that has them. */
interface SectionsElsewhere extends Pick<LinesElsewhere, 'paths'> {
  readonly sections: LockText['sections'];
}

/** By the absolute path of the file that the lines belong into. */
export type ElsewhereByFile = ReadonlyMap<string, readonly LinesElsewhere[]>;

const NONE: ElsewhereByFile = new Map();
const byFolder = new Map<string, ElsewhereByFile>();

/** Sets where the lines of a lock are, for all of this thread. @param folder of the lock, absolute */
export function setLinesElsewhere(folder: string, lines: ElsewhereByFile): void {
  if (lines.size === 0) byFolder.delete(folder);
  else byFolder.set(folder, lines);
}

export function linesElsewhere(folder: string): ElsewhereByFile {
  return byFolder.get(folder) ?? NONE;
}

/** The sections of a file, and those that others have for it. The units of a source with another path there are those of that path. */
export function joinedSections(
  own: LockText['sections'] | undefined,
  others: readonly SectionsElsewhere[],
): LockText['sections'] {
  const joined = new Map<string, readonly Statement[]>(own);
  for (const { paths, sections } of others) {
    for (const [source, there] of paths) {
      const lines = sections.get(there) ?? [];
      if (lines.length > 0) joined.set(source, [...(joined.get(source) ?? []), ...lines]);
    }
  }
  return joined;
}

/**
 * The sections of a file with the lines that others have for it. Lines of a source with another path there come only with its job, which has
 * the keys of its texts.
 */
export function withLinesTaken(
  own: LockText['sections'] | undefined,
  others: readonly SectionsElsewhere[],
): LockText['sections'] {
  const samePaths = others.map(({ paths, sections }) => {
    return { paths: new Map([...paths].filter(([now, then]) => now === then)), sections };
  });
  return joinedSections(own, samePaths);
}
