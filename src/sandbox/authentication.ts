/** Authentication: the key in the Authorization header, its rights, and the data center that answers. */
import type { IncomingHttpHeaders } from 'node:http';
import type { DataCenter } from './data-center.ts';
import type { ApiKey } from './keyring.ts';
import { Refusal } from './refusal.ts';
import type { KeyRoute, ResourceRoute, SandboxWorld } from './resource.ts';

/** @throws Refusal 401 (403 when deployed) for a missing or invalid key, 403 for missing rights. */
export function authenticate(
  world: SandboxWorld,
  headers: IncomingHttpHeaders,
  route: KeyRoute,
): ApiKey {
  const secret = credential(headers, world.schemes.key);
  const key = secret === undefined ? undefined : world.keyring.find(secret);
  if (key === undefined) {
    throw new Refusal(
      world.dialect === 'deployed' ? 403 : 401,
      'Authorization failed. Please supply a valid key in the Authorization header.',
    );
  }
  const role = route.access === 'admin' ? 'admin' : 'developer';
  if (key.role !== role) throw new Refusal(403, `Access denied: this needs a key of kind ${role}.`);
  if (route.feature !== undefined && key.account.lacks.includes(route.feature)) {
    throw new Refusal(403, `Access denied: this account may not use ${route.feature}.`);
  }
  return key;
}

/** The credential after the scheme token, which is compared in any casing (RFC 9110, section 11.1). */
export function credential(headers: IncomingHttpHeaders, scheme: string): string | undefined {
  const header = headers.authorization ?? '';
  const blank = header.indexOf(' ');
  if (blank < 0 || header.slice(0, blank).toLowerCase() !== scheme.toLowerCase()) return undefined;
  return header.slice(blank + 1).trim();
}

/** Administration exists only on the main address (docs/design/api.md, "Usage and administration"). */
export function refuseElsewhere(route: KeyRoute, dataCenter: DataCenter): void {
  if (route.access === 'admin' && dataCenter !== 'main') throw new Refusal(404, 'Not found.');
}

export function needsKey(route: ResourceRoute): route is KeyRoute {
  return route.access !== 'signature' && route.access !== 'open';
}
