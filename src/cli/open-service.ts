/** The service of a call's config, for commands that are one request of the API. */
import { JobFailure } from '../failure.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import { connectService } from '../workspace.ts';
import { type Call, CommandFailure } from './command.ts';
import { openConfig } from './open-config.ts';
import { worldOf } from './world.ts';

/** Milliseconds that such a command waits for a service that cannot be reached. */
const PATIENCE_MS = 10_000;

/** @param use gets call options whose signal is the first Ctrl-C */
export async function withService<T>(
  call: Call,
  use: (service: Service, options: CallOptions) => Promise<T>,
): Promise<T> {
  const { config } = await openConfig(call);
  await using service = await connectService({
    config,
    world: worldOf(call),
    patienceMs: PATIENCE_MS,
  });
  try {
    return await use(service, { signal: call.signals.drain });
  } catch (error) {
    throw explainSilence(error, config.service.url);
  }
}

/** A daemon goes on trying; a command that has waited long enough says where it looked. */
function explainSilence(error: unknown, url: string): unknown {
  if (!(error instanceof JobFailure) || error.failure.kind !== 'unreachable') return error;
  const message = `${error.message}\nCheck service.url in dragoman.yaml (${url}) and the network.`;
  return new CommandFailure(69, message, { cause: error });
}
