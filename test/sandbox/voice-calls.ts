/** A caller of the sandbox's voice endpoints, over the wire and without our client. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { authorization } from './document-calls.ts';

export interface Ticket {
  readonly job_id: string;
  readonly upload_url: string;
  readonly signature: string;
  readonly signed_upload_url?: string;
}

export interface Result {
  readonly status: string;
  readonly download_url?: string;
  readonly signature?: string;
  readonly signed_download_url?: string;
  readonly error?: { readonly message: string };
}

export interface Job {
  readonly targets: readonly unknown[];
  readonly results: readonly Result[];
  readonly usage: { readonly storage_used: number };
}

const JOBS = '/v1/jobs/voice/translate';
export const SPEECH = 'audio/pcm;encoding=s16le;rate=16000';

export function create(
  sandbox: Sandbox,
  bytes: number,
  changes: object = {},
  query = '',
): Promise<Response> {
  return fetch(`${sandbox.url}${JOBS}${query}`, {
    method: 'POST',
    headers: { ...authorization(sandbox), 'content-type': 'application/json' },
    body: JSON.stringify({
      source_file: { name: 'talk.wav', content_type: 'audio/wav', content_length: bytes },
      parameters: { source_language: 'en' },
      targets: [{ language: 'de', type: 'text/plain' }],
      ...changes,
    }),
  });
}

export async function ticketFor(
  sandbox: Sandbox,
  bytes: number,
  changes: object = {},
): Promise<Ticket> {
  return (await (await create(sandbox, bytes, changes, '?include=signed_url')).json()) as Ticket;
}

export function put(
  ticket: Ticket,
  content: Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(ticket.upload_url, {
    method: 'PUT',
    headers: {
      'content-type': 'application/octet-stream',
      authorization: `Service-Signature ${ticket.signature}`,
      ...headers,
    },
    body: new Uint8Array(content),
  });
}

export function show(sandbox: Sandbox, job_id: string, query = ''): Promise<Response> {
  return fetch(`${sandbox.url}${JOBS}/${job_id}${query}`, { headers: authorization(sandbox) });
}

export async function jobOf(sandbox: Sandbox, job_id: string): Promise<Job> {
  return (await (await show(sandbox, job_id)).json()) as Job;
}

/** Polls until no target is on its way any more. */
export async function settled(sandbox: Sandbox, job_id: string): Promise<Job> {
  for (;;) {
    const job = await jobOf(sandbox, job_id);
    if (job.results.every(({ status }) => status === 'complete' || status === 'failed')) return job;
    await sleep(1);
  }
}

export function fetchResult({ download_url, signature }: Result): Promise<Response> {
  return fetch(download_url ?? '', {
    headers: { authorization: `Service-Signature ${signature}` },
  });
}

/** A recording of silence, 16 kHz mono. */
export function silence(milliseconds: number): Uint8Array {
  const data = Buffer.alloc(milliseconds * 32);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(16_000, 24);
  header.writeUInt32LE(32_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}
