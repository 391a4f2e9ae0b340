/** The glossaries and style lists of a team on the service, and the report of `doctor` about the team. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { type Member, Team } from '../shared-team.ts';

const TERMS = 'Text,Wortlaut\n';

describe.skipIf(NO_POSTGRES !== undefined)('a team with one database', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  test('runners that lack the same glossary at once create one of that name', async () => {
    await using team = await Team.start(postgres, {
      ...{ members: 3, texts: 10, own: true, files: { 'l10n/en-de.csv': TERMS } },
      project: ' glossary: { name: shop, csv: "l10n/{source}-{locale}.csv" },',
      // Both would find none before the first one is there.
      faults: [{ kind: 'slow_headers', operation: 'POST /v3/glossaries', ms: 1500, times: 3 }],
    });
    const ended = await Promise.all(team.members.map((member) => member.onceApart()));
    expect(ended.map(({ code, failed }) => ({ code, failed }))).toEqual(
      ended.map(() => ({ code: 0, failed: [] })),
    );
    expect(team.sandbox.counters().operations['POST /v3/glossaries']?.calls).toBe(1);
    const [lease] = await postgres.query(`select count(*)::int as open from ${team.schema}.leases`);
    expect(lease).toEqual({ open: 0 });
  });

  test('doctor reports unneeded rights of a runner, a missing key and different limits, and has no finding without them', async () => {
    await using team = await Team.start(postgres, {
      ...{ members: 2, texts: 1, more: 'budget: { month: 1000 }' },
    });
    const [one, other] = team.members as [Member, Member];
    await one.once();
    other.configure(team.schema, 'budget: { month: 2000 }', { state: ', key: { env: STATE_KEY }' });
    await other.once();
    expect(await doctor(one, postgres.runner)).toMatchObject({
      team: 'ok',
      'team server': 'ok',
      'team login': 'ok',
      'team key': 'warn',
    });
    // Runners that end are gone: two that work now spend by different limits.
    await postgres.query(`insert into ${team.schema}.runners (id, name, limits) values
      (gen_random_uuid(), 'a', '{"characters": 1000}'), (gen_random_uuid(), 'b', '{"characters": 2000}')`);
    expect(await doctor(other, postgres.owner)).toMatchObject({
      'team login': 'warn',
      'team key': 'ok',
      'team budget': 'warn',
    });
  });

  async function doctor(member: Member, url: string): Promise<Record<string, string>> {
    const { stdout } = await member.run('doctor', { url }, '--json');
    const { findings } = JSON.parse(stdout) as { findings: { about: string; verdict: string }[] };
    return Object.fromEntries(findings.map(({ about, verdict }) => [about, verdict]));
  }
});
