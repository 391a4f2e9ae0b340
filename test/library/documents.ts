import { readFile } from 'node:fs/promises';
import { connect, type DocumentProgress, PartialFailure } from '../../src/service/client.ts';

const { DRAGOMAN_URL = '', DRAGOMAN_KEY = '' } = process.env;
await using service = connect({ url: DRAGOMAN_URL, key: DRAGOMAN_KEY });

function show(progress: DocumentProgress): void {
  if (progress.kind === 'status') console.log(progress.status.status);
  if (progress.kind === 'saved') console.log(`${progress.bytes} bytes`);
}

try {
  const { billed_characters } = await service.documents.translate(
    { file: 'letter.txt', source_lang: 'en', target_lang: 'de', save: 'letter.de.txt' },
    { onProgress: show, signal: AbortSignal.timeout(600_000) },
  );
  console.log(`${billed_characters} characters`);
} catch (error) {
  // Paid, and not saved: the handle is the only way to it.
  if (error instanceof PartialFailure) console.log(error.done);
  throw error;
}

// The same in steps, from memory: keep the handle before anything else, since the upload is what bills.
const content = await readFile('letter.txt');
const handle = await service.documents.upload({
  content,
  filename: 'letter.txt',
  target_lang: 'fr',
});
let status = await service.documents.status(handle);
while (status.status !== 'done' && status.status !== 'error') {
  await new Promise((next) => setTimeout(next, 1000));
  status = await service.documents.status(handle);
}
const chunks: Uint8Array[] = [];
await service.documents.result(handle, {
  headers: async ({ content_length }) => console.log(`${content_length} bytes to come`),
  write: async (chunk) => void chunks.push(chunk),
});
console.log(Buffer.concat(chunks).toString());
