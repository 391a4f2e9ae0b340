/** Removes the media of a document before the upload, and puts them back into the result; within the time limit of a parser. */
import { bytesIn } from '../../files/disk.ts';
import { parse } from '../../parsing/parse.ts';
import { MISSING_MEDIA, WITH_MEDIA, WITHOUT_MEDIA } from './thread-calls.ts';
import type { Translated } from './thread-work.ts';

/** @throws JobFailure `malformed`, `unsupported`, `unreadable` */
export async function removeMedia(path: string, name: string): Promise<Uint8Array> {
  return await parse(WITHOUT_MEDIA, { path, name }, { file: name, bytes: await bytesIn(path) });
}

/** @throws JobFailure `malformed` for what is not an archive, `unreadable` */
export async function restoreMedia(translated: Translated): Promise<Uint8Array> {
  return await parse(WITH_MEDIA, translated, await subjectOf(translated));
}

/** Which media of the source a result has no place for, for people; undefined: none. */
export async function findMissingMedia(translated: Translated): Promise<string | undefined> {
  return await parse(MISSING_MEDIA, translated, await subjectOf(translated));
}

async function subjectOf({ path, source, name }: Translated) {
  return { file: name, bytes: await bytesIn(path, source) };
}
