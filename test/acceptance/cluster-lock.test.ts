/** The lock of a tree has the lines of all that its daemons delivered, whoever led it then. Real processes. */
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReviewPortion, ReviewRow } from '../../src/control/review-report.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startTree } from '../tree-rig.ts';
import { until } from '../until.ts';

const KILLED = pathToFileURL(join(import.meta.dirname, '..', 'killed-rename-process.ts')).href;
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
    const tree = await startTree(postgres, { files: 2, daemons: 'here' });
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
    const fresh = async (change = texts) => {
      const config = member.read(await configure(change));
      const alone = config.replace(/^state:.*$/m, `state: "${await temporaryFolder()}"`);
      member.write('alone.yaml', alone);
      return await ask('alone.yaml', ...FROZEN);
    };
    const lock = () => member.read(LOCK);
    const link = async (config: string) =>
      (await member.run('review', {}, 'link', 'anna', '--config', config)).stdout;
    return { ...tree, link, ask, isWhole, change, isDelivered, fresh, lock };
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
    const killed = await tree.startApart('leader', texts);
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

  test('gets from the next leader what a killed one had not written: the version of a glossary, and what a person saved', async () => {
    const tree = await lockedTree();
    const { team, member, start, startWith, end, ended, pageOf, ask, lock } = tree;
    await using _team = team;
    const terms = 'l10n/en-de.csv';
    const withPage = (yaml: string) =>
      texts(yaml)
        .replace(
          /^state:/m,
          'page: { listen: "127.0.0.1:0", reviewers: [{ name: anna, languages: [de] }] }\n$&',
        )
        .replace(
          'targets: [de],',
          '$& glossary: { name: shop, csv: "l10n/{source}-{locale}.csv" },',
        );
    member.write(terms, 'text,Text\n');
    const armed = join(await temporaryFolder(), 'armed');
    const preload = `${KILLED}?${new URLSearchParams({ armed, of: LOCK })}`;
    const first = await start('both', withPage, undefined, preload);
    // With that of the glossary.
    await until(() => member.has(LOCK) && (lock().match(/ m$/gm)?.length ?? 0) === 21);
    const noted = `select from @.tree_records where record->'value' ? 'lockLacks'`;
    await team.until(`select from (select) one where not exists (${noted})`);
    const before = lock();
    writeFileSync(armed, '');
    member.write(terms, 'text,Wort\n');
    await ended(first);
    expect(lock()).toBe(before);
    for (const words of [FROZEN, PLAN, CHECK]) {
      expect(await ask(first.config, ...words)).toMatchObject({
        ...{ code: 1, said: expect.stringContaining('wrote the versions of glossaries') },
      });
    }
    await rm(armed);
    const second = startWith(first.config, 'both', { preload });
    await until(() => lock() !== before);
    await team.until(`select from (select) one where not exists (${noted})`);
    expect(await ask(first.config, ...FROZEN)).toMatchObject({ code: 0 });
    writeFileSync(armed, '');
    await saveOn(await pageOf(second), (await tree.link(first.config)).trim()).catch(() => {});
    await ended(second);
    expect(member.read('de/file_0.json')).toContain('Von Anna');
    expect(lock()).not.toMatch(/ h$/m);
    await rm(armed);
    const third = startWith(first.config, 'both');
    await until(() => / h$/m.test(lock()));
    expect(member.read('de/file_0.json')).toContain('Von Anna');
    expect(await tree.fresh(withPage)).toMatchObject({ code: 0 });
    // The page had said that the save failed. Saved again, the text is reviewed.
    await saveOn(await pageOf(third), (await tree.link(first.config)).trim());
    expect(lock()).toMatch(/ h\+$/m);
    expect(await end(third, 'SIGTERM')).toBe(0);
  });
});

/** Saves a text of the first file. */
async function saveOn(page: string, link: string): Promise<void> {
  const post = async (path: string, body: object, cookie = '') => {
    const headers = { 'content-type': 'application/json', cookie };
    return await fetch(`${page}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const session = await post('/api/session', {
    token: new URL(link).hash.slice('#token='.length),
  });
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
  const asked = { language: 'de', file: 'en/file_0.json', states: [], from: 0, count: 10 };
  const list = (await (await post('/api/review/list', asked, cookie)).json()) as ReviewPortion;
  const row = list.rows.find(({ text }) => text.key === 'key_1') as ReviewRow;
  const { project, file, language, text } = row;
  const { id, source_hash, target_hash } = text;
  const saving = { project, file, language, id, source: source_hash, was: target_hash };
  await post('/api/review/save', { ...saving, text: 'Von Anna', reviewed: true }, cookie);
}
