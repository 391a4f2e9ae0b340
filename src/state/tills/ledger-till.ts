/** The till of one state folder: requests and charges in the ledger, answers in the memories beside it. */
import type { Charge, Fact, Ledger, OpenRequest } from '../../ledger.ts';
import type { Memories } from '../memory.ts';
import type { PaidAnswer, TextToBuy, Till, TillDecision } from '../till.ts';

export class LedgerTill implements Till {
  readonly #ledger: Ledger;
  readonly #memories: Memories;

  constructor({ ledger, memories }: { ledger: Ledger; memories: Memories }) {
    this.#ledger = ledger;
    this.#memories = memories;
  }

  async begin(request: OpenRequest, texts: readonly TextToBuy[]): Promise<readonly TillDecision[]> {
    const memory = await this.#memories.open(request.project, request.language);
    // Another job may have bought a text since the caller looked it up.
    const decisions = (await memory.find(texts)).map(
      (parts): TillDecision => (parts === undefined ? { kind: 'ours' } : { kind: 'known', parts }),
    );
    const open = requestFor(request, texts, decisions);
    if (open !== undefined) await this.#ledger.commit([{ table: 'requests', put: open }]);
    return decisions;
  }

  async lost(_request: OpenRequest, charges: readonly Charge[]): Promise<void> {
    await this.#ledger.commit(charges.map((put) => ({ table: 'charges', put })));
  }

  // First the memory, then the charges: after a crash in between, the request is open and its answer is in the memory.
  async end(request: OpenRequest, { entries, charges }: PaidAnswer): Promise<void> {
    if (entries.length > 0) {
      const memory = await this.#memories.open(request.project, request.language);
      await memory.remember(entries);
    }
    await this.#ledger.commit([
      { table: 'requests', remove: request.id },
      ...charges.map((put): Fact => ({ table: 'charges', put })),
    ]);
  }

  async forget({ id }: OpenRequest): Promise<void> {
    await this.#ledger.commit([{ table: 'requests', remove: id }]);
  }

  /** Only one process works on a state folder: no other one has a request under way. */
  async othersEnd(): Promise<void> {}

  async recover(): Promise<void> {
    const facts: Fact[] = [];
    for (const request of this.#ledger.all('requests')) {
      const memory = await this.#memories.open(request.project, request.language);
      const kind = (await memory.holdsAnswerTo(request.id)) ? 'billed' : 'possibly-twice';
      facts.push(
        { table: 'requests', remove: request.id },
        { table: 'charges', put: recoveredCharge(request, kind) },
      );
    }
    await this.#ledger.commit(facts);
  }
}

/** The request for the texts that are `ours` only; undefined when none is. */
export function requestFor(
  request: OpenRequest,
  texts: readonly TextToBuy[],
  decisions: readonly TillDecision[],
): OpenRequest | undefined {
  const ours = texts.filter((_, index) => decisions[index]?.kind === 'ours');
  if (ours.length === texts.length) return request;
  if (ours.length === 0) return undefined;
  return {
    ...request,
    jobs: [...new Set(ours.map(({ job }) => job))],
    characters: ours.reduce((total, { characters }) => total + characters, 0),
  };
}

/** The charge of the whole request: its sum was stored, the shares of its jobs were lost with the process. */
function recoveredCharge(request: OpenRequest, kind: Charge['kind']): Charge {
  const { id, project, language, lane, jobs, characters, at } = request;
  return {
    id: `${id} recovered`,
    job: jobs.length === 1 ? (jobs[0] ?? null) : null,
    project,
    language,
    lane,
    at,
    kind,
    characters,
    estimated: kind === 'billed' ? characters : 0,
  };
}
