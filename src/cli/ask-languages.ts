/** Asks the service for its languages where a command can do without the answer. */
import { DAY_MS } from '../clock.ts';
import type { Fault } from '../config/fault.ts';
import { keptCapabilities, keptLanguages } from '../config/load-languages.ts';
import { askSupport } from '../config/load-service-languages.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Config } from '../config.ts';
import { JobFailure } from '../failure.ts';
import { connectService } from '../jobs/workspace.ts';
import type { CommandCall } from './command.ts';
import { worldOf } from './world.ts';

/** Milliseconds since the service was asked; infinite when it never was. */
function languagesAge({ clock }: CommandCall, { service: { url }, state }: Config): number {
  const kept = keptLanguages({ url, state });
  const age = kept === undefined ? Number.NaN : clock.now() - Date.parse(kept.asked);
  return age >= 0 ? age : Number.POSITIVE_INFINITY;
}

/** Milliseconds after which work asks the service again which languages it has. */
const ASK_AFTER_MS = 7 * DAY_MS;

/** What a config asks for and the service does not have, as it says itself now; nothing while its last answer is young, or when it gives none. */
export async function askedFaults(
  call: CommandCall,
  { config, judge }: Pick<SoundConfig, 'config' | 'judge'>,
): Promise<readonly Fault[]> {
  if (languagesAge(call, config) < ASK_AFTER_MS || !(await askLanguages(call, config))) return [];
  const { service, state } = config;
  return judge(keptCapabilities({ url: service.url, state }));
}

/** Milliseconds: so long an answer of the service stands for no, however often it is wanted to be yes. */
const NO_LASTS_MS = 3_600_000;

/** For what the service did not know when it was asked last: it may have learned it since, or was never asked. */
export async function askAfterNo(call: CommandCall, config: Config): Promise<boolean> {
  return languagesAge(call, config) >= NO_LASTS_MS && (await askLanguages(call, config));
}

/** @returns false when the service gave no answer: what is known holds on */
export async function askLanguages(call: CommandCall, config: Config): Promise<boolean> {
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
