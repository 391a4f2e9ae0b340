/**
 * Laws of a team's tables: no call overwrites blindly. A function that changes records for others asks for a claim, for the lead, or
 * for the record that the change was decided from.
 */
import { expect, test } from 'vitest';
import { AGREEMENT_FUNCTIONS } from '../../../src/state/postgres/agreement-schema.ts';
import { schemaSql } from '../../../src/state/postgres/schema.ts';
import { TREE_FUNCTIONS, TREE_INTERNAL } from '../../../src/state/postgres/tree-schema.ts';

/** Why these functions may change tables of a tree without that. */
const ALLOWED: Readonly<Record<string, string>> = {
  'tree_open(p_tree text)': 'forgets removals and writers that nobody needs any more',
  'tree_free(p_tree text, p_by text, p_ids jsonb)': 'ends what its own writer holds',
  'tree_put_baseline(p_tree text, p_id text, p_bytes bytea)': 'daemons of the sixth version',
  'tree_remove_baseline(p_tree text, p_id text)': 'daemons of the sixth version',
  'tree_move_baselines(p_tree text, p_move text, p_moves jsonb)': 'daemons of the sixth version',
  'tree_seal(p_tree text, p jsonb)': 'writes where nothing stands',
};
const CHANGES = /\b(insert into|update|delete from) tree|\bperform tree_(put|move)|:= tree_change/;
const ASKS = /\btree_(may|led)\(p\)|distinct from c\.expect|v_job\.fence <> /;

const functions = Object.entries({ ...TREE_FUNCTIONS, ...AGREEMENT_FUNCTIONS }).map(
  ([head, body]) => {
    const [, name = '', parameters = ''] = /^(\w+)\((.*)\) returns/.exec(head) ?? [];
    const types = parameters.replaceAll(/(^|, )\w+ /g, '$1');
    const isInternal = TREE_INTERNAL.includes(`${name}(${types})`);
    return { call: `${name}(${parameters})`, body, isInternal };
  },
);

test('the functions for daemons change a tree only by a claim, by the lead or by the record that the change was decided from', () => {
  const open = functions.filter(({ isInternal }) => !isInternal);
  const unasked = open.filter(({ body }) => CHANGES.test(body) && !ASKS.test(body));
  expect(unasked.map(({ call }) => call)).toEqual(Object.keys(ALLOWED));
});

/** Why these write over what is there without looking at it. */
const OVERWRITING: Readonly<Record<string, string>> = {
  take_slot: 'moves a time forward',
  pause_rate: 'moves a time forward',
  beat: 'of the runner itself',
  put_result: 'bytes in a table of their own: who takes them compares the hash',
  tree_write: 'the last answers of the writer itself',
  tree_put: 'its callers have asked',
  tree_put_baseline: 'asks by `tree_may`',
};

test('no function overwrites a row that another runner may have written since, unless it says why', () => {
  const overwriting = schemaSql('team')
    .split('create or replace function ')
    .flatMap((text) => {
      const [head = '', body = ''] = text.split('$$');
      const blind = [...body.matchAll(/do update set[^;]*/g)].filter(
        ([each]) => !/\bwhere\b/.test(each),
      );
      return blind.map(() => head.split('(')[0] ?? '');
    });
  expect([...new Set(overwriting)]).toEqual(Object.keys(OVERWRITING));
});

test('a change of a record that is no job asks for the record that it was decided from', () => {
  const commit = functions.find(({ call }) => call.startsWith('tree_commit('))?.body ?? '';
  expect(commit).toMatch(/r\.mark is distinct from c\.value->>'expect'[\s\S]*perform tree_put/);
  expect(
    functions.filter(({ body }) => /perform tree_put\(/.test(body)).map(({ call }) => call),
  ).toEqual([
    expect.stringContaining('tree_commit('),
    // Its records are charges and requests, which have one writer each.
    expect.stringContaining('tree_settle('),
  ]);
});

test('each change of a job that is written for a daemon asks for its fence, or for the record that it was decided from', () => {
  const changes = functions.filter(({ call }) => /^tree_(commit|step|settle)\(/.test(call));
  expect(changes).toHaveLength(3);
  expect(changes.filter(({ body }) => !ASKS.test(body)).map(({ call }) => call)).toEqual([]);
  expect(functions.find(({ call }) => call.startsWith('tree_write'))?.body).toContain(
    'tree_led(p)',
  );
});
