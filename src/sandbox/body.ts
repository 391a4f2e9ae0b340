/** Reads request bodies: whole within a limit, as JSON, or as fields of JSON and forms. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Fields, isObject } from './fields.ts';
import { badParameter, Refusal } from './refusal.ts';
import type { Dialect } from './resource.ts';

const DEFAULT_LIMIT = 1024 * 1024;

interface Incoming {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** @param limit in bytes. @throws Refusal 413 above it. */
export async function readBodyBytes(call: Incoming, limit = DEFAULT_LIMIT): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // `exchange.ts` drains the rest of a body that is too large.
  for await (const chunk of call.body.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length;
    if (size > limit) throw new Refusal(413, `Request size exceeds the limit of ${limit} bytes.`);
    chunks.push(chunk as Buffer);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/** A JSON object as fields. @throws Refusal 415, 413 or 400. */
export async function readJson(call: Incoming, limit?: number): Promise<Fields> {
  requireType(call, ['application/json']);
  return new Fields(parseObject(await readBodyBytes(call, limit)), 'json');
}

/** A JSON object as it was sent. @throws Refusal 415, 413 or 400. */
export async function readObject(call: Incoming): Promise<Record<string, unknown>> {
  requireType(call, ['application/json']);
  return parseObject(await readBodyBytes(call));
}

/** JSON or form fields, for endpoints that accept both. @throws Refusal 415, 413 or 400. */
export async function readFields(call: Incoming, limit?: number): Promise<Fields> {
  const type = requireType(call, ['application/json', 'application/x-www-form-urlencoded']);
  const body = await readBodyBytes(call, limit);
  return type === 'application/json'
    ? new Fields(parseObject(body), 'json')
    : new Fields(parseForm(body), 'form');
}

/**
 * For bodies that are JSON, and may be forms on some deployments. Those are the bodies of glossaries, and of the status and result of
 * documents (docs/design/api.md, "Where deployments differ").
 * @throws Refusal 415, 413 or 400.
 */
export function readDialectFields(
  call: Incoming,
  { dialect }: { readonly dialect: Dialect },
  limit?: number,
): Promise<Fields> {
  return dialect === 'deployed' ? readFields(call, limit) : readJson(call, limit);
}

/** The fields of an optional body; none when there is no body. @throws Refusal 415, 413 or 400. */
export async function readOptionalJson(call: Incoming): Promise<Fields> {
  const body = await readBodyBytes(call);
  if (body.length === 0) return new Fields({});
  requireType(call, ['application/json']);
  return new Fields(parseObject(body));
}

function requireType(call: Incoming, allowed: readonly string[]): string {
  const type = (call.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!allowed.includes(type)) {
    throw new Refusal(415, `Unsupported content type '${type}': use ${allowed.join(' or ')}.`);
  }
  return type;
}

function parseObject(body: Buffer): Record<string, unknown> {
  const value = parseJson(decodeUtf8(body));
  if (isObject(value)) return value;
  const found = Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`;
  throw badParameter('body', `must be a JSON object, not ${found}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'Bad request. The body is not valid JSON.');
  }
}

const strict = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(body: Buffer): string {
  try {
    return strict.decode(body);
  } catch {
    throw new Refusal(400, 'Bad request. The body is not valid UTF-8.');
  }
}

/**
 * A field of an object in a list, as public clients write it in forms: `dictionaries[0].source_lang`. Some HTTP libraries write
 * `dictionaries[0][source_lang]`.
 */
const NESTED = /^(?<list>\w+)\[(?<index>\d{1,4})\](?:\.(?<dotted>\w+)|\[(?<bracketed>\w+)\])$/;

/** Each field of a form is a list of strings, since `text` may be repeated, or a list of objects with such fields. */
function parseForm(body: Buffer): Record<string, unknown> {
  const fields: Record<string, unknown> = formObject();
  const lists = new Map<string, FormObject[]>();
  const flat = formObject();
  for (const [name, value] of new URLSearchParams(decodeUtf8(body))) {
    const { list, index = '', dotted, bracketed } = NESTED.exec(name)?.groups ?? {};
    const field = dotted ?? bracketed;
    if (list === undefined || field === undefined) {
      add(flat, name, value);
      continue;
    }
    const objects = lists.get(list) ?? [];
    lists.set(list, objects);
    objects[Number(index)] ??= formObject();
    add(objects[Number(index)] ?? {}, field, value);
  }
  for (const [name, objects] of lists) fields[name] = objects.filter(Boolean);
  return Object.assign(fields, flat);
}

type FormObject = Record<string, string[]>;

function formObject(): FormObject {
  return Object.create(null);
}

function add(object: FormObject, name: string, value: string): void {
  const values = object[name] ?? [];
  object[name] = values;
  values.push(value);
}
