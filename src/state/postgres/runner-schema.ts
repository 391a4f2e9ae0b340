/** SQL of the runners of a team: their beats, the rate of their requests, who is given up, and leases. */

/** The rate and the beats. By the name, parameters and result of each function: its body. */
export const RATE_FUNCTIONS: Readonly<Record<string, string>> = {
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
};

/** The end of a runner, and leases. By the name, parameters and result of each function: its body. */
export const RUNNER_FUNCTIONS: Readonly<Record<string, string>> = {
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
      perform give_back_purchase(v_purchase);
    elsif v_purchase.stage = 'closing' then
      update purchases set stage = 'over', runner = null, silent = clock_timestamp(),
        record = record || '{"stage": {"kind": "in-doubt", "isBooked": true}}' where id = v_purchase.id;
      perform forget_former(v_purchase.id);
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

  // Gives up silent runners. Only a runner that was connected during the whole silence does so. The database ends a statement also when
  // its runner died meanwhile. What that records after the runner was given up belongs to nobody, so its runner is given up once more.
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
  for v_runner in
    select o.runner from (
      select r.runner from requests r union select s.runner from reservations s
      union select p.runner from purchases p where p.runner is not null and p.stage in ('begun', 'closing', 'sent', 'booked')
      union select l.runner from leases l where l.name like 'tree %' and l.until > clock_timestamp() + interval '1 day'
    ) o where not exists (select from runners r where r.id = o.runner)
  loop
    -- By one runner at a time. The row keeps out a runner that comes back at this moment, or says that it has.
    continue when not pg_try_advisory_xact_lock(hashtext(@channel), 3);
    insert into runners (id, name) values (v_runner, v_runner::text) on conflict do nothing;
    if found then
      return next give_up(v_runner);
    end if;
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
