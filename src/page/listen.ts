/** Takes the configured port, or a free one when somebody else has it: the page must not keep the daemon from working. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  readonly port: number;
  /** The configured port, when it was taken. */
  readonly wanted?: number;
}

/** @throws Error with `code` when the host is none of this machine */
export async function listen(server: Server, host: string, port: number): Promise<Listening> {
  try {
    return { port: await bind(server, host, port) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return { port: await bind(server, host, 0), wanted: port };
  }
}

async function bind(server: Server, host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  server.off('error', reject);
  return (server.address() as AddressInfo).port;
}
