/** The baselines of a folder tree that daemons share, in the database of a team. */
import { randomUUID } from 'node:crypto';
import type {
  BaselineKey,
  BaselineMove,
  Baselines,
  SegmentBaseline,
  SegmentRecord,
  StoredBaseline,
} from '../../baseline.ts';
import { hashBytes } from '../../files/disk.ts';
import type { Hash } from '../../job.ts';
import { type Claim, StaleClaim } from '../../ledger.ts';
import { preparedSegments, segmentBaseline } from '../baselines/segment-baseline.ts';
import type { Database } from './database.ts';
import { fitJson } from './tree-text.ts';

export interface TreeBaselinesOptions {
  readonly database: Database;
  readonly tree: string;
  /** Id of the runner that leads the tree. Undefined: changes without a claim are refused. */
  readonly leader: string | undefined;
}

export class TreeBaselines implements Baselines {
  readonly #options: TreeBaselinesOptions;
  #leader: string | undefined;

  constructor(options: TreeBaselinesOptions) {
    this.#options = options;
    this.#leader = options.leader;
  }

  /** Takes the id of the runner that leads the tree from now on. */
  lead(leader: string): void {
    this.#leader = leader;
  }

  of(key: BaselineKey, wrote: Hash | undefined, claim?: Claim): SegmentBaseline {
    const stored: StoredBaseline = {
      read: async () => await this.copyOf(key),
      write: async (bytes) => await this.#put(key, bytes, claim),
    };
    return segmentBaseline({ stored, path: key.path, wrote, fence: claim?.fence });
  }

  async sources(key: BaselineKey): Promise<readonly Pick<SegmentRecord, 'id' | 'source'>[]> {
    return preparedSegments(await this.copyOf(key));
  }

  async move(moves: readonly BaselineMove[]): Promise<void> {
    const named = moves.map(({ from, to }) => ({ f: baselineRowId(from), t: baselineRowId(to) }));
    // The name keeps a move from being made twice when its answer is lost.
    const move = `move ${randomUUID()}`;
    await this.#call('tree_move_baselines', { move, moves: named });
  }

  async copyOf(key: BaselineKey): Promise<Uint8Array | undefined> {
    const rows = await this.#options.database.rows<{ bytes: Buffer }>(
      'select bytes from @.tree_baselines where tree = $1 and id = $2',
      [this.#options.tree, baselineRowId(key)],
    );
    return rows[0]?.bytes;
  }

  async putBack(key: BaselineKey, copy: Uint8Array): Promise<void> {
    await this.#put(key, copy);
  }

  async remove(key: BaselineKey): Promise<void> {
    await this.#call('tree_remove_baseline', { id: baselineRowId(key) });
  }

  /** Does nothing: the owner of the database closes it. */
  async [Symbol.asyncDispose](): Promise<void> {}

  async #put(key: BaselineKey, bytes: Uint8Array, claim?: Claim): Promise<void> {
    const by = claim && { job: claim.id, fence: claim.fence };
    const isPut = await this.#call('tree_put_baseline', { id: baselineRowId(key), ...by }, bytes);
    if (claim !== undefined && !isPut) throw new StaleClaim(claim);
  }

  async #call(name: string, change: object, ...bytes: readonly Uint8Array[]): Promise<boolean> {
    const { database, tree } = this.#options;
    const leader = this.#leader;
    const told = fitJson(JSON.stringify({ tree, leader, ...change }));
    return await database.call<boolean>(name, told, ...bytes.map((each) => Buffer.from(each)));
  }
}

/** The key of the row, with a hash: an index does not take long paths. */
function baselineRowId({ project, language, path }: BaselineKey): string {
  return `${language}/${hashBytes(`${project}\n${path}`).slice(0, 32)}`;
}
