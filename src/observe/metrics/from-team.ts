/** Figures of a team's database. The billed characters of all runners are in `dragoman_billed_characters_total`. Pure. */
import type { TeamReport } from '../../control/report.ts';
import type { Family } from './exposition.ts';

export function teamFamilies(team: TeamReport): Family[] {
  const { as_of, away_since, runners, open, waiting_answers, possibly_billed_twice } = team;
  const gauge = (name: string, help: string, ...values: readonly number[]): Family => {
    return { name, help, type: 'gauge', samples: values.map((value) => ({ labels: {}, value })) };
  };
  // Before the first answer of the database these figures are unknown, and have no sample.
  const known = (value: number) => (as_of === null ? [] : [value]);
  return [
    gauge('dragoman_team_up', 'Whether the database answers.', away_since === null ? 1 : 0),
    gauge('dragoman_team_runners', 'Runners that work with it.', ...known(runners.length)),
    gauge(
      'dragoman_team_open_requests',
      'Requests of all runners without a known answer.',
      ...known(open.requests),
    ),
    gauge(
      'dragoman_team_waiting_answers',
      'Paid answers on this machine that are not in the database yet.',
      waiting_answers,
    ),
    gauge(
      'dragoman_team_possibly_twice_characters',
      'Characters of all runners that may have been billed twice.',
      ...known(possibly_billed_twice),
    ),
  ];
}
