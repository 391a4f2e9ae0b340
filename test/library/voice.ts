import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { connect } from '../../src/service/client.ts';

const { DRAGOMAN_URL = '', DRAGOMAN_KEY = '' } = process.env;
await using service = connect({ url: DRAGOMAN_URL, key: DRAGOMAN_KEY });

const file = 'talk.wav';
const { size } = await stat(file);
const ticket = await service.voice.create({
  source_file: { name: file, content_type: 'audio/wav', content_length: size },
  parameters: { source_language: 'en' },
  targets: [
    { language: 'de', type: 'text/plain' },
    { language: 'de', type: 'application/x-subrip' },
  ],
});
// Within five minutes of creation; this is what counts as paid.
await service.voice.upload(ticket, { file });

// Results are there for an hour, and each can be fetched once: fetch it as soon as it is complete.
const names = ['talk.de.txt', 'talk.de.srt'];
const fetched = new Set<number>();
while (fetched.size < names.length) {
  const { results } = await service.voice.get(ticket.job_id);
  for (const [index, result] of results.entries()) {
    if (fetched.has(index)) continue;
    if (result.status === 'failed') throw new Error(result.error?.message);
    if (result.status !== 'complete') continue;
    const output = createWriteStream(names[index] ?? '');
    const write = (chunk: Uint8Array) =>
      new Promise<void>((done) => output.write(chunk, () => done()));
    await service.voice.download(result, { headers: async () => {}, write });
    output.end();
    fetched.add(index);
    console.log(names[index]);
  }
  await new Promise((next) => setTimeout(next, 200));
}
