/** Reads the JSON of requests and writes the JSON of answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod';

/** Ends a request with another status than 200 and a message. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  /** More properties of the answer. */
  readonly more: object;
  constructor(status: number, message: string, more: object = {}) {
    super(message);
    this.status = status;
    this.more = more;
  }
}

/** Bytes of a body: enough for the longest text that can be saved, in the characters that need the most bytes. */
const MOST_BODY_BYTES = 160_000;

/**
 * The checked body of a request. If a body is too large, it is read to its end and dropped. A browser shows the answer only after it has
 * sent the whole request. The server's time limit ends requests without an end.
 *
 * @throws Refused 400 for a wrong body, 413 for one that is too large
 */
export async function readBody<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
): Promise<z.output<Schema>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MOST_BODY_BYTES) chunks.push(chunk);
  }
  if (size > MOST_BODY_BYTES)
    throw new Refused(413, 'the request is larger than 160 KB, the limit of the page');
  const parsed = schema.safeParse(parseJson(Buffer.concat(chunks).toString('utf8')));
  if (parsed.success) return parsed.data;
  throw new Refused(400, 'this version of the page does not know such a request; reload the page');
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
