/** What a daemon of a tree removed can be restored on every machine. Real processes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startTree } from '../tree-rig.ts';
import { until } from '../until.ts';

describe.skipIf(NO_POSTGRES !== undefined)('the trash of a tree', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  test('gives a file back on another machine than the one that removed it and was lost, and what an earlier version removed there', async () => {
    const { team, member, configure, start, ended, targets } = await startTree(postgres, {
      files: 1,
    });
    await using _team = team;
    const [target = ''] = targets;
    const leader = await start('both');
    await until(() => member.has(target));
    const translated = member.read(target);
    member.remove('en/file_0.json');
    await until(() => !member.has(target));
    leader.kill('SIGKILL');
    await ended(leader);
    const state = await temporaryFolder();
    const elsewhere = await configure((yaml) =>
      yaml.replace(/folder: "[^"]*"/, `folder: "${state}"`),
    );
    const restore = async (...words: readonly string[]) =>
      await member.run('restore', {}, ...words, '--config', elsewhere);
    const former = join(state, 'trash', '2026-01-02', 'app', 'de');
    mkdirSync(former, { recursive: true });
    writeFileSync(join(former, 'former.json'), '{}');
    const list = await restore('--list');
    expect(list.stdout).toMatch(/^2026-01-02 {2}de\/former\.json\n.* {2}de\/file_0\.json\n$/);
    expect(await restore(target)).toMatchObject({ code: 0 });
    expect(await restore('de/former.json')).toMatchObject({ code: 0 });
    expect([member.read(target), member.read('de/former.json')]).toEqual([translated, '{}']);
  });
});
