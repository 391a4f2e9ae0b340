import { expect, test } from 'vitest';
import { Mutex } from '../../src/files/mutex.ts';

test('calls with the same name wait for each other, calls with another name do not', async () => {
  const turns = new Mutex();
  const seen: string[] = [];
  const first = await turns.take('a');
  const second = turns.take('a').then((turn) => {
    seen.push('second');
    return turn;
  });
  (await turns.take('b'))[Symbol.dispose]();
  seen.push('other');
  first[Symbol.dispose]();
  (await second)[Symbol.dispose]();
  const third = await turns.take('a');
  expect(seen).toEqual(['other', 'second']);
  third[Symbol.dispose]();
});
