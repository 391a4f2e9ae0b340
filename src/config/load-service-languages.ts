/** Asks the service for its languages and features, per resource, and keeps the answer in the state folder. */
import { type Clock, isoTime } from '../clock.ts';
import type { Config } from '../config.ts';
import { replaceFile } from '../files/replace.ts';
import { LANGUAGE_RESOURCES, type LanguageResourceName } from '../language.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import { type KeptLanguages, keptLanguagesFile } from './load-languages.ts';

/** Asks for all resources and writes the answer to the state folder; config is checked against it from then on. */
export async function askSupport(
  { languages }: Pick<Service, 'languages'>,
  { config, clock }: { readonly config: Config; readonly clock: Clock },
  options?: CallOptions,
): Promise<KeptLanguages> {
  const resources: KeptLanguages['resources'] = {};
  const ask = async (resource: LanguageResourceName) => {
    resources[resource] = [...(await languages.list({ resource, include: ['beta'] }, options))];
  };
  // All requests end before the first error is thrown: otherwise those that still run would be ended and reported, too.
  const asked = LANGUAGE_RESOURCES.map(ask);
  await Promise.allSettled(asked);
  await Promise.all(asked);
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
