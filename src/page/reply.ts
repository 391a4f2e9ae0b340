/** Answers and bodies of the page: JSON in, JSON out, both small. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod';

/** An answer other than 200, for the one who asked. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  /** What the answer says beside the message. */
  readonly more: object;
  constructor(status: number, message: string, more: object = {}) {
    super(message);
    this.status = status;
    this.more = more;
  }
}

/** The longest text that can be saved, in the characters that take most. */
const MOST_BYTES = 160_000;

/** @throws Refused 400, 413 */
export async function readBody<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
): Promise<z.output<Schema>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES)
      throw new Refused(413, 'the request is larger than 160 KB, and the page takes no more');
    chunks.push(chunk);
  }
  const parsed = schema.safeParse(parseJson(Buffer.concat(chunks).toString('utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refused(400, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as expected'}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(400, 'the body is no JSON');
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}
