/** A law of the tree half: no daemon changes what others see by a function that asks neither for a claim, nor for the lead, nor for the record that it was decided from. */
import { expect, test } from 'vitest';
import { TREE_FUNCTIONS, TREE_INTERNAL } from '../../../src/state/postgres/tree-schema.ts';

/** Why these may change tables of a tree all the same. */
const ALLOWED: Readonly<Record<string, string>> = {
  'tree_open(p_tree text)': 'forgets removals and writers that nobody needs any more',
  'tree_free(p_tree text, p_by text, p_ids jsonb)': 'ends what its own writer holds',
  'tree_put_baseline(p_tree text, p_id text, p_bytes bytea)': 'daemons of the sixth version',
  'tree_remove_baseline(p_tree text, p_id text)': 'daemons of the sixth version',
  'tree_move_baselines(p_tree text, p_move text, p_moves jsonb)': 'daemons of the sixth version',
};
const CHANGES = /\b(insert into|update|delete from) tree|\bperform tree_(put|move)|:= tree_change/;
const ASKS = /\btree_(may|led)\(p\)|distinct from c\.expect|v_job\.fence <> /;

const functions = Object.entries(TREE_FUNCTIONS).map(([head, body]) => {
  const [, name = '', parameters = ''] = /^(\w+)\((.*)\) returns/.exec(head) ?? [];
  const types = parameters.replaceAll(/(^|, )\w+ /g, '$1');
  const isInternal = TREE_INTERNAL.includes(`${name}(${types})`);
  return { call: `${name}(${parameters})`, body, isInternal };
});

test('what a daemon may call changes a tree only by a claim, by the lead or by the record that it was decided from', () => {
  const open = functions.filter(({ isInternal }) => !isInternal);
  const unasked = open.filter(({ body }) => CHANGES.test(body) && !ASKS.test(body));
  expect(unasked.map(({ call }) => call)).toEqual(Object.keys(ALLOWED));
});

test('each change of a job that is written for a daemon asks for its fence, or for the record that it was decided from', () => {
  const changes = functions.filter(({ call }) => /^tree_(commit|step|settle)\(/.test(call));
  expect(changes).toHaveLength(3);
  expect(changes.filter(({ body }) => !ASKS.test(body)).map(({ call }) => call)).toEqual([]);
  expect(functions.find(({ call }) => call.startsWith('tree_write'))?.body).toContain(
    'tree_led(p)',
  );
});
