/** The report about a team: runners at work and billed characters, from its database, and answers that wait on this machine. */
import { inEnglish, plural } from '../language.ts';
import type { Sums } from '../state/books.ts';
import type { Team } from '../state/team.ts';
import type { TeamReport } from './report.ts';
import { toSeconds } from './tree-report.ts';

/** @returns null without a database */
export async function teamReport(team: Team | undefined, sums: Sums): Promise<TeamReport | null> {
  if (team === undefined) return null;
  const { host, away, waiting } = team.status();
  const { value: told, asOf } = await team.work();
  const { runners, requests, characters } = told;
  return {
    host,
    away_since: away?.since ?? null,
    away_because: away?.reason ?? null,
    as_of: asOf,
    waiting_answers: waiting,
    runners: runners.map(({ name, login, silentSeconds, isThis }) => {
      return { name, login, silent_s: silentSeconds, is_this: isThis };
    }),
    billed_characters: sums.billed(),
    possibly_billed_twice: sums.doubted(),
    open: { requests, characters },
  };
}

/** One line for people. */
export function describeTeam(team: TeamReport): string {
  const { host, runners, open, ...books } = team;
  if (team.as_of === null)
    return `${host} has not answered yet: who works and what was billed is not known`;
  const names = runners.map(({ name, is_this }) => (is_this ? `${name} (this one)` : name));
  return [
    `${knownBefore(team)}${plural(runners.length, 'runner')} at ${host}${names.length === 0 ? '' : `: ${names.join(', ')}`}`,
    `${inEnglish(books.billed_characters)} characters billed for all`,
    books.possibly_billed_twice === 0
      ? undefined
      : `${inEnglish(books.possibly_billed_twice)} may have been billed twice`,
    open.requests === 0 ? undefined : `${plural(open.requests, 'request')} under way`,
  ]
    .filter((part) => part !== undefined)
    .join('; ');
}

/** The words before the last known figures of a database that does not answer now; empty: it answers. */
export function knownBefore({
  as_of,
  away_since,
}: Pick<TeamReport, 'as_of' | 'away_since'>): string {
  return as_of === null || away_since === null ? '' : `as of ${toSeconds(as_of)}: `;
}

/** Notes on the database; empty when all is well. */
export function teamNotes(team: Pick<Team, 'status'> | undefined): string[] {
  if (team === undefined) return [];
  const { host, away, waiting } = team.status();
  const paid = plural(waiting, 'paid answer');
  if (away !== undefined) {
    const kept = waiting === 0 ? '' : `, ${paid} ${waiting === 1 ? 'is' : 'are'} kept here`;
    const { since, reason } = away;
    return [
      `the team's state at ${host} is away since ${since}: ${reason}; nothing new is bought${kept}`,
    ];
  }
  return waiting === 0
    ? []
    : [`${paid} ${waiting === 1 ? 'is' : 'are'} on the way to the team's state at ${host}`];
}

/** Notes for places where prices are shown: work that is not known yet matters there. */
export function teamPlanNotes(team: Pick<Team, 'status'> | undefined): string[] {
  if (team?.status().away === undefined) return [];
  return teamNotes(team).map(
    (note) => `${note}; prices include texts that the team has bought already`,
  );
}
