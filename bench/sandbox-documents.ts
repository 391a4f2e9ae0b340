/**
 * Whether the sandbox holds 10,000 documents at once: uploads them all, polls them, fetches each once, and ends.
 * `--smoke` does it with 200. Prints one JSON object; exits with 1 when a document is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '../src/sandbox/server.ts';

const documents = process.argv.includes('--smoke') ? 200 : 10_000;
const CONNECTIONS = 16;
const TIME_SCALE = 100;
/** The 5 s of real callers, accelerated too. */
const POLL_MS = 5000 / TIME_SCALE;

interface Handle {
  readonly document_id: string;
  readonly document_key: string;
}

await using sandbox = await startSandbox({ timeScale: TIME_SCALE });
const headers = { authorization: `Service-Auth-Key ${sandbox.key}` };
const serials = Array.from({ length: documents }, (_, serial) => serial);
const uploaded = await timed(() => each(serials, upload));
const held = await timed(() => each(uploaded.result, untilDone));
const fetched = await timed(() => each(uploaded.result, fetchOnce));
const whole = fetched.result.filter((text, i) => text.includes(`${i}.`)).length;
console.log(
  JSON.stringify({
    documents,
    upload_seconds: uploaded.seconds,
    poll_seconds: held.seconds,
    fetch_seconds: fetched.seconds,
    fetched_whole: whole,
    resident_megabytes: Math.round(process.memoryUsage.rss() / 1e6),
  }),
);
if (whole < documents) process.exitCode = 1;

async function upload(serial: number): Promise<Handle> {
  const form = new FormData();
  form.set('target_lang', 'de');
  form.set('source_lang', 'en');
  form.set('file', new Blob([`This is document ${serial}.\n`]), `document-${serial}.txt`);
  const answer = await fetch(`${sandbox.url}/v2/document`, { method: 'POST', headers, body: form });
  if (!answer.ok) throw new Error(`upload ${serial}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Handle;
}

async function untilDone(handle: Handle): Promise<void> {
  for (;;) {
    const answer = await ask(handle, '');
    const { status } = (await answer.json()) as { status: string };
    if (status === 'done') return;
    if (status === 'error') throw new Error(`${handle.document_id} failed`);
    await sleep(POLL_MS);
  }
}

async function fetchOnce(handle: Handle): Promise<string> {
  return (await ask(handle, '/result')).text();
}

function ask({ document_id, document_key }: Handle, what: string): Promise<Response> {
  return fetch(`${sandbox.url}/v2/document/${document_id}${what}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ document_key }),
  });
}

/** In order, a few at a time. */
async function each<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const work = async () => {
    for (const [i, item] of queue) results[i] = await act(item);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return results;
}

async function timed<T>(act: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const started = performance.now();
  const result = await act();
  return { result, seconds: Number(((performance.now() - started) / 1000).toFixed(1)) };
}
