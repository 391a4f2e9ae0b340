/** What routes would bill that `init` offers: the characters of their sources, without sending anything. */
import { join } from 'node:path';
import { JobFailure } from '../../failure.ts';
import { bytesIn } from '../../files/disk.ts';
import { plural } from '../../language.ts';
import { parse } from '../../parsing/parse.ts';
import type { PricedOffer } from './first-config.ts';
import type { OfferedRoute } from './proposals.ts';
import { COUNT_TEXTS } from './target-parsers.ts';

/** More files than these are not read for a price: a person waits. */
const MOST_FILES = 300;

/** @param folder absolute, that the sources are relative to */
export async function priced(
  offers: readonly OfferedRoute[],
  folder: string,
): Promise<PricedOffer[]> {
  const priced: PricedOffer[] = [];
  for (const offer of offers) priced.push({ ...offer, price: await priceOf(offer, folder) });
  return priced;
}

async function priceOf({ sources }: OfferedRoute, folder: string): Promise<string> {
  const read = sources.slice(0, MOST_FILES);
  let characters = 0;
  let unread = sources.length - read.length;
  for (const source of read) {
    const counted = await countIn(join(folder, source));
    if (counted === undefined) unread += 1;
    else characters += counted;
  }
  const files = plural(sources.length, 'file');
  const rest = unread === 0 ? '' : ` and what ${plural(unread, 'file')} more hold`;
  return `about ${plural(characters, 'character')}${rest} in ${files}, in each language`;
}

/** @returns undefined for a file that cannot be read: it is named as such, not counted as nothing */
async function countIn(file: string): Promise<number | undefined> {
  try {
    return await parse(COUNT_TEXTS, { file }, { file, bytes: await bytesIn(file) });
  } catch (error) {
    if (error instanceof JobFailure) return undefined;
    throw error;
  }
}
