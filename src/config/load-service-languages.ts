/** Asks the service for its languages and features, per resource, and keeps the answer in the state folder. */
import { isDeepStrictEqual } from 'node:util';
import { type Clock, isoTime } from '../clock.ts';
import type { Config } from '../config.ts';
import { JobFailure } from '../failure.ts';
import { replaceFile } from '../files/replace.ts';
import { LANGUAGE_RESOURCES, type LanguageResourceName } from '../language.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import { isPlausible } from './capabilities.ts';
import { type KeptLanguages, keptLanguages, keptLanguagesFile } from './load-languages.ts';

interface SupportQuestion {
  readonly config: Config;
  readonly clock: Clock;
  /** `at once`: the service was asked a moment ago. The same answer then does not count as confirmed. */
  readonly again?: 'at once' | undefined;
}

/**
 * Asks for all resources and writes the answer to the state folder; config is checked against it from then on.
 * @throws JobFailure `bad-answer` for an empty list of text translation: it would refuse every config
 */
export async function askSupport(
  { languages }: Pick<Service, 'languages'>,
  { config, clock, again }: SupportQuestion,
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
  requireList(resources.translate_text ?? []);
  const { state } = config;
  const { url } = config.service;
  const before = keptLanguages({ url, state });
  const confirmed = again !== 'at once' && isDeepStrictEqual(before?.resources, resources);
  const kept = { url, asked: isoTime(clock), resources, confirmed };
  await replaceFile({
    path: keptLanguagesFile(state),
    root: state,
    content: JSON.stringify(kept),
    durability: 'cached',
    mode: 0o600,
  });
  return kept;
}

function requireList(list: Parameters<typeof isPlausible>[0]): void {
  if (isPlausible(list)) return;
  const operation = 'GET /v3/languages';
  const message =
    list.length === 0 ? 'the list of languages is empty' : 'no language can be translated into';
  throw new JobFailure({ kind: 'bad-answer', operation, message });
}
