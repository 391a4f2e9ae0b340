/** Checks the key of a tree with a word that is encrypted with it: another key is refused before anything is encrypted with it. */
import { JobFailure } from '../../failure.ts';
import type { RemoteRecord } from '../../ledger.ts';
import type { Database } from './database.ts';
import type { Seal } from './seal.ts';
import { SECRET, TreeSecrets } from './tree-secrets.ts';
import { recordFrom } from './tree-text.ts';

export interface TreeKeyOptions {
  readonly database: Pick<Database, 'rows' | 'call'>;
  readonly tree: string;
  readonly seal: Seal;
  /** Name of this runner, for messages to those that have another key. */
  readonly name: string;
}

/** The encrypted word as the tables keep it. */
interface SealedWord {
  readonly word: string;
  /** Name of the runner that sealed it. */
  readonly by: string;
  /** ISO 8601, by its clock. */
  readonly at: string;
}

export class TreeKey {
  readonly #options: TreeKeyOptions;

  constructor(options: TreeKeyOptions) {
    this.#options = options;
  }

  /**
   * A tree of an earlier version may have secrets but no encrypted word: then one of the secrets is opened.
   * @returns whether the key could be checked
   * @throws JobFailure `team-state` when the tree has another key
   */
  async check(): Promise<boolean> {
    const { database, tree, seal } = this.#options;
    const [row] = await database.rows<{ sealed: SealedWord | null }>(
      'select sealed from @.trees where name = $1',
      [tree],
    );
    if (row === undefined) return false;
    if (row.sealed !== null) {
      this.#require(row.sealed);
      return true;
    }
    const [secret] = await database.rows<{ record: string }>(
      `select record::text from @.tree_records where tree = $1 and tbl = 'remotes' and record->>'kind' = any($2) limit 1`,
      [tree, SECRET],
    );
    if (secret === undefined) return false;
    new TreeSecrets(seal, { tree }).opened('remotes', recordFrom<RemoteRecord>(secret.record));
    return true;
  }

  /**
   * Stores the encrypted word if the tree has none. Call it after all secrets of the tree were decrypted.
   * @param at ISO 8601
   * @throws as `check`
   */
  async keep(at: string): Promise<void> {
    const { database, tree, seal, name } = this.#options;
    const own: SealedWord = { word: seal.close(sealContext(tree), tree), by: name, at };
    this.#require(await database.call<SealedWord>('tree_seal', tree, JSON.stringify(own)));
  }

  #require({ word, by, at }: SealedWord): void {
    const { tree, seal } = this.#options;
    if (seal.open(sealContext(tree), word) === tree) return;
    const message = `the tree "${tree}" has another key, known since ${by} began to work on it at ${at}`;
    throw new JobFailure({ kind: 'team-state', problem: 'key', host: 'state.key', message });
  }
}

function sealContext(tree: string): string {
  return `key of ${tree}`;
}
