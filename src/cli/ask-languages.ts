/** Asks the service for its languages, for commands that also work without the answer. */
import { DAY_MS } from '../clock.ts';
import type { Capabilities } from '../config/capabilities.ts';
import type { Fault } from '../config/fault.ts';
import { type LackingLanguage, lackingLanguages } from '../config/language-checks.ts';
import { keptCapabilities, keptLanguages } from '../config/load-languages.ts';
import { askSupport } from '../config/load-service-languages.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Config } from '../config.ts';
import { JobFailure } from '../failure.ts';
import { connectService } from '../jobs/connect-service.ts';
import { type CommandCall, CommandFailure } from './command.ts';
import { worldOf } from './world.ts';

/** Milliseconds since the last answer of the service; infinite when there is none. */
function languagesAge({ clock }: CommandCall, { service: { url }, state }: Config): number {
  const kept = keptLanguages({ url, state });
  const age = kept === undefined ? Number.NaN : clock.now() - Date.parse(kept.asked);
  return age >= 0 ? age : Number.POSITIVE_INFINITY;
}

/** Milliseconds after which a run asks the service for its languages again. */
const ASK_AFTER_MS = 7 * DAY_MS;

/**
 * Asks the service, before anything is paid, whether it has the languages and features of the config. A plan that would buy asks it, too.
 * @throws CommandFailure 78
 */
export async function requireKnownLanguages(
  call: CommandCall,
  setup: Pick<SoundConfig, 'config' | 'judge'>,
): Promise<void> {
  const faults = await askedFaults(call, setup);
  if (faults.length === 0) return;
  throw new CommandFailure(
    78,
    'the service does not support languages or features that the config needs',
    { faults },
  );
}

/**
 * Asks the service for its languages. @returns the languages of the config that the service lacks. None while the last answer is younger
 * than a week and lacks nothing, or when the service gives no answer
 */
export async function askedFaults(
  call: CommandCall,
  { config, judge }: Pick<SoundConfig, 'config' | 'judge'>,
): Promise<readonly Fault[]> {
  const known = () => keptCapabilities({ url: config.service.url, state: config.state });
  const before = known();
  const isLacking = (capabilities: Capabilities) => lackedBy(capabilities, config).length > 0;
  if (isLacking(before)) return (await askAfterNo(call, config)) ? judge(known()) : [];
  if (languagesAge(call, config) < ASK_AFTER_MS || !(await askLanguages(call, config))) return [];
  // One answer may be damaged, and commands that work offline would believe it until a run buys something.
  if (isLacking(known())) await askLanguages(call, config, 'at once');
  return judge(known());
}

/** What the service lacks for languages of the config, by its last answer. */
export function lackedLanguages(config: Config): readonly LackingLanguage[] {
  return lackedBy(keptCapabilities({ url: config.service.url, state: config.state }), config);
}

function lackedBy(
  capabilities: Capabilities,
  { projects, service: { capabilities: deployment } }: Config,
): readonly LackingLanguage[] {
  return projects.flatMap((project) => lackingLanguages(project, { capabilities, deployment }));
}

/** Milliseconds. The service lacked a language in its last two answers: for this time it is not asked again. */
const ASK_AFTER_NO_MS = 3_600_000;

/**
 * Asks again about a language that the last answer lacks: the service may have it now, and one answer alone may be damaged.
 * @returns whether there is a new answer
 */
export async function askAfterNo(call: CommandCall, config: Config): Promise<boolean> {
  const { service, state } = config;
  const isConfirmed = keptLanguages({ url: service.url, state })?.confirmed === true;
  if (isConfirmed && languagesAge(call, config) < ASK_AFTER_NO_MS) return false;
  return await askLanguages(call, config);
}

/**
 * Asks the service and keeps its answer.
 * @param again `at once`: an answer that is the same as the one a moment ago confirms nothing
 * @returns false when it gave none: the earlier answer stays in force
 */
async function askLanguages(
  call: CommandCall,
  config: Config,
  again?: 'at once',
): Promise<boolean> {
  const { clock, signals } = call;
  try {
    await using service = await connectService({
      config,
      world: worldOf(call),
      patienceMs: 0,
    });
    await askSupport(service, { config, clock, again }, { signal: signals.drain });
    return true;
  } catch (error) {
    if (error instanceof JobFailure && error.failure.kind !== 'internal') return false;
    throw error;
  }
}
