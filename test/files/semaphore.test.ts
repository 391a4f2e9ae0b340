import { expect, test } from 'vitest';
import { Semaphore } from '../../src/files/semaphore.ts';

test('so many are inside at a time, and the others come in the order in which they waited', async () => {
  const gate = new Semaphore(2);
  const came: string[] = [];
  const enter = async (name: string) => {
    const place = await gate.enter();
    came.push(name);
    return place;
  };
  const [a, b] = [await enter('a'), await enter('b')];
  const [c, d] = [enter('c'), enter('d')];
  await Promise.resolve();
  expect(came).toEqual(['a', 'b']);
  b[Symbol.dispose]();
  (await c)[Symbol.dispose]();
  a[Symbol.dispose]();
  (await d)[Symbol.dispose]();
  expect(came).toEqual(['a', 'b', 'c', 'd']);
  await enter('e');
  await enter('f');
  expect(came).toHaveLength(6);
});
