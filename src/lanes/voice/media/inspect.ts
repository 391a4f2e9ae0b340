/** Finds the type and the length of a recording by its content alone, because file names may be wrong. */
import { stat } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { type IAudioMetadata, parseStream, TrackType } from 'music-metadata';
import { readFailure } from '../../../files/disk.ts';
import { openRegular } from '../../../files/regular-file.ts';
import type { FoundRecording } from '../decisions/suitability.ts';

const HEAD_BYTES = 4096;

/** @throws JobFailure `unreadable` */
export async function inspectRecording(file: string): Promise<FoundRecording> {
  try {
    const { size } = await stat(file);
    const head = await readHead(file);
    const type = await fileTypeFromFile(file);
    const mime = type?.mime ?? behindTag(head);
    const metadata = mime === undefined ? undefined : await metadataOf(file, { mime, size });
    const tracks = metadata?.format.trackInfo ?? [];
    return {
      mime,
      name: type?.ext.toUpperCase() ?? contentKind(head),
      seconds: metadata?.format.duration ?? bySize(mime, metadata, size),
      hasVideo:
        metadata?.format.hasVideo === true || tracks.some(({ type }) => type === TrackType.video),
      size,
    };
  } catch (error) {
    throw readFailure(file, error);
  }
}

async function readHead(file: string): Promise<Buffer> {
  await using handle = await openRegular(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

/** An ID3 tag with a wrong length hides the sound after it. Players search for the first frame, and so does `music-metadata`. */
function behindTag(head: Buffer): string | undefined {
  return head.toString('latin1', 0, 3) === 'ID3' ? 'audio/mpeg' : undefined;
}

/** Given a path, `music-metadata` would trust the extension; so it gets a stream and the type that was recognized. */
async function metadataOf(
  file: string,
  { mime, size }: { mime: string; size: number },
): Promise<IAudioMetadata | undefined> {
  await using handle = await openRegular(file);
  const stream = handle.createReadStream({ autoClose: false });
  try {
    const mimeType = mime.split(';', 1)[0] ?? mime;
    return await parseStream(
      stream,
      { mimeType, size },
      { duration: true, skipCovers: true, skipPostHeaders: true },
    );
  } catch {
    // ffmpeg reads the containers that `music-metadata` does not know.
    return undefined;
  } finally {
    stream.destroy();
  }
}

/** The length of a stream that does not state it, by its bit rate. */
function bySize(
  mime: string | undefined,
  metadata: IAudioMetadata | undefined,
  size: number,
): number | undefined {
  const bitrate = metadata?.format.bitrate;
  return mime === undefined || bitrate === undefined || bitrate <= 0
    ? undefined
    : (size * 8) / bitrate;
}

function contentKind(head: Buffer): string {
  if (behindTag(head) !== undefined) return 'MP3';
  if (head.byteLength === 0) return 'an empty file';
  const isText = !head.includes(0) && isUtf8(head);
  return isText ? 'text' : 'bytes of no known kind';
}

/** `head` may end within a character. */
function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
