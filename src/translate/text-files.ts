/** Opens the source and the target of a text job in their common format. */
import { join } from 'node:path';
import { JobFailure } from '../failure.ts';
import { type ReadFile, readBytes, readBytesIfPresent, requireOwnFile } from '../files/disk.ts';
import type { Format, FormatOptions } from '../format.ts';
import { chooseFormat } from '../formats/all.ts';
import { type OpenFile, openFile, type Reader } from '../formats/text/open.ts';
import { LARGEST_SOURCE } from '../lane.ts';
import { OpenSources } from './open-sources.ts';
import type { TextCase } from './text-case.ts';

/** What opening needs of a text job. */
export type SourceCase = Omit<TextCase, 'memory' | 'baseline' | 'projectTerms'>;

/** A file, and the bytes on the disk that it was parsed from. */
export type TextFile = OpenFile & Pick<ReadFile, 'hash' | 'stat'>;

/** The bytes of a job's files and what reads them; nothing is parsed yet. */
export interface FilesOfJob {
  readonly format: Format;
  readonly source: ReadFile;
  readonly target: ReadFile | undefined;
}

/** @throws JobFailure `unreadable`, `unwritable`, `unsupported`, `changed-meanwhile` */
export async function readFiles(text: SourceCase): Promise<FilesOfJob> {
  const source = await readSourceFile(text);
  const targetPath = join(text.root, text.targetPath);
  const target = await readBytesIfPresent(targetPath, LARGEST_SOURCE.text);
  if (target?.hash === source.source.hash) requireOwnFile(text.sourcePath, targetPath);
  return { ...source, target };
}

/** @throws JobFailure `unreadable`, `unsupported`, `changed-meanwhile` */
export async function readSourceFile(text: SourceCase): Promise<Omit<FilesOfJob, 'target'>> {
  const source = await readBytes(text.sourcePath, LARGEST_SOURCE.text);
  return { source, format: await formatOf(text, source.bytes) };
}

/** Parses a source once for all languages. @throws JobFailure `malformed` */
export function openSource(
  text: SourceCase,
  { source: { bytes, hash, stat }, format }: Pick<FilesOfJob, 'source' | 'format'>,
): TextFile {
  const options = optionsFor(text, 'source');
  const key = JSON.stringify([hash, stat, format.name, options]);
  const open = () => ({ ...openFile(bytes, format, options), hash, stat });
  return sources.get({ key, bytes: bytes.byteLength }, open);
}

const sources = new OpenSources<TextFile>();

async function formatOf({ job, route, sourcePath }: SourceCase, bytes: Uint8Array) {
  const format = await chooseFormat(job.source, bytes);
  const { columns } = route;
  if (format !== undefined) return columns ? (format.withColumns?.(columns) ?? format) : format;
  throw new JobFailure({
    kind: 'unsupported',
    what: `${sourcePath} is in no text format that is known`,
    advice: 'Exclude it from the route, or give the route another lane.',
  });
}

/** The options with which a file of the job is read. */
export function optionsFor(text: SourceCase, role: 'source' | 'target'): FormatOptions {
  const { route, job, sourceLanguage } = text;
  return {
    file: role === 'source' ? text.sourcePath : join(text.root, text.targetPath),
    sourceLanguage,
    language: role === 'source' ? sourceLanguage : job.language,
    role,
    ...(route.embeddedSource ? { embeddedSource: true } : {}),
    ...(route.columns === undefined ? {} : { columns: route.columns }),
    ...(route.attributes === undefined ? {} : { attributes: route.attributes }),
    ...(route.frontMatter === undefined ? {} : { frontMatter: route.frontMatter }),
    ...(route.encoding === undefined ? {} : { encoding: route.encoding }),
  };
}

/** The reader is that of the source's format. @returns undefined when there is no target, or an empty one @throws JobFailure `malformed` */
export function openTarget(
  { target }: FilesOfJob,
  { format, options }: Reader,
): TextFile | undefined {
  if (target === undefined || target.bytes.byteLength === 0) return undefined;
  const { bytes, hash, stat } = target;
  return { ...openFile(bytes, format, options), hash, stat };
}
