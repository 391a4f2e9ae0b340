/** Lines of code and addresses that a person and the source both changed: plan, once and status say the same about them. */
import { expect, test } from 'vitest';
import { Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  docs:
    source: en
    targets: [de]
    routes: [{ from: "d/{locale}/*.md" }]`;

const page = (code: string, address: string, words: string) =>
  `# ${words}\n\n\`\`\`js\n// ${code}\n\`\`\`\n\n[x]: ${address}\n\nThe ${words} below.\n`;

test.each([
  ['and no text changed', 'Head', 0],
  ['and a text changed', 'New head', 27],
])('plan counts the conflicts of code and addresses, %s', async (_, words, characters) => {
  const { first } = await Team.start(PROJECT, {
    'd/en/a.md': page('start here', '/en/x/', 'Head'),
    'd/de/a.md': page('hier beginnen', '/de/x/', 'Kopf'),
  });
  expect(await first.run('once')).toMatchObject({ code: 0, requests: 0 });
  first.commit('adopt');
  await first.write({ 'd/en/a.md': page('start now', '/en/xx/', words) });
  const plan = await first.run('plan');
  expect(plan).toMatchObject({ code: 2, texts: 0 });
  expect(plan.out).toContain('2 conflicts');
  const report = JSON.parse((await first.run('plan', '--json')).out);
  expect(report).toMatchObject({
    estimated_characters: characters,
    jobs: [{ texts: { conflicts: 2 }, states: { conflict: 2 } }],
  });
  expect((await first.run('once')).code).toBe(2);
  const status = await first.run('status');
  expect(status.out).toContain('2 texts edited by a person while the source changed');
  expect(status.out).not.toContain('nor the history of git');
  expect(status.out).toContain('the old lines are in the history of the source');
});
