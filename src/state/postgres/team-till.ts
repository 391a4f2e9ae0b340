/** The till of a team: each text is bought once for all runners, and every charge reaches the books, also after a crash. */
import type { Clock } from '../../clock.ts';
import type { JobId } from '../../job.ts';
import type { Charge, OpenRequest } from '../../ledger.ts';
import { fundsHold, type SharedLimit } from '../funds.ts';
import { fitting } from '../memory.ts';
import type { PaidAnswer, TextToBuy, Till, TillDecision } from '../till.ts';
import type { Database } from './database.ts';
import { lastOf, type OutboxDelivery } from './delivery.ts';
import type { Runner } from './runner.ts';
import type { SeenCharges } from './seen.ts';
import { toldLimits, whileOpened } from './team-funds.ts';
import { keyed, memoryRow, translationIn } from './team-memory.ts';
import type { TeamTime } from './team-time.ts';

export interface TeamTillOptions {
  readonly database: Database;
  readonly delivery: OutboxDelivery;
  readonly clock: Clock;
  readonly runner: Runner;
  readonly time: TeamTime;
  readonly seen: SeenCharges;
  /** ISO 8601: what was bought before is bought again. */
  readonly since: string;
  /** The present limits of a project's characters. */
  limits(project: string): readonly SharedLimit[];
  /** Whether a person approved the price of a job: then budgets do not count. */
  isApproved(job: JobId): boolean;
}

interface BuyBeginAnswer {
  /** `budgets`: the database has no sum for a limit yet. */
  readonly kind: 'budgets' | 'none' | 'buy';
  readonly mine?: readonly string[];
  readonly known?: Readonly<Record<string, readonly [string, string]>> | null;
  /** Jobs that exceed a limit. */
  readonly held?: Readonly<
    Record<JobId, { readonly scope: string; readonly needs: number; readonly left: number }>
  >;
  /** Milliseconds since the epoch. */
  readonly now?: number;
  /** Id of the newest charge. */
  readonly seen?: string | null;
}

interface TillText {
  /** Its index among all texts of the request. */
  readonly index: number;
  readonly key: string;
  readonly source: string;
  readonly text: TextToBuy;
  /** The known translation that the text cannot use, as the database stores it. */
  readonly refused?: string;
}

/** Milliseconds until the till is asked again although no news came: news are lost when the connection breaks. */
const ASK_AGAIN_MS = 1000;

export class TeamTill implements Till {
  readonly #options: TeamTillOptions;
  /** By request, the keys of texts whose known translation did not fit: these texts are bought again on purpose. */
  readonly #refused = new Map<string, ReadonlySet<string>>();

  constructor(options: TeamTillOptions) {
    this.#options = options;
  }

  async begin(request: OpenRequest, texts: readonly TextToBuy[]): Promise<readonly TillDecision[]> {
    const { delivery } = this.#options;
    // Letters of this machine first: they may hold translations of these texts.
    await delivery.delivered();
    const limits = this.#options.limits(request.project);
    const decisions: TillDecision[] = [];
    const refused = new Set<string>();
    let open = texts.map((text, index): TillText => ({ index, ...keyed(request, text), text }));
    while (open.length > 0) {
      const begun = await this.#ask(request, open, limits);
      for (const one of open) decisions[one.index] = decisionOn(one, begun, limits);
      open = askedAgain(open, begun);
      for (const one of open) if (one.refused !== undefined) refused.add(one.key);
    }
    if (refused.size > 0) this.#refused.set(request.id, refused);
    return decisions;
  }

