/** SQL of what the daemons of a tree agree on: the key, the config of the leader, and the epoch. */

export const AGREEMENT_TABLES = `
-- A word that the key of the tree opens, with who sealed it and when; null: nobody has since the tenth version.
alter table trees add column sealed jsonb;
-- The config of who leads, as digests of its settings: no secrets, no paths, no texts.
alter table trees add column config jsonb;
-- How often a daemon has begun to lead.
alter table trees add column epoch bigint not null default 0;
-- What keeps a daemon from its part, for people.
alter table daemons add column trouble text;
`;

/** The eleventh version of the tables. */
export const VOLUME_TABLES = `
-- Names the volume with the spool; null: it has none yet. Only who leads names it.
alter table trees add column volume text;
update trees t set volume = (select d.volume from daemons d join leases l on l.runner = d.id where l.name = 'tree ' || t.name);
`;

/** The twelfth version of the tables. */
export const FILLING_TABLES = `
-- The "state push" that copies a folder to the tree, or was broken off; null: there is none.
alter table trees add column filling jsonb;
`;

/** The functions in SQL: name, parameters and result of each, and its body. */
export const AGREEMENT_FUNCTIONS: Readonly<Record<string, string>> = {
  // The first seal of a tree stays.
  'tree_seal(p_tree text, p jsonb) returns jsonb': `
declare
  v_sealed jsonb;
begin
  update trees set sealed = p where name = p_tree and sealed is null;
  select sealed into v_sealed from trees where name = p_tree;
  return v_sealed;
end`,

  // Makes the config of the leader that of the tree. Counts the epoch when a lead begins.
  'tree_lead(p jsonb) returns bigint': `
declare
  v_epoch bigint;
begin
  perform tree_led(p);
  -- Also for daemons of the eleventh version, which do not ask.
  if exists (select from trees where name = p->>'tree' and filling is not null) then
    raise exception using errcode = 'DG004', message = 'a push to the tree "' || (p->>'tree') || '" has not ended: run it again';
  end if;
  update trees set config = p->'config', epoch = epoch + case when (p->>'begins')::boolean then 1 else 0 end
    where name = p->>'tree' returning epoch into v_epoch;
  return v_epoch;
end`,

  // The mark of another copy stays.
  'tree_fill(p jsonb) returns void': `
begin
  perform tree_led(p);
  update trees set filling = p->'filling' where name = p->>'tree'
    and (filling is null or filling->>'push' = p->'filling'->>'push');
end`,

  'tree_filled(p jsonb) returns void': `
begin
  perform tree_led(p);
  update trees set filling = null where name = p->>'tree' and filling->>'push' = p->>'push';
end`,

  // The first name of a volume stays. Returns the name that counts.
  'tree_volume(p jsonb) returns text': `
declare
  v_volume text;
begin
  perform tree_led(p);
  update trees set volume = p->>'volume' where name = p->>'tree' and volume is null;
  select volume into v_volume from trees where name = p->>'tree';
  return v_volume;
end`,

  'tell_daemon(p jsonb) returns void': `
begin
  update daemons set places = p->'places', settled = (p->>'settled')::bigint, trouble = p->>'trouble',
    -- Daemons of the tenth version do not tell it again.
    volume = case when p ? 'volume' then p->>'volume' else volume end where id = (p->>'id')::uuid;
end`,
};
