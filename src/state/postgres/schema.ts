/** The tables and functions of a team's state in SQL. Runners call the functions and read the tables; only the owner changes either. */

import { ACCORD_FUNCTIONS, ACCORD_TABLES } from './accord-schema.ts';
import { DAEMON_FUNCTIONS, DAEMON_TABLES } from './daemon-schema.ts';
import {
  RECORD_MARK_TABLES,
  TREE_FUNCTIONS,
  TREE_INTERNAL,
  TREE_READ,
  TREE_TABLES,
  TURN_TO_PLACE_TABLES,
} from './tree-schema.ts';
import { TURN_FUNCTIONS, TURN_TABLES } from './turn-schema.ts';

/** The lowest `SCHEMA_VERSION` of a program that can work on these tables. */
const MIN_CLIENT = 1;

/**
 * Grows with each change of the functions. Functions change without a new version of the tables, and older programs go on with them;
 * `doctor` tells by this number that a database has older ones.
 */
export const FUNCTIONS_VERSION = 2;

/** What `state migrate` writes as the comment of the table `version`. */
export const FUNCTIONS_MARK = /^functions (\d+)$/;

/**
 * The SQL that `state migrate` runs, in one transaction: it creates the tables, or brings them up to date. Functions and rights are
 * written again each time.
 * @param schema a plain lower-case name
 */
export function schemaSql(schema: string): string {
  return `create schema if not exists ${quoted(schema)};
set local search_path = ${quoted(schema)}, pg_temp;
do $steps$ begin
${STEPS.map((tables, index) => stepTo(index + 1, { tables, schema })).join('\n')}
end $steps$;
${functionsIn(schema)}
${rolesOf(schema)}
comment on table version is 'functions ${FUNCTIONS_VERSION}';`;
}

/** Quotes the name of a schema, which may be a word of SQL. */
export function quoted(schema: string): string {
  return `"${schema}"`;
}

/** The SQL of one step, which runs only once. It keeps the generation, by which runners recognize the tables. */
function stepTo(version: number, { tables, schema }: { tables: string; schema: string }): string {
  const isMissing =
    version === 1
      ? `to_regclass('${quoted(schema)}.version') is null`
      : `not exists (select from version v where v.version >= ${version})`;
  return `if ${isMissing} then
${tables.trim()}
insert into version (version, min_client, generation) select ${version}, ${MIN_CLIENT},
  coalesce((select v.generation from version v order by v.version limit 1), gen_random_uuid());
end if;`;
}

const FIRST_TABLES = `
create table version (
  version int not null, min_client int not null, at timestamptz not null default now(),
  -- Another one for every set of tables: a runner knows by it whether these are the ones that it saw last.
  generation uuid not null default gen_random_uuid()
);

-- Who works here. A beat every 2 s; one that was not heard of for 6 s is dead.
create table runners (
  id uuid primary key,
  name text not null,
  login text not null default session_user,
  beat timestamptz not null default clock_timestamp(),
  -- Since when no beat was missed: only who was in touch for the whole silence of another may give that one up.
  steady timestamptz not null default clock_timestamp(),
  since timestamptz not null default clock_timestamp(),
  waiting int not null default 0,
  limits jsonb not null default '{}'
);

create table memory (
  -- The first 128 bits of sha256 of project, language, recipe and source.
  key uuid primary key,
  seq bigint generated always as identity,
  project text not null, language text not null, recipe text not null,
  source text not null, translation text not null,
  request text not null, runner text, at timestamptz not null
);
create index memory_request on memory (request);
create index memory_of on memory (project, language, seq);

-- Charges are only ever added; the answer of a request that was given up takes the place of what was booked for it.
create table charges (
  id text primary key, seq bigint generated always as identity,
  request text, project text not null, login text not null default session_user,
  at timestamptz not null, characters bigint not null, seconds double precision not null, record jsonb not null,
  -- By which a look finds what was committed since the last one; a sequence would miss what commits out of order.
  rev xid8 not null default pg_current_xact_id()
);
create index charges_rev on charges (rev);
create index charges_at on charges (at);
create index charges_seq on charges (seq);

create table requests (
  id text primary key, runner uuid not null, project text not null, login text not null default session_user,
  at timestamptz not null, characters bigint not null, record jsonb not null
);
create index requests_runner on requests (runner);
create table text_leases (key uuid primary key, request text not null references requests on delete cascade);
create index text_leases_request on text_leases (request);

-- Money that is set aside for what is bought whole: documents and recordings.
create table reservations (
  holder text primary key, runner uuid not null, project text not null, login text not null default session_user,
  at timestamptz not null, characters bigint not null, seconds double precision not null
);
create index reservations_runner on reservations (runner);

-- One row for each sum that some runner limits: of all projects or one, of all logins or one, of one period.
create table budgets (
  scope text primary key,
  project text, login text, unit text not null check (unit in ('characters', 'seconds')),
  starts timestamptz not null, ends timestamptz not null,
  spent double precision not null default 0,
  reserved double precision not null default 0
);
create table rate (
  key text primary key,
  tat timestamptz not null default clock_timestamp(),
  paused timestamptz not null default '-infinity'
);
create table leases (name text primary key, runner uuid not null, until timestamptz not null);

-- Documents and recordings: one row for each result that somebody buys or has bought.
create table purchases (
  id text primary key,
  project text not null, login text not null default session_user,
  -- Null: its runner was given up.
  runner uuid, name text not null,
  stage text not null check (stage in ('begun', 'closing', 'sent', 'booked', 'kept', 'over')),
  -- When its runner was given up.
  silent timestamptz,
  -- Rises with every purchase of the same: what may have been billed for one is booked once.
  attempt int not null default 1,
  characters bigint not null default 0, seconds double precision not null default 0,
  charge jsonb not null, record jsonb not null default '{}',
  -- How to ask the service for it; encrypted, by a key that is not in the database.
  secret text,
  expires timestamptz
);
create index purchases_runner on purchases (runner);
create index purchases_expires on purchases (expires) where expires is not null;
create table results (
  id text references purchases on delete cascade, part int, bytes bytea not null, primary key (id, part)
);
`;

