/** Request bodies with a file: the last bytes are sent only after the caller has recorded that they are about to be sent. */
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { CallOptions, Upload } from './call.ts';
import { Callback, requireShape } from './shape.ts';
import type { UploadSource } from './upload-source.ts';

export interface UploadOptions extends CallOptions {
  /**
   * Called once per attempt, when all bytes except the last ones were sent. The last bytes are sent when it resolves. Before that the
   * request cannot be billed, so an interruption is harmless; afterwards it may have been billed.
   */
  readonly onClosing?: (() => Promise<void>) | undefined;
}

const OPTIONS_SHAPE = z.looseObject({ onClosing: Callback.optional() });

export function requireUploadOptions(options: UploadOptions, operation: string): void {
  requireShape(options, { operation, shape: OPTIONS_SHAPE, name: 'options' });
}

export type FormFields = Readonly<Record<string, string>>;

/** A `multipart/form-data` body (RFC 7578) of known length: the fields, then the file, then the closing boundary. */
export function multipart(
  source: UploadSource,
  { fields, filename, onClosing }: { fields: FormFields; filename: string } & UploadOptions,
): Upload {
  const boundary = `dragoman-${randomBytes(16).toString('hex')}`;
  const head = Buffer.from(
    [
      ...Object.entries(fields).map(([name, value]) => fieldPart(boundary, name, value)),
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(filename)}"\r\n`,
      'Content-Type: application/octet-stream\r\n\r\n',
    ].join(''),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  let completed = false;
  async function* body() {
    yield head;
    yield* source.chunks();
    await onClosing?.();
    completed = true;
    yield tail;
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.byteLength + source.size + tail.byteLength),
    },
    body: body(),
    completed: () => completed,
  };
}

/** The content itself as the body; its last chunk waits for `onClosing`. */
export function rawBody(source: UploadSource, { onClosing }: UploadOptions): Upload {
  let completed = false;
  async function* body() {
    let held: Uint8Array | undefined;
    for await (const chunk of source.chunks()) {
      if (held !== undefined) yield held;
      held = chunk;
    }
    await onClosing?.();
    completed = true;
    if (held !== undefined) yield held;
  }
  return {
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(source.size),
    },
    body: body(),
    completed: () => completed,
  };
}

function fieldPart(boundary: string, name: string, value: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

/** Quotes file names like browsers: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
function quoted(filename: string): string {
  return filename.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
