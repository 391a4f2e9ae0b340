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
  return /html/i.test(answer.header('content-type') ?? '') || /^\s*<(?:!doctype|html)/i.test(text);
}
