/** SQL of the trees that daemons share: sources, jobs, remotes and baselines, each by the name of its tree. */

export const TREE_TABLES = `
create table trees (name text primary key, at timestamptz not null default clock_timestamp());

create table tree_jobs (
  tree text not null references trees on delete cascade, id text not null,
  seq bigint generated always as identity,
  -- Without its fence.
  record jsonb not null,
  fence bigint not null,
  -- Another one with every change: a change names the one that it was decided from.
  mark text not null,
  -- Who changed it last: that mirror has it already.
  by text not null,
  -- By which a mirror finds what was committed since its last look; a sequence would miss what commits out of order.
  rev xid8 not null default pg_current_xact_id(),
  primary key (tree, id)
);
create index tree_jobs_rev on tree_jobs (tree, rev);
create index tree_jobs_seq on tree_jobs (tree, seq);

-- All tables of the ledger but the jobs.
create table tree_records (
  tree text not null references trees on delete cascade, tbl text not null, id text not null,
  seq bigint generated always as identity,
  record jsonb not null, by text not null,
  rev xid8 not null default pg_current_xact_id(),
  primary key (tree, tbl, id)
);
create index tree_records_rev on tree_records (tree, rev);
create index tree_records_seq on tree_records (tree, seq);

-- What is gone, for mirrors; one that has not looked for so long begins anew.
create table tree_removals (
  tree text not null references trees on delete cascade, tbl text not null, id text not null, by text not null,
  at timestamptz not null default clock_timestamp(), rev xid8 not null default pg_current_xact_id()
);
create index tree_removals_rev on tree_removals (tree, rev);

-- The last change of each writer and its answer: told again where the answer was lost, and not made again.
create table tree_writers (
  tree text not null references trees on delete cascade, by text not null, n bigint not null, answers jsonb not null,
  at timestamptz not null default clock_timestamp(),
  primary key (tree, by)
);

create table tree_baselines (
  tree text not null references trees on delete cascade, id text not null, bytes bytea not null,
  primary key (tree, id)
);
`;

/** The eighth version of the tables. */
export const TURN_TO_PLACE_TABLES = `
-- Who puts a target of the job in place, or moves what it wrote; nobody else changes the job until then, however that one ends.
alter table tree_jobs add column held_by text, add column held_until timestamptz;
`;

/** The ninth version of the tables. */
export const RECORD_MARK_TABLES = `
-- Another one with every change, as of jobs. Daemons of the eighth version name none: what they write gets one.
alter table tree_records add column mark text not null default '';
`;

/**
 * Seconds for which only one writer may change a job, after a step `publishing` and after the job was taken from its worker. A dead
 * daemon is given up after more, so no one waits longer for it.
 */
export const HELD_S = 6;

/** Seconds after which removals are forgotten. */
export const REMOVALS_STAND_S = 3600;

