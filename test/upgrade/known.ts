/** Makes a sandbox know what an installation has under way: the same files, sent again, under the names that the state knows. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { until } from '../until.ts';
import { Gateway } from './gateway.ts';
import type { Installation } from './installation.ts';

const VOICE = '/v1/jobs/voice/translate';

/** Sends each file again. @param words the answers of the service of the past, by the relative path of a file */
export async function makeKnown(
  { rig, gateway }: Installation,
  words: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  await using scout = await Gateway.open(rig.sandbox.url);
  const ask = asking(scout.url, rig.sandbox.key);
  const known = Object.entries(words).map(async ([file, then]) => {
    const bytes = readFileSync(rig.path(file));
    const name = basename(file);
    await (name.endsWith('.wav') ? sendRecording : sendDocument)(ask, name, bytes);
    gateway.translate(then, scout.words.get(name) ?? []);
  });
  await Promise.all(known);
}

type Ask = ReturnType<typeof asking>;

function asking(url: string, key: string) {
  return async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Service-Auth-Key ${key}`, ...init.headers };
    const answer = await fetch(path.startsWith('http') ? path : url + path, { ...init, headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (answer.status === 204 ? {} : await answer.json()) as Record<string, string> & {
      results: readonly { status: string }[];
    };
  };
}

const json = (value: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

async function sendDocument(ask: Ask, name: string, bytes: Uint8Array<ArrayBuffer>) {
  const body = new FormData();
  body.set('source_lang', 'EN');
  body.set('target_lang', 'DE');
  body.set('file', new Blob([bytes]), name);
  const { document_id, document_key } = await ask('/v2/document', { method: 'POST', body });
  const isDone = async () => {
    const { status } = await ask(`/v2/document/${document_id}`, json({ document_key }));
    return status === 'done';
  };
  await until(isDone);
}

async function sendRecording(ask: Ask, name: string, bytes: Uint8Array<ArrayBuffer>) {
  const types = ['text/plain', 'application/x-subrip', 'audio/pcm;encoding=s16le;rate=16000'];
  const request = {
    source_file: { name, content_type: 'audio/wav', content_length: bytes.length },
    parameters: { source_language: 'en' },
    targets: types.map((type) => ({ language: 'de', type })),
  };
  const { job_id, upload_url = '', signature } = await ask(VOICE, json(request));
  const headers = {
    authorization: `Service-Signature ${signature}`,
    'content-type': 'application/octet-stream',
  };
  await ask(upload_url, { method: 'PUT', body: bytes, headers });
  const isDone = async () => {
    const { results } = await ask(`${VOICE}/${job_id}`);
    return results.every(({ status }) => status === 'complete');
  };
  await until(isDone);
}
