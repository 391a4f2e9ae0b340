/** A caller of the sandbox's document endpoints, over the wire and without our client. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../src/sandbox/server.ts';

export interface Handle {
  readonly document_id: string;
  readonly document_key: string;
}

export type Fields = Readonly<Record<string, string>>;

export async function upload(
  sandbox: Sandbox,
  file: { name?: string; content: string | Uint8Array },
  fields: Fields = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ target_lang: 'de', ...fields }))
    form.append(name, value);
  const blob = new Blob([
    typeof file.content === 'string' ? file.content : new Uint8Array(file.content),
  ]);
  form.append('file', blob, file.name ?? 'a.txt');
  return fetch(`${sandbox.url}/v2/document`, {
    method: 'POST',
    headers: authorization(sandbox),
    body: form,
  });
}

export async function ask(
  sandbox: Sandbox,
  { document_id, document_key }: Handle,
  result = '',
): Promise<Response> {
  return fetch(`${sandbox.url}/v2/document/${document_id}${result}`, {
    method: 'POST',
    headers: { ...authorization(sandbox), 'content-type': 'application/json' },
    body: JSON.stringify({ document_key }),
  });
}

/** Polls until the document is done or failed, and gives that status. */
export async function wait(sandbox: Sandbox, handle: Handle): Promise<Record<string, unknown>> {
  for (;;) {
    const status = (await (await ask(sandbox, handle)).json()) as Record<string, unknown>;
    if (status['status'] === 'done' || status['status'] === 'error') return status;
    await sleep(1);
  }
}

/** Uploads, waits and downloads. */
export async function translate(
  sandbox: Sandbox,
  file: { name?: string; content: string | Uint8Array },
  fields: Fields = {},
): Promise<Uint8Array> {
  const handle = (await (await upload(sandbox, file, fields)).json()) as Handle;
  await wait(sandbox, handle);
  return new Uint8Array(await (await ask(sandbox, handle, '/result')).arrayBuffer());
}

export function authorization(sandbox: Sandbox): Fields {
  return { authorization: `Service-Auth-Key ${sandbox.key}` };
}
