/** SQL of the turns: which runner works on which job of a tree. The offers themselves are in the tables of pg-boss. */

export const TURN_TABLES = `
-- One row from the taking of an offer until its end.
create table turns (
  -- Of the offer.
  id uuid primary key,
  tree text not null, lane text not null, job text not null,
  runner uuid not null,
  record jsonb not null,
  since timestamptz not null default clock_timestamp()
);
create index turns_of on turns (tree, runner);
`;

/** Name, parameters and result of each function, and what it does. */
export const TURN_FUNCTIONS: Readonly<Record<string, string>> = {
  // Records taken offers, in the transaction that takes them.
  'take_turns(p_tree text, p_runner uuid, p_name text, p_turns jsonb) returns void': `
begin
  insert into runners (id, name) values (p_runner, p_name) on conflict do nothing;
  insert into turns (id, tree, lane, job, runner, record)
    select t.id, p_tree, t.lane, t.job, p_runner, t.record
    from jsonb_to_recordset(p_turns) t(id uuid, lane text, job text, record jsonb);
end`,

  // Ends turns. Returns those that ended: not those that were given to another runner.
  'end_turns(p_runner uuid, p_ids uuid[]) returns setof uuid': `
begin
  return query delete from turns where runner = p_runner and id = any(p_ids) returning id;
end`,

  // Ends the turns of given-up runners, and those of `p_runner` that it does not know. A given-up runner may still live: while it may
  // put the target of a job in place, its turn stays. Rows that others change at this moment are left to the next call.
  'lost_turns(p_tree text, p_runner uuid, p_known uuid[]) returns setof turns': `
begin
  return query with given_up as (
    select t.id, t.job from turns t where t.tree = p_tree and not exists (select from runners r where r.id = t.runner)
  ), free as (
    select j.id from tree_jobs j where j.tree = p_tree and j.id = any(array(select g.job from given_up g))
      and (j.held_until is null or j.held_until < clock_timestamp()) for update skip locked
  ) delete from turns t where t.tree = p_tree
    and (t.runner = p_runner and t.id <> all(p_known)
      or t.id in (select g.id from given_up g where g.job in (select id from free)
        or not exists (select from tree_jobs j where j.tree = p_tree and j.id = g.job)))
    returning t.*;
end`,
};
