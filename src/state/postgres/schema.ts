/** The tables and functions of a team's state in SQL. Runners call the functions and read the tables; only the owner changes either. */

import {
  AGREEMENT_FUNCTIONS,
  AGREEMENT_TABLES,
  FILLING_TABLES,
  VOLUME_TABLES,
} from './agreement-schema.ts';
import { BOOK_FUNCTIONS } from './book-schema.ts';
import { BUDGET_FUNCTIONS } from './budget-schema.ts';
import { DAEMON_FUNCTIONS, DAEMON_TABLES } from './daemon-schema.ts';
import { PURCHASE_FUNCTIONS } from './purchase-schema.ts';
import { RATE_FUNCTIONS, RUNNER_FUNCTIONS } from './runner-schema.ts';
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
 * Grows with each change of the functions. Functions change without a new version of the tables, and older programs can use the new
 * ones. With this number, `doctor` sees that a database has older functions.
 */
export const FUNCTIONS_VERSION = 7;

/** The comment that `state migrate` writes at the table `version`. */
export const FUNCTIONS_MARK = /^functions (\d+)$/;

/**
 * The SQL that `state migrate` runs, in one transaction: it creates the tables, or brings them up to date. Functions and rights are
 * written again each time.
 * @param schema a plain lower-case name
 */
export function schemaSql(schema: string): string {
  return `create schema if not exists ${quotedName(schema)};
set local search_path = ${quotedName(schema)}, pg_temp;
do $steps$ begin
${STEPS.map((tables, index) => stepTo(index + 1, { tables, schema })).join('\n')}
end $steps$;
${functionsIn(schema)}
${rolesOf(schema)}
comment on table version is 'functions ${FUNCTIONS_VERSION}';`;
}

/** Quotes the name of a schema, which may be a word of SQL. */
export function quotedName(schema: string): string {
  return `"${schema}"`;
}

/** The SQL of one step, which runs only once. It keeps the generation: with it, runners recognize the tables. */
function stepTo(version: number, { tables, schema }: { tables: string; schema: string }): string {
  const isMissing =
    version === 1
      ? `to_regclass('${quotedName(schema)}.version') is null`
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
  ...[AGREEMENT_TABLES, VOLUME_TABLES, FILLING_TABLES],
];
/** Rises with every change of the tables. */
export const SCHEMA_VERSION = STEPS.length;

/** Each function has its name, parameters and result as the key, and its body as the value. */
function functionsIn(schema: string): string {
  return Object.entries({
    ...{ ...BUDGET_FUNCTIONS, ...BOOK_FUNCTIONS, ...RATE_FUNCTIONS, ...PURCHASE_FUNCTIONS },
    ...{ ...RUNNER_FUNCTIONS, ...TREE_FUNCTIONS, ...TURN_FUNCTIONS },
    ...{ ...DAEMON_FUNCTIONS, ...AGREEMENT_FUNCTIONS },
  })
    .map(([head, body]) => {
      const language = /^\s*(declare|begin)\b/.test(body) ? 'plpgsql' : 'sql';
      return `create or replace function ${head} language ${language}
security definer set search_path = ${quotedName(schema)}, pg_temp as $$
${body.trim()}
$$;`;
    })
    .join('\n\n')
    .replaceAll('@channel', `'${schema}'`);
}

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
  'give_back_purchase(purchases)',
  'forget_former(text)',
  ...TREE_INTERNAL,
];

/**
 * Creates the roles with the least rights. A runner reads, and changes only by the functions. A reader sees the books, but no texts or
 * secrets.
 */
function rolesOf(schema: string): string {
  const [runner, reader] = [`${schema}_runner`, `${schema}_reader`];
  return `do $$ begin
  if not exists (select from pg_roles where rolname = '${runner}') then create role ${runner} nologin; end if;
  if not exists (select from pg_roles where rolname = '${reader}') then create role ${reader} nologin; end if;
end $$;
revoke all on all functions in schema ${quotedName(schema)} from public;
grant usage on schema ${quotedName(schema)} to ${runner}, ${reader};
grant execute on all functions in schema ${quotedName(schema)} to ${runner};
revoke execute on function ${INTERNAL.join(', ')} from ${runner};
grant select on version, runners, memory, charges, requests, reservations, budgets, rate, leases, purchases, results, turns, daemons, ${TREE_READ.join(', ')} to ${runner};
grant select on all sequences in schema ${quotedName(schema)} to ${runner};
grant select on version, runners, charges, requests, reservations, budgets, daemons to ${reader};
`;
}
