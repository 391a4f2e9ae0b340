/**
 * Checks of a tree that daemons share: everything that all daemons must have in common (key, config, version, spool), and silent
 * daemons.
 */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { sharedSettings } from '../../config/shared-settings.ts';
import type { Config, TreeConfig } from '../../config.ts';
import { toSeconds } from '../../control/tree-report.ts';
import { adviceFor, describeFailure, failureOf } from '../../failure.ts';
import { doubtAt } from '../../files/network.ts';
import { plural } from '../../language.ts';
import { VERSION } from '../../service/version.ts';
import type { Administration } from '../../state/postgres/administer.ts';
import type { DaemonLine } from '../../state/tree.ts';
import { ownerProblem, volumeIn } from '../../state/volume.ts';
import { loadTerminology } from '../../terminology/load-project-terms.ts';
import { type DoctorFinding, fail, ok, warn } from './finding.ts';

interface TreeToExamine {
  readonly tree: TreeConfig;
  /** The config of this daemon. */
  readonly config: Config;
  /** Undefined if it cannot be read; another check reports this. */
  readonly key: string | undefined;
  readonly state: Pick<
    Administration,
    'offers' | 'daemons' | 'checkKey' | 'checkConfig' | 'spoolOf' | 'requireFilled'
  >;
}

export async function examineTree({
  tree,
  config,
  key,
  state,
}: TreeToExamine): Promise<DoctorFinding[]> {
  const daemons = await state.daemons(tree.name);
  const live = daemons.filter((daemon) => daemon.state !== 'silent');
  return [
    await examineQueues(state, tree.name),
    ...(key === undefined ? [] : [await examineKey(state, { tree: tree.name, key })]),
    ...(await examineFilling(state, tree.name)),
    await examineConfig(state, { tree: tree.name, config }),
    ...examineDaemons(daemons, live),
    ...examineTroubles(live),
    ...examineVersions(live),
    await examineSpool(state, { tree, live }),
    await examineFolder(config.state),
  ];
}

async function examineQueues(state: TreeToExamine['state'], tree: string): Promise<DoctorFinding> {
  try {
    const { waiting, running } = await state.offers(tree);
    const message = `of "${tree}": ${plural(waiting, 'job')} waiting, ${running} running`;
    return ok('tree queues', message);
  } catch (error) {
    const failure = failureOf(error);
    return fail('tree queues', describeFailure(failure), adviceFor(failure));
  }
}

async function examineKey(
  state: TreeToExamine['state'],
  { tree, key }: { readonly tree: string; readonly key: string },
): Promise<DoctorFinding> {
  try {
    const isKnown = await state.checkKey(tree, key);
    return ok(
      'tree key',
      isKnown ? 'it is the key of the tree' : 'the first daemon will record it',
    );
  } catch (error) {
    const failure = failureOf(error);
    return fail('tree key', describeFailure(failure), adviceFor(failure));
  }
}

async function examineFilling(
  state: TreeToExamine['state'],
  tree: string,
): Promise<DoctorFinding[]> {
  try {
    await state.requireFilled(tree);
    return [];
  } catch (error) {
    const failure = failureOf(error);
    return [fail('tree copy', describeFailure(failure), adviceFor(failure))];
  }
}

async function examineConfig(
  state: TreeToExamine['state'],
  { tree, config }: { readonly tree: string; readonly config: Config },
): Promise<DoctorFinding> {
  const terminology = await loadTerminology(config);
  // Daemons know what a file with a fault held before. Another check reports the fault.
  const read = terminology.faults.length > 0 ? undefined : terminology;
  const trouble = await state.checkConfig(tree, sharedSettings(config, read));
  return trouble === undefined
    ? ok('tree config', 'no daemon works with a different config')
    : fail(
        'tree config',
        `a daemon with this config: ${trouble}`,
        'give all daemons the same config',
      );
}

function examineTroubles(live: readonly DaemonLine[]): DoctorFinding[] {
  return live.flatMap(({ name, host, trouble }) =>
    trouble === null
      ? []
      : [fail('tree daemons', `${name}: ${trouble}`, `look at the log of that daemon, on ${host}`)],
  );
}

