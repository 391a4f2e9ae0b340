/** The promises of a month's budget to jobs that want to spend at the same time, as a suite that each backend runs. */
import { describe, expect, test } from 'vitest';

interface WantedMoney {
  readonly job: string;
  readonly characters: number;
  /** A person said yes to its price. */
  readonly isApproved?: boolean;
}

type Told = 'bought' | { readonly needs: number; readonly left: number };

export interface MoneyBackend extends AsyncDisposable {
  /** The answer to each of the jobs, in order. */
  offer(jobs: readonly WantedMoney[]): Promise<readonly Told[]>;
}

export function moneyContract(open: (month: number) => Promise<MoneyBackend>): void {
  describe('money of a month', () => {
    test('allows each job that fits as a whole, also behind a job that does not fit', async () => {
      await using money = await open(10);
      const told = await money.offer([
        { job: 'a', characters: 6 },
        { job: 'b', characters: 5 },
        { job: 'c', characters: 4 },
        { job: 'd', characters: 1 },
      ]);
      expect(told).toEqual(['bought', { needs: 5, left: 4 }, 'bought', { needs: 1, left: 0 }]);
    });

    test('may be spent to the last character, and a job that bills nothing needs none', async () => {
      await using money = await open(5);
      const told = await money.offer([
        { job: 'a', characters: 5 },
        { job: 'b', characters: 0 },
      ]);
      expect(told).toEqual(['bought', 'bought']);
    });

    test('lets a job run that a person approved, and counts its price for the others', async () => {
      await using money = await open(10);
      const told = await money.offer([
        { job: 'a', characters: 50, isApproved: true },
        { job: 'b', characters: 1 },
      ]);
      expect(told).toEqual(['bought', { needs: 1, left: 0 }]);
    });
  });
}
