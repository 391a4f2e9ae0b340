/** Encrypts the records of a tree that hold access data of sent documents and recordings, with a key that only the daemons have. */
import { JobFailure } from '../../failure.ts';
import type { RemoteRecord, TableName } from '../../ledger.ts';
import type { Seal } from './seal.ts';

/** The kinds of the encrypted records: purchases of documents, and voice jobs. */
export const SECRET: readonly RemoteRecord['kind'][] = ['spool', 'voice'];

export class TreeSecrets {
  readonly #seal: Seal;
  readonly #tree: string;

  constructor(seal: Seal, { tree }: { readonly tree: string }) {
    this.#seal = seal;
    this.#tree = tree;
  }

  /** A record as it is stored. */
  closed(table: TableName, record: { readonly id: string }): object {
    if (table !== 'remotes') return record;
    const remote = record as RemoteRecord;
    if (!SECRET.includes(remote.kind)) return remote;
    const { id, value } = remote;
    return { ...remote, value: this.#seal.close(this.#sealContext(id), JSON.stringify(value)) };
  }

  /** A stored record with its value decrypted. @throws JobFailure `team-state` when it was encrypted with another key */
  opened<R extends { readonly id: string }>(table: TableName, record: R): R {
    if (table !== 'remotes') return record;
    const { id, kind, value } = record as unknown as RemoteRecord;
    if (!SECRET.includes(kind)) return record;
    const json = this.#seal.open(this.#sealContext(id), String(value));
    if (json !== undefined) return { ...record, value: JSON.parse(json) as unknown };
    const message = `it does not open what the tree "${this.#tree}" holds (${id}): daemons of one tree have one key`;
    throw new JobFailure({ kind: 'team-state', problem: 'key', host: 'state.key', message });
  }

  #sealContext(id: string): string {
    return `${this.#tree} ${id}`;
  }
}
