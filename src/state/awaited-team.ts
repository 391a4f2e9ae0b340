/** A team whose database does not answer yet: work that does not need it goes on, other calls wait or are refused. */
import type { Clock } from '../clock.ts';
import type { Rate } from '../service/rate.ts';
import type { Books } from './books.ts';
import type { Funds } from './funds.ts';
import type { LastAnswer } from './last-answer.ts';
import { lookedAt, type Memories, type Memory, memoryOf, NO_MEMORY } from './memory.ts';
import type { SharedPurchases } from './shared-purchases.ts';
import type { SpendingLimits, Team, TeamStatus, TeamWork } from './team.ts';
import type { Till } from './till.ts';

export interface AwaitedTeamOptions {
  /** Rejects with a JobFailure `team-state` when the wait is given up. */
  readonly opened: Promise<Team>;
  /**
   * `wait`: a call that needs the team waits for it. `without`: a call that only reads is answered without it, all others are
   * refused.
   */
  readonly meanwhile: 'wait' | 'without';
  /** The books of the folder, used until those of the team can be asked. */
  readonly books: Books;
  /** The rate of this process alone, used until there is a common one; undefined: no limit. */
  readonly rate: Rate | undefined;
  readonly clock: Clock;
  /** The login at the database. */
  readonly login: string;
  /** The status until the team is there. */
  status(): TeamStatus;
  /** Ends the wait for the database. */
  giveUp(): void;
}

const UNTOLD: LastAnswer<TeamWork> = {
  value: { runners: [], requests: 0, characters: 0 },
  asOf: null,
};

export function awaitedTeam(options: AwaitedTeamOptions): Team {
  const { opened, meanwhile } = options;
  let team: Team | undefined;
  let spending: SpendingLimits | undefined;
  opened.then(
    (there) => {
      team = there;
      if (spending !== undefined) there.follow(spending);
    },
    // The calls that need the team get the failure.
    () => {},
  );
  const known = () => team;
  return {
    memories: awaitedMemories({ opened, meanwhile, known }),
    till: awaitedTill(opened),
    books: awaitedBooks(options.books, known),
    funds: awaitedFunds(options, known),
    rate: awaitedRate(options, known),
    purchases: awaitedPurchases(opened, meanwhile),
    leases: {
      exclusively: async (name, work) => await (await opened).leases.exclusively(name, work),
    },
    openTree: async (...asked) => await (await opened).openTree(...asked),
    status: () => team?.status() ?? options.status(),
    work: async () => (await team?.work()) ?? UNTOLD,
    whoBought: async (text) => await team?.whoBought(text),
    buyersOf: async (...asked) => (await team?.buyersOf(...asked)) ?? [],
    follow(next) {
      spending = next;
      team?.follow(next);
    },
    book: async (charges) => await (await opened).book(charges),
    stopWaiting() {
      if (team === undefined) options.giveUp();
      else team.stopWaiting();
    },
    async [Symbol.asyncDispose]() {
      if (team === undefined) options.giveUp();
      await opened.then(
        (there) => there[Symbol.asyncDispose](),
        () => {},
      );
    },
  };
}

type TeamIfOpen = () => Team | undefined;

function awaitedBooks(own: Books, known: TeamIfOpen): Books {
  const books = () => known()?.books ?? own;
  return {
    charges: (of) => books().charges(of),
    requests: () => books().requests(),
    sums: () => books().sums(),
  };
}

function awaitedFunds(
  { opened, meanwhile, login, clock }: AwaitedTeamOptions,
  known: TeamIfOpen,
): Funds {
  return {
    get login() {
      return known()?.funds.login ?? login;
    },
    now: () => known()?.funds.now() ?? clock.now(),
    async wouldHold(ask, limits) {
      if (known() === undefined && meanwhile === 'without') return undefined;
      return await (await opened).funds.wouldHold(ask, limits);
    },
    reserve: async (...asked) => await (await opened).funds.reserve(...asked),
    release: (holder) => whenThere(opened, ({ funds }) => funds.release(holder)),
    releasePurchase: (purchase) =>
      whenThere(opened, ({ funds }) => funds.releasePurchase(purchase)),
    spent: async (limits) => (await known()?.funds.spent(limits)) ?? limits.map(() => 0),
  };
}

function awaitedRate({ opened, rate: own }: AwaitedTeamOptions, known: TeamIfOpen): Rate {
  return {
    slot: async (signal) => await (known()?.rate ?? own)?.slot(signal),
    pause: (ms) => whenThere(opened, ({ rate }) => rate.pause(ms)),
    onPause: (listener) => whenThere(opened, ({ rate }) => rate.onPause(listener)),
  };
}

/** Calls it when the team is there. Nobody waits for it. */
function whenThere(opened: Promise<Team>, act: (team: Team) => void): void {
  opened.then(act).catch(() => {});
}

type Meanwhile = AwaitedTeamOptions['meanwhile'];

interface Coming {
  readonly opened: Promise<Team>;
  readonly meanwhile: Meanwhile;
  readonly known: TeamIfOpen;
}

function awaitedMemories({ opened, meanwhile, known }: Coming): Memories {
  const memories: Memories = {
    async open(project, language): Promise<Memory> {
      const memory = async () => await (await opened).memories.open(project, language);
      const looked = async () =>
        meanwhile === 'without' ? await memory().catch(() => NO_MEMORY) : await memory();
      return {
        find: async (texts) => await (await looked()).find(texts),
        findFree: async (texts) =>
          await (known() === undefined ? NO_MEMORY : lookedAt(await memory())).find(texts),
        remember: async (entries) => await (await memory()).remember(entries),
        holdsAnswerTo: async (request) => await (await memory()).holdsAnswerTo(request),
        async *entries() {
          yield* (await memory()).entries();
        },
      };
    },
    of: async (owner) => await memoryOf(memories, owner),
    /** The team closes the memories. */
    async [Symbol.asyncDispose]() {},
  };
  return memories;
}

function awaitedTill(opened: Promise<Team>): Till {
  return {
    begin: async (...asked) => await (await opened).till.begin(...asked),
    lost: async (...asked) => await (await opened).till.lost(...asked),
    end: async (...asked) => await (await opened).till.end(...asked),
    forget: async (request) => await (await opened).till.forget(request),
    othersEnd: async (signal) => await (await opened).till.othersEnd(signal),
    // The team does this while it is opened.
    recover: async () => {},
  };
}

function awaitedPurchases(opened: Promise<Team>, meanwhile: Meanwhile): SharedPurchases {
  const purchases = async () => (await opened).purchases;
  return {
    async claim(purchase, want) {
      if (want === 'look' && meanwhile === 'without') return { kind: 'free' };
      return await (await purchases()).claim(purchase, want);
    },
    record: async (purchase) => await (await purchases()).record(purchase),
    unended: async (ids) => await (await purchases()).unended(ids),
    leave: async (id) => await (await purchases()).leave(id),
    release: async (id) => await (await purchases()).release(id),
    keep: async (...kept) => await (await purchases()).keep(...kept),
    bytes: async (id) => await (await purchases()).bytes(id),
    sweep: async () => await (await purchases()).sweep(),
  };
}
