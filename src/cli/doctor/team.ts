/** Checks of the database that a team shares. */
import { readTeamKey } from '../../config/load-team-url.ts';
import type { Config, TeamConfig } from '../../config.ts';
import { adviceFor, describeFailure, failureOf } from '../../failure.ts';
import { inEnglish, plural } from '../../language.ts';
import type { RunnerLine, TeamHealth } from '../../state/postgres/administer.ts';
import { FUNCTIONS_VERSION } from '../../state/postgres/schema.ts';
import type { CommandCall } from '../command.ts';
import { openAdministration } from '../open-administration.ts';
import { worldOf } from '../world.ts';
import { type DoctorFinding, fail, ok, warn } from './finding.ts';
import { examineTree } from './tree.ts';

/** Seconds of silence after which a runner counts as lost. */
const SILENT_S = 6;
/** PostgreSQL 13, as `server_version_num`. */
const OLDEST_SERVER = 130_000;
/** Difference of the clocks; a network and a slow answer cause less. */
const MOST_CLOCK_SECONDS = 60;

export async function examineTeam(
  call: CommandCall,
  team: TeamConfig,
  config: Config,
): Promise<DoctorFinding[]> {
  const own = [await examineKey(call, team), ...(await examineOutbox(config.state))];
  try {
    await using state = await openAdministration(call, team);
    const { host, schema, version, functions, runners } = await state.report();
    const message = `${host}, schema ${schema}, version ${version}, ${plural(runners.length, 'runner')}`;
    const health = await state.health();
    const { tree } = team;
    const shared =
      tree === undefined
        ? []
        : await examineTree({ tree, config, state, key: await sealingKey(call, team) });
    return [
      ...[ok('team', message), ...olderFunctions(functions)],
      ...[...examineHealth(health, schema), ...silent(runners)],
      ...[...own, ...shared],
    ];
  } catch (error) {
    return [fail('team', describeFailure(failureOf(error)), adviceFor(failureOf(error))), ...own];
  }
}

function examineHealth(
  { server, isEncrypted, isReadOnly, aheadSeconds, excess, isRunner, limits }: TeamHealth,
  schema: string,
): DoctorFinding[] {
  const major = Math.floor(server / 10_000);
  return [
    server >= OLDEST_SERVER
      ? ok('team server', `PostgreSQL ${major}, ${isEncrypted ? 'over TLS' : 'on this machine'}`)
      : fail('team server', `PostgreSQL ${major} is too old`, 'use PostgreSQL 13 or later'),
    ...(isReadOnly
      ? [
          fail(
            'team server',
            'it is read-only: no runner can record anything there',
            'name its primary in state.url, or let it take changes again',
          ),
        ]
      : []),
    ...examineClock(aheadSeconds),
    ...(isRunner
      ? []
      : [
          fail(
            'team rights',
            'this login may only read the ledger, not work as a runner',
            `grant ${schema}_runner to it, or name another login in state.url`,
          ),
        ]),
    excess.length === 0
      ? ok('team login', 'it has only the rights that a runner needs')
      : warn(
          'team login',
          `it may also ${excess.join(', ')}`,
          `create role NAME login password '…' in role ${schema}_runner, and name it in state.url`,
        ),
    ...(limits.length <= 1
      ? []
      : [
          warn(
            'team budget',
            `runners spend by different limits: ${limits.map((each) => `${each.names} by ${each.limits}`).join('; ')}`,
            'write the same budget into all configs: each process checks only that of its own config',
          ),
        ]),
  ];
}

/** Charges, leases, silence and the rate use the server's clock; files and logs use that of the machine. */
function examineClock(aheadSeconds: number): DoctorFinding[] {
  const seconds = Math.abs(aheadSeconds);
  if (seconds <= MOST_CLOCK_SECONDS) return [];
  const side = aheadSeconds > 0 ? 'ahead of' : 'behind';
  return [
    warn(
      'team clock',
      `the clock of this machine is ${inEnglish(seconds)} s ${side} the database's`,
      'set the clock of this machine: the database uses its own clock for charges, leases and the rate; logs and charges in the folder use this one',
    ),
  ];
}

/** Daemons work with older functions too, but charges then lack the corrections that later versions make. */
function olderFunctions(functions: number): DoctorFinding[] {
  if (functions >= FUNCTIONS_VERSION) return [];
  return [
    warn(
      'team functions',
      'the functions in the database are of an earlier dragoman',
      'run "dragoman state migrate" as the owner of the database; runners go on meanwhile',
    ),
  ];
}

function silent(runners: readonly RunnerLine[]): DoctorFinding[] {
  const names = runners.filter(({ silent_s }) => silent_s > SILENT_S).map(({ name }) => name);
  if (names.length === 0) return [];
  return [warn('team runners', `silent: ${names.join(', ')}`, 'the next run removes them')];
}

/** Undefined if the key cannot be read; another check reports this. */
async function sealingKey(call: CommandCall, team: TeamConfig): Promise<string | undefined> {
  const key = await readTeamKey(team, worldOf(call).secrets).catch(() => undefined);
  const { Seal } = await import('../../state/postgres/seal.ts');
  return key !== undefined && Seal.from(key) !== undefined ? key : undefined;
}

async function examineKey(call: CommandCall, team: TeamConfig): Promise<DoctorFinding> {
  try {
    const key = await readTeamKey(team, worldOf(call).secrets);
    if (key === undefined) {
      return warn(
        'team key',
        'there is none: when a runner ends unexpectedly, its uploads wait for its own folder',
        'openssl rand -base64 32 makes one for all runners; name it in state.key',
      );
    }
    const { Seal } = await import('../../state/postgres/seal.ts');
    if (Seal.from(key) !== undefined) return ok('team key', 'it is where the config says');
    return fail(
      'team key',
      'it is not 32 bytes, base64 or hexadecimal',
      'openssl rand -base64 32 makes one',
    );
  } catch (error) {
    return fail('team key', describeFailure(failureOf(error)), adviceFor(failureOf(error)));
  }
}

async function examineOutbox(folder: string): Promise<DoctorFinding[]> {
  const { lettersIn, outboxIn } = await import('../../state/postgres/outbox.ts');
  const letters = await lettersIn(outboxIn(folder));
  if (letters.size === 0) return [];
  const message = `${plural(letters.size, 'paid answer')} not in the database yet`;
  return [warn('team outbox', message, 'keep the state folder: the next run here sends them')];
}
