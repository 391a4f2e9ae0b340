/** The network between one daemon and the database: a proxy whose connections break, hang, lose answers or become slow. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * `refuses`: connections are reset, and no other one is accepted. `hangs`: they stay open, and nothing passes until the fault ends.
 * `loses-answers`: questions arrive, and their answers do not. `half-closes`: the database seems to have ended each connection, but can
 * still be asked. `slow`: each piece takes up to a second.
 */
export const NETWORK_FAULTS = ['refuses', 'hangs', 'loses-answers', 'half-closes', 'slow'] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

type Way = 'questions' | 'answers';

const SLOWEST_MS = 1000;

export class Network implements AsyncDisposable {
  readonly #server: Server;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #accepted = 0;
  #fault: NetworkFault | undefined;
  #healed = Promise.withResolvers<void>();

  /** @param port of the database on this machine */
  static async to(port: number): Promise<Network> {
    const network = new Network(port);
    network.#server.listen(0, '127.0.0.1');
    await once(network.#server, 'listening');
    return network;
  }

  private constructor(port: number) {
    this.#port = port;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  /** The address of the database through this network. */
  through(url: string): string {
    const address = new URL(url);
    address.port = String((this.#server.address() as AddressInfo).port);
    return address.href;
  }

  /** How many connections were ever accepted. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Whether a connection is open, to either side. */
  get isUsed(): boolean {
    return this.#sockets.size > 0;
  }

  /** One fault at a time. */
  disturb(fault: NetworkFault): void {
    this.heal();
    this.#fault = fault;
    this.#healed = Promise.withResolvers();
    if (fault === 'refuses') this.reset();
    if (fault === 'half-closes') for (const socket of this.#sockets) socket.end();
  }

  heal(): void {
    // A stream that lost a part of its answers cannot go on.
    if (this.#fault === 'loses-answers') this.reset();
    this.#fault = undefined;
    this.#healed.resolve();
  }

  /** Ends all connections at once. */
  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.heal();
    this.reset();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket): void {
    this.#accepted += 1;
    this.#own(client);
    if (this.#fault === 'refuses') {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ port: this.#port, host: '127.0.0.1', allowHalfOpen: true });
    this.#own(server);
    this.#forward('questions', client, server);
    this.#forward('answers', server, client);
  }

  #own(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #forward(way: Way, from: Socket, to: Socket): void {
    let passed = Promise.resolve();
    const inOrder = (act: () => void) => {
      passed = passed.then(() => this.#pass()).then(act);
    };
    from.on('data', (piece) => {
      inOrder(() => {
        const isLost = this.#fault === 'loses-answers' && way === 'answers';
        if (!isLost && to.writable) to.write(piece);
      });
    });
    from.on('end', () => inOrder(() => to.end()));
    from.once('close', () => void passed.then(() => to.destroySoon()));
  }

  async #pass(): Promise<void> {
    while (this.#fault === 'hangs') await this.#healed.promise;
    if (this.#fault === 'slow') await wait(Math.random() * SLOWEST_MS);
  }
}

/** The system gives the ports from 32768 on to connections. */
const PORTS = { first: 20_000, count: 12_000 };

/** A port that stays free until a server of the test takes it, and while that server is down. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}