  async #ask(
    request: OpenRequest,
    wanted: readonly TillText[],
    limits: readonly SharedLimit[],
  ): Promise<BuyBeginAnswer> {
    const { database, runner, since, time, seen } = this.#options;
    const at = time.of(request.at);
    const ask = {
      request: request.id,
      runner: runner.id,
      name: runner.name,
      project: request.project,
      at,
      since,
      seen: seen.known,
      record: { ...request, at },
      limits: toldLimits(limits),
      texts: wanted.map(({ key, refused, text: { job, characters } }) => {
        return { key, refused, job, characters, approved: this.#options.isApproved(job) };
      }),
    };
    const begun = await whileOpened(database, limits, async () => {
      const answer = await time.learn(
        () => database.call<BuyBeginAnswer>('buy_begin', JSON.stringify(ask)),
        ({ now }) => now,
      );
      return answer.kind === 'budgets' ? undefined : answer;
    });
    seen.saw(begun.seen);
    return begun;
  }

  async lost(request: OpenRequest, charges: readonly Charge[]): Promise<void> {
    await this.#options.delivery.book(request.id, this.#timed(charges));
  }

  async end(request: OpenRequest, { entries, charges }: PaidAnswer): Promise<void> {
    const { delivery, runner, since, time } = this.#options;
    const refused = this.#refused.get(request.id);
    this.#refused.delete(request.id);
    const rows = new Map(
      entries.map((entry) => {
        const row = { ...memoryRow(request, entry), at: time.of(entry.at) };
        return [row.key, refused?.has(row.key) ? { ...row, anew: true } : row];
      }),
    );
    const booked = this.#timed(charges);
    const { id, project, language } = request;
    const told = { request: id, project, language, name: runner.name, since };
    const body = JSON.stringify({ ...told, entries: [...rows.values()], charges: booked });
    const letter = { id, call: 'buy_end', values: [body], count: 1 } as const;
    await delivery.deliver({ ...letter, ...lastOf(booked) });
  }

  #timed(charges: readonly Charge[]): readonly Charge[] {
    return charges.map((charge) => ({ ...charge, at: this.#options.time.of(charge.at) }));
  }

  async forget({ id }: OpenRequest): Promise<void> {
    this.#refused.delete(id);
    await this.#options.database.call('forget_request', id, 'refused');
  }

  async othersEnd(signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#options;
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const heard = Promise.withResolvers<void>();
    const listener = () => heard.resolve();
    database.news.once('ended', listener);
    void database.listen();
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

  /** Delivers the answers that the process before left. Its other open requests count as possibly billed. */
  async recover(): Promise<void> {
    await this.#options.delivery.recover();
  }
}

function decisionOn(
  { key, source, text, refused }: TillText,
  begun: BuyBeginAnswer,
  limits: readonly SharedLimit[],
): TillDecision {
  const known = begun.known?.[key];
  const parts = translationIn(known, source);
  // Older functions of the database return a refused translation again: then it is taken, as an earlier version did.
  if (parts !== undefined && (fitting(parts, text) !== undefined || known?.[1] === refused))
    return { kind: 'known', parts };
  const over = begun.held?.[text.job];
  if (over !== undefined) return { kind: 'held', hold: fundsHold(limitOf(limits, over), over) };
  return begun.mine?.includes(key) === true ? { kind: 'ours' } : { kind: 'busy' };
}

/** If a known translation does not fit, the texts that have none are asked for again, with this one refused; else none. */
function askedAgain(open: readonly TillText[], { known }: BuyBeginAnswer): TillText[] {
  const rest = open.flatMap((one) => {
    const row = known?.[one.key];
    const parts = translationIn(row, one.source);
    if (row === undefined || parts === undefined) return [one];
    if (fitting(parts, one.text) !== undefined || row[1] === one.refused) return [];
    return [{ ...one, refused: row[1] }];
  });
  return rest.some((one) => one.refused !== undefined && !open.includes(one)) ? rest : [];
}

/** The limit of a scope that the database names. */
function limitOf(limits: readonly SharedLimit[], { scope }: { readonly scope: string }) {
  const limit = limits.find(({ key }) => key === scope);
  if (limit === undefined) throw new Error(`the database names an unknown limit: ${scope}`);
  return limit;
}
