/** The servers under mutated requests: the sandbox, the page of a daemon, and its control socket. Each request is answered or refused, and the server answers the next one. */
import { connect, type NetConnectOpts } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../src/clock.ts';
import { controlSocketPath, serveControl } from '../../src/page/control-socket.ts';
import { listenForPage } from '../../src/page/serve.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { type DaemonHere, daemonHere } from '../daemon-here.ts';
import { Rig } from '../rig.ts';
import { HEAD_END } from './requests.ts';

/** Milliseconds that a whole request may take on a machine that does other things too. */
const ANSWER_MS = 20_000;
/** A request that is not whole is waited for by every server: how long we look whether an answer comes. */
const PART_MS = 40;
const STEP_MS = 50;
/** Requests to one server at the same time. */
const AT_A_TIME = 16;
/** Bytes that inputs may leave outside of the heap. */
const MOST_BYTES = 512 * 1024 * 1024;
const LOOPBACK = '127.0.0.1';
/** A server is replaced now and then, so that its state says nothing of inputs long ago. */
const REQUESTS_PER_SERVER = 300;

interface Target extends AsyncDisposable {
  readonly place: NetConnectOpts;
  /** The value of each `{{name}}`. */
  readonly values: Readonly<Record<string, string>>;
  /** The failures since the last question. */
  broken(): string | undefined;
  /** Anybody may ask it, and it is answered with 200. */
  readonly probe: string;
  /** Whether an error of its own is an answer: commands of the same user are told it as a failure. */
  readonly tellsErrors?: true;
}

interface Serving {
  readonly target: Target;
  left: number;
}

const serving = new Map<string, Serving>();

export interface MadeRequest {
  /** `server sandbox`, `server page` or `server control`. */
  readonly kind: string;
  readonly bytes: Uint8Array;
}

type Answered = 'read' | 'refused';

/** @throws Error for what is neither an answer nor a refusal */
export async function tryRequest(kind: string, bytes: Uint8Array): Promise<Answered> {
  const [verdict] = await tryTogether([{ kind, bytes }]);
  return verdict ?? 'refused';
}

/**
 * Several at a time: a server waits for the rest of a request that is not whole.
 * @throws Error when one of them was neither answered nor refused, or the servers answer no others behind them
 */
export async function tryTogether(requests: readonly MadeRequest[]): Promise<Answered[]> {
  const verdicts = new Map<MadeRequest, Answered>();
  const ofKinds = Map.groupBy(requests, ({ kind }) => kind);
  const trials = [...ofKinds].map(async ([kind, group]) => {
    const { target } = await serverOf(kind, group.length);
    for (const together of groupsOf(group)) {
      const answers = together.map(async (request) => {
        verdicts.set(request, await ask(target, request.bytes));
      });
      await allOf(answers);
      const broken = target.broken();
      if (broken !== undefined) throw new Error(`broken by the request: ${broken}`);
    }
    const next = await send(target.place, filled(Buffer.from(target.probe), target.values));
    if (statusOf(next) !== 200) throw new Error(`the next request got: ${next.slice(0, 200)}`);
  });
  await allOf(trials);
  refuseManyBytes();
  return requests.map((request) => verdicts.get(request) ?? 'refused');
}

/** Orders to the sandbox itself are alone: a fault that one of them makes must not meet other requests. */
function groupsOf(requests: readonly MadeRequest[]): MadeRequest[][] {
  const isOrder = ({ bytes }: MadeRequest) => Buffer.from(bytes).includes('/sandbox');
  const others = requests.filter((request) => !isOrder(request));
  const groups: MadeRequest[][] = [];
  for (let n = 0; n < others.length; n += AT_A_TIME) groups.push(others.slice(n, n + AT_A_TIME));
  return [...groups, ...requests.filter(isOrder).map((request) => [request])];
}

/** Waits for all, also when one fails. @throws the first error */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function ask(target: Target, bytes: Uint8Array): Promise<Answered> {
  const request = filled(bytes, target.values);
  const answer = await send(target.place, request);
  if (answer === '' && isWholeRequest(request)) throw new Error('a whole request got no answer');
  const status = statusOf(answer);
  if (status === undefined && answer !== '') throw new Error(`no HTTP: ${answer.slice(0, 200)}`);
  if (status === 500 && target.tellsErrors !== true)
    throw new Error(`an error of our own: ${answer.slice(answer.indexOf(HEAD_END))}`);
  return status !== undefined && status < 400 ? 'read' : 'refused';
}

