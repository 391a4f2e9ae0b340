/** Reads `multipart/form-data` as it arrives, part by part and never whole in memory (RFC 7578, RFC 2046 section 5.1). */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Refusal } from './refusal.ts';

export interface FormPart {
  readonly name: string;
  /** From the content disposition; absent for plain fields. */
  readonly filename: string | undefined;
  /** Must be read to its end before the next part is requested. */
  readonly content: AsyncGenerator<Buffer>;
}

/** @throws Refusal 415 for another content type, 400 for a body that does not end correctly */
export async function* readParts(call: {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}): AsyncGenerator<FormPart> {
  const boundary = boundaryOf(call.headers['content-type'] ?? '');
  const source = new DelimitedReader(call.body);
  await drain(source.until(`--${boundary}`));
  while (!(await source.startsWith('--'))) {
    await drain(source.until('\r\n'));
    const head = await collect(source.until('\r\n\r\n'), MAX_HEAD_BYTES);
    const content = source.until(`\r\n--${boundary}`);
    yield { ...readDisposition(head), content };
    await drain(content);
  }
  await source.finish();
}

const MAX_HEAD_BYTES = 16 * 1024;

/** The bytes of a part. @throws Refusal 400 when they are more than `limit` */
export async function collect(content: AsyncIterable<Buffer>, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > limit) throw new Refusal(400, `Bad request. A field is longer than ${limit} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function boundaryOf(type: string): string {
  const found =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined)
    throw new Refusal(415, 'Unsupported content type: use multipart/form-data with a boundary.');
  return boundary;
}

function readDisposition(head: string): { name: string; filename: string | undefined } {
  const line = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? '';
  const name = parameter(line, 'name');
  if (name === undefined) throw new Refusal(400, 'Bad request. A part of the form has no name.');
  return { name, filename: extendedParameter(line, 'filename') ?? parameter(line, 'filename') };
}

/** Browsers write `"` as %22, others escape it with a backslash (HTML standard, multipart form data; RFC 2616). */
function parameter(line: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"((?:\\\\.|[^"\\\\])*)"|([^\\s;]+))`, 'i').exec(line);
  return (found?.[1]?.replace(/\\(["\\])/g, '$1') ?? found?.[2])?.replaceAll('%22', '"');
}

/** `filename*=UTF-8''na%C3%AFve.txt` (RFC 5987): forbidden in forms, but some clients send it. */
function extendedParameter(line: string, name: string): string | undefined {
  const encoded = new RegExp(`;\\s*${name}\\*=utf-8'[^']*'([^\\s;]+)`, 'i').exec(line)?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

async function drain(content: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of content);
}

/** Yields the bytes before a delimiter. It holds back only as many bytes as may be the beginning of a delimiter. */
class DelimitedReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(body: Readable) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /** The bytes before the delimiter, which is consumed. @throws Refusal 400 when the body ends before it */
  async *until(delimiter: string): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(delimiter);
      if (at >= 0) {
        const before = this.#held.subarray(0, at);
        this.#held = this.#held.subarray(at + delimiter.length);
        if (before.length > 0) yield before;
        return;
      }
      const safe = Math.max(0, this.#held.length - delimiter.length + 1);
      const before = this.#held.subarray(0, safe);
      this.#held = this.#held.subarray(safe);
      if (before.length > 0) yield before;
      await this.#more();
    }
  }

  /** Whether the next bytes are this text; they are not consumed. */
  async startsWith(text: string): Promise<boolean> {
    while (this.#held.length < text.length) await this.#more();
    return this.#held.toString('latin1', 0, text.length) === text;
  }

  /** Reads the bytes behind the last part, so that the connection can be used again. */
  async finish(): Promise<void> {
    for (let next = await this.#chunks.next(); !next.done; ) next = await this.#chunks.next();
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done) throw new Refusal(400, 'Bad request. The form ends in the middle of a part.');
    this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value]);
  }
}
