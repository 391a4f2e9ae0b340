/** A question on a machine that does not lead the tree has the answer that the leader gives. Real processes. */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../network.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startTree } from '../tree-rig.ts';
import { until } from '../until.ts';

describe.skipIf(NO_POSTGRES !== undefined)('a daemon that does not lead', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  /** Two projects with jobs in many states, a leader at rest, and a machine that does not lead. */
  async function variedTree() {
    const tree = await startTree(postgres, { files: 2 });
    const { team, member, start, configure } = tree;
    const more = (yaml: string) =>
      `${yaml}  docs: { root: docs, source: en, targets: [de, fr], routes: [{ from: "{locale}/**/*.json" }, { from: "{locale}/**/*.md" }, { from: "{locale}/film/*.srt" }, { from: "none/*.po", to: "none/{locale}/{name}.po" }] }\n`;
    member.write('en/notes.txt', 'Some notes on the matter.\n');
    member.write('en/broken.json', '{ "key": ');
    member.write('docs/en/film/a.srt', '1\n00:00:01,000 --> 00:00:02,000\nHello there\n');
    member.write('docs/en/deep/a/page.md', '# A page\n\nWith a text.\n');
    member.write('docs/en/deep/a/page.json', '{ "title": "A page" }');
    member.write("docs/en/deep/it's 100%_é.json", '{ "title": "Another page" }');
    const leader = await start('both', more);
    const rests = `bool_and(record->'state'->>'kind' in ('done', 'held', 'failed'))`;
    await team.until(`select from @.tree_jobs having count(*) = 12 and ${rests}`);
    // A person and the source say different things; and something cannot be translated.
    member.write('docs/de/deep/a/page.json', '{ "title": "Meine Seite" }');
    member.write('docs/en/deep/a/page.json', '{ "title": "A changed page" }');
    member.write('en/film.txt', 'x');
    await team.until(
      `select from @.tree_jobs where record->'state'->>'kind' = 'held' and record->>'language' = 'de'`,
    );
    await team.until(`select from @.tree_jobs having count(*) = 13 and ${rests}`);
    const elsewhere = await configure(more);
    const ask = async (config: string, ...words: readonly string[]) => {
      const [command = '', ...args] = words;
      const { code, stdout, stderr } = await member.run(
        command,
        {},
        ...[...args, '--json', '--config', config],
      );
      return { code, stderr, answer: stdout === '' ? {} : (JSON.parse(stdout) as object) };
    };
    return { ...tree, leader, elsewhere, ask };
  }

  test('it explains a file, and answers what was used and what is open, as the leader does', async () => {
    const { team, member, leader, elsewhere, ask, end } = await variedTree();
    await using _team = team;
    const questions = [
      ['usage'],
      ['usage', '--project', 'docs', '--language', 'fr'],
      ['explain', 'en/file_0.json'],
      ['explain', 'de/file_0.json', 'key_1'],
      ['explain', '--at', 'de/file_0.json:3'],
      ['explain', 'de/notes.txt'],
      ['explain', 'en/broken.json'],
      ['explain', 'docs/en/deep/a/page.json'],
      ['explain', 'docs/de/deep/a/page.json', 'title'],
      ['explain', 'docs/fr/deep/a/page.md'],
      ['explain', "docs/en/deep/it's 100%_é.json", 'title'],
      ['explain', 'docs/en/deep'],
      ['explain', 'docs/none.txt'],
      ['explain', 'de/missing.json'],
      ['explain', 'en/file_0.json', 'no_such_key'],
      ['explain', '/'],
    ];
    for (const words of questions) {
      const [there, here] = [await ask(leader.config, ...words), await ask(elsewhere, ...words)];
      expect({ words, ...here }).toEqual({ words, ...there });
    }
    expect(await ask(elsewhere, 'explain', 'docs/de/deep/a/page.json', 'title')).toMatchObject({
      answer: { jobs: [{ language: 'de' }], segment: { target: 'Meine Seite', origin: 'human' } },
    });
    // The parts that differ between machines: the page, the runner that asks, and the time since a daemon was seen.
    const own = { page: null, team: null, tree: null, notes: [] };
    for (const scope of [[], ['--project', 'docs'], ['--language', 'de', '--project', 'app']]) {
      const words = ['status', ...scope];
      const [there, here] = [await ask(leader.config, ...words), await ask(elsewhere, ...words)];
      expect({ words, ...here, answer: { ...here.answer, ...own } }).toEqual({
        ...{ words, ...there },
        answer: { ...there.answer, ...own },
      });
    }
    expect(await ask(elsewhere, 'status')).toMatchObject({
      answer: {
        state: 'running',
        jobs: { done: 11, held: 1, failed: 1 },
        tasks: [
          ...[{ code: 'missing-place' }, { code: 'missing-place' }],
          { state: 'failed', daemons: [`${hostname()}-${leader.pid}`] },
          { action: 'resolve' },
        ],
        conflicts: [{ human: 'Meine Seite' }],
        subtitles: [{ language: 'de' }, { language: 'fr' }],
      },
    });
    expect(await end(leader, 'SIGTERM')).toBe(0);
    // Nobody leads: the command compares the disk, so it reads all records.
    member.write('docs/en/deep/a/page.json', '{ "title": "Changed again" }');
    const { answer } = await ask(elsewhere, 'status');
    expect(answer).toMatchObject({ state: 'not running', jobs: { done: 11, held: 1, failed: 1 } });
  });

  test('no question makes a state folder on a machine that has none', async () => {
    const { team, member, start, end, configure } = await startTree(postgres, { files: 1 });
    await using _team = team;
    const leader = await start('both');
    await team.until(`select from @.tree_jobs where record->'state'->>'kind' = 'done'`);
    const folder = join(await temporaryFolder(), 'state');
    const config = await configure((yaml) =>
      yaml.replace(/folder: "[^"]*"/, `folder: "${folder}"`),
    );
    const askAll = async () => {
      const made: string[] = [];
      for (const words of [
        ...['check', 'status', 'plan', 'usage', 'once --frozen', 'explain en/file_0.json'],
        ...['review list', 'doctor', 'state status'],
      ]) {
        const [command = '', ...args] = words.split(' ');
        await member.run(command, {}, ...args, '--config', config);
        if (existsSync(folder)) made.push(words);
      }
      return made;
    };
    expect(await askAll()).toEqual([]);
    expect(await end(leader, 'SIGTERM')).toBe(0);
    expect(await askAll()).toEqual([]);
  });

  test('without a leader, a worker says so, and says what to start', async () => {
    const { team, member, start, end, configure } = await startTree(postgres, {
      files: 1,
      daemons: 'here',
    });
    await using _team = team;
    const worker = await start('worker');
    await until(() => worker.said().includes('working for the tree'));
    expect(worker.said()).not.toContain('watching 1 project');
    const ask = async (...words: readonly [string, ...string[]]) =>
      await member.run(words[0], {}, ...words.slice(1), '--config', worker.config);
    expect(await ask('approve', '--all')).toMatchObject({
      code: 75,
      stderr: expect.stringMatching(
        /has no leader: this daemon works for the tree "website"\n.*start "dragoman run"/,
      ),
    });
    const { stdout } = await ask('status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ state: 'not running', tree: { leader: null } });
    const printed = await ask('status');
    expect(printed.stdout).toContain('dragoman: running, but nobody leads the tree\n');
    expect(printed.stdout).not.toContain('dragoman plan');
    // Its jobs may change while they are copied.
    const pulled = await member.run('state', {}, 'pull', '--config', await configure());
    expect(pulled).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('jobs are not copied'),
    });
    expect(await end(worker, 'SIGTERM')).toBe(0);
  });

  test('while the database is away, every command ends: with the facts that it knows, or with 75 and the reason', async () => {
    const { team, member, start, end, configure } = await startTree(postgres, {
      files: 1,
      daemons: 'here',
    });
    await using _team = team;
    member.write('films/en/a.srt', '1\n00:00:01,000 --> 00:00:02,000\nHello there\n');
    const films = (yaml: string) =>
      `${yaml}  films: { root: films, source: en, targets: [de], routes: [{ from: "{locale}/*.srt" }] }\n`;
    const leader = await start('both', films);
    const worker = await start('worker', films);
    const fresh = await configure(films);
    const copy = async (action: string) => await member.run('state', {}, action, '--config', fresh);
    const isDone = `bool_and(record->'state'->>'kind' = 'done')`;
    await team.until(`select from @.tree_jobs having count(*) = 2 and ${isDone}`);
    await until(() => worker.said().includes('watching'));
    await postgres.stop();
    try {
      await until(() => [leader, worker].every(({ said }) => said().includes('is away')));
      const ask = async ({ config }: typeof leader, ...words: readonly [string, ...string[]]) =>
        await member.run(words[0], {}, ...words.slice(1), '--config', config);
      const status = await ask(leader, 'status');
      expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining('2 done') });
      expect(`${status.stdout}${status.stderr}`).not.toMatch(/: 0 (daemons|runners|characters)/);
      expect(status.stdout).toContain('its daemons are not known');
      // The reason is that of the latest try: at first the server may still say that it shuts down.
      const refused = { code: 75, stderr: expect.stringMatching(/is away: \w/) };
      for (const daemon of [leader, worker]) {
        expect(await ask(daemon, 'plan')).toMatchObject(refused);
        expect(await ask(daemon, 'retry', '--all', '--yes')).toMatchObject(refused);
        const resolve = ['resolve', 'de/file_0.json', '--human'] as const;
        expect(await ask(daemon, ...resolve)).toMatchObject(refused);
      }
      for (const action of ['pull', 'push']) expect(await copy(action)).toMatchObject(refused);
    } finally {
      await postgres.start();
    }
    await until(() => [leader, worker].every(({ said }) => said().includes('is back')));
    const pulled = {
      code: 0,
      stdout: expect.stringMatching(/^11 translations and \d charges? copied/),
    };
    expect(await copy('pull')).toMatchObject(pulled);
    for (const daemon of [worker, leader]) expect(await end(daemon, 'SIGTERM')).toBe(0);
  });

  test('a daemon that starts while the database is away answers a load balancer, and serves its page when the database is back', async () => {
    const { team, member, start, end } = await startTree(postgres, { files: 1 });
    await using _team = team;
    const port = await freePort();
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return { status: answer.status, said: await answer.text() };
    };
    await postgres.stop();
    let daemon: Awaited<ReturnType<typeof start>>;
    try {
      daemon = await start('both', (yaml) => `page: { listen: "127.0.0.1:${port}" }\n${yaml}`);
      await until(() => daemon.said().includes('is away'));
      expect(await ask('/healthz')).toMatchObject({ status: 200 });
      const waits = { status: 503, said: expect.stringContaining('waits for its database') };
      for (const path of ['/readyz', '/metrics', '/', '/none']) {
        expect(await ask(path)).toMatchObject(waits);
      }
      const { config } = daemon;
      expect(await member.run('status', {}, '--config', config)).toMatchObject({ code: 75 });
    } finally {
      await postgres.start();
    }
    await until(() => daemon.said().includes('watching'));
    expect(await ask('/readyz')).toMatchObject({ status: 200 });
    expect(await ask('/none')).toMatchObject({ status: 404 });
    expect(await end(daemon, 'SIGTERM')).toBe(0);
  });
});
