/** The price of routes that `init` only suggests: counts the characters of their sources. Sends nothing. */
import { join } from 'node:path';
import { JobFailure } from '../../failure.ts';
import { bytesIn } from '../../files/disk.ts';
import { plural } from '../../language.ts';
import { parse } from '../../parsing/parse.ts';
import { COUNT_TEXTS } from '../check/target-calls.ts';
import type { PricedSuggestion } from './first-config.ts';
import type { FoundRoute, Proposal, SuggestedRoute } from './proposal.ts';

/** Number of files that are read for one price, since a person waits. */
const MOST_PRICED_FILES = 300;

/** @param folder absolute; the paths of the sources are relative to it */
export async function priced(
  suggestions: readonly SuggestedRoute[],
  folder: string,
): Promise<PricedSuggestion[]> {
  const priced: PricedSuggestion[] = [];
  for (const suggestion of suggestions)
    priced.push({ ...suggestion, price: await priceOf(suggestion, folder) });
  return priced;
}

async function priceOf({ sources }: SuggestedRoute, folder: string): Promise<string> {
  const read = sources.slice(0, MOST_PRICED_FILES);
  let characters = 0;
  let unread = sources.length - read.length;
  for (const source of read) {
    const counted = await countIn(join(folder, source));
    if (counted === undefined) unread += 1;
    else characters += counted;
  }
  const files = plural(sources.length, 'file');
  const rest = unread === 0 ? '' : `, not counting ${plural(unread, 'unread file')},`;
  return `about ${plural(characters, 'character')}${rest} in ${files}, in each language`;
}

/** @returns characters; undefined for a file that cannot be read, which is counted as unread */
async function countIn(file: string): Promise<number | undefined> {
  try {
    return await parse(COUNT_TEXTS, { file }, { file, bytes: await bytesIn(file) });
  } catch (error) {
    if (error instanceof JobFailure) return undefined;
    throw error;
  }
}

/** Keeps routes for program files only when some file has readable texts. The others become suggestions, so that a person sees the reason. */
export async function withReadable(found: Proposal, folder: string): Promise<Proposal> {
  const suggestions: SuggestedRoute[] = [];
  const projects: Proposal['projects'][number][] = [];
  for (const project of found.projects) {
    const routes: FoundRoute[] = [];
    for (const route of project.routes) {
      if (await holdsTexts(route, folder)) routes.push(route);
      else suggestions.push({ ...route, reason: UNREAD });
    }
    if (routes.length > 0) projects.push({ ...project, routes });
  }
  return { ...found, projects, suggestions: [...suggestions, ...found.suggestions] };
}

const UNREAD =
  'no text was found in it; a program file must return or export one object with texts';

async function holdsTexts({ route, sources }: FoundRoute, folder: string): Promise<boolean> {
  if (!/\.(?:[cm]?[jt]s|php)$/.test(route.from) || route.lane !== 'text') return true;
  for (const source of sources.slice(0, MOST_PRICED_FILES)) {
    const characters = await countIn(join(folder, source));
    if (characters !== undefined && characters > 0) return true;
  }
  return false;
}
