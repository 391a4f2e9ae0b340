/** How near the account's limits are: asked after work was billed, kept, and warned of once at 80 and at 100 %. */
import { expect, test } from 'vitest';
import { LimitWatch } from '../../src/control/limit-watch.ts';
import { Events } from '../../src/event.ts';
import type { Stop } from '../../src/jobs/run-state.ts';
import type { Usage } from '../../src/service/account.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const at = (
  character_count: number,
  api_key_character_count: number,
  more: object = {},
): Usage => ({
  ...{ character_count, character_limit: 100 },
  ...{ api_key_character_count, api_key_character_limit: 50 },
  ...more,
});

async function watchOf(answers: (Usage | Error)[]) {
  const clock = manualClock();
  const ledger = await openLedger({ folder: await temporaryFolder(), clock });
  const events = new Events();
  const warned: string[] = [];
  events.subscribe((event) => {
    if (event.kind === 'budget-warning') warned.push(`${event.scope} ${event.used}`);
  });
  let asked = 0;
  const usage = async () => {
    asked += 1;
    const answer = answers.shift();
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer');
    return answer;
  };
  const service = { account: { usage, inspect: () => Promise.reject(new Error('not asked')) } };
  const spending = { bills: 0 };
  const runState: { stop: Stop | undefined } = { stop: undefined };
  const watch = new LimitWatch({ service, ledger, clock, events, spending, runState });
  return { watch, spending, runState, warned, clock, ledger, asked: () => asked };
}

test('each limit causes one warning at 80 % and one at 100 %, and the limits that are near are listed', async () => {
  const answers = [at(10, 10), at(85, 45), at(90, 46), at(100, 50)];
  const { watch, spending, warned, ledger } = await watchOf(answers);
  await using _ = ledger;
  for (let nth = 0; nth < 4; nth++) {
    spending.bills += 1;
    await watch.ask();
  }
  expect(warned).toEqual(['account 85', 'key 45', 'account 100', 'key 50']);
  expect(watch.near.map(({ scope, used }) => [scope, used])).toEqual([
    ['account', 100],
    ['key', 50],
  ]);
});

test('usage is not requested before something was billed, and a request without an answer is repeated', async () => {
  const { watch, spending, ledger, asked } = await watchOf([new Error('lost'), at(90, 1)]);
  await using _ = ledger;
  await watch.ask();
  expect(asked()).toBe(0);
  spending.bills += 1;
  await watch.ask();
  await watch.ask();
  await watch.ask();
  expect([asked(), watch.near.length]).toEqual([2, 1]);
});

test('usage is requested when the quota is used up', async () => {
  const { watch, runState, ledger, warned, asked } = await watchOf([at(1, 50)]);
  await using _ = ledger;
  runState.stop = {
    kind: 'quota-exceeded',
    scope: 'account',
    operation: 'POST /v2/translate',
  };
  await watch.ask();
  await watch.ask();
  expect(warned).toEqual(['key 50']);
  expect(asked()).toBe(1);
});

test('when a billing period is over, its limits are no longer listed as near', async () => {
  const start = manualClock().now();
  const period = {
    start_time: new Date(start - 1000).toISOString(),
    end_time: new Date(start + 1000).toISOString(),
  };
  const { watch, spending, clock, ledger } = await watchOf([at(90, 1, period)]);
  await using _ = ledger;
  spending.bills += 1;
  await watch.ask();
  expect(watch.near).toHaveLength(1);
  await clock.pass(2000);
  expect(watch.near).toEqual([]);
});
