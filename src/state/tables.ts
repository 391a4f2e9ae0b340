/** The ledger's tables in memory, and how a fact changes them. */
import type { Fact, LedgerTables, TableName } from '../ledger.ts';

export type Tables = { readonly [T in TableName]: Map<string, LedgerTables[T]> };
export const TABLE_NAMES: readonly TableName[] = [
  'sources',
  'jobs',
  'charges',
  'requests',
  'remotes',
];

export function emptyTables(): Tables {
  return {
    sources: new Map(),
    jobs: new Map(),
    charges: new Map(),
    requests: new Map(),
    remotes: new Map(),
  };
}

export function apply(tables: Tables, fact: Fact): void {
  if ('remove' in fact) tables[fact.table].delete(fact.remove);
  else (tables[fact.table] as Map<string, typeof fact.put>).set(fact.put.id, fact.put);
}

/** Records in all tables. */
export function recordCount(tables: Tables): number {
  return TABLE_NAMES.reduce((sum, name) => sum + tables[name].size, 0);
}
