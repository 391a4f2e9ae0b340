/** Which languages and features the service has, per resource: asked, kept with the time of the answer, read again offline. */
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { isoTime } from '../clock.ts';
import type { Config } from '../config.ts';
import { readBytesIfPresent } from '../disk.ts';
import { replaceFile } from '../replace.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import type { LanguageResourceName } from '../service/languages.ts';

const Language = z.object({
  lang: z.string(),
  name: z.string(),
  usable_as_source: z.boolean(),
  usable_as_target: z.boolean(),
  status: z.string(),
  features: z.record(z.string(), z.looseObject({ status: z.string() })),
});

const Support = z.object({
  /** Address of the service: another one has other languages. */
  url: z.string(),
  /** ISO 8601. */
  asked: z.string(),
  /** Beta languages and features included. */
  resources: z.partialRecord(
    z.enum(['translate_text', 'translate_document', 'glossary', 'voice', 'write']),
    z.array(Language),
  ),
});
export type Support = z.output<typeof Support>;

const MAX_BYTES = 4 * 1024 * 1024;

/** Asks for what a config's rules are about, and keeps the answer for offline checks. */
export async function askSupport(
  { languages }: Pick<Service, 'languages'>,
  { config, clock }: { readonly config: Config; readonly clock: Clock },
  options?: CallOptions,
): Promise<Support> {
  const names: LanguageResourceName[] = ['translate_text', 'glossary', 'write'];
  const lists: [LanguageResourceName, Support['resources'][LanguageResourceName]][] = [];
  // One after the other: when a key is refused, nothing else is on its way that would be cut off and reported as well.
  for (const resource of names) {
    lists.push([resource, [...(await languages.list({ resource, include: ['beta'] }, options))]]);
  }
  const { url } = config.service;
  const support = { url, asked: isoTime(clock), resources: Object.fromEntries(lists) };
  await keepSupport(config, support);
  return support;
}

/** The last answer of this service; undefined when it was never asked, or when what is there is of no use. */
export async function keptSupport({ state, service }: Config): Promise<Support | undefined> {
  const kept = await readBytesIfPresent(fileIn(state), MAX_BYTES);
  const support = Support.safeParse(kept && jsonOf(kept.bytes)).data;
  return support?.url === service.url ? support : undefined;
}

async function keepSupport({ state }: Config, support: Support): Promise<void> {
  await replaceFile({
    path: fileIn(state),
    root: state,
    content: JSON.stringify(support),
    durability: 'cached',
    mode: 0o600,
  });
}

function fileIn(state: string): string {
  return join(state, 'languages.json');
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
