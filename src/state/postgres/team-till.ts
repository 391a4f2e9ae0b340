/** The till of a team: each text is bought once, whoever wants it, and what was paid reaches the books whatever happens between. */
import type { Clock } from '../../clock.ts';
import type { JobId } from '../../job.ts';
import type { Charge, OpenRequest } from '../../ledger.ts';
import type { SharedLimit } from '../funds.ts';
import type { Answered, TextToBuy, Till, Turn } from '../till.ts';
import type { Database } from './database.ts';
import type { Delivery } from './delivery.ts';
import type { Runner } from './runner.ts';
import { asOverBudget, toldLimits, whileOpened } from './team-funds.ts';
import { keyed, rowFor, translationIn } from './team-memory.ts';

export interface TeamTillOptions {
  readonly database: Database;
  readonly delivery: Delivery;
  readonly clock: Clock;
  readonly runner: Runner;
  /** ISO 8601: what was bought before is bought again. */
  readonly since: string;
  /** What limits the characters of a project now. */
  limits(project: string): readonly SharedLimit[];
  /** Whether a person approved the price of a job whatever the budgets say. */
  isApproved(job: JobId): boolean;
}

interface Begun {
  /** `budgets`: some limit is new to the database. */
  readonly kind: 'budgets' | 'none' | 'buy';
  readonly mine?: readonly string[];
  readonly known?: Readonly<Record<string, readonly [string, string]>> | null;
}

/** Milliseconds until one asks again whether others are done: news may get lost with their connection. */
const ASK_AGAIN_MS = 1000;

export class TeamTill implements Till {
  readonly #options: TeamTillOptions;

  constructor(options: TeamTillOptions) {
    this.#options = options;
  }

  async begin(request: OpenRequest, texts: readonly TextToBuy[]): Promise<readonly Turn[]> {
    const { database, delivery, runner, since } = this.#options;
    // What this machine has paid for comes first: it may be among the texts.
    await delivery.delivered();
    const wanted = texts.map((text) => ({ ...keyed(request, text), text }));
    const limits = this.#options.limits(request.project);
    const ask = {
      request: request.id,
      runner: runner.id,
      name: runner.name,
      project: request.project,
      at: request.at,
      since,
      record: request,
      limits: toldLimits(limits),
      texts: wanted.map(({ key, text: { job, characters } }) => {
        return { key, job, characters, approved: this.#options.isApproved(job) };
      }),
    };
    const begun = await whileOpened(database, limits, async () => {
      const answer = await database.call<Begun>('buy_begin', JSON.stringify(ask));
      return answer.kind === 'budgets' ? undefined : answer;
    }).catch((error: unknown) => {
      throw asOverBudget(error, limits);
    });
    const mine = new Set(begun.mine);
    return wanted.map(({ key, source }): Turn => {
      const parts = translationIn(begun.known?.[key], source);
      if (parts !== undefined) return { kind: 'known', parts };
      return mine.has(key) ? { kind: 'ours' } : { kind: 'busy' };
    });
  }

  async lost(request: OpenRequest, charges: readonly Charge[]): Promise<void> {
    await this.#options.delivery.book(request.id, charges);
  }

  async end(request: OpenRequest, { entries, charges }: Answered): Promise<void> {
    const { delivery, runner } = this.#options;
    const rows = new Map(
      entries.map((entry) => {
        const row = rowFor(request, entry);
        return [row.key, row];
      }),
    );
    const { id, project, language } = request;
    const told = { request: id, project, language, name: runner.name };
    const body = JSON.stringify({ ...told, entries: [...rows.values()], charges });
    await delivery.deliver({ id, call: 'buy_end', values: [body], count: 1 });
  }

  async forget({ id }: OpenRequest): Promise<void> {
    await this.#options.database.call('forget_request', id, 'refused');
  }

  async othersEnd(signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#options;
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const heard = Promise.withResolvers<void>();
    const listener = () => heard.resolve();
    database.news.once('ended', listener);
    try {
      const late = clock.sleep(ASK_AGAIN_MS, either);
      late.catch(() => {});
      await Promise.race([heard.promise, late]);
    } finally {
      database.news.off('ended', listener);
      over.abort();
    }
    signal.throwIfAborted();
  }

  /** Answers that this machine has are told; what else the process before had under way may have been billed. */
  async recover(): Promise<void> {
    await this.#options.delivery.recover();
  }
}
