/** The lock of a tree has the lines of all that its daemons delivered, whoever led it then. Real processes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startTree } from '../tree-rig.ts';
import { until } from '../until.ts';

const LOCK = 'dragoman.lock/app/de';
const SLOW = { kind: 'slow_headers', operation: 'POST /v2/translate', ms: 3000, times: 1 } as const;
const FROZEN: [string, ...string[]] = ['once', '--frozen'];
const PLAN: [string, ...string[]] = ['plan'];
const CHECK: [string, ...string[]] = ['check'];
/** A route that finds nothing is a fault of its own. */
const texts = (yaml: string) =>
  yaml.replace(/routes: \[.*\]/, 'routes: [{ from: "{locale}/*.json" }]');

describe.skipIf(NO_POSTGRES !== undefined)('the lock of a tree', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  async function lockedTree() {
    const tree = await startTree(postgres, { files: 2 });
    const { team, member, configure } = tree;
    const ask = async (config: string, ...[command, ...args]: readonly [string, ...string[]]) => {
      const { code, stdout, stderr } = await member.run(command, {}, ...args, '--config', config);
      return { code, said: `${stdout}${stderr}` };
    };
    const isWhole = () =>
      member.has(LOCK) && (member.read(LOCK).match(/ m$/gm)?.length ?? 0) === 20;
    const change = (file: string, to: string) =>
      member.write(file, member.read(file).replace(/"key_0": ".*"/, `"key_0": "${to}"`));
    const isDelivered = () =>
      team.until(
        `select from @.tree_jobs having count(*) = 2 and bool_and(record->'state'->>'kind' = 'done')`,
      );
    /** What a checkout says that has the files and the lock, and no state. */
    const fresh = async () => {
      const config = member.read(await configure(texts));
      const alone = config.replace(/^state:.*$/m, `state: "${await temporaryFolder()}"`);
      member.write('alone.yaml', alone);
      return await ask('alone.yaml', ...FROZEN);
    };
    const lock = () => member.read(LOCK);
    return { ...tree, ask, isWhole, change, isDelivered, fresh, lock };
  }

  test('gets the lines of what a worker delivered while nobody led, and until then no machine says that nothing is to be done', async () => {
    const tree = await lockedTree();
    const { team, member, start, startWith, end, ask, isWhole, lock } = tree;
    await using _team = team;
    const leader = await start('leader', texts);
    const worker = await start('worker', texts);
    await until(isWhole);
    const before = lock();
    team.sandbox.faults.add([SLOW]);
    tree.change('en/file_0.json', 'The text 4711');
    await team.until('select from @.turns');
    expect(await end(leader, 'SIGTERM')).toBe(0);
    await until(() => member.read('de/file_0.json').includes('4711'));
    await tree.isDelivered();
    expect(lock()).toBe(before);
    for (const { config } of [leader, worker]) {
      for (const words of [FROZEN, PLAN, CHECK]) {
        expect(await ask(config, ...words)).toMatchObject({
          ...{ code: 1, said: expect.stringContaining('the lines of 1 translated file') },
        });
      }
    }
    const next = startWith(leader.config, 'leader');
    await until(() => lock() !== before);
    await team.until(
      `select from (select) one where not exists (select from @.tree_jobs where record ? 'lockLacks')`,
    );
    expect(await tree.fresh()).toMatchObject({ code: 0 });
    for (const { config } of [leader, worker]) {
      for (const words of [FROZEN, CHECK]) {
        expect(await ask(config, ...words)).toMatchObject({ code: 0 });
      }
    }
    for (const each of [worker, next]) expect(await end(each, 'SIGTERM')).toBe(0);
  });

  test('gets from the next leader the lines that a killed one had not written, and the machine of the killed one says so', async () => {
    const tree = await lockedTree();
    const { team, member, start, startWith, end, ask, isWhole, lock } = tree;
    await using _team = team;
    // The one that leads at last has led before: it takes the lock for complete.
    const first = await start('leader', texts);
    const worker = await start('worker', texts);
    await until(isWhole);
    const killed = await start('leader', texts);
    await until(() => killed.said().includes('waiting to lead'));
    expect(await end(first, 'SIGTERM')).toBe(0);
    await until(() => killed.said().includes('leads the tree'));
    const standby = startWith(first.config, 'leader');
    await until(() => standby.said().includes('waiting to lead'));
    const before = lock();
    // The second job keeps the leader from writing the lock.
    team.sandbox.faults.add([{ ...SLOW, ms: 20_000, matches: 'LAST' }]);
    tree.change('en/file_10.json', 'The LAST text');
    await team.until('select from @.turns');
    tree.change('en/file_0.json', 'The text 4711');
    await until(() => member.read('de/file_0.json').includes('4711'));
    await team.until(`select from @.tree_jobs where record->'state'->>'kind' = 'done'`);
    await end(killed, 'SIGKILL');
    expect(lock()).toBe(before);
    await until(() => standby.said().includes('leads the tree'));
    team.sandbox.faults.clear();
    await tree.isDelivered();
    await until(() => lock() !== before);
    await team.until(
      `select from (select) one where not exists (select from @.tree_jobs where record ? 'lockLacks')`,
    );
    expect(await tree.fresh()).toMatchObject({ code: 0 });
    expect(await ask(killed.config, ...FROZEN)).toMatchObject({ code: 0 });
    for (const each of [worker, standby]) expect(await end(each, 'SIGTERM')).toBe(0);
  });
});
