/** Listens for Ctrl-C and SIGTERM, and ends commands after them, whatever they wait for. */
import { type Clock, systemClock } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import type { CliCommand, ExitCode, PaidWork, Signals } from './command.ts';
import { SIGNALS_HEARD, STOPPING } from './early-signals.ts';

/** Milliseconds that a command still has to give back the state, to leave whole files, and to report what was paid. */
export const GRACE_MS = 2000;

/** The command did not end by itself: the process has to end, although work of it goes on. */
export class LeftBehind extends JobFailure {
  constructor() {
    super({ kind: 'stopped' });
  }
}

export interface EndingCommand {
  readonly command: Pick<CliCommand<never>, 'endsPaidWork' | 'endsUnread'>;
  readonly signals: Signals;
  /** For the end of paid work. */
  readonly clock: Clock;
  /** The paid work that the command has told of until now. */
  paidWork(): readonly PaidWork[];
}

/**
 * The result of a command, or its end. The second signal ends it at once, and the first one soon, unless it goes on until it is stopped.
 * Paid work goes on after the first signal; after the second one, it ends soon after the last answer. What the command was doing may be
 * ended at any point, as by a kill: all that it writes bears that.
 * @throws LeftBehind
 */
export async function endedBySignal(
  running: Promise<ExitCode>,
  ending: EndingCommand,
): Promise<ExitCode> {
  const { command, signals } = ending;
  const left = Promise.withResolvers<never>();
  const over = new AbortController();
  const on = (signal: AbortSignal, act: () => Promise<void>) => {
    const leave = () =>
      void act().then(
        () => left.reject(new LeftBehind()),
        () => {},
      );
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true, signal: over.signal });
  };
  const soon = async (clock: Clock) => await clock.sleep(GRACE_MS, over.signal);
  if (command.endsPaidWork === true) on(signals.abort, () => afterAnswers(ending, soon));
  else {
    if (command.endsUnread !== true) on(signals.drain, () => soon(systemClock));
    on(signals.abort, async () => {});
  }
  try {
    return await Promise.race([running, left.promise]);
  } finally {
    over.abort();
  }
}

/** A request may have been sent while the last answers came. */
async function afterAnswers(
  { paidWork, clock }: EndingCommand,
  soon: (clock: Clock) => Promise<void>,
): Promise<void> {
  const answers = async () => await Promise.all(paidWork().map((work) => work.answered()));
  await answers();
  await soon(clock);
  await answers();
}

interface OtherEndings {
  /** Takes the signals that came before. */
  early?(): readonly NodeJS.Signals[];
  /** Ends the command as SIGTERM does, and so does the end of its terminal (SIGHUP). */
  readonly unread?: AbortSignal;
}

/** First Ctrl-C or SIGTERM: drain. Second one: abort. SIGHUP: reload. */
export function listenForSignals(
  process: Pick<NodeJS.Process, 'on' | 'off'>,
  { early, unread }: OtherEndings = {},
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
  for (const signal of early?.() ?? []) stop(signal);
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
