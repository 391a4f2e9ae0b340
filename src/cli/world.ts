/** The world of a call: clock, random numbers, secrets and proxies, from its environment. */
import { Events } from '../event.ts';
import type { World } from '../jobs/workspace.ts';
import type { ProxySettings } from '../service/transport-options.ts';
import type { CommandCall } from './command.ts';

export function worldOf(call: CommandCall, events = new Events()): World {
  const { env, clock } = call;
  const proxy = proxyOf(env);
  return {
    clock,
    events,
    random: Math.random,
    secrets: { env, credentialsDirectory: env['CREDENTIALS_DIRECTORY'] },
    ...(proxy === undefined ? {} : { proxy }),
    ...(isRunner(env) ? { isRunner: true } : {}),
  };
}

/** Whether this runs in CI: every CI system sets `CI`. */
function isRunner({ CI = '' }: CommandCall['env']): boolean {
  return !['', '0', 'false'].includes(CI);
}

function proxyOf(env: CommandCall['env']): ProxySettings | undefined {
  const named = {
    httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'],
    httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'],
    noProxy: env['no_proxy'] ?? env['NO_PROXY'],
  };
  if (named.httpProxy === undefined && named.httpsProxy === undefined) return undefined;
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}
