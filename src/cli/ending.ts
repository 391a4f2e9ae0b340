/** Listens for Ctrl-C and SIGTERM, and ends commands after them, whatever they wait for. */
import { systemClock } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import type { CliCommand, ExitCode, Signals } from './command.ts';

/** Milliseconds that a command has after the first signal: to give back the state and to leave whole files. */
const GRACE_MS = 2000;

/** The command did not end by itself: the process has to end, although work of it goes on. */
export class LeftBehind extends JobFailure {
  constructor() {
    super({ kind: 'stopped' });
  }
}

/**
 * The result of a command, or its end. The second signal ends it at once; the first one soon, unless it goes on until it is stopped. What it
 * was doing may be ended at any point, as by a kill: all that it writes bears that.
 * @throws LeftBehind
 */
export async function endedBySignal(
  running: Promise<ExitCode>,
  { endsPaidWork, endsUnread }: Pick<CliCommand<never>, 'endsPaidWork' | 'endsUnread'>,
  { drain, abort }: Signals,
): Promise<ExitCode> {
  if (endsPaidWork === true) return await running;
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(new LeftBehind());
  const soon = () => void systemClock.sleep(GRACE_MS, abort).then(leave, () => {});
  using listening = new DisposableStack();
  const on = (signal: AbortSignal, act: () => void) => {
    signal.addEventListener('abort', act, { once: true });
    listening.defer(() => signal.removeEventListener('abort', act));
  };
  if (endsUnread !== true) on(drain, soon);
  on(abort, leave);
  return await Promise.race([running, left.promise]);
}

/**
 * First Ctrl-C or SIGTERM: drain. Second one: abort. After the third, the next one kills the process, whatever it waits for: npx sends
 * each Ctrl-C twice. SIGHUP: reload.
 */
const STOPPING = ['SIGINT', 'SIGTERM'] as const;
const SIGNALS_HEARD = 3;

/** @param unread ends the command as SIGTERM does, and so does the end of its terminal (SIGHUP) */
export function listenForSignals(
  process: Pick<NodeJS.Process, 'on' | 'off'>,
  unread?: AbortSignal,
): Signals & Disposable {
  const drain = new AbortController();
  const abort = new AbortController();
  const reloads = new Set<() => void>();
  /** SIGHUP came before anybody could reload: a daemon has read its config by then, and may wait for a database. */
  let isReloadOpen = false;
  let count = 0;
  const stop = (signal: NodeJS.Signals) => {
    count += 1;
    if (count === SIGNALS_HEARD) for (const each of STOPPING) process.off(each, stop);
    if (drain.signal.aborted) abort.abort(new DOMException(`second ${signal}`, 'AbortError'));
    drain.abort(new DOMException(signal, 'AbortError'));
  };
  const end = () => drain.abort(new DOMException('nobody reads the output', 'AbortError'));
  const hangUp = () => {
    if (unread !== undefined) end();
    isReloadOpen ||= reloads.size === 0;
    for (const listener of reloads) listener();
  };
  for (const signal of STOPPING) process.on(signal, stop);
  process.on('SIGHUP', hangUp);
  unread?.addEventListener('abort', end, { once: true });
  return {
    drain: drain.signal,
    abort: abort.signal,
    onReload(listener) {
      reloads.add(listener);
      if (isReloadOpen) listener();
      isReloadOpen = false;
      return () => void reloads.delete(listener);
    },
    [Symbol.dispose]() {
      for (const signal of STOPPING) process.off(signal, stop);
      process.off('SIGHUP', hangUp);
    },
  };
}