/** By the name, parameters and result of each function: its body. */
export const TREE_FUNCTIONS: Readonly<Record<string, string>> = {
  // The present rows of the records that a change names; a null record was removed. Records are text, with the escapes of `fitJson`.
  'tree_rows(p_tree text, p jsonb) returns jsonb': `
  select coalesce(jsonb_agg(to_jsonb(r)), '[]') from (
    select 'jobs' as tbl, c.value->>'id' as id, j.mark, j.fence, j.record::text
      from jsonb_array_elements(p->'jobs') c
      left join lateral (select * from tree_jobs t where t.tree = p_tree and t.id = c.value->>'id' offset 0) j on true
    union all
    select c.value->>'tbl', c.value->>'id', r.mark, null, r.record::text
      from jsonb_array_elements(coalesce(p->'puts', '[]') || coalesce(p->'removes', '[]')) c
      left join lateral (select * from tree_records t
        where t.tree = p_tree and t.tbl = c.value->>'tbl' and t.id = c.value->>'id' offset 0) r on true
  ) r`,

  // The answer to a stale claim: the present rows of all records that it would have changed.
  'tree_refused(p_tree text, p jsonb) returns jsonb': `
  select jsonb_build_object('stale', p->>'id', 'rows', tree_rows(p_tree, p || jsonb_build_object('jobs', jsonb_build_array(p))))`,

  // Registers a tree. True: it is new.
  'tree_open(p_tree text) returns boolean': `
declare
  v_isnew boolean;
begin
  insert into trees (name) values (p_tree) on conflict do nothing;
  v_isnew := found;
  delete from tree_removals where tree = p_tree and at < clock_timestamp() - ${REMOVALS_STAND_S} * interval '1 s';
  delete from tree_writers where tree = p_tree and at < clock_timestamp() - interval '1 day';
  return v_isnew;
end`,

  // Makes the changes of one writer in their order, in one transaction. Each is made or refused on its own, and has an answer.
  'tree_write(p jsonb) returns jsonb': `
declare
  v_tree text := p->>'tree';
  v_by text := p->>'by';
  v_n bigint := (p->>'n')::bigint;
  v_answers jsonb := '[]';
  v_op jsonb;
begin
  if p ? 'leader' then
    perform tree_led(p);
  end if;
  select answers into v_answers from tree_writers where tree = v_tree and by = v_by and n = v_n;
  if found then
    return v_answers;
  end if;
  v_answers := '[]';
  -- Records that are not there yet have no row to lock: who writes any of the tree waits for who does.
  if p @? '$.ops[*].puts[*]' or p @? '$.ops[*].removes[*]' then
    perform pg_advisory_xact_lock(hashtext(@channel || ' ' || v_tree), 2);
  end if;
  -- All of them before any change, in one order everywhere: no deadlock.
  -- As an array, and others row by row (lateral): a join with tables that nobody has counted reads all jobs of the tree.
  perform from tree_jobs where tree = v_tree and id = any(array(select jsonb_array_elements_text(p->'ids'))) order by id for update;
  for v_op in select * from jsonb_array_elements(p->'ops') loop
    v_answers := v_answers || jsonb_build_array(case v_op->>'kind'
      when 'commit' then tree_commit(v_tree, v_by, v_op)
      when 'claim' then tree_claim(v_tree, v_by, v_op)
      when 'step' then tree_step(v_tree, v_by, v_op)
      when 'settle' then tree_settle(v_tree, v_by, v_op)
    end);
  end loop;
  insert into tree_writers as w (tree, by, n, answers) values (v_tree, v_by, v_n, v_answers)
    on conflict (tree, by) do update set n = excluded.n, answers = excluded.answers, at = excluded.at;
  perform pg_notify(@channel, json_build_object('tree', v_tree, 'by', v_by)::text);
  return v_answers;
end`,

  // Commits facts together: all of them, or none when a record is not as they expect.
  'tree_commit(p_tree text, p_by text, p jsonb) returns jsonb': `
declare
  v_stale text;
  v_tbl text;
begin
  v_stale := tree_held(p_tree, p_by, p);
  if v_stale is not null then
    return jsonb_build_object('stale', v_stale, 'held', true, 'rows', tree_rows(p_tree, p));
  end if;
  select c.id into v_stale from jsonb_to_recordset(p->'jobs') c(id text, expect text)
    left join lateral (select t.mark from tree_jobs t where t.tree = p_tree and t.id = c.id offset 0) j on true
    where j.mark is distinct from c.expect limit 1;
  if v_stale is not null then
    return jsonb_build_object('stale', v_stale, 'rows', tree_rows(p_tree, p));
  end if;
  -- Daemons of the eighth version expect nothing of them.
  select c.value->>'tbl', c.value->>'id' into v_tbl, v_stale
    from jsonb_array_elements(coalesce(p->'puts', '[]') || coalesce(p->'removes', '[]')) c
    left join lateral (select r.mark from tree_records r
      where r.tree = p_tree and r.tbl = c.value->>'tbl' and r.id = c.value->>'id' offset 0) r on true
    where c.value ? 'expect' and r.mark is distinct from c.value->>'expect' limit 1;
  if v_stale is not null then
    return jsonb_build_object('stale', v_stale, 'tbl', v_tbl, 'rows', tree_rows(p_tree, p));
  end if;
  perform tree_put(p_tree, p_by, p);
  return '{}';
end`,

  // One of the jobs that only another writer may change now; null: there is none. Daemons of an earlier version do not wait.
  'tree_held(p_tree text, p_by text, p jsonb) returns text': `
  select j.id from jsonb_array_elements(p->'jobs') c
    join lateral (select * from tree_jobs t where t.tree = p_tree and t.id = c.value->>'id' offset 0) j on true
    where (p->>'waits')::boolean and j.held_by <> p_by and j.held_until > clock_timestamp() limit 1`,

  // Whether the turn that a change names goes on. Daemons of an earlier version name none.
  'tree_has_turn(p jsonb) returns boolean': `
begin
  return not p ? 'turn' or exists (select from turns where id = (p->>'turn')::uuid);
end`,

  // A claim of a failed job is a further attempt. A job that is done or held is claimed only with a release.
  'tree_claim(p_tree text, p_by text, p jsonb) returns jsonb': `
declare
  v_job tree_jobs;
  v_state jsonb;
  v_before text;
  v_source text;
begin
  -- Daemons of the ninth version name none. The job is locked: whoever leads by a new config plans it after this, or has done so.
  if p->>'config' <> (select coalesce(t.config->>'name', '') from trees t where t.name = p_tree) then
    return tree_refused(p_tree, p) || '{"config": true}';
  end if;
  select * into v_job from tree_jobs where tree = p_tree and id = p->>'id' for update;
  -- As \`tree_held\` says it.
  if (p->>'waits')::boolean and v_job.held_by <> p_by and v_job.held_until > clock_timestamp() then
    return tree_refused(p_tree, p) || '{"held": true}';
  end if;
  v_state := v_job.record->'state';
  if v_job.id is null or v_state->>'kind' in ('done', 'held') and not v_job.record ? 'release' or not tree_has_turn(p) then
    return tree_refused(p_tree, p);
  end if;
  v_before := v_job.mark;
  v_state := case v_state->>'kind'
    when 'running' then v_state - 'notBefore' - 'waitsFor'
    when 'failed' then jsonb_build_object('kind', 'running', 'attempt', (v_state->'attempts')::int + 1, 'step', '{"kind": "started"}'::jsonb)
    else '{"kind": "running", "attempt": 1, "step": {"kind": "started"}}' end;
  update tree_jobs set fence = fence + 1, record = jsonb_set(record, '{state}', v_state),
    -- A mirror that knew another record has decided nothing on this one.
    mark = (p->>'mark') || case when v_before = p->>'expect' then '' else '~' end, by = p_by, rev = pg_current_xact_id()
    where tree = p_tree and id = v_job.id returning * into v_job;
  if v_before = p->>'expect' then
    return jsonb_build_object('fence', v_job.fence);
  end if;
  -- The rows of \`tree_rows\`, of which the first is known: every claim of a worker comes here.
  v_source := (v_job.record->>'project') || '/' || (v_job.record->>'source');
  return jsonb_build_object('fence', v_job.fence, 'rows', jsonb_build_array(
    jsonb_build_object('tbl', 'jobs', 'id', v_job.id, 'mark', v_job.mark, 'fence', v_job.fence, 'record', v_job.record::text),
    (select jsonb_build_object('tbl', 'sources', 'id', v_source, 'mark', max(r.mark), 'fence', null, 'record', max(r.record::text))
      from tree_records r where r.tree = p_tree and r.tbl = 'sources' and r.id = v_source)));
end`,

  'tree_step(p_tree text, p_by text, p jsonb) returns jsonb': `
declare
  v_job tree_jobs;
  v_record jsonb;
  v_placed jsonb := p->'placed';
begin
  select * into v_job from tree_jobs where tree = p_tree and id = p->>'id' for update;
  if not found or v_job.fence <> (p->>'fence')::bigint or v_job.record->'state'->>'kind' <> 'running' or not tree_has_turn(p) then
    return tree_refused(p_tree, p);
  end if;
  v_record := jsonb_set(v_job.record, '{state}', jsonb_build_object('kind', 'running',
    'attempt', v_job.record->'state'->'attempt', 'step', p->'step'));
  if v_placed is not null then
    v_record := v_record || jsonb_build_object('placed', coalesce((select jsonb_agg(e.value)
      from jsonb_array_elements(v_record->'placed') e
      where e.value->>'path' <> v_placed->>'path' or e.value->>'hash' <> v_placed->>'hash'), '[]') || jsonb_build_array(v_placed));
  end if;
  return tree_change(p_by, p, v_job, v_record);
end`,

  // Frees the jobs that only this writer may change: it ends and writes no target any more.
  'tree_free(p_tree text, p_by text, p_ids jsonb) returns void': `
begin
  update tree_jobs set held_until = null
    where tree = p_tree and id = any(array(select jsonb_array_elements_text(p_ids))) and held_by = p_by;
end`,

  'tree_settle(p_tree text, p_by text, p jsonb) returns jsonb': `
declare
  v_job tree_jobs;
  v_record jsonb;
begin
  select * into v_job from tree_jobs where tree = p_tree and id = p->>'id' for update;
  if not found or v_job.fence <> (p->>'fence')::bigint then
    return tree_refused(p_tree, p);
  end if;
  v_record := v_job.record;
  if not (p->>'keepsRelease')::boolean then
    v_record := v_record - 'release';
  end if;
  if p->'news' ? 'wrote' then
    v_record := v_record - 'placed';
  end if;
  -- Nearly all of them put nothing.
  if p @? '$.puts[*]' or p @? '$.removes[*]' then
    perform tree_put(p_tree, p_by, p);
  end if;
  return tree_change(p_by, p, v_job, v_record || (p->'news'));
end`,

  // Replaces the record of a job. The answer has the new record for a writer that knew another one than the replaced.
  'tree_change(p_by text, p jsonb, p_job tree_jobs, p_record jsonb) returns jsonb': `
begin
  update tree_jobs set record = p_record, mark = (p->>'mark') || case when p_job.mark = p->>'expect' then '' else '~' end,
    held_by = case when p->>'kind' = 'step' then p_by end,
    held_until = case when p->>'kind' <> 'step' then null
      when p->'step'->>'kind' = 'publishing' then clock_timestamp() + ${HELD_S} * interval '1 s' else held_until end,
    by = p_by, rev = pg_current_xact_id() where tree = p_job.tree and id = p_job.id;
  if p_job.mark = p->>'expect' then
    return '{}';
  end if;
  return jsonb_build_object('rows', tree_rows(p_job.tree, jsonb_build_object('jobs', jsonb_build_array(p))));
end`,

  'tree_put(p_tree text, p_by text, p jsonb) returns void': `
begin
  with gone as (
    delete from tree_jobs j where j.tree = p_tree and j.id = any(array(
      select c.value->>'id' from jsonb_array_elements(p->'jobs') c where not c.value ? 'record')) returning j.id
  ) insert into tree_removals (tree, tbl, id, by) select p_tree, 'jobs', gone.id, p_by from gone;
  insert into tree_jobs as j (tree, id, record, fence, mark, by, held_by, held_until)
    select p_tree, c.value->>'id', c.value->'record', (c.value->>'fence')::bigint, c.value->>'mark', p_by, p_by,
      case when c.value ? 'takes' then clock_timestamp() + ${HELD_S} * interval '1 s' end
    from jsonb_array_elements(p->'jobs') with ordinality c(value, n) where c.value ? 'record' order by n
    on conflict (tree, id) do update set record = excluded.record, fence = excluded.fence, mark = excluded.mark,
      -- A worker may note something of its job while it puts a target in place.
      held_until = coalesce(excluded.held_until, case when j.held_by = p_by and j.fence = excluded.fence then j.held_until end),
      held_by = excluded.held_by, by = excluded.by, rev = pg_current_xact_id();
  with gone as (
    delete from tree_records r where r.tree = p_tree
      and r.tbl = any(array(select c.value->>'tbl' from jsonb_array_elements(p->'removes') c))
      and r.id = any(array(select c.value->>'id' from jsonb_array_elements(p->'removes') c))
      and p->'removes' @> jsonb_build_array(jsonb_build_object('tbl', r.tbl, 'id', r.id)) returning r.tbl, r.id
  ) insert into tree_removals (tree, tbl, id, by) select p_tree, gone.tbl, gone.id, p_by from gone;
  insert into tree_records (tree, tbl, id, record, mark, by)
    select p_tree, c.value->>'tbl', c.value->>'id', c.value->'record', coalesce(c.value->>'mark', gen_random_uuid()::text), p_by
    from jsonb_array_elements(p->'puts') with ordinality c(value, n) order by n
    on conflict (tree, tbl, id) do update set record = excluded.record, mark = excluded.mark, by = excluded.by,
      rev = pg_current_xact_id();
end`,

  // False: the claim is stale. Without a claim, the writer must be the leader.
  'tree_put_baseline(p jsonb, p_bytes bytea) returns boolean': `
begin
  if not tree_may(p) then
    return false;
  end if;
  insert into tree_baselines (tree, id, bytes) values (p->>'tree', p->>'id', p_bytes)
    on conflict (tree, id) do update set bytes = excluded.bytes;
  return true;
end`,

  'tree_remove_baseline(p jsonb) returns boolean': `
begin
  perform tree_may(p);
  delete from tree_baselines where tree = p->>'tree' and id = p->>'id';
  return true;
end`,

  'tree_move_baselines(p jsonb) returns boolean': `
begin
  perform tree_may(p);
  perform tree_move_baselines(p->>'tree', p->>'move', p->'moves');
  return true;
end`,

  // Whether the writer may make a change that names no record of a job: it has the claim of the job, or leads. Both are locked until
  // the transaction ends.
  'tree_may(p jsonb) returns boolean': `
begin
  if p ? 'fence' then
    perform from tree_jobs where tree = p->>'tree' and id = p->>'job' and fence = (p->>'fence')::bigint
      and record->'state'->>'kind' = 'running' for share;
    return found;
  end if;
  perform tree_led(p);
  return true;
end`,

  // Raises an error unless the writer leads. The lease is locked until the transaction ends: the next leader sees all changes.
  'tree_led(p jsonb) returns void': `
begin
  perform from leases where name = 'tree ' || (p->>'tree') and runner = (p->>'leader')::uuid for share;
  if not found then
    raise exception using errcode = 'DG003', message = 'another daemon leads the tree "' || (p->>'tree') || '" now';
  end if;
end`,

  // For daemons of the sixth version, which have no fence.
  'tree_put_baseline(p_tree text, p_id text, p_bytes bytea) returns void': `
begin
  insert into tree_baselines (tree, id, bytes) values (p_tree, p_id, p_bytes)
    on conflict (tree, id) do update set bytes = excluded.bytes;
end`,

  'tree_remove_baseline(p_tree text, p_id text) returns void': `
begin
  delete from tree_baselines where tree = p_tree and id = p_id;
end`,

  // Makes all moves or none, and only once; names may be exchanged. A baseline under a new name is removed, also when the moved one
  // does not exist.
  'tree_move_baselines(p_tree text, p_move text, p_moves jsonb) returns void': `
declare
  v_moved tree_baselines[];
begin
  insert into tree_writers (tree, by, n, answers) values (p_tree, p_move, 1, '[]') on conflict do nothing;
  if not found then
    return;
  end if;
  with gone as (
    delete from tree_baselines b using jsonb_to_recordset(p_moves) m(f text, t text)
      where b.tree = p_tree and b.id in (m.f, m.t) returning b.id, b.bytes
  ) select array_agg(row(p_tree, m.t, gone.bytes)::tree_baselines) into v_moved
    from gone join jsonb_to_recordset(p_moves) m(f text, t text) on m.f = gone.id;
  insert into tree_baselines select * from unnest(v_moved);
end`,
};

/** Functions that are called only by other functions. */
export const TREE_INTERNAL = [
  'tree_commit(text, text, jsonb)',
  'tree_claim(text, text, jsonb)',
  'tree_step(text, text, jsonb)',
  'tree_settle(text, text, jsonb)',
  'tree_change(text, jsonb, tree_jobs, jsonb)',
  'tree_refused(text, jsonb)',
  'tree_put(text, text, jsonb)',
  'tree_rows(text, jsonb)',
  'tree_held(text, text, jsonb)',
  'tree_has_turn(jsonb)',
  'tree_may(jsonb)',
  'tree_led(jsonb)',
];

/** Tables that a runner may read. */
export const TREE_READ = ['trees', 'tree_jobs', 'tree_records', 'tree_removals', 'tree_baselines'];
