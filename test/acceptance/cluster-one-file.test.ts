/** Several daemons of a tree that write one file at the same time, on a volume where a rename lasts. Real processes. */
import { hash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReviewPortion, ReviewRow } from '../../src/control/review-report.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startTree } from '../tree-rig.ts';
import { until } from '../until.ts';

const MEETING = pathToFileURL(join(import.meta.dirname, '..', 'meeting-renames-process.ts')).href;

describe.skipIf(NO_POSTGRES !== undefined)('several daemons that write one file', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  /** @param of the end of the path of the file whose renames meet */
  async function meeting(of: string) {
    const at = await temporaryFolder();
    return {
      preload: `${MEETING}?${new URLSearchParams({ at, of })}`,
      /** From now on, a rename lasts until another daemon comes. */
      arm: () => writeFileSync(join(at, 'armed'), ''),
      hasBegun: () => readdirSync(at).some((name) => name.startsWith('renames-')),
    };
  }

  /** Of a file with all languages. */
  const catalog = (unit: string) => ({
    extractionState: 'manual',
    localizations: { en: { stringUnit: { state: 'translated', value: unit } } },
  });

  test('a catalog has all languages, though each daemon writes another one into it', async () => {
    const tree = await startTree(postgres, { files: 1 });
    const { team, member, start, end } = tree;
    await using _team = team;
    const { preload, arm } = await meeting('.xcstrings');
    const config = (yaml: string) =>
      yaml
        .replace('targets: [de]', 'targets: [de, fr]')
        .replace('routes: [', '$&{ from: "app/*.xcstrings" }, ')
        .replace('service: {', '$& lanes: { text: 1 },');
    const workers = [
      await start('worker', config, undefined, preload),
      await start('worker', config, undefined, preload),
    ];
    member.write('app/none.txt', '');
    const leader = await start('leader', config);
    await until(() => member.has('de/file_0.json') && member.has('fr/file_0.json'));
    arm();
    const strings = { one: catalog('The first sentence'), two: catalog('The second sentence') };
    const file = 'app/all.xcstrings';
    member.write(file, JSON.stringify({ sourceLanguage: 'en', strings, version: '1.0' }));
    await team.until(`select 1 from @.tree_jobs where record->>'source' = '${file}'
      and record->'state'->>'kind' = 'done' having count(*) = 2`);
    const written = JSON.parse(member.read(file)) as { readonly strings: typeof strings };
    for (const { localizations } of Object.values(written.strings)) {
      expect(new Set(Object.keys(localizations))).toEqual(new Set(['de', 'en', 'fr']));
    }
    for (const daemon of [...workers, leader]) expect(await end(daemon, 'SIGTERM')).toBe(0);
    expect(team.sandbox.counters().asked_twice).toEqual([]);
  });

  test('a save on the page and the translation that a worker publishes meanwhile are both in the file', async () => {
    const tree = await startTree(postgres, { files: 1 });
    const { team, member, start, end, pageOf, targets } = tree;
    await using _team = team;
    const [target = ''] = targets;
    const { preload, arm, hasBegun } = await meeting(target);
    const withPage = (yaml: string) =>
      yaml.replace(
        /^state:/m,
        'page: { listen: "127.0.0.1:0", reviewers: [{ name: anna, languages: [de] }] }\n$&',
      );
    const worker = await start('worker', undefined, undefined, preload);
    const leader = await start('leader', withPage, undefined, preload);
    const done = `select 1 from @.tree_jobs where record->'state'->>'kind' = 'done'`;
    await team.until(done);
    const before = JSON.parse(member.read(target)) as Record<string, string>;
    const page = await pageOf(leader);
    const post = async (path: string, body: object, cookie = '') => {
      const headers = { 'content-type': 'application/json', cookie };
      return await fetch(`${page}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    };
    const { stdout } = await member.run('review', {}, 'link', 'anna', '--config', leader.config);
    const token = new URL(stdout.trim()).hash.slice('#token='.length);
    const session = await post('/api/session', { token });
    const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
    const asked = { language: 'de', states: [], from: 0, count: 10 };
    const list = (await (await post('/api/review/list', asked, cookie)).json()) as ReviewPortion;
    const row = list.rows.find(({ text }) => text.key === 'key_1') as ReviewRow;
    arm();
    const source = member.read('en/file_0.json').replace('number 0', 'changed');
    member.write('en/file_0.json', source);
    await until(hasBegun);
    const { project, file, language, text } = row;
    const { id, source_hash, target_hash } = text;
    const saving = { project, file, language, id, source: source_hash, was: target_hash };
    const saved = await post(
      '/api/review/save',
      { ...saving, text: 'Von Anna', reviewed: true },
      cookie,
    );
    expect(saved.status).toBe(200);
    await team.until(`${done} and record->>'delivered' like '${hash('sha256', source)}%'`);
    const { key_0, key_1, ...others } = JSON.parse(member.read(target)) as Record<string, string>;
    expect(key_0).not.toBe(before['key_0']);
    expect(key_1).toBe('Von Anna');
    expect(others).toEqual(
      Object.fromEntries(Object.entries(before).filter(([key]) => !/^key_[01]$/.test(key))),
    );
    for (const daemon of [worker, leader]) expect(await end(daemon, 'SIGTERM')).toBe(0);
  });
});
