import { expect, test } from 'vitest';
import { atOnce } from '../../src/files/at-once.ts';

/** Keeps the event loop for longer than a turn lasts. */
function work(): void {
  const until = performance.now() + 10;
  while (performance.now() < until);
}

test('work is done in the order in which it came, and everything else has its turn in between', async () => {
  const done: (number | 'else')[] = [];
  setImmediate(() => done.push('else'));
  const all = [1, 2, 3, 4].map((n) =>
    atOnce(() => {
      work();
      done.push(n);
    }),
  );
  await Promise.all(all);
  expect(done.filter((each) => each !== 'else')).toEqual([1, 2, 3, 4]);
  expect(done.indexOf('else')).toBeLessThan(done.indexOf(3));
});

test('work that fails fails alone', async () => {
  const fail = () => {
    work();
    throw new Error('no');
  };
  const all = await Promise.allSettled([fail, () => 1, fail, () => 2].map((each) => atOnce(each)));
  expect(all.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});
