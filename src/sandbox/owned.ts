/** Objects that belong to one account in one data center: for everybody else they are "not found", like an unknown id. */
import type { DataCenter } from './data-center.ts';
import type { Account } from './keyring.ts';
import { notFound } from './refusal.ts';

export interface Owner {
  readonly account: Account;
  readonly dataCenter: DataCenter;
}

export class Owned<T extends object> {
  readonly #kind: string;
  readonly #things = new Map<string, { owner: Owner; thing: T }>();

  /** @param kind its name in messages: `Glossary`. */
  constructor(kind: string) {
    this.#kind = kind;
  }

  add(owner: Owner, id: string, thing: T): void {
    this.#things.set(id, { owner, thing });
  }

  /** @throws Refusal 404. */
  get(owner: Owner, id: string): T {
    const found = this.#things.get(id.toLowerCase());
    if (found === undefined || !isSameOwner(found.owner, owner)) throw notFound(this.#kind);
    return found.thing;
  }

  list(owner: Owner): readonly T[] {
    return [...this.#things.values()]
      .filter((e) => isSameOwner(e.owner, owner))
      .map((e) => e.thing);
  }

  /** @throws Refusal 404. */
  delete(owner: Owner, id: string): void {
    this.get(owner, id);
    this.#things.delete(id.toLowerCase());
  }
}

export function callOwner(call: { key: { account: Account }; dataCenter: DataCenter }): Owner {
  return { account: call.key.account, dataCenter: call.dataCenter };
}

function isSameOwner(a: Owner, b: Owner): boolean {
  return a.account === b.account && a.dataCenter === b.dataCenter;
}
