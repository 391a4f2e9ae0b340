/** Keeps systemd informed: ready when the daemon watches, alive as long as its loop turns, a status line for people. */
import type { Clock } from '../clock.ts';
import type { Daemon } from '../daemon.ts';
import type { Events } from '../event.ts';
import { Liveness } from '../jobs/liveness.ts';
import type { Supervisor } from '../observe/systemd.ts';

const STATUS_MS = 10_000;

export interface Supervised {
  readonly daemon: Daemon;
  readonly events: Events;
  readonly clock: Clock;
}

export function superviseDaemon(
  supervisor: Supervisor,
  { daemon, events, clock }: Supervised,
): AsyncDisposable {
  const ending = new AbortController();
  let warning = '';
  const unsubscribe = events.subscribe((event) => {
    if (event.kind === 'started') supervisor.ready(`watching, projects: ${event.projects}`);
    if (event.kind === 'stopping') supervisor.stopping();
    if (event.kind === 'config-reloaded') {
      warning = '';
      supervisor.ready('config reloaded');
    }
    if (event.kind === 'config-refused') warning = '; the changed config is refused, see the log';
  });
  const liveness = new Liveness({ clock, queue: daemon.queue });
  const beat = async () => {
    for (;;) {
      await clock.sleep(Math.min(supervisor.aliveEvery ?? STATUS_MS, STATUS_MS), ending.signal);
      liveness.beat();
      // A scheduler that stands is started again by systemd: nothing that was paid is lost then.
      if (liveness.trouble === undefined) supervisor.alive();
      const { waiting, running } = daemon.queue;
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
