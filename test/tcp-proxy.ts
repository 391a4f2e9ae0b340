/** A way to a server on this machine that breaks when it is told to: between what was asked and its answer. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export class TcpProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cuts = 0;
  #mostBytes = Number.POSITIVE_INFINITY;

  static async open(port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(port);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  private constructor(port: number) {
    this.#server = createServer((client) => this.#join(client, connect(port, '127.0.0.1')));
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  /** The server does what it is asked, and the next answers get lost with their connections. */
  cutAnswers(count: number): void {
    this.#cuts = count;
  }

  /** A connection ends when it has brought so many bytes of answers. */
  endAfter(bytes: number): void {
    this.#mostBytes = bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket, server: Socket): void {
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', end);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    client.on('data', (bytes) => server.write(bytes));
    let brought = 0;
    server.on('data', (bytes) => {
      brought += bytes.length;
      if (brought > this.#mostBytes) {
        end();
        return;
      }
      if (this.#cuts === 0) {
        client.write(bytes);
        return;
      }
      this.#cuts -= 1;
      end();
    });
  }
}
