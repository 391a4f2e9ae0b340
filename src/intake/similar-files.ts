/** Reads the texts of sources that came or went: a source that was moved and edited on the way is recognised by them. */

import type { FoundFile } from '../files/listing.ts';
import type { SourceRecord } from '../ledger.ts';
import { type Comparable, comparable, sayingsNow } from './notices.ts';
import type { Saying } from './parsers.ts';
import type { ProjectContext } from './project-context.ts';
import type { UnknownContents } from './reconcile.ts';
import { type Described, pairAlike } from './similarity.ts';

/** How many files that came, or that went, are read: where more changed, they were not simply moved. */
const MOST_FILES = 5000;

/** @returns by the path of a source that came, the path of the one that it was before */
export async function findSimilarFiles(
  context: ProjectContext,
  { came, went }: UnknownContents,
): Promise<ReadonlyMap<string, string>> {
  if (came.length === 0 || went.length === 0) return NOBODY;
  const arrivals = await comparables(context, came);
  const departures = await comparables(context, went);
  const formats = formatsOf(arrivals).intersection(formatsOf(departures));
  const read = async <Source extends FoundFile | SourceRecord>(
    files: readonly Comparable<Source>[],
    saidIn: (file: Comparable<Source>) => Promise<readonly Saying[]>,
  ): Promise<Described[]> => {
    const wanted = files.filter(({ format }) => formats.has(format)).slice(0, MOST_FILES);
    return await Promise.all(wanted.map(async (file) => described(file, await saidIn(file))));
  };
  return pairAlike(
    await read(arrivals, (file) => sayingsNow(context, file)),
    await read(departures, ({ source }) => sayingsThen(context, source)),
  );
}

const NOBODY: ReadonlyMap<string, string> = new Map();

async function comparables<Source extends FoundFile | SourceRecord>(
  context: ProjectContext,
  sources: readonly Source[],
): Promise<Comparable<Source>[]> {
  const found = await Promise.all(sources.map((source) => comparable(context, source)));
  return found.filter((each) => each !== undefined);
}

function formatsOf(files: readonly { readonly format: string }[]): Set<string> {
  return new Set(files.map(({ format }) => format));
}

/** The languages of a source have seen the same of it, but for those that were added later. */
async function sayingsThen(
  { project, baselines }: ProjectContext,
  { path }: SourceRecord,
): Promise<readonly Saying[]> {
  for (const language of project.targets) {
    const said = await baselines.sources({ project: project.name, language, path });
    if (said.length > 0) return said;
  }
  return [];
}

/** `OK` under another key is another text; where there are no keys, texts are compared alone. */
function described(
  { source, format, isKeyed }: Comparable<FoundFile | SourceRecord>,
  said: readonly Saying[],
): Described {
  const texts = said.map(({ id, source: text }) => (isKeyed ? `${id}\n${text}` : text));
  return { path: source.path, format, texts: new Set(texts) };
}
