/** Asks the service for its languages where a command can do without the answer. */
import { keptLanguages } from '../config/kept-languages.ts';
import type { Config } from '../config.ts';
import { JobFailure } from '../failure.ts';
import { askSupport } from '../inspect/support.ts';
import { connectService } from '../workspace.ts';
import type { Call } from './command.ts';
import { worldOf } from './world.ts';

/** Milliseconds since the service was asked; infinite when it never was. */
export function languagesAge({ clock }: Call, { service: { url }, state }: Config): number {
  const kept = keptLanguages({ url, state });
  const age = kept === undefined ? Number.NaN : clock.now() - Date.parse(kept.asked);
  return age >= 0 ? age : Number.POSITIVE_INFINITY;
}

/** @returns false when the service gave no answer: what is known holds on */
export async function askLanguages(call: Call, config: Config): Promise<boolean> {
  const { clock, signals } = call;
  try {
    await using service = await connectService({
      config,
      world: worldOf(call),
      patienceMs: 0,
    });
    await askSupport(service, { config, clock }, { signal: signals.drain });
    return true;
  } catch (error) {
    if (error instanceof JobFailure && error.failure.kind !== 'internal') return false;
    throw error;
  }
}
