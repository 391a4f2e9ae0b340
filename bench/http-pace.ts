/** 600 calls against a service that allows 20 a second with a burst of 20: refusals, seconds, failures. The ideal is 29 s. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from '../src/service/client.ts';

const CALLS = 600;
const PER_SECOND = 20;
const WORK_MS = 150;
const ANSWER = { translations: [{ detected_source_language: 'EN', text: 'a' }] };

for (const retryAfter of ['1', undefined]) await simulate(retryAfter);

async function simulate(retryAfter: string | undefined): Promise<void> {
  const bucket = { tokens: PER_SECOND, at: performance.now(), refused: 0 };
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response));
  });
  const answer = (response: ServerResponse) => {
    const now = performance.now();
    bucket.tokens = Math.min(PER_SECOND, bucket.tokens + ((now - bucket.at) * PER_SECOND) / 1000);
    bucket.at = now;
    if (bucket.tokens < 1) {
      bucket.refused += 1;
      response.writeHead(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
      return;
    }
    bucket.tokens -= 1;
    setTimeout(() => response.end(JSON.stringify(ANSWER)), WORK_MS);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const service = connect({ url: `http://127.0.0.1:${port}`, key: 'bench', concurrency: 16 });
  const started = performance.now();
  const results = await Promise.allSettled(
    Array.from({ length: CALLS }, () => service.text.translate({ text: ['a'], target_lang: 'de' })),
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const failed = results.filter(({ status }) => status === 'rejected').length;
  console.log(
    `Retry-After ${retryAfter ?? 'absent'}: ${seconds} s, ${bucket.refused} refusals, ${failed} failed`,
  );
  await service[Symbol.asyncDispose]();
  server.close();
}
