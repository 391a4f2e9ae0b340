/** Several daemons on one tree: one leads, the others work for it. Real processes, one service that counts. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silence, UPLOAD } from '../lanes/voice/voice-rig.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { type Member, Team } from '../shared-team.ts';
import { startTree, type TreeOptions } from '../tree-rig.ts';
import { until } from '../until.ts';

/** As many as keep several daemons busy at once. */
const FILES = 40;
/** Where it does not matter how many there are. */
const FEW = 4;

describe.skipIf(NO_POSTGRES !== undefined)('several daemons on one tree', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  async function tree(options: Partial<TreeOptions> = {}) {
    return await startTree(postgres, { files: FILES, daemons: 'here', ...options });
  }

  test('workers do what the leader plans, each text is bought once, and a worker that stops gives its jobs back', async () => {
    const { team, member, start, end, count } = await tree({ daemons: 'process' });
    await using _team = team;
    const workers = [await start('worker'), await start('worker')];
    const leader = await start('leader');
    await until(() => count() === FILES);
    member.write('en/file_0.json', member.read('en/file_0.json').replace('number 0', 'changed'));
    const [first, second] = workers as [(typeof workers)[0], (typeof workers)[0]];
    expect(await end(first, 'SIGTERM')).toBe(0);
    member.write('en/late.json', '{ "key": "Something new" }');
    await until(() => member.has('de/late.json'));
    expect([await end(second, 'SIGTERM'), await end(leader, 'SIGTERM')]).toEqual([0, 0]);
    // The lock has the texts that workers delivered, as the machine's.
    const statements = member.read('dragoman.lock/app/de').match(/^[\w-]{6} .* m$/gm) ?? [];
    expect(statements).toHaveLength(FILES * 10 + 1);
    const { billed_characters: bill, asked_twice } = team.sandbox.counters();
    expect(asked_twice).toEqual([]);
    expect(await team.books()).toEqual({ charged: bill, requests: 0, leases: 0 });
    const left = await postgres.query(`select count(*)::int as turns from ${team.schema}.turns`);
    expect(left).toEqual([{ turns: 0 }]);
  });

  test('another worker does the jobs that a paused worker does not take', async () => {
    const { team, member, start, end, count } = await tree();
    await using _team = team;
    const paused = await start('worker');
    await until(() => paused.said().includes('watching'));
    expect(await member.run('pause', {}, '--config', 'daemon-1.yaml')).toMatchObject({ code: 0 });
    const [other, leader] = [await start('worker'), await start('leader')];
    await until(() => count() === FILES);
    for (const daemon of [paused, other, leader]) expect(await end(daemon, 'SIGTERM')).toBe(0);
    expect(paused.said()).not.toContain('wrote');
    expect(team.sandbox.counters().asked_twice).toEqual([]);
  });

  test('a job that a worker holds because its source was gone is planned again when the source is there', async () => {
    const { team, start, end } = await tree({ files: FEW });
    await using _team = team;
    const leader = await start('leader');
    const jobs = `${team.schema}.tree_jobs`;
    await team.until(`select 1 from @.tree_jobs having count(*) = ${FEW}`);
    await postgres.query(
      `update ${jobs} set by = 'worker', mark = 'worker', rev = pg_current_xact_id(),
         record = jsonb_set(record, '{state}', '{"kind": "held", "at": "2026-01-01T00:00:00.000Z", "hold": {"kind": "source-gone"}}')
       where record->>'source' = 'en/file_0.json'`,
    );
    await team.until(`select 1 from @.tree_jobs where mark <> 'worker' and record->'state'->>'kind' = 'queued'
      and record->>'source' = 'en/file_0.json'`);
    expect(await end(leader, 'SIGTERM')).toBe(0);
  });

  test('other daemons continue the work of a killed worker and of a killed leader within seconds', async () => {
    const { team, member, start, startApart, end, count } = await tree({ slowMs: 1500 });
    await using _team = team;
    const leader = await startApart('both');
    await until(() => leader.said().includes('watching') || count() > 0);
    const standby = await start('both');
    const worker = await startApart('worker');
    const other = await start('worker');
    await team.until(`select from @.turns limit 1`);
    await end(worker, 'SIGKILL');
    await end(leader, 'SIGKILL');
    member.write('en/late.json', '{ "key": "Something new" }');
    await until(() => member.has('de/late.json') && count() === FILES);
    expect([await end(other, 'SIGTERM'), await end(standby, 'SIGTERM')]).toEqual([0, 0]);
    const { sure, doubted, requests, leases, reserved } = await team.account();
    const { billed_characters, asked_twice } = team.sandbox.counters();
    expect({ requests, leases, reserved }).toEqual({ requests: 0, leases: 0, reserved: 0 });
    expect(sure).toBeLessThanOrEqual(billed_characters);
    expect(sure + doubted).toBeGreaterThanOrEqual(billed_characters);
    if (doubted === 0) expect(asked_twice).toEqual([]);
  });

  test('a daemon that waits to lead works meanwhile, and leads within seconds when the leader is killed', async () => {
    const { team, member, start, startApart, end, count } = await tree({ files: FEW });
    await using _team = team;
    const leader = await startApart('leader');
    await until(() => leader.said().includes('watching'));
    const standby = await start('both');
    // The leader translates nothing itself.
    await until(() => count() === FEW);
    expect(standby.said()).toContain('works on the tree');
    await end(leader, 'SIGKILL');
    member.write('en/late.json', '{ "key": "Something new" }');
    await until(() => member.has('de/late.json'));
    const other = await start('both');
    await until(() => other.said().includes('works on the tree'));
    expect([await end(other, 'SIGTERM'), await end(standby, 'SIGTERM')]).toEqual([0, 0]);
    expect(member.read('dragoman.lock/app/de').match(/^[\w-]{6} .* m$/gm)).toHaveLength(
      FEW * 10 + 1,
    );
    expect(team.sandbox.counters().asked_twice).toEqual([]);
  });

  test('a daemon that waits to lead and does nothing else serves page, metrics and health, is ready for systemd, and ends with 0', async () => {
    const { team, member, start, startApart, end, pageOf, count } = await tree({ files: FEW });
    await using _team = team;
    const leader = await startApart('both');
    await until(() => count() === FEW);
    const standby = await start('leader');
    await until(() => standby.said().includes('works on the tree'));
    // The message to systemd and the line of the log are the same event.
    await until(() => standby.said().includes('waiting to lead the tree'));
    const page = await pageOf(standby);
    const probe = async (path: string) => {
      const answer = await fetch(`${page}${path}`);
      return { status: answer.status, body: await answer.text() };
    };
    expect(await probe('/healthz')).toMatchObject({ status: 200 });
    expect(await probe('/readyz')).toMatchObject({
      ...{ status: 503, body: expect.stringContaining('waits to lead') },
    });
    expect(await probe('/metrics')).toMatchObject({
      ...{ status: 200, body: expect.stringContaining('dragoman_') },
    });
    const { stdout } = await member.run('status', {}, '--config', standby.config);
    expect(stdout).toMatch(/waits to lead, takes no texts/);
    member.write('en/late.json', '{ "key": "Something new" }');
    await until(() => member.has('de/late.json'));
    expect(standby.said()).not.toContain('wrote');
    const other = await start('leader');
    await until(() => other.said().includes('works on the tree'));
    expect(await end(other, 'SIGTERM')).toBe(0);
    await end(leader, 'SIGKILL');
    await until(() => standby.said().includes('leads the tree'));
    await until(async () => (await probe('/readyz')).status === 200);
    expect(await end(standby, 'SIGTERM')).toBe(0);
  });

  test('undo of what workers wrote goes through the leader, run by run, while all of them go on', async () => {
    const { team, member, start, end, count } = await tree();
    await using _team = team;
    const workers = [await start('worker'), await start('worker')];
    const leader = await start('leader');
    await until(() => count() === FILES);
    const done = `select from @.tree_jobs having bool_and(record->'state'->>'kind' = 'done') and count(*) = `;
    await team.until(`${done} ${FILES}`);
    const files = Array.from({ length: FILES }, (_, n) => `file_${n * 10}.json`);
    const before = files.map((file) => member.read(`de/${file}`));
    for (const file of files) {
      const text = member.read(`en/${file}`).replace(/Text number (\d+)/, 'New text $1');
      member.write(`en/${file}`, text);
    }
    const now = () => files.map((file) => member.read(`de/${file}`));
    await until(() => now().every((text, n) => text !== before[n]));
    await team.until(`${done} ${FILES}`);
    // None of it is the leader's own.
    expect(leader.said()).not.toContain('wrote de/');
    const undone = await member.run('undo', {}, '--config', leader.config, '--yes', '--json');
    expect(undone.code).toBe(0);
    const report = JSON.parse(undone.stdout) as { files: unknown[]; left: unknown[] };
    expect([report.files.length, report.left]).toEqual([FILES, []]);
    expect(now()).toEqual(before);
    for (const daemon of [...workers, leader]) expect(await end(daemon, 'SIGTERM')).toBe(0);
  });

  test('a document that a killed worker had sent is fetched by another one, and billed once', async () => {
    const { team, member, start, startApart, end } = await tree({ files: FEW });
    await using _team = team;
    const leader = await start('leader');
    const victim = await startApart('worker');
    member.write('en/page.txt', 'Good morning.\n');
    await team.until("select 1 from @.purchases where stage in ('sent', 'booked', 'kept')");
    await end(victim, 'SIGKILL');
    const other = await start('worker');
    await until(() => member.has('de/page.txt'));
    expect([await end(other, 'SIGTERM'), await end(leader, 'SIGTERM')]).toEqual([0, 0]);
    const { operations } = team.sandbox.counters();
    expect(operations['POST /v2/document']?.calls).toBe(1);
    const charges = await postgres.query(
      `select record->>'kind' as kind from ${team.schema}.charges where record->>'lane' = 'document'`,
    );
    expect(charges).toEqual([{ kind: 'billed' }]);
  });

  test('a recording that a killed leader had sent is fetched by the next one, and sent once', async () => {
    const { team, member, start, startApart, end } = await tree({ files: FEW });
    await using _team = team;
    member.write('spoken/talk.wav', silence(8));
    const victim = await startApart('both');
    await team.until("select 1 from @.purchases where stage = 'booked' having count(*) > 0");
    await end(victim, 'SIGKILL');
    const next = await start('both');
    await until(() => member.has('heard/de/talk.txt'));
    expect(await end(next, 'SIGTERM')).toBe(0);
    expect(team.sandbox.counters().operations[UPLOAD]?.calls).toBe(1);
    const charges = await postgres.query(
      `select record->>'kind' as kind, seconds::int from ${team.schema}.charges where seconds > 0`,
    );
    expect(charges).toEqual([{ kind: 'counted', seconds: 8 }]);
  });

  test.each([
    ['with something to plan', true],
    ['without work', false],
  ])(
    'a leader that was suspended, and goes on %s when another one leads, plans nothing and ends',
    async (_when, hasWork) => {
      const { team, member, start, startApart, end, count } = await tree({ files: FEW });
      await using _team = team;
      const stalled = await startApart('both');
      await until(() => count() === FEW && member.has('dragoman.lock/app/de'));
      await team.until(
        `select from @.tree_jobs having count(*) = ${FEW} and bool_and(record->'state'->>'kind' = 'done')`,
      );
      const standby = await start('both');
      await until(() => standby.said().includes('works on the tree'));
      stalled.kill('SIGSTOP');
      const write = (name: string) =>
        member.write(`en/${name}.json`, `{ "key": "The ${name} text" }`);
      if (hasWork) {
        write('late');
        await until(() => member.has('de/late.json'));
      } else await until(() => standby.said().includes('epoch 2'));
      stalled.kill('SIGCONT');
      if (hasWork) write('later');
      expect(await stalled.code).toBe(75);
      expect(stalled.said()).toContain('another daemon leads the tree "website" now');
      if (!hasWork) write('later');
      await until(() => member.has('de/later.json'));
      expect(await end(standby, 'SIGTERM')).toBe(0);
      expect(team.sandbox.counters().asked_twice).toEqual([]);
    },
  );

  test('a role is refused for a tree that daemons do not share', async () => {
    await using team = await Team.start(postgres, { members: 1, texts: 10 });
    const [member] = team.members as [Member];
    const alone = member.spawn('run', {}, '--role', 'worker');
    const [said, [code]] = await Promise.all([text(alone.stderr), once(alone, 'close')]);
    expect(code).toBe(64);
    expect(said).toContain('name it as "state.tree"');
  });
});
