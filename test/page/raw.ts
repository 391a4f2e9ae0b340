/** HTTP by hand over a raw socket: a client library would correct what these tests get wrong on purpose. */
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

export interface RawRequest {
  readonly port: number;
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'OPTIONS';
  /** `Host` is sent only when it is here. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export async function raw({ port, path, method = 'GET', ...rest }: RawRequest): Promise<RawAnswer> {
  const { headers = {}, body = '' } = rest;
  const all = {
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(port, '127.0.0.1');
  // Not ended: a server takes a half-closed connection for a caller who left.
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const end = text.indexOf('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]),
    headers: text.slice(0, end).toLowerCase(),
    body: text.slice(end + 4),
  };
}
