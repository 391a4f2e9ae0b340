/** `dragoman run`: starts the daemon, which watches and translates until it is stopped. */
import { type Command, Option } from 'commander';
import type { Clock } from '../clock.ts';
import { diffConfig } from '../config/diff.ts';
import { faultLine } from '../config/fault.ts';
import type { SoundConfig } from '../config/parse.ts';
import { settingsForRestart } from '../config/reloading.ts';
import { Daemon } from '../daemon.ts';
import { Events } from '../event.ts';
import { describeFailure, failureOf } from '../failure.ts';
import { Liveness } from '../jobs/liveness.ts';
import { renamedLock } from '../jobs/renamed-lock.ts';
import { type LogStyle, openEventLog } from '../observe/log.ts';
import { connectSupervisor, isJournal, type Supervisor } from '../observe/systemd.ts';
import { describeStart } from '../observe/team-line.ts';
import { controlSocketPath, serveControl } from '../page/control-socket.ts';
import { shownFrom } from '../routes/shown-paths.ts';
import type { Role } from '../state/tree.ts';
import { loadTerminology } from '../terminology/load-project-terms.ts';
import { askedFaults } from './ask-languages.ts';
import { type CliCommand, type CommandCall, type GlobalOptions, UsageError } from './command.ts';
import { listenHooks } from './listen-hooks.ts';
import { openConfig, readConfigFile } from './open-config.ts';
import { openPage, showPage } from './open-page.ts';
import { requireSoundTerminology } from './sound-terminology.ts';
import { recordState, refuseOtherState } from './state-of-config.ts';
import { worldOf } from './world.ts';

interface RunOptions extends GlobalOptions {
  readonly role: Role;
}

const ROLES: readonly Role[] = ['worker', 'leader', 'both'];

export const command: CliCommand<RunOptions> = {
  endsPaidWork: true,
  describe(command: Command) {
    command
      .option('--no-sync', 'do not change glossaries and style lists on the service')
      .addOption(
        new Option('--role <role>', 'role of this daemon in a tree that daemons share')
          .choices(ROLES)
          .default('both'),
      )
      .addHelpText(
        'after',
        `
Examples:
  dragoman run                           watch and translate until Ctrl-C
  dragoman run --config /etc/x.yaml      as a service; see systemd/
  dragoman run --role worker             help the daemon that leads the tree
SIGHUP reads the config and the key again; SIGTERM or Ctrl-C finishes running jobs first.`,
      );
  },
  async run(call) {
    const events = new Events();
    const setup = await openConfig(call);
    const { role } = call.options;
    if (role !== 'both' && setup.config.team?.tree === undefined) {
      throw new UsageError(
        `--role ${role} needs a tree that daemons share; name it as "state.tree"`,
      );
    }
    await requireSoundTerminology(call, setup);
    const latest: { setup: SoundConfig } = { setup };
    const shown = (sentence: string) => shownFrom({ cwd: latest.setup.config.base }, sentence);
    const style = logStyle(call);
    await refuseOtherState(setup.config);
    const level = () => (call.options.verbose === true ? 'debug' : latest.setup.config.log.level);
    events.subscribe(openEventLog({ level, style, shown, stream: call.stderr }));
    await using _hooks = listenHooks(call, events, latest);
    // It listens first: opening the daemon may wait for a database, and a load balancer asks meanwhile.
    await using page = await openPage(call, setup.config, events);
    await using daemon = await Daemon.open({
      ...{ setup, role },
      targets: 'follow',
      world: worldOf(call, events),
      ending: call.signals.drain,
      withoutTeam: 'goes-on',
    });
    call.notePaidWork?.(daemon.runner);
    await using _socket = await serveControl(
      controlSocketPath(setup.config.state),
      { control: daemon.answers.control, file: setup.config.file },
      call.clock,
    );
    await using _state = await recordState(setup.config);
    await using _shown = showPage(page, daemon);
    using _reloads = reloadOnSignal(call, daemon, {
      events,
      onReloaded: (loaded) => {
        latest.setup = loaded;
      },
    });
    await using _languages = keepLanguages(call, { daemon, events, latest });
    await using _supervised = superviseDaemon(
      connectSupervisor({ env: call.env, pid: process.pid }),
      { condition: daemon.condition, events, clock: call.clock },
    );
    await daemon.run(call.signals);
    return 0;
  },
};

