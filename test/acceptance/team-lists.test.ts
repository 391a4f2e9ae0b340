/** Lists of a team that a person made longer: every checkout waits for the same decisions, and none loses a text. */
import { expect, test } from 'vitest';
import { Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  app: { source: en, targets: [de], routes: [{ from: "locales/{locale}.json" }] }`;
const EN = 'locales/en.json';
const DE = 'locales/de.json';
const json = (...days: string[]) => `${JSON.stringify({ days }, null, 2)}\n`;

test('elements that a person added to a list stay in every clone, whatever changes in the list of the source', async () => {
  const german = json('Montag', 'Dienstag', 'Feiertag');
  const { team, first } = await Team.start(PROJECT, {
    [EN]: json('Monday', 'Tuesday'),
    [DE]: german,
  });
  await first.run('once');
  first.commit('adopt');
  const second = await team.clone();
  await second.write({ [EN]: json('Sunday', 'Monday', 'Tuesday') });
  expect(await second.run('once')).toMatchObject({ code: 2, texts: 0 });
  expect(await second.read(DE)).toBe(german);
  second.commit('add a day');
  for (const fresh of [await team.clone(), await team.clone()]) {
    expect(await fresh.run('once')).toMatchObject({ code: 2, texts: 0 });
    expect(fresh.git('status', '--short')).toBe('');
    await fresh.write({ [EN]: json('Monday', 'Tuesday') });
    expect(await fresh.run('once')).toMatchObject({ code: 0, texts: 0 });
    expect(await fresh.read(DE)).toBe(german);
  }
});
