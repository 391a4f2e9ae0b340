/** Daemons on one tree whose project has the service detect the languages of its files. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import type { Member } from '../shared-team.ts';
import { startTree } from '../tree-rig.ts';

const DETECT = 'POST /v3/detect/language';
const FILES = 4;
const LANGUAGES = ['de', 'fr', 'en', 'it'];

describe.skipIf(NO_POSTGRES !== undefined)('a tree whose languages are detected', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  test('the language of a file is bought once for all daemons, and no file is translated into its own', async () => {
    const faults = [
      { kind: 'slow_headers', operation: DETECT, ms: 1500, times: 'always' },
    ] as const;
    const { team, member, configure, startWith, ended } = await startTree(postgres, {
      ...{ files: 0, faults },
    });
    await using _team = team;
    // One job at a time: so several daemons have a job of each file.
    const detecting = (yaml: string) =>
      yaml
        .replace(/service: \{/, 'service: { lanes: { text: 1 },')
        .replace(/source: en, .*$/m, PROJECT);
    write(member);
    const daemons = [];
    for (const role of ['worker', 'worker', 'worker', 'leader']) {
      daemons.push(startWith(await configure(detecting), role));
    }
    const written = `record->>'language' in ('de', 'fr', 'it') and record->'state'->>'kind' = 'done'`;
    await team.until(
      `select from @.tree_jobs having count(*) filter (where ${written}) = ${3 * FILES}`,
    );
    await team.until(`select from (select) one where not exists (select from @.turns)`);
    await team.until(
      `select from (select) one where not exists (select from @.tree_jobs where not (${written}))`,
    );
    for (const each of daemons) each.kill('SIGTERM');
    expect(await Promise.all(daemons.map(ended))).toEqual([0, 0, 0, 0]);
    const { operations } = team.sandbox.counters();
    expect(operations[DETECT]?.calls).toBe(FILES);
    expect(operations['POST /v2/write/rephrase']).toBeUndefined();
    expect(member.has('done/en/file_0.json')).toBe(false);
    expect(await team.account()).toMatchObject({ doubted: 0, requests: 0, leases: 0, reserved: 0 });
  });
});

const PROJECT = `source: auto, detect: true, targets: [${LANGUAGES}], routes: [{ from: "in/*.json", to: "done/{locale}/{name}.json" }] }`;

function write(member: Member): void {
  for (let n = 0; n < FILES; n++) {
    member.write(
      `in/file_${n}.json`,
      `{ "key": "The letter ${n} is about the boat, for the master." }`,
    );
  }
}
