/** Writes a reply to the socket, with the faults that come after the work: late, slow, cut off or no answer at all. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import type { ReceivedCall, Reply, ReplyBody } from './resource.ts';

/** Thrown when the caller gets no answer: the connection is reset, or stays open without an answer. */
export class NoReply extends Error {
  override readonly name = 'NoReply';
  readonly how: 'reset' | 'silence';

  constructor(how: 'reset' | 'silence') {
    super(`the caller gets no answer (${how})`);
    this.how = how;
  }
}

interface LoggedCall {
  readonly call: ReceivedCall;
  readonly response: ServerResponse;
  /** Time of the machine. */
  readonly wall: Clock;
  /** X-Trace-ID. */
  readonly trace: string;
}

/** @throws NoReply when a fault prevents the answer; other errors when the caller hung up. */
export async function sendReply(reply: Reply, line: LoggedCall): Promise<void> {
  try {
    await writeReply(reply, line);
  } catch (error) {
    reply.sent?.(false);
    throw error;
  }
  reply.sent?.(true);
}

async function writeReply(reply: Reply, line: LoggedCall): Promise<void> {
  const { call, response, wall } = line;
  const silent = call.fault('no_answer');
  if (silent !== undefined) throw new NoReply(silent.how ?? 'reset');
  const late = call.fault('slow_headers');
  if (late !== undefined) await wall.sleep(late.ms, call.signal);
  const body = encode(reply.body);
  response.writeHead(reply.status, headersOf(reply, body, line));
  if (body === undefined) return void response.end();
  const slow = call.fault('slow_body');
  const short = call.fault('cut_body');
  if (short !== undefined) return sendCut(response, body, short.bytes);
  if (slow !== undefined) return drip(body, slow.ms, line);
  if (body.content instanceof Readable) return pour(body.content, line);
  response.end(body.content);
}

interface Encoded {
  readonly type: string;
  readonly content: Uint8Array | string | Readable;
  readonly length: number | undefined;
}

function encode(body: ReplyBody | undefined): Encoded | undefined {
  if (body === undefined) return undefined;
  switch (body.kind) {
    case 'json': {
      const content = JSON.stringify(body.value);
      return { type: 'application/json', content, length: Buffer.byteLength(content) };
    }
    case 'bytes':
      return { type: body.type, content: body.bytes, length: body.bytes.length };
    case 'stream':
      return { type: body.type, content: body.stream, length: body.length };
  }
}

function headersOf(
  reply: Reply,
  body: Encoded | undefined,
  line: LoggedCall,
): Record<string, string> {
  const headers: Record<string, string> = { 'x-trace-id': line.trace, ...reply.headers };
  if (body !== undefined) headers['content-type'] = body.type;
  if (body?.length !== undefined) headers['content-length'] = String(body.length);
  // The rest of an upload would be read as the next request.
  if (!line.response.req.complete) headers['connection'] = 'close';
  return headers;
}

async function sendCut(response: ServerResponse, body: Encoded, bytes: number): Promise<void> {
  const start = (await whole(body)).subarray(0, bytes);
  response.flushHeaders();
  if (start.length > 0) await new Promise((written) => response.write(start, written));
  throw new NoReply('reset');
}

/** Holds the last chunk back until the end is known, so that the log has the call before the caller has the answer. */
async function pour(stream: Readable, { response, call }: LoggedCall): Promise<void> {
  const { signal } = call;
  let held: Buffer | undefined;
  for await (const chunk of stream) {
    signal.throwIfAborted();
    if (held !== undefined && !response.write(held)) await once(response, 'drain', { signal });
    held = chunk as Buffer;
  }
  response.end(held);
}

const DROPS = 10;

async function drip(body: Encoded, ms: number, line: LoggedCall): Promise<void> {
  const content = await whole(body);
  const size = Math.max(1, Math.ceil(content.length / DROPS));
  for (let at = 0; at < content.length; at += size) {
    await line.wall.sleep(ms / DROPS, line.call.signal);
    line.response.write(content.subarray(at, at + size));
  }
  line.response.end();
}

async function whole(body: Encoded): Promise<Buffer> {
  const { content } = body;
  if (!(content instanceof Readable)) return Buffer.from(content);
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
