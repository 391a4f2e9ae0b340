/** The ledger's tables in memory, and how a fact changes them. */
import type { JobId } from '../job.ts';
import {
  type Fact,
  type JobFact,
  type JobRecord,
  type LedgerTables,
  StaleRecord,
  type TableName,
} from '../ledger.ts';

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

/** A fact as the journal has it: whole records, in the form of the first version. */
export type StoredFact = {
  [T in TableName]:
    | { readonly table: T; readonly put: LedgerTables[T] }
    | { readonly table: T; readonly remove: string };
}[TableName];

/** Facts as they are stored, decided in their order. @throws StaleRecord when a job is not as a fact says */
export function storedFacts(facts: readonly Fact[], tables: Tables): StoredFact[] {
  const changed = new Map<JobId, JobRecord | undefined>();
  const present = (id: JobId) => (changed.has(id) ? changed.get(id) : tables.jobs.get(id));
  return facts.map((fact) => {
    if (fact.table !== 'jobs') return fact;
    const { known, next } = decided(fact);
    const id = idOf(fact);
    if (present(id) !== known) throw new StaleRecord(id);
    changed.set(id, next);
    return next === undefined ? { table: 'jobs', remove: id } : { table: 'jobs', put: next };
  });
}

/** The record that a job must have, and the one that it gets. */
function decided(fact: JobFact): { known: JobRecord | undefined; next: JobRecord | undefined } {
  if ('add' in fact) return { known: undefined, next: fact.add };
  if ('drop' in fact) return { known: fact.drop, next: undefined };
  const { release, ...next } = { ...fact.from, ...fact.set };
  return { known: fact.from, next: release === undefined ? next : { ...next, release } };
}

function idOf(fact: JobFact): JobId {
  if ('add' in fact) return fact.add.id;
  return 'drop' in fact ? fact.drop.id : fact.from.id;
}

export function apply(tables: Tables, fact: StoredFact): void {
  if ('remove' in fact) tables[fact.table].delete(fact.remove);
  else (tables[fact.table] as Map<string, typeof fact.put>).set(fact.put.id, fact.put);
}

/** Records in all tables. */
export function recordCount(tables: Tables): number {
  return TABLE_NAMES.reduce((sum, name) => sum + tables[name].size, 0);
}
