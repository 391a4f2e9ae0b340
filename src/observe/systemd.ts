/** Messages to systemd: readiness, watchdog, a status line (sd_notify(3)). Without systemd nothing is sent. */
import { fstatSync, writeSync } from 'node:fs';
import { runProgram } from '../files/program.ts';

/** The environment that systemd gives a service (sd_listen_fds(3), sd_notify(3), sd_watchdog_enabled(3)). */
export interface Given {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Id of this process: the variables may be for the process that started it. */
  readonly pid: number;
}

export interface Supervisor {
  /** Reports that config, ledger and watcher are ready. Does not wait for the network. */
  ready(status: string): void;
  stopping(): void;
  /** One line for `systemctl status`; sent only when it changed. */
  status(line: string): void;
  /** A sign of life for the watchdog. The event loop calls it while the scheduler works; a blocked loop cannot. */
  alive(): void;
  /** Milliseconds between calls of `alive`: half of what systemd allows; undefined without a watchdog. */
  readonly aliveEvery: number | undefined;
}

export function connectSupervisor(given: Given): Supervisor {
  const send = senderFor(given);
  const aliveEvery = watchdogInterval(given);
  let shown = '';
  const show = (line: string) => {
    shown = line;
    return `STATUS=${line.replaceAll(/\s+/g, ' ')}\n`;
  };
  return {
    ready: (status) => send(`READY=1\n${show(status)}`),
    stopping: () => send('STOPPING=1\n'),
    status: (line) => {
      if (line !== shown) send(show(line));
    },
    alive: () => {
      if (aliveEvery !== undefined) send('WATCHDOG=1\n');
    },
    aliveEvery,
  };
}

// `OpenFile=/run/systemd/notify:sdnotify:graceful` (systemd 253) gives the process a connected descriptor, so no
// native add-on is needed. Older versions: systemd-notify, with NotifyAccess=all in the unit.
function senderFor(given: Given): (message: string) => void {
  const descriptor = notifyDescriptor(given);
  if (descriptor !== undefined) {
    return (message) => {
      try {
        writeSync(descriptor, message);
      } catch {
        // The work goes on when systemd does not listen any more.
      }
    };
  }
  if (given.env['NOTIFY_SOCKET'] === undefined) return () => {};
  return (message) => {
    const words = message.trim().split('\n');
    const notice = { program: 'systemd-notify', words, limitMs: NOTIFY_LIMIT_MS };
    runProgram(notice).catch(() => {}); // the work goes on when systemd does not listen any more
  };
}

/** Milliseconds for a message to systemd. */
const NOTIFY_LIMIT_MS = 5000;

const FIRST_DESCRIPTOR = 3;

function notifyDescriptor({ env, pid }: Given): number | undefined {
  if (Number(env['LISTEN_PID']) !== pid) return undefined;
  const index = (env['LISTEN_FDNAMES'] ?? '').split(':').indexOf('sdnotify');
  return index < 0 || index >= Number(env['LISTEN_FDS'] ?? 0)
    ? undefined
    : FIRST_DESCRIPTOR + index;
}

function watchdogInterval({ env, pid }: Given): number | undefined {
  const microseconds = Number(env['WATCHDOG_USEC']);
  const isOurs = Number(env['WATCHDOG_PID'] ?? pid) === pid;
  return isOurs && microseconds > 0 ? microseconds / 2000 : undefined;
}

/**
 * Whether a descriptor goes to the journal. The variable alone is not enough: every process of a service or a desktop session
 * inherits it, and may write elsewhere (systemd.exec(5), `JOURNAL_STREAM`).
 */
export function isJournal(env: Given['env'], descriptor: number): boolean {
  const stream = env['JOURNAL_STREAM'];
  if (stream === undefined) return false;
  try {
    const { dev, ino } = fstatSync(descriptor);
    return stream === `${dev}:${ino}`;
  } catch {
    return false;
  }
}

/** sd-daemon(3): `<3>` before a line makes it an error in the journal. */
export function asErrors(text: string): string {
  return text.replaceAll(/^/gm, '<3>');
}
