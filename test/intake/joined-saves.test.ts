/** The jobs of a file into which a person saves again and again. */
import { expect, test } from 'vitest';
import { JoinedSaves, MOST_MS, QUIET_MS } from '../../src/intake/joined-saves.ts';
import { sourceId } from '../../src/job.ts';
import { manualClock } from '../manual-clock.ts';

const [A, B] = [sourceId('app', 'a.json'), sourceId('app', 'b.json')];

function joinedSaves() {
  const clock = manualClock();
  const ended: string[] = [];
  return { clock, ended, joined: new JoinedSaves({ clock, ended: (id) => void ended.push(id) }) };
}

test('saves end once, when nobody has saved into the file for a while', async () => {
  const { clock, ended, joined } = joinedSaves();
  for (let save = 0; save < 3; save += 1) {
    joined.add([A]);
    await clock.pass(QUIET_MS - 1);
  }
  expect(ended).toEqual([]);
  await clock.pass(1);
  expect(ended).toEqual([A]);
  await clock.pass(2 * MOST_MS);
  expect(ended).toEqual([A]);
  expect(clock.timers).toBe(0);
});

test('while a person goes on saving, the job comes again and again, and once after the last save', async () => {
  const { clock, ended, joined } = joinedSaves();
  for (let passed = 0; passed < 2 * MOST_MS; passed += QUIET_MS / 2) {
    joined.add([A]);
    await clock.pass(QUIET_MS / 2);
  }
  expect(ended).toEqual([A, A]);
  joined.add([A]);
  await clock.pass(QUIET_MS);
  expect(ended).toEqual([A, A, A]);
});

test('saves into one file do not delay the job of another file', async () => {
  const { clock, ended, joined } = joinedSaves();
  joined.add([A, B]);
  await clock.pass(QUIET_MS - 1);
  joined.add([A]);
  await clock.pass(1);
  expect(ended).toEqual([B]);
});

test('nothing ends after the files are watched no longer', async () => {
  const { clock, ended, joined } = joinedSaves();
  joined.add([A]);
  joined.forget();
  await clock.pass(MOST_MS);
  expect(ended).toEqual([]);
});
