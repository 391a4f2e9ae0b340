/**
 * Serves the page of a daemon until it is disposed: HTTP on loopback, live snapshots, metrics and health. The server listens before
 * the state of the daemon is open, because that may wait for a database.
 */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { type Clock, OnwardTime } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Control, Entrance } from '../control/control.ts';
import type { Events } from '../event.ts';
import type { LedgerView } from '../ledger.ts';
import { type MeasuredDaemon, Metrics } from '../observe/metrics.ts';
import { sentencesFrom, shownFrom } from '../routes/shown-paths.ts';
import type { Books } from '../state/books.ts';
import type { Team } from '../state/team.ts';
import type { Tree } from '../state/tree.ts';
import { AccountFigures } from './account.ts';
import { type ExaminedCondition, Health, NOT_OPEN, UNOPENED } from './health.ts';
import { type PageHosts, pageHosts } from './hosts.ts';
import { Live } from './live.ts';
import { LanePace } from './pace.ts';
import { Refused } from './reply.ts';
import { ReviewFigures } from './review-figures.ts';
import { SaveLimit } from './review-routes.ts';
import type { Reviewers } from './reviewers.ts';
import { healthRoutes, pageRoutes } from './routes.ts';
import { type OpenedPage, pageServer } from './server.ts';
import { Sessions } from './sessions.ts';
import { makeSnapshot, type ShownTerminology } from './snapshot.ts';

/** The daemon, as its page shows it. */
export interface ServedDaemon {
  readonly condition: ExaminedCondition;
  readonly answers: { readonly control: Control } & MeasuredDaemon['answers'];
  readonly reviewers: Reviewers;
  readonly terminology: ShownTerminology & MeasuredDaemon['terminology'];
  readonly ledger: LedgerView;
  readonly books: Books;
  readonly team?: Team | undefined;
  readonly tree?: Pick<Tree, 'name' | 'task' | 'waits' | 'daemons' | 'troubles'> | undefined;
}

export interface PageOptions {
  readonly page: Exclude<Config['page'], false>;
  readonly events: Events;
  readonly clock: Clock;
  readonly version: string;
  /** The folder of the config, absolute. The page shows paths relative to it. */
  readonly base: string;
}

/** Disposing it ends the server. */
export type ServedPage = Entrance & AsyncDisposable;

/** The server of a page. Without a daemon it answers only `/healthz` and `/readyz`. Disposing it ends the server. */
export interface ListeningPage extends AsyncDisposable {
  /** Serves the page of the daemon. Dispose the result before the daemon. */
  show(daemon: ServedDaemon): ServedPage;
}

/** Listens at the configured address. @throws Error with `code` when the host is not one of this machine */
export async function listenForPage(options: PageOptions): Promise<ListeningPage> {
  const { page, events } = options;
  await using opening = new AsyncDisposableStack();
  let opened: OpenedPage | undefined;
  const server = pageServer({
    opened: () => opened,
    onBroken: (path, error) => {
      const message = error instanceof Error ? error.message : String(error);
      events.emit({ kind: 'page-broken', path, message });
    },
    shown: (sentence) => shownFrom({ cwd: options.base }, sentence),
  });
  const { port, wanted } = await listen(server, page.host, page.port);
  opening.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const hosts = pageHosts(port, page.allowedHosts);
  opened = unopened(hosts);
  const stack = opening.move();
  const end = () => stack.disposeAsync();
  return {
    show(daemon) {
      const sessions = new Sessions({ port, clock: options.clock, reviewers: daemon.reviewers });
      opened = openedPage({ ...options, daemon, sessions, hosts }, stack);
      const address = `http://${hostToOpen(page.host)}:${port}/`;
      events.emit({ kind: 'page-served', address, ...(wanted === undefined ? {} : { wanted }) });
      return {
        address: `${address}#token=${sessions.token}`,
        visit: () => `${address}#token=${sessions.ticket()}`,
        [Symbol.asyncDispose]: end,
      };
    },
    [Symbol.asyncDispose]: end,
  };
}

function unopened(hosts: PageHosts): OpenedPage {
  return {
    hosts,
    visitor: () => undefined,
    routes: new Map(healthRoutes(UNOPENED)),
    elsewhere: () => new Refused(503, `${NOT_OPEN}; its page is served after that`),
  };
}

interface DaemonPage extends PageOptions {
  readonly daemon: ServedDaemon;
  readonly sessions: Sessions;
  readonly hosts: PageHosts;
}

function openedPage(shown: DaemonPage, stack: AsyncDisposableStack): OpenedPage {
  const { daemon, sessions, hosts, clock } = shown;
  const { control } = daemon.answers;
  const time = new OnwardTime(clock);
  const saves = new SaveLimit(() => time.now());
  return {
    hosts,
    visitor: (headers) => sessions.visitor(headers),
    routes: pageRoutes({ ...wire(shown, stack), control, sessions, saves }),
    elsewhere: () => new Refused(404, 'there is nothing at this address'),
  };
}

/** Milliseconds for which the page shows a number of texts to review before they are counted again. */
const REVIEWS_HOLD_MS = 10_000;

/** Makes the parts that listen to events; disposing the stack unsubscribes them. */
function wire(options: DaemonPage, stack: AsyncDisposableStack) {
  const { daemon, clock, events, version } = options;
  const { control } = daemon.answers;
  const health = stack.use(new Health({ condition: daemon.condition, clock }));
  const pace = new LanePace(clock);
  const account = new AccountFigures({
    control,
    clock,
    onChange: () => live.touch(),
  });
  const reviews = new ReviewFigures({ control, clock, onChange: () => live.touch() });
  const live: Live = stack.use(
    new Live({
      clock,
      isUnchanged: (reviewer) => isDeepStrictEqual(daemon.reviewers.of(reviewer.link), reviewer),
      snapshot: async () => {
        const snapshot = makeSnapshot({
          overview: await control.overview(),
          account: account.look(),
          reviews: reviews.look(REVIEWS_HOLD_MS),
          configFaults: daemon.condition.configFaults,
          terminology: daemon.terminology,
          pace,
          sums: await daemon.books.sums(),
          now: clock.now(),
        });
        return sentencesFrom({ cwd: options.base }, snapshot);
      },
    }),
  );
  const shown = { look: () => reviews.look() ?? [] };
  const metrics = stack.use(new Metrics({ daemon, clock, version, account, reviews: shown }));
  for (const { listener } of [account, metrics, pace]) {
    stack.defer(events.subscribe(listener));
  }
  stack.defer(events.subscribe(() => live.touch()));
  stack.defer(daemon.reviewers.subscribe(() => live.dropChangedLinks()));
  stack.defer(
    events.subscribe(({ kind }) => {
      if (kind === 'config-reloaded') live.dropChangedLinks();
    }),
  );
  return { health, live, metrics };
}

/** The host for a browser on this machine, also when the server listens on all addresses. */
function hostToOpen(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

interface Listening {
  readonly port: number;
  /** The configured port, when it was taken. */
  readonly wanted?: number;
}

/** Listens on the configured port, or on a free one when it is taken, since the page must not stop the daemon. @throws Error with `code` when the host is not one of this machine */
async function listen(server: Server, host: string, port: number): Promise<Listening> {
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
