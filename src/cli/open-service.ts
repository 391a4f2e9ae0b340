/** Connects to the service of the config, for commands that send one request. */
import type { Config } from '../config.ts';
import { Events } from '../event.ts';
import { adviceFor, describeFailure, type Failure, isFreeSilence, JobFailure } from '../failure.ts';
import { connectService } from '../jobs/connect-service.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import { type CommandCall, CommandFailure } from './command.ts';
import { exitCodeFor } from './exit-code.ts';
import { openServiceConfig } from './open-config.ts';
import { worldOf } from './world.ts';

/** Milliseconds that a command waits for a service that cannot be reached. */
const SERVICE_PATIENCE_MS = 10_000;

/** For the help of commands whose single requests are billed. */
export const BILLED_APART =
  'This command belongs to no project. No ledger and no database of a team records what it bills, and no budget and no "service.rate" counts it.';

type Use<T> = (service: Service, options: CallOptions) => Promise<T>;

/** Calls `use` with the service. @param use gets call options, whose signal is the first Ctrl-C @throws CommandFailure with advice */
export function withService<T>(call: CommandCall, use: Use<T>): Promise<T> {
  return openFor(call, { setting: 'service.key', use });
}

/** Like `withService`, with a config that is already read. */
export function withServiceOf<T>(call: CommandCall, config: Config, use: Use<T>): Promise<T> {
  return openFor(call, { setting: 'service.key', config, use });
}

/** Like `withService`, for requests with the admin key. */
export function withAdministration<T>(call: CommandCall, use: Use<T>): Promise<T> {
  return openFor(call, { setting: 'service.admin_key', use });
}

async function openFor<T>(
  call: CommandCall,
  { setting, use, ...given }: { setting: string; config?: Config; use: Use<T> },
): Promise<T> {
  const config = given.config ?? (await openServiceConfig(call)).config;
  const events = new Events();
  events.subscribe((event) => {
    if (event.kind !== 'request-repeated') return;
    const seconds = Math.ceil(event.inMs / 1000);
    call.terminal.note(`${describeFailure(event.failure)}; again in ${seconds} s, Ctrl-C ends it`);
  });
  await using service = await connectService({
    config,
    world: worldOf(call, events),
    patienceMs: SERVICE_PATIENCE_MS,
  });
  try {
    return await use(service, { signal: call.signals.drain });
  } catch (error) {
    throw explained(error, { setting, url: config.service.url });
  }
}

interface ConfiguredKey {
  /** The setting that names the key. */
  readonly setting: string;
  readonly url: string;
}

/** The failure with advice for a person who waits for one answer. The general advice is for jobs of a daemon, which are tried again. */
function explained(error: unknown, asked: ConfiguredKey): unknown {
  if (!(error instanceof JobFailure)) return error;
  const lines = [error.message, adviceOn(error.failure, asked)].filter((line) => line !== '');
  return new CommandFailure(exitCodeFor(error), lines.join('\n'), { cause: error });
}

function adviceOn(failure: Failure, { setting, url }: ConfiguredKey): string {
  switch (failure.kind) {
    case 'unreachable':
      return `Check service.url in dragoman.yaml (${url}) and the network.`;
    case 'key-missing':
    case 'key-refused':
      return `Check ${setting} in dragoman.yaml.`;
    case 'forbidden':
      return 'Ask for access to this feature for the account.';
    case 'quota-exceeded':
      return 'Wait for the next billing period, or raise the limit.';
    case 'unanswered':
      return isFreeSilence(failure)
        ? 'Try again later.'
        : 'It may have been billed; running the command again may bill it again.';
    case 'throttled':
    case 'server-error':
      return 'Try again later.';
    case 'invalid-request':
    case 'rejected':
    case 'not-found':
    case 'bad-answer':
    case 'too-large':
    case 'changed-meanwhile':
    case 'unreadable':
    case 'unwritable':
    case 'stopped':
      return '';
    case 'unsupported':
    case 'malformed':
    case 'disk-full':
    case 'damaged-state':
    case 'state-unwritable':
    case 'team-state':
    case 'program-silent':
    case 'internal':
      return adviceFor(failure);
  }
}
