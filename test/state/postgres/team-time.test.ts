import { expect, test } from 'vitest';
import { SetClock } from '../../../src/clock.ts';
import { TeamTime } from '../../../src/state/postgres/team-time.ts';
import { manualClock } from '../../manual-clock.ts';

const DAY_MS = 24 * 3_600_000;

/** The database's clock shows `ahead` ms more than that of the machine, and its answer takes `took` ms. */
async function learned(
  kind: 'set' | 'plain',
  answers: readonly { readonly ahead: number; readonly took: number }[],
): Promise<number> {
  const machine = manualClock();
  const clock = kind === 'set' ? new SetClock(machine) : machine;
  const time = new TeamTime(clock);
  for (const { ahead, took } of answers) {
    const ask = async () => {
      await machine.pass(took / 2);
      const now = machine.now() + ahead;
      await machine.pass(took / 2);
      return now;
    };
    await time.learn(ask, (now) => now);
  }
  return time.now() - machine.now();
}

test.each([
  ['set', -40 * DAY_MS, 3000],
  ['set', 40 * DAY_MS, 60_000],
  ['plain', -40 * DAY_MS, 3000],
  ['plain', 3_600_000, 20_000],
] as const)(
  'a %s clock that differs by %i ms is put right by an answer that takes %i ms',
  async (kind, ahead, took) => {
    expect(Math.abs((await learned(kind, [{ ahead, took }])) - ahead)).toBeLessThanOrEqual(
      took / 2,
    );
  },
);

test.each(['set', 'plain'] as const)(
  'a slow answer whose delay explains the difference leaves a %s clock as a fast answer has set it',
  async (kind) => {
    const known = await learned(kind, [{ ahead: -5000, took: 20 }]);
    expect(known).toBe(-5000);
    const later = [
      { ahead: -5000, took: 20 },
      { ahead: -6500, took: 4000 },
    ];
    expect(await learned(kind, later)).toBe(-5000);
  },
);

test.each([40 * DAY_MS, -40 * DAY_MS])(
  'two questions at once set a clock that is wrong by %i ms once',
  async (ahead) => {
    const machine = manualClock();
    const time = new TeamTime(new SetClock(machine));
    const ask = async () => machine.now() + ahead;
    await Promise.all([time.learn(ask, (now) => now), time.learn(ask, (now) => now)]);
    expect(time.now() - machine.now()).toBe(ahead);
  },
);
