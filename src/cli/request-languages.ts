/** The languages of a request that a person types: what would be billed and change nothing, or be refused, is not sent. */
import { isConvertible, supportsFeature } from '../config/capabilities.ts';
import { keptCapabilities } from '../config/load-languages.ts';
import type { Config } from '../config.ts';
import { parseLanguage, sameLanguage } from '../language.ts';
import type { Formality } from '../service/text-request.ts';
import { askAfterNo } from './ask-languages.ts';
import { type Call, type GlobalOptions, UsageError } from './command.ts';
import { openServiceConfig } from './open-config.ts';

export interface RequestLanguages extends GlobalOptions {
  readonly from?: string;
  readonly to: string;
  readonly formality?: Formality;
}

/**
 * Malformed codes are left to the client, which names the parameter.
 * @throws UsageError where source and target are one language: that is billed and changes nothing (API document,
 * translation rule 6); and where the target has no formality (rule 5)
 */
export async function requireTranslatable(call: Call<RequestLanguages>): Promise<void> {
  const { from = '', to, formality } = call.options;
  const [source, target] = [parseLanguage(from), parseLanguage(to)];
  if (target === undefined) return;
  const { config } = await openServiceConfig(call);
  if (source !== undefined && sameLanguage(source, target)) {
    const converts = isConvertible(known(config), target)
      ? `; dragoman improve --to ${to} converts texts into ${to}`
      : '';
    throw new UsageError(
      `--from ${from} --to ${to} is one language: it would be billed and change nothing${converts}`,
    );
  }
  if (formality !== 'more' && formality !== 'less') return;
  const hasFormality = () => supportsFeature(known(config), 'formality', { tag: target, code: to });
  if (hasFormality() || ((await askAfterNo(call, config)) && hasFormality())) return;
  throw new UsageError(
    `--formality ${formality} is not supported for ${to}; prefer_${formality} is, and falls back to the default there`,
  );
}

function known({ service, state }: Config) {
  return keptCapabilities({ url: service.url, state });
}
