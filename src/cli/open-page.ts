/** Serves the page of a daemon at the address of its config, and gives the daemon the address. */
import type { Config } from '../config.ts';
import type { Daemon } from '../daemon.ts';
import type { Events } from '../event.ts';
import { type ServedPage, servePage } from '../page/serve.ts';
import { VERSION } from '../service/version.ts';
import { type CommandCall, CommandFailure } from './command.ts';

export interface PageTask {
  readonly daemon: Daemon;
  readonly events: Events;
}

/** @returns undefined with "page: false" @throws CommandFailure 78 when the server cannot listen at the address */
export async function openPage(
  { clock }: CommandCall,
  { daemon, events }: PageTask,
): Promise<ServedPage | undefined> {
  const { page, base } = daemon.setup.config;
  if (page === false) return undefined;
  try {
    const served = await servePage({ page, daemon, events, clock, version: VERSION, base });
    daemon.condition.showPage(served);
    return served;
  } catch (error) {
    throw new CommandFailure(78, explain(page, error), { cause: error });
  }
}

function explain({ host, port }: Exclude<Config['page'], false>, error: unknown): string {
  const { code = 'an unknown error' } = error as NodeJS.ErrnoException;
  return `the page cannot be served at ${host}:${port} (${code}); correct page.listen in dragoman.yaml, or switch the page off with "page: false"`;
}