const SECOND_TABLES = `
-- By which a claim whose answer was lost is known when it is asked again.
alter table purchases add column claim uuid;
alter table results add column at timestamptz not null default clock_timestamp();
`;

const THIRD_TABLES = `
-- When its result came, for people who ask who bought it.
alter table purchases add column kept timestamptz;
`;

const FOURTH_TABLES = `
-- It deleted what other configs keep.
drop function if exists sweep_memory(float8);
`;

/** The steps from each version of the tables to the next. They only add columns, so older runners go on. */
const STEPS = [
  ...[FIRST_TABLES, SECOND_TABLES, THIRD_TABLES, FOURTH_TABLES],
  ...[TREE_TABLES, TURN_TABLES, DAEMON_TABLES, TURN_TO_PLACE_TABLES, RECORD_MARK_TABLES],
  ACCORD_TABLES,
];
/** Rises with every change of the tables. */
export const SCHEMA_VERSION = STEPS.length;

function functionsIn(schema: string): string {
  return Object.entries({
    ...{ ...FUNCTIONS, ...TREE_FUNCTIONS, ...TURN_FUNCTIONS },
    ...{ ...DAEMON_FUNCTIONS, ...ACCORD_FUNCTIONS },
  })
    .map(([head, body]) => {
      const language = /^\s*(declare|begin)\b/.test(body) ? 'plpgsql' : 'sql';
      return `create or replace function ${head} language ${language}
security definer set search_path = ${quoted(schema)}, pg_temp as $$
${body.trim()}
$$;`;
    })
    .join('\n\n')
    .replaceAll('@channel', `'${schema}'`);
}

