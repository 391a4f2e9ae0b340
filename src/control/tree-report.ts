/** The daemons that share a tree: the role and work of each, and what a person should do. */
import { plural } from '../language.ts';
import type { DaemonLine, Tree, TreeTask } from '../state/tree.ts';
import type { TreeReport } from './report.ts';

export async function treeReport(tree: Pick<Tree, 'name' | 'daemons'>): Promise<TreeReport> {
  const { value: daemons, asOf } = await tree.daemons.lines();
  return {
    name: tree.name,
    as_of: asOf,
    leader: daemons.find(({ state }) => state === 'leads')?.name ?? null,
    daemons: daemons.map(({ silentSeconds, isThis, volume, ...daemon }) => {
      return { ...daemon, silent_s: silentSeconds, is_this: isThis };
    }),
  };
}

interface TreeNoteOptions {
  /** The task of this process. */
  readonly task?: TreeTask | undefined;
  /** The database takes no heartbeat: it may say of all daemons that they are silent. */
  readonly isAway?: boolean;
}

/** Notes for people; empty when all is well. */
export function treeNotes(
  { name, leader, daemons }: TreeReport,
  { task, isAway = false }: TreeNoteOptions = {},
): string[] {
  const live = daemons.filter(({ state }) => state !== 'silent');
  const versions = [...new Set(live.map(({ version }) => version))].sort();
  const silent = isAway ? [] : daemons.filter(({ state }) => state === 'silent');
  const goesOn = live.length === 0 ? 'waits for "dragoman run"' : 'goes on elsewhere';
  const hindered = live.filter(({ trouble }) => trouble !== null);
  return [
    ...(leader !== null && task === 'works'
      ? [`this daemon works for the tree "${name}": the page of ${leader} shows what is to be done`]
      : []),
    ...(leader === null && live.length > 0
      ? [`nobody leads the tree "${name}": nothing new is planned until ${untilLed(live)}`]
      : []),
    ...(live.length > 0 && live.every(({ role }) => role === 'leader')
      ? [
          `no daemon of the tree "${name}" takes texts and documents: start one with "dragoman run --role worker"`,
        ]
      : []),
    ...hindered.map(({ name: who, trouble }) => `${who}: ${trouble}`),
    // The name begins with that of the machine.
    ...silent.map(
      ({ name: who, seen }) =>
        `${who} has been silent since ${toSeconds(seen)}, and its work ${goesOn}: start it again on its machine, with its state folder; it is shown here for a day`,
    ),
    ...(versions.length > 1
      ? [
          `${plural(live.length, 'daemon')} have the versions ${versions.join(', ')}: end the update`,
        ]
      : []),
  ];
}

/** One more daemon would only wait, too. */
function untilLed(live: readonly Pick<DaemonLine, 'name' | 'state'>[]): string {
  const waiting = live.filter(({ state }) => state === 'waits').map(({ name }) => name);
  if (waiting.length === 0) return '"dragoman run" is started';
  return `it is led by ${waiting.join(' or ')}, which ${waiting.length === 1 ? 'waits' : 'wait'} for that`;
}

/** An ISO 8601 time for people. */
export function toSeconds(iso: string): string {
  return iso.replace(/\.\d+/, '');
}
