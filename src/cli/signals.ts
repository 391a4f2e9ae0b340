/** Ctrl-C and SIGTERM once: drain; twice: abort. SIGHUP: reload. */
import type { Signals } from './command.ts';

const STOPPING = ['SIGINT', 'SIGTERM'] as const;

export function listenForSignals(
  process: Pick<NodeJS.Process, 'on' | 'off'>,
): Signals & Disposable {
  const drain = new AbortController();
  const abort = new AbortController();
  const reloads = new Set<() => void>();
  const stop = (signal: NodeJS.Signals) => {
    if (drain.signal.aborted) abort.abort(new DOMException(`second ${signal}`, 'AbortError'));
    drain.abort(new DOMException(signal, 'AbortError'));
  };
  const reload = () => {
    for (const listener of reloads) listener();
  };
  for (const signal of STOPPING) process.on(signal, stop);
  process.on('SIGHUP', reload);
  return {
    drain: drain.signal,
    abort: abort.signal,
    onReload(listener) {
      reloads.add(listener);
      return () => void reloads.delete(listener);
    },
    [Symbol.dispose]() {
      for (const signal of STOPPING) process.off(signal, stop);
      process.off('SIGHUP', reload);
    },
  };
}
