/** Talks to systemd: readiness, watchdog, a status line (sd_notify(3)); silent where no systemd listens. */
import { execFile } from 'node:child_process';
import { writeSync } from 'node:fs';

/** The environment that systemd gives a service (sd_listen_fds(3), sd_notify(3), sd_watchdog_enabled(3)). */
type Environment = Readonly<Record<string, string | undefined>>;

export interface Supervisor {
  /** Config, ledger and watcher are ready; never waits for the network. */
  ready(status: string): void;
  reloading(monotonicMicroseconds: bigint): void;
  stopping(): void;
  /** One line for `systemctl status`. */
  status(line: string): void;
  /** Called from the scheduler's own tick: a blocked loop misses it. */
  alive(): void;
  /** Milliseconds between calls of `alive`: half of what systemd allows; undefined without a watchdog. */
  readonly aliveEvery: number | undefined;
}

export function connectSupervisor(env: Environment): Supervisor {
  const send = senderFor(env);
  return {
    ready: (status) => send(`READY=1\nSTATUS=${oneLine(status)}\n`),
    reloading: (now) => send(`RELOADING=1\nMONOTONIC_USEC=${now}\n`),
    stopping: () => send('STOPPING=1\n'),
    status: (line) => send(`STATUS=${oneLine(line)}\n`),
    alive: () => send('WATCHDOG=1\n'),
    aliveEvery: watchdogInterval(env),
  };
}

// `OpenFile=/run/systemd/notify:sdnotify:graceful` (systemd 253) hands over a connected descriptor, so no
// native add-on is needed. Older versions: systemd-notify, with NotifyAccess=all in the unit.
function senderFor(env: Environment): (message: string) => void {
  const descriptor = notifyDescriptor(env);
  if (descriptor !== undefined) {
    return (message) => {
      try {
        writeSync(descriptor, message);
      } catch {
        // a supervisor that went away must not end the work
      }
    };
  }
  if (env['NOTIFY_SOCKET'] === undefined) return () => {};
  return (message) => {
    execFile('systemd-notify', message.trim().split('\n'), () => {});
  };
}

const FIRST_DESCRIPTOR = 3;

function notifyDescriptor(env: Environment): number | undefined {
  const index = (env['LISTEN_FDNAMES'] ?? '').split(':').indexOf('sdnotify');
  return index < 0 || index >= Number(env['LISTEN_FDS'] ?? 0)
    ? undefined
    : FIRST_DESCRIPTOR + index;
}

function watchdogInterval(env: Environment): number | undefined {
  const microseconds = Number(env['WATCHDOG_USEC']);
  return microseconds > 0 ? microseconds / 2000 : undefined;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
