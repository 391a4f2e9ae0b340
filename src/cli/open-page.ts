/** Serves the page of a daemon at the address of its config. */
import type { Config } from '../config.ts';
import type { Daemon } from '../daemon.ts';
import type { Events } from '../event.ts';
import { type ListeningPage, listenForPage, type ServedPage } from '../page/serve.ts';
import { VERSION } from '../service/version.ts';
import { type CommandCall, CommandFailure } from './command.ts';

/**
 * Listens before the daemon is open.
 * @returns undefined with "page: false" @throws CommandFailure 78 when the server cannot listen at the address
 */
export async function openPage(
  { clock }: CommandCall,
  { page, base }: Pick<Config, 'page' | 'base'>,
  events: Events,
): Promise<ListeningPage | undefined> {
  if (page === false) return undefined;
  try {
    return await listenForPage({ page, events, clock, version: VERSION, base });
  } catch (error) {
    throw new CommandFailure(78, explain(page, error), { cause: error });
  }
}

/** Shows the daemon, and gives it the address. */
export function showPage(page: ListeningPage | undefined, daemon: Daemon): ServedPage | undefined {
  const served = page?.show(daemon);
  if (served !== undefined) daemon.condition.showPage(served);
  return served;
}

function explain({ host, port }: Exclude<Config['page'], false>, error: unknown): string {
  const { code = 'an unknown error' } = error as NodeJS.ErrnoException;
  return `the page cannot be served at ${host}:${port} (${code}); correct page.listen in dragoman.yaml, or switch the page off with "page: false"`;
}
