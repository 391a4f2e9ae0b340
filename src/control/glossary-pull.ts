/** `glossary pull`: the files of a glossary say what the service holds; whatever else stands in them stays. */
import { dirname, extname } from 'node:path';
import { JobFailure } from '../failure.ts';
import { readBytesIfPresent } from '../files/disk.ts';
import { writeIfDifferent } from '../files/replace.ts';
import type { Dictionary } from '../segments/dictionary.ts';
import type { StandingGlossary } from '../sync/glossary-lookup.ts';
import type { ExpectedFile } from '../terminology/configured.ts';
import { type LoadedGlossary, MAX_FILE_BYTES } from '../terminology/load-glossaries.ts';
import { decodeGlossary } from '../terminology/read.ts';
import { rewriteTable } from '../terminology/rewrite.ts';
import { languagesTable, pairTable } from '../terminology/write.ts';

/**
 * @param base the folder of the config
 * @returns the files that were written, absolute
 * @throws JobFailure `unsupported` when the service has no such glossary, or a file is no table; `malformed` for one
 *   that is no text
 */
export async function pullGlossary(
  base: string,
  glossary: LoadedGlossary,
  standing: StandingGlossary | undefined,
): Promise<string[]> {
  if (standing === undefined) throw notThere(glossary);
  const wrote: string[] = [];
  for (const file of chosenFiles(glossary)) {
    const { path } = file;
    const content = await contentFor(file, standing.dictionaries);
    if (content === undefined) continue;
    const root = path.startsWith(base) ? base : dirname(path);
    const { written } = await writeIfDifferent({ path, root, content });
    if (written) wrote.push(path);
  }
  return wrote;
}

/** Of files for variants of one language only one may exist: the one that does, else the first. */
function chosenFiles({ files, found }: LoadedGlossary): ExpectedFile[] {
  const byPair = Map.groupBy(files, ({ expected }) => `${expected.source} ${expected.targets}`);
  return [...byPair.values()].flatMap(
    (same) => same.find(({ path }) => found.includes(path)) ?? same[0] ?? [],
  );
}

async function contentFor(
  { path, expected }: ExpectedFile,
  dictionaries: readonly Dictionary[],
): Promise<Uint8Array | string | undefined> {
  const own = dictionaries.filter(
    ({ source, target }) => source === expected.source && expected.targets.includes(target),
  );
  const found = await readBytesIfPresent(path, MAX_FILE_BYTES);
  const [only] = own;
  if (only === undefined && found === undefined) return undefined;
  const kind = tableKind(path);
  if (found !== undefined) {
    const { text, encode } = decodeGlossary(path, found.bytes);
    const rewritten = rewriteTable({ file: path, text, kind }, expected, own);
    if (rewritten !== undefined) return encode(rewritten);
  }
  if (only === undefined) return undefined;
  return expected.targets.length === 1
    ? pairTable(only.entries, kind)
    : languagesTable(expected.source, own, kind);
}

function tableKind(path: string): 'csv' | 'tsv' {
  const extension = extname(path).toLowerCase();
  if (extension === '.tbx' || extension === '.xml') throw noTable(path);
  return extension === '.tsv' || extension === '.tab' ? 'tsv' : 'csv';
}

function notThere({ name }: LoadedGlossary): JobFailure {
  return new JobFailure({
    kind: 'unsupported',
    what: `there is no glossary "${name}" on the service`,
    advice: 'Nothing to pull; "dragoman glossary push" makes it from the file.',
  });
}

function noTable(file: string): JobFailure {
  return new JobFailure({
    kind: 'unsupported',
    what: `${file} is a termbase, and only tables are written`,
    advice: 'Name a .csv or .tsv file in the config to pull into.',
  });
}
