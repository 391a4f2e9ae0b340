/** Figures of the daemons that share a tree: of this daemon, and the number of daemons in each state. Pure. */
import type { DaemonReport, TreeReport } from '../../control/report.ts';
import type { Family } from './exposition.ts';

const DAEMON_STATES: readonly DaemonReport['state'][] = ['leads', 'works', 'waits', 'silent'];

export function treeFamilies({ as_of, daemons }: TreeReport): Family[] {
  // A figure that the database has not sent yet has no sample.
  const isKnown = as_of !== null;
  const own = daemons.find(({ is_this }) => is_this);
  const gauge = (name: string, rest: Pick<Family, 'help' | 'samples'>): Family => {
    return { name, type: 'gauge', ...rest };
  };
  const lanes = (figure: 'places' | 'running') =>
    (own?.lanes ?? []).map((lane) => ({ labels: { lane: lane.lane }, value: lane[figure] }));
  return [
    gauge('dragoman_tree_leads', {
      help: 'Whether this daemon leads the tree; the sum over all daemons is 1.',
      samples: isKnown ? [{ labels: {}, value: own?.state === 'leads' ? 1 : 0 }] : [],
    }),
    gauge('dragoman_tree_daemons', {
      help: 'Daemons of the tree by state, as the database knows it; "silent" ones became silent within the last day.',
      samples: (isKnown ? DAEMON_STATES : []).map((state) => ({
        labels: { state },
        value: daemons.filter((daemon) => daemon.state === state).length,
      })),
    }),
    gauge('dragoman_tree_places', {
      help: 'Jobs that this daemon may run at a time.',
      samples: lanes('places'),
    }),
    gauge('dragoman_tree_running', {
      help: 'Jobs that this daemon runs.',
      samples: lanes('running'),
    }),
  ];
}
