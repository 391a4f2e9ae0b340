/** The ledger's tables in memory, and how a fact changes them. */
import type { JobId } from '../job.ts';
import {
  type Fact,
  type JobFact,
  type Ledger,
  type LedgerTables,
  type SharedFact,
  StaleRecord,
  type TableName,
} from '../ledger.ts';
import { isOver } from './job-changes.ts';

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

/** A fact as the journal stores it: a whole record to put, or an id to remove. The form is that of version 1. */
export type StoredFact = {
  [T in TableName]:
    | { readonly table: T; readonly put: LedgerTables[T] }
    | { readonly table: T; readonly remove: string };
}[TableName];

/**
 * The facts in the stored form; each is decided after the ones before it.
 * @throws StaleRecord when a record is not the one that a fact names
 */
export function storedFacts(facts: readonly Fact[], tables: Tables): StoredFact[] {
  const changed = new Map<string, AnyRecord | undefined>();
  return facts.map((fact) => {
    if (fact.table === 'charges' || fact.table === 'requests') return fact;
    const { table } = fact;
    const { id, known, next } = fact.table === 'jobs' ? decidedJob(fact) : decided(fact);
    const key = `${table} ${id}`;
    const present = changed.has(key) ? changed.get(key) : tables[table].get(id);
    if (present !== known) throw new StaleRecord(table, id);
    changed.set(key, next);
    return (next === undefined ? { table, remove: id } : { table, put: next }) as StoredFact;
  });
}

type AnyRecord = LedgerTables[TableName];

interface RecordChange {
  readonly id: string;
  /** The record that must be there, and the one that replaces it. */
  readonly known: AnyRecord | undefined;
  readonly next: AnyRecord | undefined;
}

function decided(fact: SharedFact): RecordChange {
  if ('remove' in fact) return { id: fact.remove.id, known: fact.remove, next: undefined };
  return { id: fact.put.id, known: fact.from, next: fact.put };
}

function decidedJob(fact: JobFact): RecordChange {
  if ('add' in fact) return { id: fact.add.id, known: undefined, next: fact.add };
  if ('drop' in fact) return { id: fact.drop.id, known: fact.drop, next: undefined };
  const { id } = fact.from;
  const { release, moveBegun, lockLacks, ...next } = { ...fact.from, ...fact.set };
  return {
    id,
    known: fact.from,
    next: {
      ...next,
      ...(release && { release }),
      ...(moveBegun && { moveBegun }),
      ...(lockLacks && { lockLacks }),
    },
  };
}

export function applyFact(tables: Tables, fact: StoredFact): void {
  if ('remove' in fact) tables[fact.table].delete(fact.remove);
  else (tables[fact.table] as Map<string, typeof fact.put>).set(fact.put.id, fact.put);
}

/** Number of records in all tables. */
export function recordCount(tables: Tables): number {
  return TABLE_NAMES.reduce((sum, name) => sum + tables[name].size, 0);
}

/**
 * The jobs that nobody has to run after these facts: their offers end. Otherwise, a job that failed and whose source is gone would count as
 * waiting for up to a quarter of an hour.
 * @param before the records without the facts
 */
export function closedBy(stored: readonly StoredFact[], before: Pick<Ledger, 'get'>): JobId[] {
  const closed = new Set<JobId>();
  for (const fact of stored) {
    if (fact.table !== 'jobs') continue;
    if ('remove' in fact) closed.add(fact.remove as JobId);
    else if (isOver(fact.put)) closed.add(fact.put.id);
    else closed.delete(fact.put.id);
  }
  // A job that was over has no offer.
  const wasOpen = (id: JobId) => {
    const job = before.get('jobs', id);
    return job !== undefined && !isOver(job);
  };
  return [...closed].filter(wasOpen);
}
