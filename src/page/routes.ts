/** The routes of the page: path, required rights, and answer. */

import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import type { Control } from '../control/control.ts';
import type { ReleaseReport } from '../control/report.ts';
import { CONTENT_TYPE } from '../observe/metrics/exposition.ts';
import type { AssetName } from './bundle.ts';
import type { HealthCheck } from './health.ts';
import type { Live } from './live.ts';
import { Refused, readBody, sendJson } from './reply.ts';
import {
  ChangeRequest,
  ConflictsRequest,
  Nothing,
  type PriceRequest,
  ReleaseRequest,
  ResolveRequest,
  ReviewListRequest,
  ReviewSaveRequest,
  ReviewUndoRequest,
  SessionRequest,
} from './requests.ts';
import { answerList, answerSave, answerUndo, type SaveLimit } from './review-routes.ts';
import type { Sessions, Visitor } from './sessions.ts';

export interface PageRouteContext {
  readonly control: Control;
  readonly sessions: Sessions;
  readonly health: AskedHealth;
  readonly live: Live;
  readonly saves: SaveLimit;
  readonly metrics: { render(): Promise<string> };
}

export interface PageRoute {
  readonly method: 'GET' | 'POST';
  /**
   * `nothing`: shows no secret and no text. `no link`: is for machines, and names projects, languages and costs. `owner`: needs a
   * session with the daemon's token. `review`: the link of a reviewer is enough, for its languages.
   */
  readonly needs: 'nothing' | 'no link' | 'owner' | 'review';
  answer(request: IncomingMessage, response: ServerResponse, who: Who): Promise<void> | void;
}

/**
 * The visitor at this moment, since a link may end while the body is read. Undefined only for routes that need nothing.
 * @throws Refused 401, 403 when the visitor has no right, or not any more
 */
export type Who = () => Visitor | undefined;

export function pageRoutes(context: PageRouteContext): ReadonlyMap<string, PageRoute> {
  return new Map([
    ...assetRoutes(),
    ...healthRoutes(context.health),
    metricsRoute(context),
    ...sessionRoutes(context),
  ]);
}

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.svg': 'image/svg+xml',
  }),
);

function assetRoutes(): [string, PageRoute][] {
  const files: Readonly<Record<string, AssetName>> = {
    '/': 'index.html',
    '/app.js': 'app.js',
    '/app.css': 'app.css',
    '/icon.svg': 'icon.svg',
  };
  return Object.entries(files).map(([path, name]) => [
    path,
    get('nothing', async (_request, response) => {
      const assets = await loadAssets();
      response.writeHead(200, { 'content-type': TYPES.get(extname(name)) });
      response.end(assets[name]);
    }),
  ]);
}

/** What `/healthz` and `/readyz` ask. */
export interface AskedHealth {
  live(): Readonly<Record<string, HealthCheck>>;
  ready(): Readonly<Record<string, HealthCheck>>;
}

export function healthRoutes(health: AskedHealth): [string, PageRoute][] {
  return [
    ['/healthz', get('nothing', (_request, response) => sendChecks(response, health.live()))],
    ['/readyz', get('nothing', (_request, response) => sendChecks(response, health.ready()))],
  ];
}

function metricsRoute({ metrics }: Pick<PageRouteContext, 'metrics'>): [string, PageRoute] {
  const route = get('no link', async (_request, response) => {
    const text = await metrics.render();
    response.writeHead(200, { 'content-type': CONTENT_TYPE });
    response.end(text);
  });
  return ['/metrics', route];
}

function sendChecks(response: ServerResponse, checks: Readonly<Record<string, HealthCheck>>): void {
  const ok = Object.values(checks).every((check) => check.ok);
  sendJson(response, ok ? 200 : 503, { ok, checks });
}

function sessionRoutes({
  control,
  sessions,
  live,
  saves,
}: PageRouteContext): [string, PageRoute][] {
  return [
    [
      '/api/session',
      {
        ...post(SessionRequest, async ({ token }, { request, response }) => {
          const cookie = sessions.open(token, request.headers.origin);
          if (cookie === undefined) throw new Refused(401, 'this token is wrong or has expired');
          response.setHeader('set-cookie', cookie);
          return {};
        }),
        needs: 'nothing',
      },
    ],
    [
      '/api/events',
      get('review', (_request, response, who) => {
        if (!live.add(response, who() ?? OWNER)) throw new Refused(503, 'too many pages are open');
      }),
    ],
    ...actRoutes({ control, live }),
    ...reviewRoutes({ control, saves }),
  ];
}

