/** Answers who works on a team's state and who bought a text, for people. When the database does not answer, the last known state is shown. */

import type { Clock } from '../../clock.ts';
import { type Job, sourceHashOf } from '../../job.ts';
import { type LastAnswer, LastAnswerOf } from '../last-answer.ts';
import type { Buyer, Team, TeamWork } from '../team.ts';
import type { Database } from './database.ts';
import type { Runner } from './runner.ts';
import { storedParts } from './team-memory.ts';

export interface TeamWorkOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly runner: Runner;
}

interface RunnerRow {
  readonly id: string;
  readonly name: string;
  readonly login: string;
  readonly silent: number;
  readonly requests: number;
  readonly characters: string;
}

const NO_WORK: TeamWork = { runners: [], requests: 0, characters: 0 };

export class TeamWorkView {
  readonly #options: TeamWorkOptions;
  readonly #work: LastAnswerOf<TeamWork>;

  constructor(options: TeamWorkOptions) {
    this.#options = options;
    this.#work = new LastAnswerOf(options.clock, NO_WORK, () => this.#look());
  }

  async work(): Promise<LastAnswer<TeamWork>> {
    return await this.#work.ask();
  }

  async whoBought({
    project,
    language,
    source,
    translation,
  }: Parameters<Team['whoBought']>[0]): ReturnType<Team['whoBought']> {
    const [row] = await this.#options.database
      .query<{ runner: string | null; at: Date }>(
        // Several sources may have the same translation: the asked one comes first.
        `select runner, at from @.memory where project = $1 and language = $2 and translation = $3
         order by source = $4 desc, at desc limit 1`,
        [project, language, storedParts(translation), source],
      )
      .catch(() => []);
    return row?.runner ? { runner: row.runner, at: row.at.toISOString() } : undefined;
  }

  async buyersOf(
    { id, project, language, fingerprint }: Job,
    spoken: string,
  ): Promise<readonly Buyer[]> {
    const rows = await this.#options.database
      .query<{ runner: string; at: Date }>(
        // A result is found by the hash of its source: the path may differ in the buyer's checkout.
        `select runner, max(at) as at from (
           select m.runner, m.at from @.charges c join @.memory m on m.request = c.request
             where c.project = $2 and c.record->>'job' = $1 and m.runner is not null
           union all select name, kept from @.purchases
             where project = $2 and record->>'sourceHash' = $3 and kept is not null
               and (id like 'document %' and record->>'language' = $4 or id like 'voice %' and $5 = any(string_to_array(id, ' ')))
         ) bought group by runner order by 2`,
        [id, project, sourceHashOf(fingerprint), language, spoken],
      )
      .catch(() => []);
    return rows.map(({ runner, at }) => ({ runner, at: at.toISOString() }));
  }

  async #look(): Promise<TeamWork> {
    const { database, runner } = this.#options;
    const rows = await database.query<RunnerRow>(
      `select u.id, u.name, u.login, extract(epoch from clock_timestamp() - u.beat)::float8 as silent,
         count(r.id)::int as requests, coalesce(sum(r.characters), 0)::text as characters
       from @.runners u left join @.requests r on r.runner = u.id group by u.id order by u.name`,
    );
    return {
      runners: rows.map(({ id, name, login, silent }) => {
        const silentSeconds = Math.max(0, Math.round(silent));
        return { name, login, silentSeconds, isThis: id === runner.id };
      }),
      requests: rows.reduce((sum, { requests }) => sum + requests, 0),
      characters: rows.reduce((sum, { characters }) => sum + Number(characters), 0),
    };
  }
}