/** @throws Error when this thread holds more memory outside of its heap than it may; the heap has a limit of its own */
export function refuseManyBytes(): void {
  const { arrayBuffers, external } = process.memoryUsage();
  if (arrayBuffers + external > MOST_BYTES) throw new Error('more than 512 MB outside of the heap');
}

/** The servers of this thread end. */
export async function endServers(): Promise<void> {
  for (const { target } of serving.values()) await target[Symbol.asyncDispose]();
  serving.clear();
}

async function serverOf(kind: string, requests: number): Promise<Serving> {
  const before = serving.get(kind);
  if (before !== undefined && before.left > 0) {
    before.left -= requests;
    return before;
  }
  await before?.target[Symbol.asyncDispose]();
  const target = await OPENED[kind]?.();
  if (target === undefined) throw new RangeError(kind);
  const now = { target, left: REQUESTS_PER_SERVER };
  serving.set(kind, now);
  return now;
}

const OPENED: Readonly<Record<string, () => Promise<Target>>> = {
  'server sandbox': openSandbox,
  'server page': openDaemonPage,
  'server control': openControl,
};

async function openSandbox(): Promise<Target> {
  const sandbox = await startSandbox({ timeScale: 10_000 });
  const { url, key, adminKey } = sandbox;
  const ask = async (path: string, body: object | FormData) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Service-Auth-Key ${key}`,
        ...(isForm ? {} : { 'content-type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
    });
    return (await response.json()) as Record<string, string>;
  };
  const file = new FormData();
  file.append('target_lang', 'de');
  file.append('file', new Blob(['Hello']), 'a.txt');
  const dictionaries = [
    { source_lang: 'en', target_lang: 'de', entries: 'a\tb', entries_format: 'tsv' },
  ];
  const glossary = await ask('/v3/glossaries', { name: 'first', dictionaries });
  const style = await ask('/v3/style_rules', { name: 'first', language: 'de' });
  const document = await ask('/v2/document', file);
  const job = await ask('/v1/jobs/voice/translate', {
    source_file: { name: 'talk.wav', content_type: 'audio/wav', content_length: 12 },
    parameters: { source_language: 'en' },
    targets: [{ language: 'de', type: 'text/plain' }],
  });
  return {
    place: { port: Number(new URL(url).port), host: LOOPBACK },
    probe: getting('/sandbox/faults'),
    values: {
      ...{ host: new URL(url).host, key, admin: adminKey },
      glossary: glossary['glossary_id'] ?? '',
      style: style['style_id'] ?? '',
      document: document['document_id'] ?? '',
      document_key: document['document_key'] ?? '',
      job: job['job_id'] ?? '',
      signature: job['signature'] ?? '',
    },
    broken() {
      // A fault that one request ordered must not meet the next request.
      sandbox.faults.clear();
      return undefined;
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

const CONFIG = `
page: { listen: "127.0.0.1:0" }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]
`;

interface Working extends DaemonHere {
  readonly rig: Rig;
  /** Ends both. */
  readonly opened: AsyncDisposableStack;
}

/** A daemon that works beside its sandbox. */
async function openDaemon(): Promise<Working> {
  await using opening = new AsyncDisposableStack();
  const rig = opening.use(
    await Rig.start({
      config: CONFIG,
      files: { 'locales/en/app.json': '{ "hello": "Hello" }\n', 'locales/en/bad.json': '{ "a": ' },
    }),
  );
  const here = await daemonHere(rig);
  const { daemon } = here;
  opening.use(daemon);
  const ending = new AbortController();
  const running = daemon.run({ drain: ending.signal, abort: new AbortController().signal });
  running.catch(() => {});
  opening.defer(async () => {
    ending.abort();
    await running;
  });
  return { ...here, rig, opened: opening.move() };
}

async function openControl(): Promise<Target> {
  const { daemon, rig, opened } = await openDaemon();
  await using opening = opened;
  const path = controlSocketPath(daemon.setup.config.state);
  opening.use(
    await serveControl(
      path,
      { control: daemon.answers.control, file: daemon.setup.config.file },
      systemClock,
    ),
  );
  const all = opening.move();
  return {
    place: { path },
    tellsErrors: true,
    values: { root: rig.root },
    probe: `POST /visit HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 2${HEAD_END}[]`,
    broken: () => undefined,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function openDaemonPage(): Promise<Target> {
  const { daemon, events, rig, opened } = await openDaemon();
  await using opening = opened;
  let broken: string | undefined;
  events.subscribe((event) => {
    if (event.kind === 'page-broken') broken = `${event.path}: ${event.message}`;
  });
  const { config } = daemon.setup;
  if (config.page === false) throw new TypeError('no page');
  const { page } = config;
  const shown = { events, clock: systemClock, version: '0', base: rig.root };
  const listening = opening.use(await listenForPage({ page, ...shown }));
  const { host, origin, port, hash } = new URL(listening.show(daemon).address);
  const token = hash.slice('#token='.length);
  const session = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ token }),
  });
  const cookie = session.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const all = opening.move();
  return {
    place: { port: Number(port), host: LOOPBACK },
    probe: getting('/healthz'),
    values: { host, token, cookie },
    broken() {
      const what = broken;
      broken = undefined;
      return what;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

function getting(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: {{host}}\r\nconnection: close${HEAD_END}`;
}

