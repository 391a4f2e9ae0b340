/**
 * Lines of the lock that are in the file of another project than the one that has their source now. The project was renamed, merged or split,
 * or its routes or its root changed. Their statements count for the place of the source, until a run has moved them.
 */
import type { Statement } from '../segments/statements.ts';
import type { Sections } from './lock-text.ts';

/** Lines of one file of the lock that belong into another one. */
export interface LinesOfFile {
  /** Absolute path of the file that has them. */
  readonly file: string;
  /** The path that the lines have for a source, by its path in the project that has the source now. */
  readonly paths: ReadonlyMap<string, string>;
}

/** The same, with the sections of the file that has them. */
interface SectionsElsewhere extends Pick<LinesOfFile, 'paths'> {
  readonly sections: Sections;
}

/** By the absolute path of the file that the lines belong into. */
export type ElsewhereByFile = ReadonlyMap<string, readonly LinesOfFile[]>;

/** The files of the lock, by absolute paths. */
interface FilesOfLock {
  /** Undefined: there is no file. */
  sectionsIn(path: string): Promise<Sections | undefined>;
  /** @returns whether the file was written; `decide` gets what it has now, and undefined from it changes nothing */
  changeAt(
    path: string,
    decide: (own: Sections | undefined) => Sections | undefined,
  ): Promise<boolean>;
  /** @returns whether it was removed */
  remove(path: string): Promise<boolean>;
}

const NONE: ElsewhereByFile = new Map();

export class LinesElsewhere {
  #byFile: ElsewhereByFile;

  constructor(lines: ElsewhereByFile = NONE) {
    this.#byFile = lines;
  }

  /** For another thread. */
  get all(): ElsewhereByFile {
    return this.#byFile;
  }

  /** The config or the lock has changed. */
  replace(lines: ElsewhereByFile): void {
    this.#byFile = lines;
  }

  /** Whether other files have lines of this one. */
  has(path: string): boolean {
    return this.#byFile.has(path);
  }

  /** The files that have lines of this one. */
  of(path: string): readonly LinesOfFile[] {
    return this.#byFile.get(path) ?? [];
  }

  /** What the other files have for this one. */
  async sectionsFor(path: string, files: FilesOfLock): Promise<SectionsElsewhere[]> {
    const found: SectionsElsewhere[] = [];
    for (const { file, paths } of this.of(path)) {
      const sections = await files.sectionsIn(file);
      if (sections !== undefined) found.push({ paths, sections });
    }
    return found;
  }

  /** Paths in a file of the lines that belong into other files. */
  async owedBy(file: string, files: FilesOfLock): Promise<ReadonlySet<string>> {
    const lines = [...this.#byFile.values()].flat();
    const paths = lines.flatMap((each) => (each.file === file ? [...each.paths.values()] : []));
    const sections = paths.length === 0 ? undefined : await files.sectionsIn(file);
    return new Set(paths.filter((path) => sections?.has(path)));
  }

  /**
   * Moves lines into the files where they belong. A file loses a line when the other one has it, and goes without any.
   * @returns absolute paths of the files that were written or removed
   */
  async move(files: FilesOfLock): Promise<string[]> {
    const changed = new Set<string>();
    for (const [path, lines] of this.#byFile) {
      const others = await this.sectionsFor(path, files);
      if (await files.changeAt(path, (own) => withLinesTaken(own, others))) changed.add(path);
      const own = await files.sectionsIn(path);
      for (const { file, paths } of lines) {
        const gone = new Set([...paths].flatMap(([now, then]) => (own?.has(now) ? [then] : [])));
        if (gone.size > 0 && (await dropPaths(files, file, gone))) changed.add(file);
      }
    }
    return [...changed];
  }
}

async function dropPaths(
  files: FilesOfLock,
  file: string,
  gone: ReadonlySet<string>,
): Promise<boolean> {
  const known = await files.sectionsIn(file);
  if (known === undefined) return false;
  const rest = new Map([...known].filter(([path]) => !gone.has(path)));
  if (rest.values().every((lines) => lines.length === 0)) return await files.remove(file);
  return await files.changeAt(file, () => rest);
}

/** The sections of a file, and those that others have for it. The units of a source with another path there are those of that path. */
export function joinedSections(
  own: Sections | undefined,
  others: readonly SectionsElsewhere[],
): Sections {
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
function withLinesTaken(own: Sections | undefined, others: readonly SectionsElsewhere[]): Sections {
  const samePaths = others.map(({ paths, sections }) => {
    return { paths: new Map([...paths].filter(([now, then]) => now === then)), sections };
  });
  return joinedSections(own, samePaths);
}