/** By the name, parameters and result of each function: its body. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  // Adds an amount to the sums for which it counts. Sums are locked in the same order everywhere, so there is no deadlock.
  'add_to_budgets(p_at timestamptz, p_project text, p_login text, p jsonb) returns void': `
declare
  v_row budgets;
begin
  for v_row in select * from budgets b
    where (b.project is null or b.project = p_project) and (b.login is null or b.login = p_login)
      and p_at >= b.starts and p_at < b.ends
    order by scope for update loop
    update budgets set
      spent = spent + coalesce((p->('spent_' || v_row.unit))::float8, 0),
      reserved = greatest(0, reserved + coalesce((p->('reserved_' || v_row.unit))::float8, 0))
      where scope = v_row.scope;
  end loop;
end`,

  // Raises an error when a sum exceeds its limit. Called after the amount is added: the sums are locked then.
  'check_budgets(p_limits jsonb, p_asked jsonb) returns void': `
declare
  v_row record;
  v_needs float8;
begin
  for v_row in select b.*, l.max from jsonb_to_recordset(p_limits) l(scope text, max float8)
    join budgets b on b.scope = l.scope where l.max is not null order by b.scope loop
    v_needs := coalesce((p_asked->v_row.unit)::float8, 0);
    if v_needs > 0 and v_row.spent + v_row.reserved > v_row.max then
      raise exception using errcode = 'DG001', message = v_row.scope,
        detail = jsonb_build_object('needs', v_needs,
          'left', greatest(0, v_row.max - v_row.spent - v_row.reserved + v_needs))::text;
    end if;
  end loop;
end`,

  // Creates the sums of new limits. Excludes other purchases meanwhile: a sum would lack their amounts.
  'open_budgets(p_scopes jsonb) returns void': `
declare
  v_scope record;
begin
  perform pg_advisory_xact_lock(hashtext(@channel), 1);
  for v_scope in select * from jsonb_to_recordset(p_scopes)
    s(scope text, project text, login text, unit text, starts timestamptz, ends timestamptz) loop
    insert into budgets (scope, project, login, unit, starts, ends, spent, reserved)
      select v_scope.scope, v_scope.project, v_scope.login, v_scope.unit, v_scope.starts, v_scope.ends,
        coalesce((select sum(case v_scope.unit when 'seconds' then c.seconds else c.characters end) from charges c
          where (v_scope.project is null or c.project = v_scope.project) and (v_scope.login is null or c.login = v_scope.login)
            and c.at >= v_scope.starts and c.at < v_scope.ends), 0),
        coalesce((select sum(r.amount) from (
          select project, login, at, case v_scope.unit when 'seconds' then 0 else characters end as amount from requests
          union all
          select project, login, at, case v_scope.unit when 'seconds' then seconds else characters end from reservations
        ) r where (v_scope.project is null or r.project = v_scope.project) and (v_scope.login is null or r.login = v_scope.login)
          and r.at >= v_scope.starts and r.at < v_scope.ends), 0)
      on conflict do nothing;
  end loop;
end`,

  'share_budgets(p_limits jsonb) returns boolean': `
begin
  perform pg_advisory_xact_lock_shared(hashtext(@channel), 1);
  return not exists (select from jsonb_to_recordset(p_limits) l(scope text)
    where not exists (select from budgets b where b.scope = l.scope));
end`,

  // Raises an error when a charge is missing that a runner has seen: a backup was restored, and later purchases would be made again.
  'check_seen(p_seen jsonb) returns void': `
declare
  v_missing text;
begin
  select s.id into v_missing from jsonb_array_elements_text(p_seen) s(id)
    where not exists (select from charges c where c.id = s.id) limit 1;
  if found then
    raise exception using errcode = 'DG002', message = 'it has forgotten charge "' || v_missing || '"';
  end if;
end`,

  // The newest charge that is not replaced later, as those of given-up requests may be.
  'newest_charge() returns text': `
  select id from charges where id not like '% recovered%' order by seq desc limit 1`,

  // Begins one request, in one round trip: each text is known, leased by another runner, or leased for this request, whose amount is
  // reserved. The leases come before the read of the memory: an answer is committed together with the end of its leases, so a text
  // is always leased or known.
  'buy_begin(p jsonb) returns jsonb': `
declare
  v_request text := p->>'request';
  v_runner uuid := (p->>'runner')::uuid;
  v_project text := p->>'project';
  v_at timestamptz := (p->>'at')::timestamptz;
  v_keys uuid[];
  v_mine uuid[];
  v_known jsonb;
  v_fitting jsonb;
  v_told jsonb;
begin
  perform check_seen(p->'seen');
  perform forget_request(v_request, 'again');
  if not share_budgets(p->'limits') then
    return jsonb_build_object('kind', 'budgets');
  end if;
  insert into runners (id, name) values (v_runner, p->>'name') on conflict do nothing;
  select array_agg(distinct t.key order by t.key) into v_keys from jsonb_to_recordset(p->'texts') t(key uuid);
  insert into requests (id, runner, project, at, characters, record) values (v_request, v_runner, v_project, v_at, 0, p->'record');
  with won as (
    insert into text_leases (key, request) select k, v_request from unnest(v_keys) k order by k on conflict do nothing returning key
  ) select array_agg(key) into v_mine from won;
  select jsonb_object_agg(key, jsonb_build_array(source, translation)) into v_known from memory
    where key = any(v_keys) and at >= (p->>'since')::timestamptz;
  if v_known is not null then
    delete from text_leases where request = v_request and v_known ? key::text;
    select array_agg(k) into v_mine from unnest(v_mine) k where not v_known ? k::text;
  end if;
  v_told := jsonb_build_object('known', v_known, 'now', extract(epoch from clock_timestamp()) * 1000, 'seen', newest_charge());
  v_fitting := fitting_texts(p, v_mine);
  if jsonb_array_length(v_fitting->'jobs') = 0 then
    delete from requests where id = v_request;
    return v_told || jsonb_build_object('kind', 'none', 'held', v_fitting->'held');
  end if;
  -- Of what does not fit, the texts are free for others.
  delete from text_leases where request = v_request and not v_fitting->'keys' ? key::text;
  perform add_to_budgets(v_at, v_project, session_user::text,
    jsonb_build_object('reserved_characters', v_fitting->'characters'));
  update requests set characters = (v_fitting->>'characters')::bigint,
    record = record || jsonb_build_object('characters', v_fitting->'characters', 'jobs', v_fitting->'jobs') where id = v_request;
  return v_told || jsonb_build_object('kind', 'buy', 'mine', v_fitting->'keys', 'held', v_fitting->'held');
end`,

  // The leased texts that the limits allow: job by job in their order, each with all of its texts or none. Jobs that a person
  // approved are always allowed. All sums for which the request counts are locked from here on.
  'fitting_texts(p jsonb, p_mine uuid[]) returns jsonb': `
declare
  v_job record;
  v_scope text;
  v_left float8;
  v_characters float8 := 0;
  v_jobs jsonb := '[]';
  v_keys jsonb := '[]';
  v_held jsonb := '{}';
begin
  perform from budgets b where (b.project is null or b.project = p->>'project')
    and (b.login is null or b.login = session_user::text)
    and (p->>'at')::timestamptz >= b.starts and (p->>'at')::timestamptz < b.ends order by scope for update;
  select b.scope, greatest(0, l.max - b.spent - b.reserved) as room into v_scope, v_left
    from jsonb_to_recordset(p->'limits') l(scope text, max float8) join budgets b on b.scope = l.scope
    where l.max is not null and b.unit = 'characters' order by room, b.scope limit 1;
  for v_job in
    select t.job, sum(t.characters)::float8 as needs, bool_and(t.approved) as approved,
      jsonb_agg(distinct t.key) as keys
    from rows from (jsonb_to_recordset(p->'texts') as (key uuid, job text, characters bigint, approved boolean))
      with ordinality t(key, job, characters, approved, nth)
    where t.key = any(p_mine) group by t.job order by min(t.nth)
  loop
    if v_job.approved or v_job.needs = 0 or v_left is null or v_job.needs <= v_left then
      v_characters := v_characters + v_job.needs;
      v_left := case when v_left is not null then greatest(0, v_left - v_job.needs) end;
      v_jobs := v_jobs || jsonb_build_array(v_job.job);
      v_keys := v_keys || v_job.keys;
    else
      v_held := v_held || jsonb_build_object(v_job.job,
        jsonb_build_object('scope', v_scope, 'needs', v_job.needs, 'left', v_left));
    end if;
  end loop;
  return jsonb_build_object('characters', v_characters, 'jobs', v_jobs, 'keys', v_keys, 'held', v_held);
end`,

  'add_charges(p_request text, p_charges jsonb) returns void': `
declare
  v_charge record;
begin
  for v_charge in
    with added as (
      insert into charges (id, request, project, at, characters, seconds, record)
        select c->>'id', p_request, c->>'project', (c->>'at')::timestamptz,
          coalesce((c->>'characters')::bigint, 0), coalesce((c->>'seconds')::float8, 0), c
        from jsonb_array_elements(p_charges) c on conflict do nothing returning *
    ) select project, at, sum(characters) as characters, sum(seconds) as seconds from added group by project, at order by project, at
  loop
    perform add_to_budgets(v_charge.at, v_charge.project, session_user::text,
      jsonb_build_object('spent_characters', v_charge.characters, 'spent_seconds', v_charge.seconds));
  end loop;
end`,

  // Ends a request: frees its reservation and its texts.
  'close_request(p_request text) returns boolean': `
declare
  v_open requests;
begin
  delete from requests where id = p_request returning * into v_open;
  if v_open.id is null then
    return false;
  end if;
  perform add_to_budgets(v_open.at, v_open.project, v_open.login, jsonb_build_object('reserved_characters', -v_open.characters));
  return true;
end`,

  // Stores an answer: texts, charges, budgets, the end of the request and of its leases, together. May be repeated, also after the
  // runner was given up and its request was booked as possibly billed. A text of it may have been bought again since then: the
  // answer that is stored second is booked as possibly billed twice.
  'buy_end(p jsonb) returns void': `
declare
  v_request text := p->>'request';
  v_recovered charges;
  v_charges jsonb := p->'charges';
  v_there uuid[];
begin
  perform pg_advisory_xact_lock_shared(hashtext(@channel), 1);
  with entries as (
    select * from jsonb_to_recordset(p->'entries') e(key uuid, recipe text, source text, translation text, at timestamptz)
  ), added as (
    insert into memory (key, project, language, recipe, source, translation, request, runner, at)
      select e.key, p->>'project', p->>'language', e.recipe, e.source, e.translation, v_request, p->>'name', e.at
      from entries e order by e.key on conflict do nothing returning key
  ) select array_agg(key) into v_there from entries where key not in (select key from added);
  if v_there is not null then
    if is_paid_by_another(v_request, v_there, (p->>'since')::timestamptz) then
      select jsonb_agg(c || '{"kind": "possibly-twice"}') into v_charges from jsonb_array_elements(v_charges) c;
    end if;
    perform from memory where key = any(v_there) order by key for update;
    update memory m set translation = e.translation, request = v_request, runner = p->>'name', at = e.at
      from jsonb_to_recordset(p->'entries') e(key uuid, translation text, at timestamptz)
      where e.key = m.key and m.key = any(v_there) and m.request <> v_request and m.at <= e.at;
  end if;
  if not close_request(v_request) then
    delete from charges where id = v_request || ' recovered' returning * into v_recovered;
    if v_recovered.id is not null then
      perform add_to_budgets(v_recovered.at, v_recovered.project, v_recovered.login,
        jsonb_build_object('spent_characters', -v_recovered.characters));
    end if;
  end if;
  perform add_charges(v_request, v_charges);
  perform pg_notify(@channel, json_build_object('ended', v_request)::text);
end`,

  // Whether another request has paid one of these texts, and its answer is not too old to be used. An imported text was not paid.
  'is_paid_by_another(p_request text, p_keys uuid[], p_since timestamptz) returns boolean': `
begin
  return exists (select from memory m where m.key = any(p_keys) and m.request <> p_request and m.at >= p_since
    and exists (select from charges c where c.request = m.request));
end`,

  // Books charges of open requests, documents and recordings.
  'book(p_request text, p_charges jsonb) returns void': `
begin
  perform pg_advisory_xact_lock_shared(hashtext(@channel), 1);
  perform add_charges(p_request, p_charges);
end`,

  'forget_request(p_request text, p_because text) returns void': `
begin
  perform pg_advisory_xact_lock_shared(hashtext(@channel), 1);
  if close_request(p_request) and p_because <> 'again' then
    perform pg_notify(@channel, json_build_object('ended', p_request)::text);
  end if;
end`,

  // Stores translations that were imported, or come from a folder.
  'remember(p jsonb) returns void': `
begin
  insert into memory (key, project, language, recipe, source, translation, request, runner, at)
    select m.key, p->>'project', p->>'language', m.recipe, m.source, m.translation, m.request, p->>'name', m.at
    from jsonb_to_recordset(p->'entries') m(key uuid, recipe text, source text, translation text, request text, at timestamptz)
    order by m.key
    on conflict (key) do update set translation = excluded.translation, request = excluded.request,
      runner = excluded.runner, at = excluded.at where memory.at <= excluded.at;
end`,

  'reserve(p jsonb) returns text': `
begin
  perform check_seen(p->'seen');
  if not share_budgets(p->'limits') then
    return 'budgets';
  end if;
  insert into runners (id, name) values ((p->>'runner')::uuid, p->>'name') on conflict do nothing;
  perform release(p->>'holder');
  insert into reservations (holder, runner, project, at, characters, seconds) values (p->>'holder', (p->>'runner')::uuid,
    p->>'project', (p->>'at')::timestamptz, (p->>'characters')::bigint, (p->>'seconds')::float8);
  perform add_to_budgets((p->>'at')::timestamptz, p->>'project', session_user::text,
    jsonb_build_object('reserved_characters', (p->>'characters')::float8, 'reserved_seconds', (p->>'seconds')::float8));
  if not (p->>'approved')::boolean then
    perform check_budgets(p->'limits', p);
  end if;
  return 'reserved';
end`,

  'release(p_holder text) returns void': `
declare
  v_open reservations;
begin
  perform pg_advisory_xact_lock_shared(hashtext(@channel), 1);
  delete from reservations where holder = p_holder returning * into v_open;
  if v_open.holder is not null then
    perform add_to_budgets(v_open.at, v_open.project, v_open.login,
      jsonb_build_object('reserved_characters', -v_open.characters, 'reserved_seconds', -v_open.seconds));
  end if;
end`,

  // Milliseconds until the next request of a key may be sent; no time, because the clocks of runners differ.
  'take_slot(p_key text, p_interval_ms float8) returns float8': `
  insert into rate as r (key, tat) values (p_key, clock_timestamp() + p_interval_ms * interval '1 ms')
  on conflict (key) do update set tat = greatest(r.tat, clock_timestamp(), r.paused) + p_interval_ms * interval '1 ms'
  returning greatest(0, extract(epoch from tat - p_interval_ms * interval '1 ms' - clock_timestamp()) * 1000)::float8`,

  // The service answered 429: no runner with this key sends before that time.
  'pause_rate(p_key text, p_ms float8) returns void': `
begin
  insert into rate as r (key, paused) values (p_key, clock_timestamp() + p_ms * interval '1 ms')
  on conflict (key) do update set paused = greatest(r.paused, excluded.paused);
  perform pg_notify(@channel, json_build_object('paused', p_key, 'ms', p_ms)::text);
end`,

  'paused_for(p_key text) returns float8': `
  select coalesce(max(greatest(0, extract(epoch from paused - clock_timestamp()) * 1000)), 0)::float8 from rate
  where key = p_key and paused > '-infinity'`,

  // Records that a runner lives. A runner that was given up is registered again.
  'beat(p jsonb) returns void': `
  insert into runners as r (id, name, waiting, limits)
    values ((p->>'id')::uuid, p->>'name', (p->>'waiting')::int, coalesce(p->'limits', '{}'))
  on conflict (id) do update set beat = clock_timestamp(), waiting = excluded.waiting,
    limits = case when p ? 'limits' then excluded.limits else r.limits end,
    steady = case when r.beat < clock_timestamp() - interval '5 s' then clock_timestamp() else r.steady end`,

  // Books the purchase of a given-up runner as possibly billed, until its bill is booked.
  'add_recovered(p purchases) returns void': `
declare
  v_id text := p.id || ' recovered ' || p.attempt;
  v_at timestamptz := clock_timestamp();
begin
  insert into charges (id, request, project, login, at, characters, seconds, record) values (v_id, p.id, p.project, p.login,
    v_at, p.characters, p.seconds, p.charge || jsonb_build_object('id', v_id, 'job', null, 'project', p.project,
      'at', to_char(v_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'kind', 'possibly-twice', 'estimated', 0)
      || case when p.seconds > 0 then jsonb_build_object('characters', null, 'seconds', p.seconds)
        else jsonb_build_object('characters', p.characters) end)
    on conflict do nothing;
  if found then
    perform add_to_budgets(v_at, p.project, p.login,
      jsonb_build_object('spent_characters', p.characters, 'spent_seconds', p.seconds));
  end if;
end`,

  'drop_recovered(p purchases) returns void': `
declare
  v_charge charges;
begin
  delete from charges where id = p.id || ' recovered ' || p.attempt returning * into v_charge;
  if v_charge.id is not null then
    perform add_to_budgets(v_charge.at, v_charge.project, v_charge.login,
      jsonb_build_object('spent_characters', -v_charge.characters, 'spent_seconds', -v_charge.seconds));
  end if;
end`,

  // Decides which runner buys a document or a recording. Its row is locked meanwhile.
  'claim_purchase(p jsonb) returns jsonb': `
declare
  v_runner uuid := (p->>'runner')::uuid;
  v_want text := p->>'want';
  v_claim uuid := (p->>'claim')::uuid;
  v_row purchases;
  v_told jsonb;
begin
  perform pg_advisory_xact_lock_shared(hashtext(@channel), 1);
  if v_want <> 'look' then
    perform check_seen(p->'seen');
    insert into runners (id, name) values (v_runner, p->>'name') on conflict do nothing;
    insert into purchases (id, project, runner, name, stage, charge, claim)
      values (p->>'id', p->>'project', v_runner, p->>'name', 'begun', p->'charge', v_claim) on conflict do nothing;
    if found then
      return jsonb_build_object('kind', 'ours');
    end if;
  end if;
  select * into v_row from purchases where id = p->>'id' for update;
  if not found then
    return jsonb_build_object('kind', 'free');
  end if;
  v_told := jsonb_build_object('runner', v_row.name, 'characters', v_row.characters, 'seconds', v_row.seconds);
  if v_row.claim = v_claim and v_row.runner = v_runner then
    return case v_row.stage when 'begun' then jsonb_build_object('kind', 'ours')
      else v_told || jsonb_build_object('kind', 'taken-over', 'secret', v_row.secret) end;
  end if;
  if v_row.stage = 'kept' and v_want <> 'anew' then
    return v_told || jsonb_build_object('kind', 'kept', 'record', v_row.record);
  elsif v_want = 'look' then
    return jsonb_build_object('kind', 'free');
  elsif v_row.stage in ('closing', 'sent', 'booked') and v_row.runner is not null
    or v_row.stage = 'begun' and v_row.runner <> v_runner then
    return v_told || jsonb_build_object('kind', 'busy');
  elsif v_row.stage = 'over' and v_want = 'buy' then
    return v_told || jsonb_build_object('kind', 'over', 'record', v_row.record);
  elsif v_row.stage in ('sent', 'booked') and v_row.runner is null then
    if v_row.secret is not null and (p->>'key')::boolean then
      update purchases set runner = v_runner, name = p->>'name', silent = null, claim = v_claim where id = v_row.id;
      return v_told || jsonb_build_object('kind', 'taken-over', 'secret', v_row.secret);
    elsif v_row.silent > clock_timestamp() - (p->>'grace')::float8 * interval '1 s' then
      return v_told || jsonb_build_object('kind', 'busy');
    elsif v_want = 'buy' then
      return v_told || jsonb_build_object('kind', 'out-of-reach');
    end if;
  end if;
  delete from results where id = v_row.id;
  update purchases set runner = v_runner, name = p->>'name', login = session_user, stage = 'begun', silent = null,
    attempt = attempt + 1, secret = null, expires = null, record = '{}', claim = v_claim where id = v_row.id;
  return jsonb_build_object('kind', 'ours');
end`,

  // Records the stage of a purchase. False: another runner goes on with it, or has its result. A paid result is always recorded.
  'note_purchase(p jsonb) returns boolean': `
declare
  v_runner uuid := (p->>'runner')::uuid;
  v_stage text := p->>'stage';
  v_row purchases;
begin
  perform pg_advisory_xact_lock_shared(hashtext(@channel), 1);
  insert into purchases (id, project, runner, name, stage, charge)
    values (p->>'id', p->>'project', v_runner, p->>'name', 'begun', p->'charge') on conflict do nothing;
  select * into v_row from purchases where id = p->>'id' for update;
  if v_row.runner <> v_runner and v_stage <> 'kept' or v_row.stage = 'kept' and v_row.runner is distinct from v_runner then
    return false;
  end if;
  -- Who knows what became of it has booked that.
  if v_stage in ('booked', 'kept', 'over') then
    perform drop_recovered(v_row);
  end if;
  update purchases set runner = v_runner, name = p->>'name', stage = v_stage, silent = null,
    characters = (p->>'characters')::bigint, seconds = (p->>'seconds')::float8, charge = p->'charge', record = p->'record',
    secret = case when v_stage in ('sent', 'booked') then p->>'secret' end,
    kept = case when v_stage = 'kept' then coalesce(kept, clock_timestamp()) end where id = v_row.id;
  return true;
end`,

  'release_purchase(p_id text, p_runner uuid) returns void': `
begin
  delete from purchases where id = p_id and runner = p_runner and stage = 'begun';
end`,

  // A runner that took a purchase over cannot go on with it.
  'leave_purchase(p_id text, p_runner uuid) returns void': `
begin
  update purchases set runner = null, silent = '-infinity' where id = p_id and runner = p_runner and stage in ('sent', 'booked');
end`,

  // Stores one part of a result; all parts come before the stage `kept` is recorded.
  'put_result(p_id text, p_part int, p_bytes bytea, p_keep_s float8) returns void': `
begin
  update purchases set expires = clock_timestamp() + p_keep_s * interval '1 s' where id = p_id and stage <> 'kept';
  if found then
    insert into results (id, part, bytes) values (p_id, p_part, p_bytes) on conflict (id, part) do update set bytes = excluded.bytes;
  end if;
end`,

  'sweep_results() returns void': `
begin
  delete from results using purchases p where p.id = results.id and p.expires < clock_timestamp();
  update purchases set expires = null where expires < clock_timestamp();
end`,

  // Deletes the texts of a config's projects that it does not keep any longer. Only the owner deletes texts younger than a day: they
  // would be paid again.
  'sweep_memory(p_keep_s float8, p_projects jsonb) returns void': `
begin
  delete from memory where p_projects ? project and at < clock_timestamp() - greatest(p_keep_s, 86400) * interval '1 s';
end`,

  // Gives one runner up: books its requests as possibly billed, and frees its texts.
  'give_up(p_runner uuid) returns jsonb': `
declare
  v_name text;
  v_open requests;
  v_holder text;
  v_purchase purchases;
  v_characters bigint := 0;
  v_count int := 0;
begin
  perform pg_advisory_xact_lock_shared(hashtext(@channel), 1);
  update daemons d set seen = r.beat from runners r where r.id = p_runner and d.id = r.id;
  delete from runners where id = p_runner returning name into v_name;
  -- All of them before any budget: whoever notes one of them locks in this order too.
  perform from purchases where runner = p_runner order by id for update;
  for v_purchase in select * from purchases where runner = p_runner order by id for update loop
    if v_purchase.stage in ('closing', 'sent') then
      perform add_recovered(v_purchase);
      v_characters := v_characters + v_purchase.characters;
    end if;
    if v_purchase.stage = 'begun' then
      delete from purchases where id = v_purchase.id;
    elsif v_purchase.stage = 'closing' then
      update purchases set stage = 'over', runner = null, silent = clock_timestamp(),
        record = record || '{"stage": {"kind": "in-doubt", "isBooked": true}}' where id = v_purchase.id;
    else
      update purchases set runner = null, silent = clock_timestamp() where id = v_purchase.id;
    end if;
  end loop;
  for v_open in select * from requests where runner = p_runner order by id for update loop
    perform close_request(v_open.id);
    insert into charges (id, request, project, login, at, characters, seconds, record) values (v_open.id || ' recovered',
      v_open.id, v_open.project, v_open.login, v_open.at, v_open.characters, 0,
      (v_open.record - 'jobs') || jsonb_build_object('id', v_open.id || ' recovered', 'kind', 'possibly-twice', 'estimated', 0,
        'job', case when jsonb_array_length(v_open.record->'jobs') = 1 then v_open.record->'jobs'->0 else 'null' end))
      on conflict do nothing;
    if found then
      perform add_to_budgets(v_open.at, v_open.project, v_open.login, jsonb_build_object('spent_characters', v_open.characters));
    end if;
    perform pg_notify(@channel, json_build_object('ended', v_open.id)::text);
    v_characters := v_characters + v_open.characters;
    v_count := v_count + 1;
  end loop;
  for v_holder in select holder from reservations where runner = p_runner order by holder loop
    perform release(v_holder);
  end loop;
  delete from leases where runner = p_runner;
  return jsonb_build_object('name', coalesce(v_name, ''), 'requests', v_count, 'characters', v_characters);
end`,

  // Gives up silent runners. Only a runner that was connected during the whole silence does so.
  'reap(p_self uuid, p_seconds float8) returns setof jsonb': `
declare
  v_runner uuid;
begin
  if not exists (select from runners where id = p_self and steady < clock_timestamp() - p_seconds * interval '1 s'
    and beat > clock_timestamp() - p_seconds * interval '1 s') then
    return;
  end if;
  for v_runner in select id from runners where beat < clock_timestamp() - p_seconds * interval '1 s' for update skip locked loop
    return next give_up(v_runner);
  end loop;
end`,

  // Takes or renews a lease. False: another runner has it.
  'take_lease(p_name text, p_runner uuid, p_seconds float8) returns boolean': `
declare
  v_name text;
begin
  insert into leases as l values (p_name, p_runner, clock_timestamp() + p_seconds * interval '1 s')
    on conflict (name) do update set runner = excluded.runner, until = excluded.until
    where l.runner = excluded.runner or l.until < clock_timestamp() returning name into v_name;
  return v_name is not null;
end`,

  'drop_lease(p_name text, p_runner uuid) returns void': `
begin
  delete from leases where name = p_name and runner = p_runner;
end`,
};

/** Functions that are called only by other functions. */
const INTERNAL = [
  'add_to_budgets(timestamptz, text, text, jsonb)',
  'check_budgets(jsonb, jsonb)',
  'fitting_texts(jsonb, uuid[])',
  'add_charges(text, jsonb)',
  'close_request(text)',
  'is_paid_by_another(text, uuid[], timestamptz)',
  'add_recovered(purchases)',
  'drop_recovered(purchases)',
  ...TREE_INTERNAL,
];

/**
 * Creates the roles with the least rights: a runner reads, and changes only by the functions; a reader sees the books, but no
 * texts or secrets.
 */
function rolesOf(schema: string): string {
  const [runner, reader] = [`${schema}_runner`, `${schema}_reader`];
  return `do $$ begin
  if not exists (select from pg_roles where rolname = '${runner}') then create role ${runner} nologin; end if;
  if not exists (select from pg_roles where rolname = '${reader}') then create role ${reader} nologin; end if;
end $$;
revoke all on all functions in schema ${quoted(schema)} from public;
grant usage on schema ${quoted(schema)} to ${runner}, ${reader};
grant execute on all functions in schema ${quoted(schema)} to ${runner};
revoke execute on function ${INTERNAL.join(', ')} from ${runner};
grant select on version, runners, memory, charges, requests, reservations, budgets, rate, leases, purchases, results, turns, daemons, ${TREE_READ.join(', ')} to ${runner};
grant select on all sequences in schema ${quoted(schema)} to ${runner};
grant select on version, runners, charges, requests, reservations, budgets, daemons to ${reader};
`;
}
