/** The order in which a parser thread gets its calls. */
import { expect, test } from 'vitest';
import { FilePaces } from '../../src/parsing/paces.ts';
import { ParserTurns } from '../../src/parsing/turns.ts';

const turnsOf = (...names: readonly string[]) => {
  const turns = new ParserTurns<string>((name) => name.startsWith('quick'));
  for (const name of names) turns.add(name);
  return turns;
};

test('a quick file passes all slow ones that wait, and not the one that is being read', () => {
  const turns = turnsOf('slow 1', 'slow 2', 'slow 3');
  expect([...turns.next()]).toEqual(['slow 1']);
  turns.add('quick');
  expect([...turns.next()]).toEqual([]);
  turns.done('slow 1', 6000);
  expect([...turns.next()]).toEqual(['quick']);
  turns.done('quick', 10);
  expect([...turns.next()]).toEqual(['slow 2']);
});

test('a slow file gets its turn after five seconds of quick ones, however many of these wait', () => {
  const turns = turnsOf('slow', ...Array.from({ length: 20 }, (_, n) => `quick ${n}`));
  const order: string[] = [];
  const given: string[] = [];
  for (;;) {
    given.push(...turns.next());
    const call = given.shift();
    if (call === undefined) break;
    order.push(call);
    turns.done(call, 1000);
  }
  expect(order).toHaveLength(21);
  expect(order.indexOf('slow')).toBeGreaterThanOrEqual(5);
  expect(order.indexOf('slow')).toBeLessThan(10);
});

test('a thread has some quick calls ahead, and nothing behind a slow one', () => {
  const turns = turnsOf('quick 1', 'quick 2', 'quick 3', 'quick 4', 'quick 5', 'slow');
  expect([...turns.next()]).toEqual(['quick 1', 'quick 2', 'quick 3', 'quick 4']);
});

test('a small file is quick until it was slow, a large one is slow until it was quick, and what was slow once stays slow', () => {
  const paces = new FilePaces();
  const small = { file: 'small.md', bytes: 5000 };
  const large = { file: 'large.md', bytes: 60_000 };
  expect([paces.isQuick(small), paces.isQuick(large)]).toEqual([true, false]);
  paces.learn(small, 4000);
  paces.learn(large, 40);
  expect([paces.isQuick(small), paces.isQuick(large)]).toEqual([false, true]);
  paces.learn(small, 1);
  paces.learn(large, 4000);
  paces.learn(large, 1);
  expect([paces.isQuick(small), paces.isQuick(large)]).toEqual([false, false]);
});
