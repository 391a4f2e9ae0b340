import { connect, JobFailure } from '../../src/service/client.ts';

const { DRAGOMAN_URL = '', DRAGOMAN_KEY = '' } = process.env;
await using service = connect({
  url: DRAGOMAN_URL,
  key: DRAGOMAN_KEY,
  patienceMs: 30_000,
  onEvent(event) {
    if (event.kind === 'request-repeated') console.log(`again in ${event.inMs} ms`);
  },
});

const request = { text: 'Hello', target_lang: 'de' };
const { translations } = await service.text.translate(request);
console.log(translations[0]?.text);

try {
  await service.text.translate(request, { signal: AbortSignal.timeout(1000) });
} catch (error) {
  if (!(error instanceof JobFailure)) throw error;
  console.log(error.failure.kind);
}
