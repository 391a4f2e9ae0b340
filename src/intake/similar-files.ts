/** Compares the texts of new and gone sources, to find a source that was moved and edited. */

import type { FoundFile } from '../files/listing.ts';
import type { SourceRecord } from '../ledger.ts';
import type { ProjectContext } from './project-context.ts';
import type { UnknownContents } from './reconcile.ts';
import { type Described, pairAlike } from './similarity.ts';
import { type Comparable, comparable, readSourceTexts } from './source-texts.ts';
import type { SourceText } from './thread-work.ts';

/** At most so many new files, and as many gone ones, are read: when more changed, they were not simply moved. */
const MOST_FILES = 5000;

/** @returns by the path of a new source, the path that it had before */
export async function findSimilarFiles(
  context: ProjectContext,
  { newFiles, goneSources }: UnknownContents,
): Promise<ReadonlyMap<string, string>> {
  if (newFiles.length === 0 || goneSources.length === 0) return NOBODY;
  const arrivals = await comparables(context, newFiles);
  const departures = await comparables(context, goneSources);
  const formats = formatsOf(arrivals).intersection(formatsOf(departures));
  const read = async <Source extends FoundFile | SourceRecord>(
    files: readonly Comparable<Source>[],
    textsIn: (file: Comparable<Source>) => Promise<readonly SourceText[]>,
  ): Promise<Described[]> => {
    const wanted = files.filter(({ format }) => formats.has(format)).slice(0, MOST_FILES);
    return await Promise.all(wanted.map(async (file) => described(file, await textsIn(file))));
  };
  return pairAlike(
    await read(arrivals, (file) => readSourceTexts(context, file)),
    await read(departures, ({ source }) => rememberedTexts(context, source)),
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

/**
 * The texts of a gone source, from the baseline of the first language that has one. All languages have the same texts, except languages
 * that were added later.
 */
async function rememberedTexts(
  { project, baselines }: ProjectContext,
  { path }: SourceRecord,
): Promise<readonly SourceText[]> {
  for (const language of project.targets) {
    const said = await baselines.sources({ project: project.name, language, path });
    if (said.length > 0) return said;
  }
  return [];
}

/** In a keyed format, `OK` under another key is another text. In other formats only the texts are compared. */
function described(
  { source, format, isKeyed }: Comparable<FoundFile | SourceRecord>,
  said: readonly SourceText[],
): Described {
  const texts = said.map(({ id, source: text }) => (isKeyed ? `${id}\n${text}` : text));
  return { path: source.path, format, texts: new Set(texts) };
}
