/** Figures of a team's database. The billed characters of all runners are in `dragoman_billed_characters_total`. Pure. */
import type { TeamReport } from '../../control/report.ts';
import type { Family } from './exposition.ts';

export function teamFamilies(team: TeamReport): Family[] {
  const { away_since, runners, open, waiting_answers, possibly_billed_twice } = team;
  const gauge = (name: string, help: string, value: number): Family => {
    return { name, help, type: 'gauge', samples: [{ labels: {}, value }] };
  };
  return [
    gauge('dragoman_team_up', 'Whether the database answers.', away_since === null ? 1 : 0),
    gauge('dragoman_team_runners', 'Runners that work with it.', runners.length),
    gauge(
      'dragoman_team_open_requests',
      'Requests of all runners without a known answer.',
      open.requests,
    ),
    gauge(
      'dragoman_team_waiting_answers',
      'Paid answers on this machine that are not in the database yet.',
      waiting_answers,
    ),
    gauge(
      'dragoman_team_possibly_twice_characters',
      'Characters of all runners that may have been billed twice.',
      possibly_billed_twice,
    ),
  ];
}
