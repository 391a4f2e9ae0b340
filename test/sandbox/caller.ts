/** Calls a sandbox over real HTTP, as any client would. */
import type { Sandbox } from '../../src/sandbox/server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown;
  /** A text field of the body; fails when there is none. */
  field(name: string): string;
}

export interface CallOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Base address; the main data center unless given. */
  readonly base?: string;
}

export type Caller = (request: string, body?: unknown, options?: CallOptions) => Promise<Answer>;

/** @returns a function that takes `METHOD /path` and a body, sent as JSON unless it is text, bytes or a form. */
export function callerOf(sandbox: Sandbox): Caller {
  return async (request, body, options = {}) => {
    const [method = 'GET', path = '/'] = request.split(' ', 2);
    const response = await fetch(`${options.base ?? sandbox.url}${path}`, {
      method,
      headers: {
        authorization: `Service-Auth-Key ${options.key ?? sandbox.key}`,
        ...(isPlain(body) && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { body: isPlain(body) ? JSON.stringify(body) : (body as string) }),
    });
    const text = await response.text();
    const parsed = parse(text);
    const field = (name: string) => readField(parsed, name);
    return { status: response.status, headers: response.headers, text, body: parsed, field };
  };
}

function isPlain(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return !(
    body instanceof URLSearchParams ||
    body instanceof FormData ||
    body instanceof Uint8Array
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readField(body: unknown, name: string): string {
  const value = (body as Record<string, unknown> | undefined)?.[name];
  if (typeof value !== 'string') throw new Error(`no ${name} in ${JSON.stringify(body)}`);
  return value;
}
