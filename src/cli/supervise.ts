/** Keeps systemd informed: ready when the daemon watches, alive as long as its loop turns, a status line for people. */
import type { Clock } from '../clock.ts';
import type { Daemon } from '../daemon.ts';
import type { Events } from '../event.ts';
import type { Supervisor } from '../systemd.ts';

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
  const unsubscribe = events.subscribe((event) => {
    if (event.kind === 'started') supervisor.ready(`watching ${event.projects} projects`);
    if (event.kind === 'stopping') supervisor.stopping();
    if (event.kind === 'config-reloaded') supervisor.ready('config reloaded');
  });
  const beat = async () => {
    for (;;) {
      await clock.sleep(Math.min(supervisor.aliveEvery ?? STATUS_MS, STATUS_MS), ending.signal);
      supervisor.alive();
      const { waiting, running } = daemon.queue;
      supervisor.status(`${running} jobs running, ${waiting} waiting`);
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
