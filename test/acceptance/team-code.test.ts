/** Code between the texts of a page, changed by a person in one checkout and by its source in another. */
import { expect, test } from 'vitest';
import { type Checkout, Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  docs: { source: en, targets: [de], routes: [{ from: "{locale}/*.md" }] }`;
const EN = 'en/guide.md';
const DE = 'de/guide.md';
const FREE = { texts: 0 };
const code = (...lines: readonly string[]) => `\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n`;
const page = (first: string, second: string) =>
  `# The guide\n\n${first}\nSome words between.\n\n${second}\nThe last words.\n`;
const [RUN, STOP] = [code('run one', 'run two'), code('stop one', 'stop two')];

/** A person changed a line of the first code block, and said so to nobody, or a run wrote it into the lock. */
async function edited(isStated: boolean): Promise<{ team: Team; first: Checkout }> {
  const { team, first } = await Team.start(PROJECT, { [EN]: page(RUN, STOP) });
  await first.run('once');
  first.commit('translate');
  await first.write({ [DE]: (await first.read(DE)).replace('run two', 'run zwei') });
  if (isStated) await first.run('once');
  first.commit('a person changes code');
  return { team, first };
}

test.each([{ isStated: true }, { isStated: false }])(
  'a fresh clone updates code that nobody changed, and keeps code that a person changed (in the lock: $isStated)',
  async ({ isStated }) => {
    const { team } = await edited(isStated);
    const follows = await team.clone();
    await follows.write({ [EN]: page(RUN, code('stop one', 'stop 2')) });
    expect(await follows.run('once', '--frozen')).toMatchObject({ code: 1, requests: 0 });
    expect(await follows.run('once')).toMatchObject({ code: 0, ...FREE });
    expect(await follows.read(DE)).toContain('stop 2');
    expect(await follows.read(DE)).toContain('run zwei');

    const first = await team.clone();
    await first.write({ [EN]: page(code('run one', 'run two --more'), STOP) });
    expect(await first.run('once')).toMatchObject({ code: 2, ...FREE });
    expect(await first.read(DE)).toContain('run zwei');
    first.commit('the source changes the same line');
    // It waits in every other clone as well, until somebody decides.
    const second = await team.clone();
    expect(await second.run('once')).toMatchObject({ code: 2, ...FREE });
    expect((await second.run('status')).out).toContain('run two --more');
    expect(await second.run('resolve', DE, '--human')).toMatchObject({ code: 0 });
    expect(await second.run('once')).toMatchObject({ code: 0, ...FREE });
    expect(await second.read(DE)).toContain('run zwei');
    second.commit('decided');
    const third = await team.clone();
    expect(await third.run('once')).toMatchObject({ code: 0, requests: 0 });
    expect(third.git('status', '--short')).toBe('');
  },
);

test('a shallow clone that lacks the history keeps the code of a person, says so, and leaves the lock to other checkouts', async () => {
  const { team, first } = await edited(true);
  await first.write({ [EN]: page(RUN, code('stop one', 'stop 2')) });
  first.commit('the source changes other code');
  const shallow = await team.clone('--depth=1');
  expect((await shallow.run('plan')).out).toContain('a person changed code');
  expect(await shallow.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(shallow.git('status', '--short')).toBe('');
  const whole = await team.clone();
  expect(await whole.run('once')).toMatchObject({ code: 0, ...FREE });
  expect(await whole.read(DE)).toContain('stop 2');
  expect(await whole.read(DE)).toContain('run zwei');
});