function actRoutes({
  control,
  live,
}: Pick<PageRouteContext, 'control' | 'live'>): [string, PageRoute][] {
  const act = async (done: Promise<object>): Promise<object> => {
    const report = await done;
    live.touch();
    return report;
  };
  return [
    ['/api/change', post(ChangeRequest, (request) => control.change(request))],
    [
      '/api/conflicts',
      post(ConflictsRequest, ({ project, language, file }) =>
        control.conflicts({ projects: [project], languages: [language], file }),
      ),
    ],
    [
      '/api/release',
      post(ReleaseRequest, async ({ verb, task, at_most }) => {
        const price = await control.release({ ...TASK, verb, task, act: 'price' });
        if (at_most === undefined) return price;
        if (isDearer(price, at_most)) {
          throw new Refused(409, 'the price has risen meanwhile: look at the price again');
        }
        return act(control.release({ ...TASK, verb, task, act: 'release' }));
      }),
    ],
    [
      '/api/resolve',
      post(ResolveRequest, ({ project, file, language, key, choice }) =>
        act(
          control.resolve({
            projects: [project],
            file,
            languages: [language],
            choice,
            ...(key === undefined ? {} : { key }),
          }),
        ),
      ),
    ],
    ['/api/pause', post(Nothing, () => act(control.pause().then(() => ({}))))],
    ['/api/resume', post(Nothing, () => act(control.resume().then(() => ({}))))],
  ];
}

function reviewRoutes({
  control,
  saves,
}: Pick<PageRouteContext, 'control' | 'saves'>): [string, PageRoute][] {
  return [
    [
      '/api/review/list',
      {
        ...post(ReviewListRequest, (query, { visitor }) => answerList(control, { query, visitor })),
        needs: 'review',
      },
    ],
    [
      '/api/review/save',
      {
        ...post(ReviewSaveRequest, (request, { visitor }) => {
          saves.take(visitor);
          return answerSave(control, { request, visitor });
        }),
        needs: 'review',
      },
    ],
    [
      '/api/review/undo',
      {
        ...post(ReviewUndoRequest, (request, { visitor }) => {
          saves.take(visitor);
          return answerUndo(control, { request, visitor });
        }),
        needs: 'review',
      },
    ],
  ];
}

/** The visitor of a route that needs nothing, where it is not used. */
const OWNER: Visitor = { kind: 'owner' };

/** The rest of a release request: the key of the task names its jobs. */
const TASK = { which: 'named', scope: { projects: [], languages: [], paths: [] } } as const;

function isDearer(now: ReleaseReport, shown: PriceRequest): boolean {
  return now.price_characters > shown.price_characters || now.price_seconds > shown.price_seconds;
}

function get(needs: PageRoute['needs'], answer: PageRoute['answer']): PageRoute {
  return { method: 'GET', needs, answer };
}

interface PageRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly visitor: Visitor;
}

function post<Schema extends Parameters<typeof readBody>[1]>(
  schema: Schema,
  act: (body: Awaited<ReturnType<typeof readBody<Schema>>>, asked: PageRequest) => Promise<object>,
): PageRoute {
  return {
    method: 'POST',
    needs: 'owner',
    async answer(request, response, who) {
      const body = await readBody(request, schema);
      const visitor = who() ?? OWNER;
      sendJson(response, 200, await act(body, { request, response, visitor }));
    },
  };
}

/** The files of the page: built in a published package, bundled at first use in a checkout. */
type Assets = Readonly<Record<AssetName, Uint8Array>>;

const BUILT = join(import.meta.dirname, '..', 'page', 'client');

let loading: Promise<Assets> | undefined;

function loadAssets(): Promise<Assets> {
  loading ??= extname(import.meta.filename) === '.ts' ? bundle() : readBuilt();
  return loading;
}

async function bundle(): Promise<Assets> {
  const { bundlePage } = await import('./bundle.ts');
  return await bundlePage();
}

async function readBuilt(): Promise<Assets> {
  const read = (name: AssetName) => readFile(join(BUILT, name));
  return {
    'index.html': await read('index.html'),
    'app.js': await read('app.js'),
    'app.css': await read('app.css'),
    'icon.svg': await read('icon.svg'),
  };
}
