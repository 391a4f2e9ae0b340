/** Starts the sandbox: the whole API on a local address, with a second data center beside it. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../clock.ts';
import { refuseBroken } from './broken-http.ts';
import { SandboxControl } from './control.ts';
import { Counters, type CountersView, type LogEntry } from './counters.ts';
import type { DataCenter } from './data-center.ts';
import type { Engine } from './engine.ts';
import { openEngine } from './engines/open.ts';
import { type Door, Exchange } from './exchange.ts';
import { Faults } from './faults.ts';
import type { Glossary } from './glossary-store.ts';
import { Keyring } from './keyring.ts';
import { withLimits } from './limits.ts';
import type { SandboxOptions } from './options.ts';
import { Owned } from './owned.ts';
import type { SandboxWorld } from './resource.ts';
import { resources } from './resources.ts';
import { ResourceRouter } from './router.ts';
import { LargeFiles } from './spool.ts';
import type { StyleList } from './style-store.ts';

export type { SandboxOptions } from './options.ts';

export interface Sandbox extends AsyncDisposable {
  /** Base address, without a trailing slash. */
  readonly url: string;
  /** Base address of the second data center. It shares keys and usage, but neither glossaries nor styles. */
  readonly secondUrl: string;
  readonly key: string;
  readonly adminKey: string;
  counters(): CountersView;
  /** The last 10,000 requests, oldest first. */
  log(): readonly LogEntry[];
  /** The waiting faults; more can be added, or all cleared. */
  readonly faults: Faults;
  /** Changes limits and usage of accounts; resets counters, or everything. */
  readonly control: SandboxControl;
}

/** @throws Error when the port is taken or the engine cannot be opened. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  await using stack = new AsyncDisposableStack();
  const wall = options.clock ?? systemClock;
  const key = options.key ?? 'sandbox';
  const adminKey = options.adminKey ?? `${key}-admin`;
  const faults = new Faults();
  const counters = new Counters();
  const addresses: Record<DataCenter, string> = { main: '', second: '' };
  const lasting: Lasting = {
    key,
    adminKey,
    clock: acceleratedClock(wall, options.timeScale ?? 1),
    engine: await engineFor(options, stack),
    spool: stack.use(new LargeFiles()),
    faults,
    counters,
    addresses,
  };
  const control = new SandboxControl(
    () => makeWorld(options, lasting),
    (world) => new ResourceRouter(resources.flatMap((resource) => resource(world))),
  );
  control.addFaults(options.faults ?? []);
  for (const dataCenter of ['main', 'second'] as const) {
    const server = stack.adopt(serve({ control, wall, dataCenter }), close);
    addresses[dataCenter] = await listen(server, dataCenter === 'main' ? (options.port ?? 0) : 0);
  }
  const running = stack.move();
  return {
    url: addresses.main,
    secondUrl: addresses.second,
    key,
    adminKey,
    counters: () => counters.view(),
    log: () => counters.log(),
    faults,
    control,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The caller must close an engine that it opened. */
async function engineFor(
  { engine = 'pseudo' }: SandboxOptions,
  stack: AsyncDisposableStack,
): Promise<Engine> {
  return typeof engine === 'object' ? engine : stack.use(closable(await openEngine(engine)));
}

interface ServedDataCenter {
  readonly control: SandboxControl;
  readonly wall: Clock;
  readonly dataCenter: DataCenter;
}

function serve({ control, wall, dataCenter }: ServedDataCenter): Server {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/sandbox/')) return void control.serve(request, response);
    const { world, router } = control;
    const door: Door = { world, router, wall, dataCenter };
    void new Exchange(door, request, response).run();
  };
  return (
    createServer(SETTINGS, answer)
      // By default, Node answers these with an empty body.
      .on('checkExpectation', answer)
      .on('clientError', (error, socket) => refuseBroken(control.world, error, socket))
  );
}

const SETTINGS: ServerOptions = {
  // Uploads of a gigabyte take longer than Node's default of five minutes.
  requestTimeout: 0,
  keepAliveTimeout: 30_000,
  // Bytes of all headers together.
  maxHeaderSize: 16 * 1024,
  // The exchange refuses a missing Host with an error body.
  requireHostHeader: false,
};

function listen(server: Server, port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', () => {
    server.off('error', reject);
    resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  return promise;
}

function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  return promise;
}

/** An engine without resources has nothing to close. */
function closable(engine: Engine): Engine & AsyncDisposable {
  return { [Symbol.asyncDispose]: async () => {}, ...engine };
}

/** The parts that survive a full reset, which makes the shared world of all resources again. */
interface Lasting {
  readonly key: string;
  readonly adminKey: string;
  /** The service's clock. */
  readonly clock: Clock;
  readonly engine: Engine;
  readonly spool: LargeFiles;
  readonly faults: Faults;
  readonly counters: Counters;
  /** Filled in when the servers listen. */
  readonly addresses: Readonly<Record<DataCenter, string>>;
}

function makeWorld(options: SandboxOptions, lasting: Lasting): SandboxWorld {
  const { key, adminKey, clock, engine, spool, faults, counters, addresses } = lasting;
  const limits = withLimits(options.limits);
  return {
    clock,
    engine,
    dialect: options.dialect ?? 'document',
    limits,
    keyring: new Keyring({ clock, key, adminKey, limits }),
    faults,
    counters,
    glossaries: new Owned<Glossary>('Glossary'),
    styles: new Owned<StyleList>('Style rule list'),
    spool,
    schemes: { key: 'Service-Auth-Key', signature: 'Service-Signature', ...options.schemes },
    passthrough: options.passthrough ?? false,
    address: (dataCenter) => addresses[dataCenter],
  };
}

/** The service's own clock: starts at the machine's time and runs `scale` times as fast. */
export function acceleratedClock(wall: Clock, scale: number): Clock {
  if (scale === 1) return wall;
  const start = wall.now();
  return {
    now: () => Math.round(start + (wall.now() - start) * scale),
    sleep: (ms, signal) => wall.sleep(ms / scale, signal),
  };
}