function examineDaemons(
  daemons: readonly DaemonLine[],
  live: readonly DaemonLine[],
): DoctorFinding[] {
  const leader = live.find(({ state }) => state === 'leads')?.name;
  const silent = daemons.filter(({ state }) => state === 'silent');
  const waiting = live.filter(({ state }) => state === 'waits').map(({ name }) => name);
  const led =
    live.length === 0
      ? ok('tree daemons', 'none runs')
      : leader === undefined
        ? fail(
            'tree daemons',
            `${plural(live.length, 'daemon')}, and none leads: nothing is planned`,
            waiting.length === 0
              ? 'start "dragoman run" on one more machine, without --role worker'
              : `ask again in some seconds; if none leads then, look at the log of ${waiting.join(', ')}`,
          )
        : ok('tree daemons', `${plural(live.length, 'daemon')}, and ${leader} leads`);
  return [
    led,
    ...silent.map(({ name, host, seen }) =>
      warn(
        'tree daemons',
        `${name} is silent since ${toSeconds(seen)}`,
        `start the daemon on ${host} again; other daemons continue its jobs`,
      ),
    ),
  ];
}

function examineVersions(live: readonly DaemonLine[]): DoctorFinding[] {
  const others = live.filter(({ version }) => version !== VERSION);
  if (live.length === 0) return [];
  if (others.length === 0) return [ok('tree versions', `all daemons are of version ${VERSION}`)];
  const named = others.map(({ name, version }) => `${name} is of ${version}`).join(', ');
  return [
    warn(
      'tree versions',
      `this is ${VERSION}, ${named}`,
      'finish the update: install one version everywhere',
    ),
  ];
}

/** All daemons need one spool: a daemon may fetch there what another daemon paid for. */
async function examineSpool(
  state: TreeToExamine['state'],
  { tree: { name, spool }, live }: { tree: TreeConfig; live: readonly DaemonLine[] },
): Promise<DoctorFinding> {
  const stranger = await ownerProblem(spool, name);
  if (stranger !== undefined) {
    return fail('tree spool', stranger, 'name another folder as "spool" in "state"');
  }
  const problem = await state.spoolOf(name, spool).problem();
  if (problem?.kind === 'elsewhere') {
    return fail('tree spool', problem.message, 'mount the volume of the other daemons there');
  }
  const volume = await volumeIn(spool);
  const elsewhere = live.filter((daemon) => daemon.volume !== null && daemon.volume !== volume);
  const without = live.filter((daemon) => daemon.volume === null);
  // A daemon that looked and could not read it has a trouble.
  const shut = without.filter(({ trouble }) => trouble !== null);
  const fix = 'mount one volume at the same place for all daemons, and let all of them write there';
  if (elsewhere.length > 0) {
    const names = elsewhere.map(({ name }) => name).join(', ');
    return fail('tree spool', `${spool} is another volume than that of ${names}`, fix);
  }
  if (shut.length > 0) {
    const names = shut.map(({ name }) => name).join(', ');
    return fail('tree spool', `${names} cannot read ${spool}`, fix);
  }
  if (volume === undefined)
    return ok('tree spool', `${spool} does not exist; the first daemon that leads makes it`);
  const isWritable = await access(spool, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return fail('tree spool', `${spool} cannot be written by this user`, 'change its owner');
  const names = without.map(({ name }) => name).join(', ');
  return ok(
    'tree spool',
    names === ''
      ? `${spool} can be written, and all daemons share it`
      : `${spool} can be written; ${names} started before it was there and looks again within seconds`,
  );
}

/** Whether the state folder is on a local disk. The config was checked for a folder outside of the tree. */
async function examineFolder(folder: string): Promise<DoctorFinding> {
  const doubt = await doubtAt(folder).catch(() => undefined);
  const fix = 'name a folder on a disk of this machine as "folder" in "state"';
  switch (doubt?.verdict) {
    case undefined:
      return ok('tree folder', `${folder} is on this machine, outside of the tree`);
    case 'doubted':
      return warn('tree folder', `${folder} is on ${doubt?.name}, which others may reach`, fix);
    case 'refused': {
      const message = `${folder} is on a network file system (${doubt?.name}): a lock there does not hold`;
      return fail('tree folder', message, fix);
    }
  }
}
