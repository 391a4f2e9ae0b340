/** Room for large files: bounded, first come first served. */
import { expect, test } from 'vitest';
import { OpenBytes } from '../../src/translate/drafts.ts';

test('a file that finds no room waits for earlier ones in their order, and no later file overtakes a large one', async () => {
  const room = new OpenBytes(10);
  const taken: string[] = [];
  const take = async (name: string, bytes: number) => {
    const place = await room.take(bytes);
    taken.push(name);
    return place;
  };
  const first = await take('first', 6);
  const large = take('large', 8);
  const small = take('small', 1);
  await Promise.resolve();
  expect(taken).toEqual(['first']);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  await Promise.all([large, small]);
  expect(taken).toEqual(['first', 'large', 'small']);
});

test('a file that is larger than the whole room gets it alone', async () => {
  const room = new OpenBytes(10);
  const huge = await room.take(1000);
  let isIn = false;
  const next = room.take(1).then((place) => {
    isIn = true;
    return place;
  });
  await Promise.resolve();
  expect(isIn).toBe(false);
  huge[Symbol.dispose]();
  (await next)[Symbol.dispose]();
  expect(isIn).toBe(true);
});
