/** What a service last said of its languages, kept in the state folder: config is judged by it, also offline. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { LANGUAGE_RESOURCES } from '../language.ts';
import { Language } from '../service/languages.ts';
import { type Capabilities, capabilitiesOf, DOCUMENTED } from './capabilities.ts';
import type { AskedService } from './parse.ts';
import { READ_ONCE } from './shape.ts';

const KeptLanguages = z.object({
  /** Address of the service: another one has other languages. */
  url: z.string(),
  /** ISO 8601. */
  asked: z.string(),
  /** Beta languages and features included. */
  resources: z.partialRecord(z.enum(LANGUAGE_RESOURCES), z.array(Language)),
});
export type KeptLanguages = z.output<typeof KeptLanguages>;

/** The last answer of this service; undefined when it was never asked, or when what is there is of no use. */
export function keptLanguages({ url, state }: AskedService): KeptLanguages | undefined {
  try {
    const kept = KeptLanguages.parse(
      JSON.parse(readFileSync(keptLanguagesFile(state), 'utf8')),
      READ_ONCE,
    );
    return kept.url === url ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** What the service said it can do, else what the API document says. */
export function keptCapabilities(asked: AskedService): Capabilities {
  const kept = keptLanguages(asked);
  return kept === undefined ? DOCUMENTED : capabilitiesOf(kept.resources);
}

export function keptLanguagesFile(state: string): string {
  return join(state, 'languages.json');
}
