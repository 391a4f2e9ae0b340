/** The last language lists of a service, kept in the state folder, so that config is checked against them also offline. */
import { join } from 'node:path';
import * as z from 'zod';
import { readAtOnce } from '../files/read-file.ts';
import { LANGUAGE_RESOURCES } from '../language.ts';
import { Language } from '../service/languages.ts';
import { type Capabilities, capabilitiesOf, DOCUMENTED, isPlausible } from './capabilities.ts';
import type { AskedService } from './parse.ts';
import { READ_ONCE } from './shape.ts';

const KeptLanguages = z.object({
  /** Address of the service: another service has other languages. */
  url: z.string(),
  /** The time of the answer, ISO 8601. */
  asked: z.string(),
  /** Includes beta languages and features. */
  resources: z.partialRecord(z.enum(LANGUAGE_RESOURCES), z.array(Language)),
  /** True: the answer before it was the same. One answer alone may be damaged. */
  confirmed: z.boolean().optional(),
});
export type KeptLanguages = z.output<typeof KeptLanguages>;

/** In bytes: the lists of a service have some 100 KB. */
const LARGEST_LIST = 16 * 1024 * 1024;

interface LastRead {
  readonly text: string;
  readonly kept: KeptLanguages;
  /** Absent: nobody has asked for them yet. */
  capabilities?: Capabilities;
}

/** The last list that was read, and its text: a command reads the file several times, and to check it takes milliseconds. */
let last: LastRead | undefined;

/** The last answer of this service; undefined when there is none, or when the file cannot be read. */
export function keptLanguages(asked: AskedService): KeptLanguages | undefined {
  return lastRead(asked)?.kept;
}

function lastRead({ url, state }: AskedService): LastRead | undefined {
  try {
    const text = readAtOnce(keptLanguagesFile(state), LARGEST_LIST).toString('utf8');
    if (last?.text !== text) last = { text, kept: readKept(text) };
    return last.kept.url === url ? last : undefined;
  } catch {
    return undefined;
  }
}

/** @throws for what is no answer of a service */
function readKept(text: string): KeptLanguages {
  const kept = KeptLanguages.parse(JSON.parse(text), READ_ONCE);
  const { translate_text: list } = kept.resources;
  if (list !== undefined && !isPlausible(list)) throw new TypeError('the list is not plausible');
  return kept;
}

/** The capabilities from the last answer of this service, else those that are documented. */
export function keptCapabilities(asked: AskedService): Capabilities {
  const read = lastRead(asked);
  if (read === undefined) return DOCUMENTED;
  read.capabilities ??= capabilitiesOf(read.kept.resources);
  return read.capabilities;
}

export function keptLanguagesFile(state: string): string {
  return join(state, 'languages.json');
}
