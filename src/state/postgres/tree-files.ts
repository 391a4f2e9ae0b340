/**
 * Whether the files of a tree are on this machine. Where its volume is not mounted, the folders are empty or missing. A daemon there must
 * not lead, because it would take all sources for deleted, and must not work.
 */
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { JobFailure } from '../../failure.ts';
import type { Database } from './database.ts';
import { fitText, textFrom } from './tree-text.ts';

export interface TreeFilesOptions {
  readonly database: Pick<Database, 'rows' | 'host'>;
  readonly tree: string;
  /** By the names of the projects: the absolute folders where their paths may begin, first that of the config. */
  readonly roots: ReadonlyMap<string, readonly string[]>;
}

/** A file on record, relative to the root of its project. */
interface FileRow {
  /** Of the record that names it. */
  readonly id: string;
  readonly project: string;
  readonly path: string;
}

const PORTION = 1000;

const SOURCES = `select id, record->>'project' as project, coalesce(record->>'raw', record->>'path') as path
  from @.tree_records where tree = $1 and tbl = 'sources' and id > $2 order by id limit ${PORTION}`;
const TARGETS = `select j.id, j.record->>'project' as project, w->>'path' as path
  from (select id, record from @.tree_jobs where tree = $1 and id > $2 and record->'wrote' <> '[]' order by id limit ${PORTION}) j,
  jsonb_array_elements(j.record->'wrote') w order by j.id`;

export class TreeFiles {
  readonly #options: TreeFilesOptions;
  #roots: TreeFilesOptions['roots'];
  /** A file on record that was there at the last look. */
  #present: string | undefined;
  #areAway = false;

  constructor(options: TreeFilesOptions) {
    this.#options = options;
    this.#roots = options.roots;
  }

  /** Takes the folders of another config. */
  configure(roots: TreeFilesOptions['roots']): void {
    this.#roots = roots;
    this.#present = undefined;
  }

  /**
   * @returns why the tree is not here, in a sentence; undefined: a file on record is here, or no target is on record. A person who
   * removes all sources leaves their targets
   */
  async problem(): Promise<string | undefined> {
    if (this.#present !== undefined && (await isThere(this.#present))) return undefined;
    this.#present = undefined;
    const seen = { sources: 0, targets: 0 };
    for await (const kind of this.#lookFor()) {
      if (this.#present !== undefined) break;
      seen[kind] += 1;
    }
    this.#areAway = this.#present === undefined && seen.targets > 0;
    if (!this.#areAway) return undefined;
    const folders = [...new Set([...this.#roots.values()].flatMap(([root]) => root ?? []))].join(
      ', ',
    );
    return `none of the files on record is in ${folders}: mount the volume there (if all of them were removed on purpose, put one of them back, empty)`;
  }

  /** @throws JobFailure `team-state` when the tree is not here */
  async require(): Promise<void> {
    const message = await this.problem();
    if (message === undefined) return;
    const host = this.#options.tree;
    throw new JobFailure({ kind: 'team-state', problem: 'absent', host, message });
  }

  /** Looks at files until one of them is there. While the tree is away, a part of them is enough: the volume comes back as a whole. */
  async *#lookFor(): AsyncGenerator<'sources' | 'targets'> {
    const { database, tree } = this.#options;
    for (const [kind, question] of [
      ['sources', SOURCES],
      ['targets', TARGETS],
    ] as const) {
      for (let after = fitText(''); ; ) {
        const rows = await database.rows<FileRow>(question, [tree, after]);
        for (const { project, path } of rows) {
          const roots = this.#roots.get(textFrom(project));
          if (roots === undefined) continue;
          this.#present = await presentIn(roots, textFrom(path));
          yield kind;
        }
        after = rows.at(-1)?.id ?? '';
        if (rows.length === 0 || this.#areAway) break;
      }
    }
  }
}

/** A root of the config is empty where its volume is not mounted: then what is elsewhere says nothing. */
async function presentIn(roots: readonly string[], path: string): Promise<string | undefined> {
  for (const [nth, root] of roots.entries()) {
    if (nth === 1 && !(await hasEntries(roots[0] ?? ''))) return undefined;
    const file = join(root, path);
    if (await isThere(file)) return file;
  }
  return undefined;
}

async function hasEntries(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}

async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
