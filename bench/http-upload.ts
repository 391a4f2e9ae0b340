/** Peak memory and CPU of uploading one large document: `node bench/http-upload.ts [megabytes]`, 500 when absent. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../src/service/client.ts';

const MB = 1_000_000;

if (process.argv[2] === 'serve') serve();
else await measure(Number(process.argv[2] ?? 500));

function serve(): void {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"document_id":"d","document_key":"k"}'));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function measure(megabytes: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-bench-'));
  const file = join(folder, 'large.docx');
  await writeZeros(file, megabytes * MB);
  const server = fork(import.meta.filename, ['serve']);
  const [port] = await once(server, 'message');
  const url = `http://127.0.0.1:${port}`;
  await using service = connect({ url, key: 'bench', limits: { docx: megabytes * MB } });
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  const started = performance.now();
  await service.documents.upload({ file, filename: 'large.docx', target_lang: 'de' });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `${Math.round(megabytes / seconds)} MB/s, CPU ${Math.round((user + system) / 1000)} ms`,
  );
  console.log(`RSS before ${mb(before)}, peak ${mb(process.resourceUsage().maxRSS * 1024)}`);
  server.kill();
  await rm(folder, { recursive: true });
}

async function writeZeros(file: string, bytes: number): Promise<void> {
  await using handle = await open(file, 'w');
  const chunk = Buffer.alloc(MB);
  for (let written = 0; written < bytes; written += MB) await handle.write(chunk);
}

function mb(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`;
}
