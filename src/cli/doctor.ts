/** `dragoman doctor [--online]`: checks machine, key, state, daemon and service. Each line is ok, warn or fail, with a fix. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { readSecret } from '../config/load-secret.ts';
import type { Config } from '../config.ts';
import { adviceFor, describeFailure, failureOf } from '../failure.ts';
import { DaemonOfOtherConfig, DaemonSilent } from '../files/exclusive.ts';
import { connectService } from '../jobs/connect-service.ts';
import { encodersOf, hasFfmpeg } from '../lanes/voice/media/ffmpeg.ts';
import type { Setup } from '../plan/planner.ts';
import type { Route } from '../project.ts';
import { verifyState } from '../state/verify.ts';
import { requireState } from './check/fixed-paths.ts';
import type { CliCommand, CommandCall, GlobalOptions } from './command.ts';
import { type DoctorFinding, fail, ok, warn } from './doctor/finding.ts';
import { examineLock } from './doctor/lock.ts';
import {
  examineDisk,
  examineGit,
  examineNode,
  examineRights,
  examineWatches,
} from './doctor/machine.ts';
import { examineService } from './doctor/service.ts';
import { examineTeam } from './doctor/team.ts';
import { examineTerminology } from './doctor/terminology.ts';
import { openConfig } from './open-config.ts';
import { daemonOf } from './open-control.ts';
import type { Terminal } from './terminal.ts';
import { worldOf } from './world.ts';

interface DoctorOptions extends GlobalOptions {
  readonly online?: boolean;
}

const SERVICE_PATIENCE_MS = 10_000;

export const command: CliCommand<DoctorOptions> = {
  describe(command: Command) {
    command
      .option('--online', 'also ask the service: key, plan, quota, clock')
      .addHelpText(
        'after',
        '\nExample:\n  dragoman doctor --online    everything, with the fix for each finding',
      );
  },
  async run(call: CommandCall<DoctorOptions>) {
    const findings = [examineNode(process.versions.node)];
    try {
      const setup = await openConfig(call);
      findings.push(ok('config', setup.config.file), ...(await examineSetup(call, setup)));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      findings.push(fail('config', message, 'dragoman check; dragoman init writes a new one'));
    }
    if (call.options.json) call.terminal.json({ findings });
    else for (const finding of findings) printFinding(finding, call.terminal);
    return findings.some(({ verdict }) => verdict === 'fail') ? 1 : 0;
  },
};

async function examineSetup(
  call: CommandCall<DoctorOptions>,
  setup: Setup,
): Promise<DoctorFinding[]> {
  const { config, router } = setup;
  return [
    await examineKey(call, setup),
    ...(await examineTerminology(config)),
    await examineState(config),
    ...(config.team === undefined ? [] : await examineTeam(call, config.team, config)),
    ...(await examineRights(config)),
    ...(await examineLock(setup)),
    await examineGit(config.base),
    await examineDisk(config.state),
    await examineWatches(config, router),
    ...(await examineRecordings(config)),
    await examineDaemon(config),
    examineProxy(call),
    ...(call.options.online === true ? await askService(call, setup) : []),
  ];
}

async function examineKey({ env }: CommandCall, { config }: Setup): Promise<DoctorFinding> {
  const places = { env, credentialsDirectory: env['CREDENTIALS_DIRECTORY'] };
  return await readSecret(config.service.key, places).then(
    () => ok('key', 'it is where the config says'),
    (error: unknown) =>
      fail(
        'key',
        error instanceof Error ? error.message : 'missing',
        'set the key, or change service.key',
      ),
  );
}

async function examineState(config: Config): Promise<DoctorFinding> {
  const { state: folder } = config;
  const failure = await requireState(config).then(
    () => undefined,
    (error: unknown) => failureOf(error),
  );
  // Only what ends every command: the rest of the state is examined below.
  if (failure?.kind === 'state-unwritable')
    return fail('state', describeFailure(failure), adviceFor(failure));
  if (!existsSync(folder)) return ok('state', `${folder} does not exist; the first run makes it`);
  const notes = await verifyState(folder);
  const [first] = notes;
  if (first === undefined) return ok('state', `${folder} is sound`);
  return warn(
    'state',
    `${first.file}: ${first.message}`,
    'do nothing: the next start repairs it from the journal and keeps the damaged file beside it',
  );
}

async function examineDaemon(config: Setup['config']): Promise<DoctorFinding> {
  const daemon = await daemonOf(config).catch((error: unknown) => {
    if (error instanceof DaemonSilent || error instanceof DaemonOfOtherConfig) return error;
    throw error;
  });
  if (daemon === undefined) return ok('daemon', 'none runs for this config');
  if (daemon instanceof DaemonOfOtherConfig) {
    return fail('daemon', daemon.message, 'name another folder as "state" in one of the configs');
  }
  if (daemon instanceof DaemonSilent) {
    return fail('daemon', daemon.message, 'continue its process (kill -CONT), or end it');
  }
  const { state: word } = await daemon.overview();
  const { address: page } = await daemon.visit();
  return ok('daemon', page === null ? word : `${word}, page at ${page}`);
}

function examineProxy({ env }: CommandCall): DoctorFinding {
  const proxy = env['https_proxy'] ?? env['HTTPS_PROXY'] ?? env['http_proxy'] ?? env['HTTP_PROXY'];
  if (proxy === undefined) return ok('proxy', 'none is set');
  // The address is not shown: it may hold a password.
  return ok('proxy', 'requests go through the proxy of the environment');
}

async function askService(call: CommandCall, { config }: Setup): Promise<DoctorFinding[]> {
  const world = worldOf(call);
  await using service = await connectService({ config, world, patienceMs: SERVICE_PATIENCE_MS });
  return await examineService(service, call.clock.now());
}

function printFinding({ about, verdict, message, fix }: DoctorFinding, terminal: Terminal): void {
  const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
  terminal.out(
    `${terminal.style(colours[verdict], verdict.padEnd(4))}  ${about.padEnd(20)} ${message}`,
  );
  if (fix !== undefined) terminal.out(`      ${''.padEnd(20)} fix: ${fix}`);
}

// Recordings are converted and packed by ffmpeg, which only voice routes need.

/** @returns nothing where no route takes recordings */
async function examineRecordings({ projects }: Config): Promise<DoctorFinding[]> {
  const routes = projects.flatMap((project) => project.routes).filter(takesRecordings);
  if (routes.length === 0) return [];
  const formats = new Set(routes.map(({ voice }) => voice.speechFormat));
  formats.delete('wav');
  if (!(await hasFfmpeg())) {
    const packed = formats.size === 0 ? '' : `; speech stays WAV instead of ${wordList(formats)}`;
    const message = `not installed: recordings that the service does not take (videos, AMR, WMA, AAC) are held${packed}`;
    return [warn('ffmpeg', message, 'install ffmpeg')];
  }
  const encoders = await encodersOf();
  const missing = [...formats].filter((format) => !encoders.has(format));
  return missing.length === 0
    ? [ok('ffmpeg', 'converts what the service does not take')]
    : [
        warn(
          'ffmpeg',
          `this ffmpeg cannot write ${wordList(missing)}`,
          'install an ffmpeg with that encoder',
        ),
      ];
}

/** Only a route for recordings has several outputs. */
function takesRecordings({ to }: Route): boolean {
  return typeof to === 'object';
}

function wordList(formats: Iterable<string>): string {
  return [...formats].join(' and ');
}