/** Placeholders that mutation left whole get their values. */
function filled(bytes: Uint8Array, values: Readonly<Record<string, string>>): Buffer {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
  const length = text.length - (text.indexOf(HEAD_END) + HEAD_END.length);
  return Buffer.from(text.replace('{{length}}', String(length)), 'latin1');
}

/** Whether a server knows where the request ends without waiting for more: head and body are whole, and nothing else says otherwise. */
function isWholeRequest(request: Buffer): boolean {
  const text = request.toString('latin1');
  const end = text.indexOf(HEAD_END);
  if (end < 0) return false;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  if (!/^[A-Z]+ \/\S* HTTP\/1\.1$/.test(first)) return false;
  if (lines.some((line) => !/^[a-z-]+: [\x20-\x7e]*$/.test(line))) return false;
  if (
    lines.some((line) => /^(?:transfer-encoding|expect|upgrade|connection): (?!close$)/.test(line))
  )
    return false;
  const lengths = lines.filter((line) => line.startsWith('content-length: '));
  const body = text.length - end - HEAD_END.length;
  if (lengths.length === 0) return body === 0;
  return lengths.length === 1 && lengths[0] === `content-length: ${body}`;
}

/** @returns what came until the server closed; the head alone of an answer that never ends; '' for none */
async function send(place: NetConnectOpts, request: Buffer): Promise<string> {
  const socket = connect(place);
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = '';
  const patience = isWholeRequest(request) ? ANSWER_MS : PART_MS;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    answer += chunk;
    if (isWholeAnswer(answer)) resolve(answer);
  });
  // A server may close before it has read everything: its answer until then counts.
  socket.on('error', () => {});
  socket.once('close', () => resolve(answer));
  // Not ended: a server takes a half-closed connection for a caller who left.
  socket.write(request);
  const waited = new AbortController();
  const came = await Promise.race([promise, afterSteps(patience, waited.signal, () => answer)]);
  waited.abort();
  socket.destroy();
  return came;
}

/** A connection that is kept alive does not end with its answer. A stream of events never ends. */
function isWholeAnswer(answer: string): boolean {
  const end = answer.indexOf(HEAD_END);
  if (end < 0) return false;
  const head = answer.slice(0, end);
  if (/^content-type: text\/event-stream/im.test(head) || /^\S+ [23]04/.test(head)) return true;
  if (/^transfer-encoding: chunked/im.test(head)) return answer.endsWith(`\r\n0${HEAD_END}`);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return length !== undefined && answer.length - end - HEAD_END.length >= Number(length);
}

/** The server works on this thread: where others have the processor, each step lets it answer before the time is over. */
async function afterSteps(ms: number, signal: AbortSignal, what: () => string): Promise<string> {
  for (let left = ms; left > 0 && !signal.aborted; left -= STEP_MS) {
    await wait(Math.min(left, STEP_MS), undefined, { signal }).catch(() => {});
  }
  return what();
}

function statusOf(answer: string): number | undefined {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
  return status === undefined ? undefined : Number(status);
}