/** Reloads config on SIGHUP. A config with faults is refused: the earlier one stays in force, and the log lists the faults. */
function reloadOnSignal(
  call: CommandCall,
  daemon: Daemon,
  { events, onReloaded }: { events: Events; onReloaded: (loaded: SoundConfig) => void },
): Disposable {
  let reloading = Promise.resolve();
  const reload = async () => {
    const before = daemon.setup.config;
    const loaded = await readConfigFile({
      ...call,
      options: { ...call.options, config: before.file },
    });
    const found = loaded.faults ?? [
      ...settingsForRestart(before, loaded.config).map((name) =>
        loaded.faultAt(name.split('.'), 'cannot change while the daemon runs; restart it'),
      ),
      ...(await loadTerminology(loaded.config)).faults,
    ];
    if (loaded.faults !== undefined || found.length > 0) {
      const faults = found.map((fault) => faultLine(fault));
      daemon.refuseConfig(faults);
      return;
    }
    const misplaced = await renamedLock(loaded);
    if (misplaced !== undefined) {
      daemon.refuseConfig([describeFailure(misplaced)]);
      return;
    }
    await daemon.reload(loaded);
    events.emit({ kind: 'config-reloaded', changed: diffConfig(before, loaded.config) });
    onReloaded(loaded);
  };
  const stop = call.signals.onReload(() => {
    // The daemon ends with the error of a config that it cannot put in force.
    reloading = reloading.then(reload).catch((error: unknown) => daemon.fail(error));
  });
  return { [Symbol.dispose]: stop };
}

function logStyle({ env, stderr }: CommandCall): LogStyle {
  if (isJournal(env, stderr.fd)) return 'journal';
  return stderr.isTTY ? 'terminal' : 'json';
}

// A daemon with work asks the service for its languages when the last answer is old. It reports everything that the config needs and
// the service lacks.

/** Milliseconds between two questions, also when the service gave no answer. */
const ASK_AGAIN_MS = 3_600_000;

/** Milliseconds between two looks whether the daemon has begun a job. */
const BEGUN_LOOK_MS = 2000;

/** Asks when the daemon has begun a job; no job waits for the answer. Disposing waits for an open question. */
function keepLanguages(
  call: CommandCall,
  options: { daemon: Daemon; events: Events; latest: { readonly setup: SoundConfig } },
): AsyncDisposable {
  const { daemon, events, latest } = options;
  const ending = new AbortController();
  const ask = async () => {
    const { setup } = latest;
    const found = await askedFaults(call, setup);
    daemon.learnLanguages();
    const faults = found.map((fault) => faultLine(fault, setup.config.base));
    if (faults.length > 0) events.emit({ kind: 'config-doubted', faults });
  };
  const keep = async () => {
    for (let begun = 0; ; ) {
      await call.clock.sleep(BEGUN_LOOK_MS, ending.signal);
      if (daemon.runner.begun === begun) continue;
      begun = daemon.runner.begun;
      await ask().catch((error: unknown) => {
        if (call.signals.drain.aborted) return;
        const message = describeFailure(failureOf(error));
        events.emit({ kind: 'housekeeping-failed', what: 'asking for the languages', message });
      });
      await call.clock.sleep(ASK_AGAIN_MS, ending.signal);
    }
  };
  const keeping = keep().catch(() => {});
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await keeping;
    },
  };
}

/** Milliseconds between two status lines. */
const STATUS_MS = 10_000;

interface Supervised {
  readonly condition: Pick<Daemon['condition'], 'configFaults' | 'queue'>;
  readonly events: Events;
  readonly clock: Clock;
}

/** Informs systemd: ready when the daemon watches, alive while its loop runs, a status line for people. */
export function superviseDaemon(
  supervisor: Supervisor,
  { condition, events, clock }: Supervised,
): AsyncDisposable {
  const ending = new AbortController();
  const unsubscribe = events.subscribe((event) => {
    if (event.kind === 'started') supervisor.ready(describeStart(event));
    if (event.kind === 'stopping') supervisor.stopping();
    if (event.kind === 'config-reloaded') supervisor.ready('config reloaded');
  });
  const liveness = new Liveness({ clock, queue: condition.queue });
  const beat = async () => {
    for (;;) {
      await clock.sleep(Math.min(supervisor.aliveEvery ?? STATUS_MS, STATUS_MS), ending.signal);
      liveness.beat();
      // Without a sign of life systemd restarts a daemon whose scheduler is stuck: nothing that was paid is lost then.
      if (liveness.trouble === undefined) supervisor.alive();
      const { waiting, running } = condition.queue;
      const warning =
        condition.configFaults.length === 0 ? '' : '; the changed config is refused, see the log';
      supervisor.status(`${running} jobs running, ${waiting} waiting${warning}`);
    }
  };
  const beating = beat().catch(() => {});
  return {
    async [Symbol.asyncDispose]() {
      supervisor.stopping();
      unsubscribe();
      ending.abort();
      await beating;
    },
  };
}
