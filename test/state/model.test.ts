import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { JobId } from '../../src/job.ts';
import {
  type JobFact,
  type Ledger,
  type PlainFact,
  type SharedFact,
  StaleClaim,
} from '../../src/ledger.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { charge, jobRecord, sourceRecord } from '../contracts/ledger.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const id = fc.constantFrom('a', 'b', 'c', 'd');
const number = fc.integer({ min: 0, max: 9 });
/** The next change of a job; its fact is made from the job at that moment. */
type JobWish = { readonly id: string; readonly estimate: number } | { readonly drop: string };
const jobWish: fc.Arbitrary<JobWish> = fc.oneof(
  fc.record({ id, estimate: number }),
  id.map((drop) => ({ drop })),
);
/** The same of a source; a charge is as it is. */
type PlainWish =
  | { readonly source: string; readonly hash: number | undefined }
  | { readonly charge: string; readonly n: number };
const plainWish: fc.Arbitrary<PlainWish> = fc.oneof(
  fc.record({ source: id, hash: fc.option(number, { nil: undefined }) }),
  fc.record({ charge: id, n: number }),
);
type Step =
  | { readonly plain: readonly PlainWish[]; readonly wishes: readonly JobWish[] }
  | { readonly claim: string }
  | { readonly settle: string }
  | { readonly event: 'checkpoint' | 'close' | 'kill' };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      plain: fc.uniqueArray(plainWish, { maxLength: 3, selector: placeOf }),
      wishes: fc.uniqueArray(jobWish, { maxLength: 2, selector: nameOf }),
    }),
  },
  { weight: 2, arbitrary: id.map((claim) => ({ claim })) },
  { weight: 2, arbitrary: id.map((settle) => ({ settle })) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('checkpoint', 'close', 'kill').map((event) => ({ event })),
  },
);

/** All ledgers that live in a folder. */
const LEDGERS: Readonly<Record<string, (folder: string) => Promise<Ledger>>> = {
  JSON: (folder) => openLedger({ folder, clock: systemClock }),
};

/** A ledger in a folder that can be killed: the copy of a folder in use is what a killed process leaves. */
class Subject {
  readonly #home: string;
  #folder: string;
  #life = 0;
  ledger!: Ledger;

  readonly #open: (folder: string) => Promise<Ledger>;

  constructor(home: string, open: (folder: string) => Promise<Ledger>) {
    this.#home = home;
    this.#open = open;
    this.#folder = join(home, '0');
  }

  async open(): Promise<void> {
    this.ledger = await this.#open(this.#folder);
  }

  async end(how: 'close' | 'kill'): Promise<void> {
    const next = join(this.#home, `${++this.#life}`);
    if (how === 'kill') await cp(this.#folder, next, { recursive: true });
    await this.ledger[Symbol.asyncDispose]();
    if (how === 'close') await cp(this.#folder, next, { recursive: true });
    await rm(this.#folder, { recursive: true });
    this.#folder = next;
  }
}

test.each(Object.entries(LEDGERS))(
  'whatever happens to it, a %s ledger holds what a plain map would',
  async (_name, open) => {
    const home = await temporaryFolder();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const subject = new Subject(join(home, `run-${run++}`), open);
        await subject.open();
        const model = new Map<string, object>();
        for (const one of steps) {
          await take(subject, model, one);
          expect(contents(subject.ledger)).toEqual(model);
          expect(['intact', 'first-contact']).toContain(subject.ledger.condition);
        }
        await subject.end('close');
      }),
      { numRuns: 40 },
    );
  },
);

async function take(subject: Subject, model: Map<string, object>, step: Step): Promise<void> {
  const { ledger } = subject;
  if ('plain' in step) {
    const plain = step.plain.flatMap((wish) => plainFact(ledger, wish));
    const jobs = step.wishes.flatMap((wish) => jobFact(ledger, wish) ?? []);
    await ledger.commit([...plain, ...jobs]);
    for (const one of plain) applyTo(model, one);
    for (const wish of step.wishes) applyWish(model, wish);
  } else if ('claim' in step) {
    const claim = await ledger.claim(step.claim as JobId);
    expect(claim?.fence).toBe(claim && fenceOf(ledger, step.claim));
    noteJob(ledger, model, step.claim);
  } else if ('settle' in step) {
    await settle(ledger, model, step.settle);
  } else if (step.event === 'checkpoint') {
    await ledger.checkpoint();
  } else {
    await subject.end(step.event);
    await subject.open();
  }
}

/** Settles with the present claim and with the one before: the first is taken, the second refused. */
async function settle(ledger: Ledger, model: Map<string, object>, id: string): Promise<void> {
  const fence = fenceOf(ledger, id);
  if (fence === undefined) return;
  const end = {
    state: { kind: 'done', at: 'now' },
    facts: [{ table: 'charges', put: charge(`of ${id}`, fence) }],
  } as const;
  const stale = { id: id as JobId, fence: fence - 1 };
  await expect(ledger.settle(stale, end)).rejects.toThrow(StaleClaim);
  await ledger.settle({ id: id as JobId, fence }, end);
  noteJob(ledger, model, id);
  for (const one of end.facts) applyTo(model, one);
}

function fenceOf(ledger: Ledger, id: string): number | undefined {
  return ledger.get('jobs', id)?.fence;
}

function noteJob(ledger: Ledger, model: Map<string, object>, id: string): void {
  const job = ledger.get('jobs', id);
  if (job) model.set(`jobs/${id}`, job);
}

function nameOf(wish: JobWish): string {
  return 'drop' in wish ? wish.drop : wish.id;
}

function placeOf(wish: PlainWish): string {
  return 'source' in wish ? `sources/${wish.source}` : `charges/${wish.charge}`;
}

function plainFact(ledger: Ledger, wish: PlainWish): (PlainFact | SharedFact)[] {
  if ('charge' in wish) return [{ table: 'charges', put: charge(wish.charge, wish.n) }];
  const from = ledger.get('sources', wish.source);
  if (wish.hash !== undefined) {
    return [{ table: 'sources', put: sourceRecord(wish.source, `${wish.hash}`), from }];
  }
  return from === undefined ? [] : [{ table: 'sources', remove: from }];
}

function jobFact(ledger: Ledger, wish: JobWish): JobFact | undefined {
  const from = ledger.get('jobs', nameOf(wish));
  if ('drop' in wish) return from && { table: 'jobs', drop: from };
  const { id, estimate } = wish;
  if (from === undefined) return { table: 'jobs', add: jobRecord(id, { estimate }) };
  return { table: 'jobs', from, set: { estimate } };
}

function applyWish(model: Map<string, object>, wish: JobWish): void {
  const key = `jobs/${nameOf(wish)}`;
  if ('drop' in wish) model.delete(key);
  else model.set(key, { ...(model.get(key) ?? jobRecord(wish.id)), estimate: wish.estimate });
}

function applyTo(model: Map<string, object>, fact: PlainFact | SharedFact): void {
  if ('remove' in fact) {
    const { remove } = fact;
    model.delete(`${fact.table}/${typeof remove === 'string' ? remove : remove.id}`);
  } else model.set(`${fact.table}/${fact.put.id}`, fact.put);
}

function contents(ledger: Ledger): Map<string, object> {
  const tables = ['sources', 'jobs', 'charges', 'requests', 'remotes'] as const;
  return new Map(
    tables.flatMap((table) =>
      [...ledger.all(table)].map((record) => [`${table}/${record.id}`, record] as const),
    ),
  );
}
