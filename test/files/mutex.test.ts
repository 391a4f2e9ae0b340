import { expect, test } from 'vitest';
import { Mutex } from '../../src/files/mutex.ts';

test('who comes for the same name waits, who comes for another one does not', async () => {
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
