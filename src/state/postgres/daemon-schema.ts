/** SQL of the daemons that share a tree, for people to see: nothing is decided by it. The table of runners says whether one lives. */

export const DAEMON_TABLES = `
-- One row from the start of a daemon until its end. That of one that died stays for a day: people see who is silent.
create table daemons (
  -- Of its runner.
  id uuid primary key,
  tree text not null,
  name text not null, host text not null, role text not null, version text not null,
  -- What names the shared volume as this daemon sees it.
  volume text,
  since timestamptz not null default clock_timestamp(),
  -- Its last beat before it was given up.
  seen timestamptz,
  -- Jobs at a time, by lane.
  places jsonb not null default '{}',
  settled bigint not null default 0
);
create index daemons_tree on daemons (tree);
`;

/** Hours for which a dead daemon is shown. */
const SHOWN_H = 24;

/** Name, parameters and result of each function, and what it does. */
export const DAEMON_FUNCTIONS: Readonly<Record<string, string>> = {
  // A daemon that starts in the state folder of a dead one replaces it.
  'enter_daemon(p jsonb) returns void': `
begin
  delete from daemons d where d.id = (p->>'former')::uuid or d.tree = p->>'tree'
    and d.seen < clock_timestamp() - interval '${SHOWN_H} hours' and not exists (select from runners r where r.id = d.id);
  insert into daemons (id, tree, name, host, role, version, volume)
    values ((p->>'id')::uuid, p->>'tree', p->>'name', p->>'host', p->>'role', p->>'version', p->>'volume')
    on conflict do nothing;
end`,

  'tell_daemon(p_id uuid, p_places jsonb, p_settled bigint) returns void': `
begin
  update daemons set places = p_places, settled = p_settled where id = p_id;
end`,

  'leave_daemon(p_id uuid) returns void': `
begin
  delete from daemons where id = p_id;
end`,
};
