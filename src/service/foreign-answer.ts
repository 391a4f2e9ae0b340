/** Answers that the service did not give: a proxy, a login page or another host did. They say nothing about the request. */
import type { Failure } from '../failure.ts';
import type { HttpAnswer } from './http.ts';

/** Whether only something in front of the service answers with it: redirects, and networks that want a login. It bills nothing. */
export function isForeignStatus(status: number): boolean {
  return (status >= 300 && status < 400) || status === 407 || status === 511;
}

/** @param location the address that a redirect names; its query may hold secrets, and is left out */
export function leadsElsewhere(
  { operation, origin, status }: Pick<HttpAnswer, 'operation' | 'origin' | 'status'>,
  location = '',
): Failure {
  const target = location === '' ? null : URL.parse(location, origin);
  const place = target === null ? '' : `, which points to ${target.origin}${target.pathname}`;
  const message = `${origin} answered ${status}${place}`;
  return { kind: 'unreachable', operation, message, isElsewhere: true };
}

/** @param text the body, which is not JSON */
export function isWebPage(answer: Pick<HttpAnswer, 'header'>, text: string): boolean {
  return /html/i.test(answer.header('content-type') ?? '') || isPage(text);
}

/** Bytes of a result that show whether it is a page or JSON: both are shorter where they stand for a result. */
export const FOREIGN_BYTES = 65_536;

/**
 * Whether a web page or JSON came in place of a file that is neither.
 * @param type the Content-Type; undefined when it is not known any more
 * @param head the first `FOREIGN_BYTES`
 */
export function isForeignFile(type: string | undefined, head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  return /html|json/i.test(type ?? '') || isPage(text) || isJson(text);
}

function isPage(text: string): boolean {
  return /^\s*<(?:!doctype|html)/i.test(text);
}

/** A transcript may begin with a note in brackets, which is no JSON. */
function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
