/** Reviewers with a link to a daemon of a tree: when it does not lead any more, they are told what to do. Real processes. */
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { startTree } from '../tree-rig.ts';
import { until } from '../until.ts';

const LIST = { states: [], from: 0, count: 10 };

describe.skipIf(NO_POSTGRES !== undefined)('a reviewer of a tree', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  const withReviewer = (yaml: string) =>
    yaml.replace(
      /^state:/m,
      'page: { listen: "127.0.0.1:0", reviewers: [{ name: anna, languages: [de] }] }\n$&',
    );

  async function post(address: string, body: object, cookie = '') {
    const headers = { 'content-type': 'application/json', cookie };
    const answer = await fetch(address, { method: 'POST', body: JSON.stringify(body), headers });
    const set = answer.headers.get('set-cookie') ?? '';
    return { status: answer.status, body: await answer.text(), cookie: set.split(';')[0] ?? '' };
  }

  /** Asks for the list until the answer has the words, or is an internal error. @returns this answer */
  async function answered(page: string, token: string, words: string) {
    const { cookie } = await post(`${page}/api/session`, { token });
    const ask = () => post(`${page}/api/review/list`, LIST, cookie);
    let answer = { status: 0, body: '' };
    await until(async () => {
      answer = await ask();
      return answer.body.includes(words) || answer.status === 500;
    });
    return { status: answer.status, body: answer.body };
  }

  test('has a link that can be revoked where it was made, also when that daemon does not lead any more', async () => {
    const tree = await startTree(postgres, { files: 1, daemons: 'here' });
    const { team, member, start, startWith, end, count, pageOf } = tree;
    await using _team = team;
    const first = await start('both', withReviewer);
    await until(() => count() === 1);
    const link = async (...words: readonly string[]) =>
      await member.run('review', {}, 'link', ...words, '--config', first.config);
    const { stdout } = await link('anna');
    const token = new URL(stdout.trim()).hash.slice('#token='.length);
    expect(await end(first, 'SIGTERM')).toBe(0);
    const back = startWith(first.config, 'worker');
    await until(() => back.said().includes('watching'));
    const session = `${await pageOf(back)}/api/session`;
    expect((await post(session, { token })).status).toBe(200);
    expect((await link('anna')).code).toBe(75);
    expect(await link()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^anna: de; /) });
    expect(await link('anna', '--revoke')).toMatchObject({ code: 0 });
    expect((await post(session, { token })).status).toBe(401);
    expect(await end(back, 'SIGTERM')).toBe(0);
  });

  test('is told when the daemon of the link does not lead any more, or the database is away, and learns no name of a machine', async () => {
    const tree = await startTree(postgres, { files: 1, daemons: 'here' });
    const { team, member, start, startWith, end, count, pageOf } = tree;
    await using _team = team;
    const first = await start('both', withReviewer);
    await until(() => count() === 1);
    const { stdout } = await member.run('review', {}, 'link', 'anna', '--config', first.config);
    const token = new URL(stdout.trim()).hash.slice('#token='.length);
    expect((await answered(await pageOf(first), token, 'key_0')).status).toBe(200);
    expect(await end(first, 'SIGTERM')).toBe(0);
    const back = startWith(first.config, 'worker');
    await until(() => back.said().includes('watching'));
    const page = await pageOf(back);
    const answers = [await answered(page, token, 'no machine works on these texts')];
    await start('leader', withReviewer);
    answers.push(await answered(page, token, 'another machine works on these texts now'));
    await postgres.stop();
    answers.push(await answered(page, token, 'the database of these texts gives no answer'));
    await postgres.start();
    await until(() => back.said().includes('"kind":"team-state-back"'));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    for (const { body } of answers) expect(body).not.toContain(hostname());
  });
});
