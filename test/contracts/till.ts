/** The promises of all tills, as a suite that an implementation runs. */
import { describe, expect, test } from 'vitest';
import type { JobId, RecipeKey } from '../../src/job.ts';
import type { Charge, OpenRequest } from '../../src/ledger.ts';
import type { Memories } from '../../src/state/memory.ts';
import type { TextToBuy, Till } from '../../src/state/till.ts';
import { bought, DE } from './memory.ts';

export interface OpenTill extends AsyncDisposable {
  readonly till: Till;
  readonly memories: Memories;
  charges(): Promise<readonly Charge[]>;
  requests(): Promise<readonly OpenRequest[]>;
}

/** A place where a till can be opened again and again. */
export interface TillPlace {
  open(): Promise<OpenTill>;
}

const AT = '2026-10-19T10:00:00.000Z';
export const JOB = 'app/de/en/a.json' as JobId;

const OTHER = 'app/de/en/b.json' as JobId;

export function request(id: string, characters = 8): OpenRequest {
  return { id, project: 'app', language: DE, lane: 'text', jobs: [JOB], characters, at: AT };
}

export function toBuy(text: string, job = JOB): TextToBuy {
  return { recipe: 'plain' as RecipeKey, parts: [text], job, characters: text.length };
}

export function charge(id: string, characters: number, kind: Charge['kind'] = 'billed'): Charge {
  const owner = { job: JOB, project: 'app', language: DE, lane: 'text' as const };
  return { id, ...owner, at: AT, kind, characters, estimated: characters };
}

const sums = (charges: readonly Charge[]) =>
  charges.map(({ kind, characters }) => `${kind} ${characters}`).sort();

export function tillContract(makePlace: () => Promise<TillPlace>): void {
  describe('a till', () => {
    test('records a request before it is sent, and knows its texts once it has ended', async () => {
      const place = await makePlace();
      await using open = await place.open();
      const sent = request('q1');
      const turns = await open.till.begin(sent, [toBuy('Save'), toBuy('Open')]);
      expect(turns).toEqual([{ kind: 'ours' }, { kind: 'ours' }]);
      expect(await open.requests()).toEqual([sent]);
      const entries = [bought('Save', 'Sichern', 'q1'), bought('Open', 'Öffnen', 'q1')];
      await open.till.end(sent, { entries, charges: [charge('q1 a', 8)] });
      expect(await open.requests()).toEqual([]);
      expect(sums(await open.charges())).toEqual(['billed 8']);
      expect(await open.till.begin(request('q2'), [toBuy('Save')])).toEqual([
        { kind: 'known', parts: ['Sichern'] },
      ]);
      expect(await open.requests()).toEqual([]);
    });

    test('records only those texts of a request that are bought', async () => {
      await using open = await (await makePlace()).open();
      await open.till.begin(request('q1'), [toBuy('Save')]);
      const entries = [bought('Save', 'Sichern', 'q1')];
      await open.till.end(request('q1'), { entries, charges: [] });
      const whole = { ...request('q2', 9), jobs: [JOB, OTHER] };
      await open.till.begin(whole, [toBuy('Save'), toBuy('Close', OTHER)]);
      expect(await open.requests()).toEqual([{ ...whole, jobs: [OTHER], characters: 5 }]);
    });

    test('frees the texts of a request that was not billed', async () => {
      await using open = await (await makePlace()).open();
      await open.till.begin(request('q1'), [toBuy('Save')]);
      await open.till.forget(request('q1'));
      expect([await open.requests(), await open.charges()]).toEqual([[], []]);
      expect(await open.till.begin(request('q2'), [toBuy('Save')])).toEqual([{ kind: 'ours' }]);
    });

    test('books an answer that was lost, while the request goes on', async () => {
      await using open = await (await makePlace()).open();
      const sent = request('q1', 4);
      await open.till.begin(sent, [toBuy('Save')]);
      await open.till.lost(sent, [charge('q1? a', 4, 'possibly-twice')]);
      expect(await open.requests()).toEqual([sent]);
      const entries = [bought('Save', 'Sichern', 'q1')];
      await open.till.end(sent, { entries, charges: [charge('q1 a', 4)] });
      expect(sums(await open.charges())).toEqual(['billed 4', 'possibly-twice 4']);
    });

    test('books an answer once, however often it is reported', async () => {
      await using open = await (await makePlace()).open();
      const sent = request('q1', 4);
      await open.till.begin(sent, [toBuy('Save')]);
      const answered = {
        entries: [bought('Save', 'Sichern', 'q1')],
        charges: [charge('q1 a', 4)],
      };
      await open.till.end(sent, answered);
      await open.till.end(sent, answered);
      expect(sums(await open.charges())).toEqual(['billed 4']);
    });

    test('buys a text again whose known translation does not fit, beside one that is known', async () => {
      await using open = await (await makePlace()).open();
      const first = request('q1', 4);
      await open.till.begin(first, [toBuy('Save')]);
      const save = [bought('Save', 'Sichern', 'q1')];
      await open.till.end(first, { entries: save, charges: [charge('q1 a', 4)] });
      const unfit = { ...toBuy('Save', OTHER), fits: () => false };
      const sent = { ...request('q2', 8), jobs: [OTHER] };
      const texts = [toBuy('Save'), unfit, toBuy('Open', OTHER)];
      expect(await open.till.begin(sent, texts)).toEqual([
        { kind: 'known', parts: ['Sichern'] },
        { kind: 'ours' },
        { kind: 'ours' },
      ]);
      expect(await open.requests()).toEqual([sent]);
      const entries = [bought('Save', 'Speichern', 'q2'), bought('Open', 'Öffnen', 'q2')];
      await open.till.end(sent, { entries, charges: [charge('q2 a', 8)] });
      expect(sums(await open.charges())).toEqual(['billed 4', 'billed 8']);
      expect(await open.till.begin(request('q3'), [toBuy('Save')])).toEqual([
        { kind: 'known', parts: ['Speichern'] },
      ]);
    });

    test('books a useless answer, and remembers nothing of it', async () => {
      await using open = await (await makePlace()).open();
      await open.till.begin(request('q1', 4), [toBuy('Save')]);
      await open.till.end(request('q1', 4), { entries: [], charges: [charge('q1 a', 4)] });
      expect(sums(await open.charges())).toEqual(['billed 4']);
      expect(await open.till.begin(request('q2', 4), [toBuy('Save')])).toEqual([{ kind: 'ours' }]);
    });
  });
}
