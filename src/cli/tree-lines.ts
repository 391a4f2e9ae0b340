/** The daemons of a tree, one or two lines for each. Pure. */
import type { DaemonReport, TeamReport, TreeReport } from '../control/report.ts';
import { knownBefore } from '../control/team-report.ts';
import { toSeconds } from '../control/tree-report.ts';
import { inEnglish, plural } from '../language.ts';

/** Seconds of silence that are normal: a daemon gives a sign of life every two seconds. */
const QUIET_S = 4;

const STATE_WORDS = {
  leads: 'leads',
  works: 'works',
  waits: 'waits to lead',
  silent: 'silent',
} as const;

/** @param team the state of the database that lists the daemons */
export function treeLines(
  { name, as_of, daemons }: TreeReport,
  team: Pick<TeamReport, 'away_since'> | null,
): string[] {
  if (as_of === null) return [`tree ${name}: its daemons are not known`];
  const before = knownBefore({ as_of, away_since: team?.away_since ?? null });
  const width = Math.max(0, ...daemons.map((daemon) => daemon.name.length));
  return [
    `tree ${name}: ${before}${plural(daemons.length, 'daemon')}`,
    ...daemons.flatMap((daemon) => [
      `  ${daemon.name.padEnd(width)}  ${wordsFor(daemon)}`,
      ...[...workLine(daemon), ...(daemon.trouble === null ? [] : [daemon.trouble])].map(
        (line) => `  ${' '.repeat(width)}  ${line}`,
      ),
    ]),
  ];
}

function wordsFor(daemon: DaemonReport): string {
  const { state, role, version, since, seen, silent_s, lanes, settled, is_this, epoch } = daemon;
  return [
    state === 'silent' ? `silent since ${toSeconds(seen)}` : STATE_WORDS[state],
    ...(epoch === null ? [] : [`epoch ${inEnglish(epoch)}`]),
    ...(role === 'leader' ? ['takes no texts'] : []),
    ...(is_this ? ['this one'] : []),
    ...(state !== 'silent' && silent_s > QUIET_S ? [`no sign of life for ${silent_s} s`] : []),
    ...lanes.map(({ lane, places, running }) => `${lane} ${running}/${places}`),
    `${inEnglish(settled)} settled since ${toSeconds(since)}`,
    version,
  ].join(', ');
}

function workLine({ work, lanes }: DaemonReport): string[] {
  if (work.length === 0) return [];
  const named = work.map(({ source, language }) => `${source} ${language}`);
  const running = lanes.reduce((sum, lane) => sum + lane.running, 0);
  const more = running - named.length;
  return [`${named.join(', ')}${more > 0 ? ` and ${inEnglish(more)} more` : ''}`];
}
