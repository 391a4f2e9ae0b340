/** The media of documents, taken out before the upload and put back into the result; read and written within a time limit. */
import { bytesIn } from '../../files/disk.ts';
import { parse } from '../../parsing/parse.ts';
import { MISSING_MEDIA, type Translated, WITH_MEDIA, WITHOUT_MEDIA } from './parsers.ts';

/** @throws JobFailure `malformed`, `unsupported`, `unreadable` */
export async function withoutMedia(path: string, name: string): Promise<Uint8Array> {
  return await parse(WITHOUT_MEDIA, { path, name }, { file: name, bytes: await bytesIn(path) });
}

/** @throws JobFailure `malformed` for what is no archive, `unreadable` */
export async function withMedia(translated: Translated): Promise<Uint8Array> {
  return await parse(WITH_MEDIA, translated, await subjectOf(translated));
}

/** What a result lacks of its source's media, in words for people; undefined when nothing. */
export async function missingMedia(translated: Translated): Promise<string | undefined> {
  return await parse(MISSING_MEDIA, translated, await subjectOf(translated));
}

async function subjectOf({ path, source, name }: Translated) {
  return { file: name, bytes: await bytesIn(path, source) };
}
