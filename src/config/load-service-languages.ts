/** Asks the service which languages and features it has, per resource, and keeps the answer with its time. */
import { type Clock, isoTime } from '../clock.ts';
import type { Config } from '../config.ts';
import { replaceFile } from '../files/replace.ts';
import { LANGUAGE_RESOURCES, type LanguageResourceName } from '../language.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import { type KeptLanguages, keptLanguagesFile } from './load-languages.ts';

/** Asks for everything that a config's rules are about; config is judged by the answer from then on. */
export async function askSupport(
  { languages }: Pick<Service, 'languages'>,
  { config, clock }: { readonly config: Config; readonly clock: Clock },
  options?: CallOptions,
): Promise<KeptLanguages> {
  const resources: KeptLanguages['resources'] = {};
  const ask = async (resource: LanguageResourceName) => {
    resources[resource] = [...(await languages.list({ resource, include: ['beta'] }, options))];
  };
  const [first, ...others] = LANGUAGE_RESOURCES;
  // One alone: when a key is refused, nothing else is on its way that would be cut off and reported as well.
  await ask(first);
  await Promise.all(others.map(ask));
  const { service, state } = config;
  const kept = { url: service.url, asked: isoTime(clock), resources };
  await replaceFile({
    path: keptLanguagesFile(state),
    root: state,
    content: JSON.stringify(kept),
    durability: 'cached',
    mode: 0o600,
  });
  return kept;
}
