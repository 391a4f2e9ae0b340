/** Who works on a team's state, and who bought what: for people, so that a database that is away is no fault. */
import type { Team, TeamWork } from '../team.ts';
import type { Database } from './database.ts';
import type { Runner } from './runner.ts';
import { storedParts } from './team-memory.ts';

export interface TeamWorkOptions {
  readonly database: Database;
  readonly runner: Runner;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly login: string;
  readonly silent: number;
  readonly requests: number;
  readonly characters: string;
}

export class TeamWorkView {
  readonly #options: TeamWorkOptions;
  #seen: TeamWork = { runners: [], requests: 0, characters: 0 };
  #looking: Promise<TeamWork> | undefined;

  constructor(options: TeamWorkOptions) {
    this.#options = options;
  }

  async work(): Promise<TeamWork> {
    this.#looking ??= this.#look()
      .catch(() => this.#seen)
      .finally(() => {
        this.#looking = undefined;
      });
    return await this.#looking;
  }

  async whoBought({
    project,
    language,
    source,
    translation,
  }: Parameters<Team['whoBought']>[0]): ReturnType<Team['whoBought']> {
    const [row] = await this.#options.database
      .look<{ runner: string | null; at: Date }>(
        // Several sources may have one translation.
        `select runner, at from @.memory where project = $1 and language = $2 and translation = $3
         order by source = $4 desc, at desc limit 1`,
        [project, language, storedParts(translation), source],
      )
      .catch(() => []);
    return row?.runner ? { runner: row.runner, at: row.at.toISOString() } : undefined;
  }

  async #look(): Promise<TeamWork> {
    const { database, runner } = this.#options;
    const rows = await database.look<Row>(
      `select u.id, u.name, u.login, extract(epoch from clock_timestamp() - u.beat)::float8 as silent,
         count(r.id)::int as requests, coalesce(sum(r.characters), 0)::text as characters
       from @.runners u left join @.requests r on r.runner = u.id group by u.id order by u.name`,
    );
    this.#seen = {
      runners: rows.map(({ id, name, login, silent }) => {
        const silentSeconds = Math.max(0, Math.round(silent));
        return { name, login, silentSeconds, isThis: id === runner.id };
      }),
      requests: rows.reduce((sum, { requests }) => sum + requests, 0),
      characters: rows.reduce((sum, { characters }) => sum + Number(characters), 0),
    };
    return this.#seen;
  }
}
