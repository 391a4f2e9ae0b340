/** Addresses: path templates filled in, queries written out, asset addresses checked. */
import { JobFailure } from '../failure.ts';
import type { Call } from './call.ts';

/**
 * The address of a call: under the base address, or the asset host's own.
 * @throws JobFailure `invalid-request` for an id that would change the path, `bad-answer` for an asset address
 * that is none or would send a signature in clear text where the API itself is encrypted
 */
export function addressOf(call: Call<unknown>, base: string): URL {
  const { auth, operation, params = {}, query = {} } = call;
  if (auth?.kind === 'signature' || auth?.kind === 'signed-url') {
    return assetAddress(auth.url, { operation, base });
  }
  const template = operation.slice(operation.indexOf(' ') + 1);
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = params[name];
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw invalidId(operation, name);
    return encodeURIComponent(value);
  });
  const url = new URL(base + path);
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat())
      if (one !== undefined) url.searchParams.append(name, `${one}`);
  }
  return url;
}

function assetAddress(
  address: string,
  { operation, base }: { operation: string; base: string },
): URL {
  const url = URL.parse(address);
  const schemes = base.startsWith('https:') ? ['https:'] : ['https:', 'http:'];
  if (url !== null && schemes.includes(url.protocol)) return url;
  throw new JobFailure({
    kind: 'bad-answer',
    operation,
    message: `the asset address is not an ${schemes.join(' or ')} address`,
  });
}

function invalidId(operation: string, parameter: string): JobFailure {
  return new JobFailure({
    kind: 'invalid-request',
    operation,
    parameter,
    rule: 'must be an id that the service gave out',
  });
}
