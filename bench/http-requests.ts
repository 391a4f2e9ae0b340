/** CPU per translation request of the client, 10 texts of 50 characters each, server in a process of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from '../src/service/client.ts';

const REQUESTS = 10_000;
const TEXTS = Array.from(
  { length: 10 },
  () => 'Lorem ipsum dolor sit amet, consetetur sadipscing.',
);

if (process.argv[2] === 'serve') serve();
else await measure();

function serve(): void {
  const translations = TEXTS.map((text) => ({ detected_source_language: 'EN', text }));
  const answer = JSON.stringify({ translations, billed_characters: 500 });
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(answer));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function measure(): Promise<void> {
  const server = fork(import.meta.filename, ['serve']);
  const [port] = await once(server, 'message');
  await using service = connect({ url: `http://127.0.0.1:${port}`, key: 'bench', concurrency: 16 });
  await run(service.text, 1000);
  const cpu = process.cpuUsage();
  const started = performance.now();
  await run(service.text, REQUESTS);
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  console.log(`requests per second: ${Math.round(REQUESTS / seconds)}`);
  console.log(`CPU per request: ${Math.round((user + system) / REQUESTS)} µs`);
  server.kill();
}

async function run(text: ReturnType<typeof connect>['text'], requests: number): Promise<void> {
  let left = requests;
  const worker = async () => {
    while (left-- > 0) await text.translate({ text: TEXTS, target_lang: 'de' });
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
