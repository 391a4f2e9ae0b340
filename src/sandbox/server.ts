/** Starts the sandbox: the whole API on a local address, with a second data center beside it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../clock.ts';
import { acceleratedClock } from './accelerated-clock.ts';
import { Control } from './control.ts';
import { Counters, type CountersView, type LogEntry } from './counters.ts';
import type { Engine } from './engine.ts';
import { openEngine } from './engines/open.ts';
import { type Door, Exchange } from './exchange.ts';
import { type Fault, Faults } from './faults.ts';
import type { Glossary } from './glossary-store.ts';
import { Keyring } from './keyring.ts';
import { type Limits, withLimits } from './limits.ts';
import { Owned } from './owned.ts';
import type { DataCenter, Dialect, Schemes, World } from './resource.ts';
import { resources } from './resources.ts';
import { Router } from './router.ts';
import { Spool } from './spool.ts';
import type { StyleList } from './style-store.ts';

export interface SandboxOptions {
  /** 0 (default) takes a free one; the second data center always takes a free one. */
  readonly port?: number;
  /** The paid account's key, `sandbox` unless given; keyring.ts lists the others. */
  readonly key?: string;
  /** `<key>-admin` unless given. */
  readonly adminKey?: string;
  /** An engine, or a name that engines/open.ts knows: `pseudo` unless given. */
  readonly engine?: Engine | string;
  readonly dialect?: Dialect;
  /** How many times as fast as the machine's the service's time runs: windows, states, estimates. */
  readonly timeScale?: number;
  readonly limits?: Partial<Limits>;
  readonly faults?: readonly Fault[];
  readonly schemes?: Partial<Schemes>;
  /** Returns documents that cannot be translated unchanged instead of an error. */
  readonly passthrough?: boolean;
  readonly clock?: Clock;
}

export interface Sandbox extends AsyncDisposable {
  /** Base address, without a trailing slash. */
  readonly url: string;
  /** Base address of the second data center, which shares keys and usage but neither glossaries nor styles. */
  readonly secondUrl: string;
  readonly key: string;
  readonly adminKey: string;
  counters(): CountersView;
  /** The last 10,000 requests, oldest first. */
  log(): readonly LogEntry[];
  /** The faults that still wait; add more, or clear them. */
  readonly faults: Faults;
  /** Changes the limits and the usage of accounts; forgets counters, or everything. */
  readonly control: Control;
}

/** @throws Error when the port is taken or the engine cannot be opened. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  await using stack = new AsyncDisposableStack();
  const key = options.key ?? 'sandbox';
  const adminKey = options.adminKey ?? `${key}-admin`;
  const wall = options.clock ?? systemClock;
  const clock = acceleratedClock(wall, options.timeScale ?? 1);
  const engine =
    typeof options.engine === 'object'
      ? options.engine
      : stack.use(owned(await openEngine(options.engine ?? 'pseudo')));
  const spool = stack.use(new Spool());
  const limits = withLimits(options.limits);
  const faults = new Faults();
  faults.add(options.faults ?? []);
  const addresses: Record<DataCenter, string> = { main: '', second: '' };
  const counters = new Counters();
  const fresh = (): World => ({
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
  });
  const control = new Control(fresh, (world) => new Router(resources.flatMap((r) => r(world))));
  const open = async (dataCenter: DataCenter, port: number) => {
    const server = stack.adopt(serve({ control, wall, dataCenter }), close);
    addresses[dataCenter] = await listen(server, port);
  };
  await open('main', options.port ?? 0);
  await open('second', 0);
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

interface Entrance {
  readonly control: Control;
  readonly wall: Clock;
  readonly dataCenter: DataCenter;
}

function serve({ control, wall, dataCenter }: Entrance): Server {
  // Uploads of a gigabyte take longer than Node's default of five minutes.
  return createServer({ requestTimeout: 0, keepAliveTimeout: 30_000 }, (request, response) => {
    if (request.url?.startsWith('/sandbox/')) return void control.serve(request, response);
    const { world, router } = control;
    const door: Door = { world, router, wall, dataCenter };
    void new Exchange(door, request, response).run();
  });
}

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

/** An engine may have nothing to close. */
function owned(engine: Engine): Engine & AsyncDisposable {
  return { [Symbol.asyncDispose]: async () => {}, ...engine };
}
