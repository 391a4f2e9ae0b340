/** The upload of a recording: streamed to disk, and exactly as long as the job said. */
import { open } from 'node:fs/promises';
import { Refusal } from './refusal.ts';
import type { Call, World } from './resource.ts';
import type { SourceFile } from './voice-create.ts';

/**
 * @returns where the recording lies
 * @throws Refusal 415 for another content type, 400 for another length; then nothing stays on disk
 */
export async function receiveRecording(
  world: World,
  call: Call,
  { content_length }: SourceFile,
): Promise<string> {
  requireType(call);
  const file = await world.spool.file();
  try {
    const size = await store(call, file, content_length);
    if (size === content_length) return file;
    throw new Refusal(
      400,
      `Bad request. The job was made for ${content_length} bytes, but ${size} arrived.`,
    );
  } catch (error) {
    await world.spool.remove(file);
    throw error;
  }
}

/** An address that carries its signature works without any header (API document, "Authentication"). */
function requireType({ headers, query }: Call): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim();
  if (type === 'application/octet-stream' || query.has('signature')) return;
  throw new Refusal(415, 'Unsupported content type: use application/octet-stream.');
}

/** Keeps at most the announced bytes, and counts all. */
async function store(call: Call, file: string, announced: number): Promise<number> {
  await using handle = await open(file, 'wx');
  let size = 0;
  for await (const chunk of call.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= announced) await handle.write(chunk);
  }
  return size;
}
