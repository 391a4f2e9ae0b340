/** `dragoman run`: the daemon. */
import type { Command } from 'commander';
import { diffConfig } from '../config/diff.ts';
import { faultLine } from '../config/fault.ts';
import type { SoundConfig } from '../config/parse.ts';
import { Daemon } from '../daemon.ts';
import { Events } from '../event.ts';
import { type LogStyle, openLog } from '../observe/log.ts';
import { connectSupervisor, isJournal } from '../observe/systemd.ts';
import { controlSocketPath, serveControl } from '../page/control-socket.ts';
import { loadTerminology } from '../terminology/load-project-terms.ts';
import type { Call, CliCommand } from './command.ts';
import { keepLanguages } from './keep-languages.ts';
import { listenHooks } from './listen-hooks.ts';
import { openConfig, readConfig } from './open-config.ts';
import { openPage } from './open-page.ts';
import { requireSoundTerminology } from './sound-terminology.ts';
import { superviseDaemon } from './supervise.ts';
import { worldOf } from './world.ts';

export const command: CliCommand = {
  describe(command: Command) {
    command
      .option('--no-sync', 'read glossaries and style lists on the service, write none')
      .addHelpText(
        'after',
        `
Examples:
  dragoman run                           watch and translate until Ctrl-C
  dragoman run --config /etc/x.yaml      as a service: see systemd/
SIGHUP reads the config and the key again; SIGTERM or Ctrl-C finishes running jobs first.`,
      );
  },
  async run(call) {
    const events = new Events();
    const setup = await openConfig(call);
    await requireSoundTerminology(call, setup);
    const level = call.options.verbose === true ? 'debug' : setup.config.log.level;
    events.subscribe(openLog({ level, style: logStyle(call.env), stream: process.stderr }));
    let inForce: SoundConfig = setup;
    await using _hooks = listenHooks(call, events, () => inForce);
    await using _languages = keepLanguages(call, events, () => inForce);
    await using daemon = await Daemon.open({
      setup,
      targets: 'follow',
      world: worldOf(call, events),
      ending: call.signals.drain,
    });
    await using _socket = await serveControl(
      controlSocketPath(setup.config.state),
      daemon.control,
      call.clock,
    );
    await using _page = await openPage(call, { daemon, events });
    using _reloads = reloadOnSignal(call, daemon, {
      events,
      onReloaded: (loaded) => {
        inForce = loaded;
      },
    });
    await using _supervised = superviseDaemon(
      connectSupervisor({ env: call.env, pid: process.pid }),
      {
        daemon,
        events,
        clock: call.clock,
      },
    );
    await daemon.run(call.signals);
    return 0;
  },
};

/** A config that became nonsense changes nothing: the old one stays, and the log says what is wrong. */
function reloadOnSignal(
  call: Call,
  daemon: Daemon,
  { events, onReloaded }: { events: Events; onReloaded: (loaded: SoundConfig) => void },
): Disposable {
  let reloading = Promise.resolve();
  const reload = async () => {
    const before = daemon.setup.config;
    const loaded = await readConfig({ ...call, options: { ...call.options, config: before.file } });
    const found = loaded.faults ?? (await loadTerminology(loaded.config)).faults;
    if (loaded.faults !== undefined || found.length > 0) {
      const faults = found.map((fault) => faultLine(fault));
      events.emit({ kind: 'config-refused', faults });
      return;
    }
    await daemon.reload(loaded);
    onReloaded(loaded);
    const changed = diffConfig(before, loaded.config).map(afterRestart);
    events.emit({ kind: 'config-reloaded', changed });
  };
  const stop = call.signals.onReload(() => {
    reloading = reloading.then(reload);
  });
  return { [Symbol.dispose]: stop };
}

/** The connection was made and the page was opened at the start; only the key is read anew. */
function afterRestart(change: string): string {
  const isConnection = change.startsWith('service.') && !change.startsWith('service.key');
  return isConnection || change.startsWith('page')
    ? `${change} (counts from the next start)`
    : change;
}

function logStyle(env: Call['env']): LogStyle {
  if (isJournal(env, process.stderr.fd)) return 'journal';
  return process.stderr.isTTY ? 'terminal' : 'json';
}
