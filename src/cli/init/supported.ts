/** Which target languages the service has: as the service says when there is a key, else as documented. */
import { DETECTABLE, isPlausible } from '../../config/capabilities.ts';
import { readConfig } from '../../config/load.ts';
import { JobFailure } from '../../failure.ts';
import { connectService } from '../../jobs/connect-service.ts';
import { type LanguageTag, targetCode } from '../../language.ts';
import type { CommandCall } from '../command.ts';
import { worldOf } from '../world.ts';
import { firstConfigText } from './first-config.ts';
import type { ProposedProject } from './proposal.ts';

/** Variants that are targets of their own (docs/design/api.md, "Conventions"). */
const VARIANTS = 'en-GB en-US pt-BR pt-PT zh-Hans zh-Hant es-419 de-CH fr-CA'.split(' ');

const DOCUMENTED: ReadonlySet<string> = new Set([...DETECTABLE, ...VARIANTS].map(lower));

export async function supportedBy(
  call: CommandCall,
  url: string,
): Promise<(tag: LanguageTag) => boolean> {
  const codes = (await askedTargets(call, url)) ?? DOCUMENTED;
  return (tag) => codes.has(lower(targetCode(tag))) || codes.has(lower(tag));
}

/** A config needs a project; the question about languages does not use it. */
const ANY_PROJECT: ProposedProject = {
  ...{ name: 'any', source: 'en' as LanguageTag, targets: ['de' as LanguageTag] },
  routes: [{ layout: 'any', route: { from: '{locale}.json' }, sources: [] }],
  spellings: new Map(),
  leftOut: new Map(),
};

/** @returns target codes in lower case; undefined without a key, or when the service gives no answer */
async function askedTargets(
  call: CommandCall,
  url: string,
): Promise<ReadonlySet<string> | undefined> {
  if (call.env['DRAGOMAN_KEY'] === undefined) return undefined;
  const text = firstConfigText({ url, projects: [ANY_PROJECT], suggestions: [], notes: [] });
  const parsed = readConfig(text, { file: 'dragoman.yaml', env: call.env });
  if (parsed.faults !== undefined) return undefined;
  try {
    await using service = await connectService({
      config: parsed.config,
      world: worldOf(call),
      patienceMs: 0,
    });
    const listed = await service.languages.list(
      { resource: 'translate_text', include: ['beta'] },
      { signal: call.signals.drain },
    );
    if (!isPlausible(listed)) return undefined;
    const targets = listed.filter(({ usable_as_target }) => usable_as_target);
    return new Set(targets.map(({ lang }) => lower(lang)));
  } catch (error) {
    if (error instanceof JobFailure && error.failure.kind !== 'internal') return undefined;
    throw error;
  }
}

function lower(code: string): string {
  return code.toLowerCase();
}
