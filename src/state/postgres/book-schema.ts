/** SQL of the books of a team: requests for texts, their charges, and what is set aside for what is bought whole. */

/** By the name, parameters and result of each function: its body. */
export const BOOK_FUNCTIONS: Readonly<Record<string, string>> = {
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

  // Begins one request, in one round trip. Each text is known, leased by another runner, or leased for this request, whose amount is
  // reserved. The leases come before the read of the memory. An answer is committed together with the end of its leases, so a text is
  // always leased or known.
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
  -- A translation that its text cannot use is refused: the text is bought as if there were none.
  select jsonb_object_agg(m.key, jsonb_build_array(m.source, m.translation)) into v_known from memory m
    where m.key = any(v_keys) and m.at >= (p->>'since')::timestamptz and not exists (
      select from jsonb_to_recordset(p->'texts') t(key uuid, refused text) where t.key = m.key and t.refused = m.translation);
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
  // approved are always allowed. From here on, all sums that the request counts for are locked.
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
  v_twice uuid[];
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
    -- What was bought anew on purpose is not paid twice.
    select array_agg(key) into v_twice from jsonb_to_recordset(p->'entries') e(key uuid, anew boolean)
      where key = any(v_there) and anew is not true;
    if is_paid_by_another(v_request, v_twice, (p->>'since')::timestamptz) then
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
};
