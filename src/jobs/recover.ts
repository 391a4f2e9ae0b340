/** After a crash: requests that were on their way are booked if their answer is in the memory, and as possibly billed if not. */
import type { Charge, Fact, OpenRequest } from '../ledger.ts';
import type { Workspace } from './workspace.ts';

export async function recoverRequests({
  ledger,
  memories,
}: Pick<Workspace, 'ledger' | 'memories'>): Promise<void> {
  const open = [...ledger.all('requests')];
  const facts = await Promise.all(
    open.map(async (request): Promise<Fact[]> => {
      const memory = await memories.open(request.project, request.language);
      const kind = memory.holdsAnswerTo(request.id) ? 'billed' : 'possibly-twice';
      return [
        { table: 'requests', remove: request.id },
        { table: 'charges', put: chargeFor(request, kind) },
      ];
    }),
  );
  await ledger.commit(facts.flat());
}

// Its owners' shares went with the process; the sum, as sent, did not.
function chargeFor(request: OpenRequest, kind: Charge['kind']): Charge {
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
