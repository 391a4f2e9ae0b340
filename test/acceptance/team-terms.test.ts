/** A term of Fluent that a person gave cases: its new text is held, in every clone, and all others are delivered. */
import { expect, test } from 'vitest';
import { Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "l/{locale}.ftl" }]`;

const TERM = '-term = { $case ->\n   *[nom] Marka\n    [gen] Marki\n}\n    .gender = f\n';

test('the cases of a person stay when the source of their term changes', async () => {
  const { team, first } = await Team.start(PROJECT, {
    'l/en.ftl': '-term = Brand\n    .gender = it\nlast = Last\n',
    'l/de.ftl': `${TERM}last = Letztes\n`,
  });
  expect(await first.run('once')).toMatchObject({ code: 0, requests: 0 });
  first.commit('adopt');
  const other = await team.clone();
  for (const clone of [first, other]) {
    await clone.write({ 'l/en.ftl': '-term = New brand\n    .gender = it\nlast = Changed\n' });
    expect(await clone.run('once')).toMatchObject({ code: 2, texts: 1 });
    expect(await clone.read('l/de.ftl')).toContain(TERM);
    expect(await clone.read('l/de.ftl')).not.toContain('Letztes');
    expect(await clone.run('once')).toMatchObject({ code: 2, requests: 0 });
  }
  first.commit('change');
  const later = await team.clone();
  expect(await later.run('once')).toMatchObject({ code: 2, requests: 0 });
  expect(later.git('status', '--short')).toBe('');
});
