/** SQL of documents and recordings that a team buys once: who buys each, and the results. Also removes what is too old. */

/** By the name, parameters and result of each function: its body. */
export const PURCHASE_FUNCTIONS: Readonly<Record<string, string>> = {
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
  -- The purchase that was there before: until the new one is sent, it is kept in the record of the new one, and its bytes have negative numbers.
  v_former jsonb;
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
  if v_row.stage = 'begun' then
    v_former := v_row.record->'former';
    delete from results where id = v_row.id and part >= 0;
  else
    v_former := to_jsonb(v_row);
    update results set part = -1 - part where id = v_row.id and part >= 0;
  end if;
  update purchases set runner = v_runner, name = p->>'name', login = session_user, stage = 'begun', silent = null,
    attempt = attempt + 1, secret = null, claim = v_claim,
    record = case when v_former is null then '{}' else jsonb_build_object('former', v_former) end where id = v_row.id;
  return jsonb_build_object('kind', 'ours');
end`,

  // Gives back a claim of which nothing was sent. A purchase that was there before is again what it was: in doubt, or with its result.
  'give_back_purchase(p purchases) returns void': `
declare
  v_former purchases;
begin
  if not p.record ? 'former' then
    delete from purchases where id = p.id;
    return;
  end if;
  v_former := jsonb_populate_record(null::purchases, p.record->'former');
  delete from results where id = p.id and part >= 0;
  update results set part = -1 - part where id = p.id;
  update purchases set runner = v_former.runner, name = v_former.name, login = v_former.login, stage = v_former.stage,
    silent = v_former.silent, attempt = v_former.attempt, characters = v_former.characters, seconds = v_former.seconds,
    charge = v_former.charge, record = v_former.record, secret = v_former.secret, expires = v_former.expires,
    kept = v_former.kept, claim = null where id = p.id;
end`,

  // It was sent: what was there before counts no more.
  'forget_former(p_id text) returns void': `
begin
  delete from results where id = p_id and part < 0;
  update purchases set record = record - 'former' where id = p_id and record ? 'former';
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
    characters = (p->>'characters')::bigint, seconds = (p->>'seconds')::float8, charge = p->'charge',
    record = (p->'record') || case when v_row.record ? 'former'
      then jsonb_build_object('former', v_row.record->'former') else '{}' end,
    secret = case when v_stage in ('sent', 'booked') then p->>'secret' end,
    kept = case when v_stage = 'kept' then coalesce(kept, clock_timestamp()) end where id = v_row.id;
  if v_stage not in ('begun', 'closing') then
    perform forget_former(v_row.id);
  end if;
  return true;
end`,

  'release_purchase(p_id text, p_runner uuid) returns void': `
declare
  v_row purchases;
begin
  select * into v_row from purchases where id = p_id and runner = p_runner and stage = 'begun' for update;
  if found then
    perform give_back_purchase(v_row);
  end if;
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
};
