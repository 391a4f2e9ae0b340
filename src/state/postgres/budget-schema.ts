/** SQL of the budgets of a team: sums that no runner exceeds. */

/** By the name, parameters and result of each function: its body. */
export const BUDGET_FUNCTIONS: Readonly<Record<string, string>> = {
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
};
