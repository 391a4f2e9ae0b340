/** Opens the two files of a text job, source and target, in the format that both have. */
import { join } from 'node:path';
import { JobFailure } from '../failure.ts';
import { type ReadFile, readBytes, readBytesIfPresent } from '../files/disk.ts';
import type { Format, FormatOptions } from '../format.ts';
import { chooseFormat } from '../formats/all.ts';
import { type OpenFile, openFile, type Reader } from '../formats/text/open.ts';
import { LARGEST_SOURCE } from '../lane.ts';
import type { TextCase } from './text-case.ts';

/** What opening needs of a text job. */
export type SourceCase = Omit<TextCase, 'memory' | 'baseline' | 'projectTerms'>;

/** A file that was read, and what it was read from. */
export type TextFile = OpenFile & Pick<ReadFile, 'hash' | 'stat'>;

/** @throws JobFailure `malformed`, `unreadable`, `unsupported`, `changed-meanwhile` */
export async function openSource(
  text: SourceCase,
): Promise<{ readonly source: TextFile; readonly format: Format }> {
  const { bytes, hash, stat } = await readBytes(text.sourcePath, LARGEST_SOURCE.text);
  const format = await formatOf(text, bytes);
  const source = { ...openFile(bytes, format, optionsFor(text, 'source')), hash, stat };
  return { source, format };
}

async function formatOf({ job, route, sourcePath }: SourceCase, bytes: Uint8Array) {
  const format = await chooseFormat(
    job.source,
    new TextDecoder('latin1').decode(bytes.subarray(0, 4096)),
  );
  const { columns } = route;
  if (format !== undefined) return columns ? (format.withColumns?.(columns) ?? format) : format;
  throw new JobFailure({
    kind: 'unsupported',
    what: `${sourcePath} is in no text format that is known`,
    advice: 'Exclude it from the route, or give the route another lane.',
  });
}

/** How a file of the job is read. */
export function optionsFor(text: SourceCase, role: 'source' | 'target'): FormatOptions {
  const { route, job, sourceLanguage } = text;
  return {
    file: role === 'source' ? text.sourcePath : join(text.root, text.targetPath),
    sourceLanguage,
    language: role === 'source' ? sourceLanguage : job.language,
    role,
    ...(route.columns === undefined ? {} : { columns: route.columns }),
    ...(route.attributes === undefined ? {} : { attributes: route.attributes }),
    ...(route.frontMatter === undefined ? {} : { frontMatter: route.frontMatter }),
    ...(route.encoding === undefined ? {} : { encoding: route.encoding }),
  };
}

/** @returns undefined when nothing stands there; the reader is that of the source's format */
export async function openTarget(
  { root, targetPath }: TextCase,
  { format, options }: Reader,
): Promise<TextFile | undefined> {
  const read = await readBytesIfPresent(join(root, targetPath), LARGEST_SOURCE.text);
  if (read === undefined) return undefined;
  return { ...openFile(read.bytes, format, options), hash: read.hash, stat: read.stat };
}
