/** Keeps the signals that come while the program loads: it would be killed by them, with another exit code than a moment later. */

export const STOPPING = ['SIGINT', 'SIGTERM'] as const;
/** After so many, the next one kills the process, whatever it waits for: npx sends each Ctrl-C twice. */
export const SIGNALS_HEARD = 3;

/** @returns takes the signals that came; from then on the command listens itself */
export function keepEarlySignals(
  process: Pick<NodeJS.Process, 'on' | 'off'>,
): () => readonly NodeJS.Signals[] {
  const kept: NodeJS.Signals[] = [];
  const end = () => {
    for (const each of STOPPING) process.off(each, keep);
  };
  const keep = (signal: NodeJS.Signals) => {
    kept.push(signal);
    if (kept.length === SIGNALS_HEARD) end();
  };
  for (const each of STOPPING) process.on(each, keep);
  return () => {
    end();
    return kept.splice(0);
  };
}
