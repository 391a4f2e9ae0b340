/** Ctrl-C and SIGTERM end every command of the list, whatever it waits for. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { endedBySignal, GRACE_MS, LeftBehind, listenForSignals } from '../../src/cli/ending.ts';
import { controlSocketPath } from '../../src/page/control-socket.ts';
import { MAIN } from '../main.ts';
import { Rig } from '../rig.ts';
import { runHere } from '../run-here.ts';

const PROJECTS = `
projects:
  app:
    source: en
    targets: [de]
    glossary: { name: terms, csv: terms.csv }
    routes:
      - { from: "locales/{locale}/*.json" }
`;
const FILE = 'locales/en/app.json';

/** Each command that asks the daemon or the service, typed so that it does. */
const ASKING: Readonly<Record<string, string>> = {
  check: 'check --online',
  plan: 'plan',
  once: 'once --frozen',
  status: 'status',
  lock: 'lock',
  review: 'review list',
  explain: `explain ${FILE}`,
  retry: 'retry --all --yes',
  approve: 'approve --all --yes',
  resolve: 'resolve locales/de/app.json --machine',
  undo: 'undo --yes',
  glossary: 'glossary diff',
  style: 'style list',
  usage: 'usage',
  pause: 'pause',
  resume: 'resume',
  translate: 'translate --to de Hello',
  improve: 'improve Hello',
  detect: 'detect Hello',
  languages: 'languages',
  keys: 'keys list',
  analytics: 'analytics --start 2026-05-01 --end 2026-05-31',
};
/** They ask nobody, or are stopped in tests of their own: `run`, `sandbox` and `quickstart` go on until a signal comes. */
const OTHERS =
  'init schema run state dashboard restore doctor memory service completion sandbox quickstart';

test('every command is in one of the two lists', () => {
  const known = [...Object.keys(ASKING), ...OTHERS.split(' ')];
  expect(new Set(known)).toEqual(new Set(Object.keys(COMMANDS)));
});

/** It takes a question, and never answers it. @param onQuestion called with each question */
function silent(onQuestion: () => void): Server {
  return createServer((incoming, outgoing) => {
    // A daemon says with this that it is there.
    if (incoming.url === '/' || incoming.url === '/healthz') outgoing.end();
    else onQuestion();
  });
}

/** A folder with a config, a daemon and a service that answer nothing. */
async function silentPlace(onQuestion: () => void) {
  await using opening = new AsyncDisposableStack();
  const root = mkdtempSync(join(tmpdir(), 'dragoman-ending-'));
  opening.defer(() => rmSync(root, { recursive: true, force: true }));
  const service = opening.use(silent(onQuestion)).listen(0, '127.0.0.1');
  const daemon = opening.use(silent(onQuestion));
  const socket = controlSocketPath(join(root, '.dragoman'));
  for (const path of [socket, join(root, FILE)]) mkdirSync(dirname(path), { recursive: true });
  daemon.listen(socket);
  await Promise.all([once(service, 'listening'), once(daemon, 'listening')]);
  opening.defer(() => {
    service.closeAllConnections();
    daemon.closeAllConnections();
  });
  const { port } = service.address() as AddressInfo;
  const key = '{ env: KEY }';
  const config = `version: 1\nservice: { url: "http://127.0.0.1:${port}", key: ${key}, admin_key: ${key} }\n${PROJECTS}`;
  writeFileSync(join(root, 'dragoman.yaml'), config);
  writeFileSync(join(root, FILE), '{ "hello": "Hello" }\n');
  writeFileSync(join(root, 'terms.csv'), 'en,de\na,b\n');
  const stack = opening.move();
  return { root, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test.each(Object.values(ASKING))(
  'the second SIGTERM ends "%s" while nobody answers',
  async (typed) => {
    const asked = Promise.withResolvers<void>();
    await using place = await silentPlace(asked.resolve);
    const heard = Promise.withResolvers<EventEmitter>();
    const ended = runHere(typed.split(' '), {
      cwd: place.root,
      env: { KEY: 'key', HOME: place.root, PATH: process.env['PATH'] },
      onHost: heard.resolve,
    });
    const host = await heard.promise;
    await asked.promise;
    host.emit('SIGTERM', 'SIGTERM');
    host.emit('SIGTERM', 'SIGTERM');
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('stopped before it was done')]);
  },
);

/** A module that sends SIGHUP to its own process while the program is loaded. */
const HANGS_UP = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name.endsWith('/run-command-line.ts')) process.kill(process.pid, 'SIGHUP');
      return next(name, context);
    } });`;

test('SIGHUP while the program of a daemon is loaded does not end it', async () => {
  // In the bundle of the tests, the files have other names.
  const program = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
  const hook = `data:text/javascript,${encodeURIComponent(HANGS_UP)}`;
  const child = spawn(process.execPath, ['--import', hook, program, 'run', '--help']);
  const closed = once(child, 'close');
  const help = await text(child.stdout);
  expect([...(await closed), help]).toEqual([0, null, expect.stringContaining('SIGHUP')]);
});

test('SIGHUP while another command is loaded ends it, also when a name in its arguments is "run"', async () => {
  const program = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
  const hook = `data:text/javascript,${encodeURIComponent(HANGS_UP)}`;
  const child = spawn(process.execPath, ['--import', hook, program, 'explain', 'run', '--help']);
  expect(await once(child, 'close')).toEqual([null, 'SIGHUP']);
});

test('SIGHUP before a daemon can reload is not lost: it reloads once when it can', () => {
  const host = new EventEmitter();
  using signals = listenForSignals(host as unknown as NodeJS.Process);
  let reloads = 0;
  const count = () => {
    reloads += 1;
  };
  host.emit('SIGHUP');
  host.emit('SIGHUP');
  const end = signals.onReload(count);
  expect(reloads).toBe(1);
  host.emit('SIGHUP');
  expect(reloads).toBe(2);
  end();
  signals.onReload(count);
  expect(reloads).toBe(2);
});

test('the first SIGTERM ends the process of a command that changes something, too', async () => {
  const asked = Promise.withResolvers<void>();
  await using place = await silentPlace(asked.resolve);
  await using rig = await Rig.start({ config: PROJECTS, files: { 'terms.csv': 'en,de\na,b\n' } });
  const child = rig.spawn(
    'approve',
    '--all',
    '--yes',
    '--config',
    join(place.root, 'dragoman.yaml'),
  );
  const notes = text(child.stderr);
  const closed = once(child, 'close');
  await asked.promise;
  child.kill('SIGTERM');
  expect((await closed)[0]).toBe(1);
  expect(await notes).toContain('stopped before it was done');
});

/** Ends with the test at the latest. */
function startProgram(argv: readonly string[], { cwd, ...env }: Record<string, string>) {
  const child = spawn(process.execPath, argv, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('the second SIGTERM ends the process of "once" while the service answers nothing', async () => {
  const asked = Promise.withResolvers<void>();
  await using place = await silentPlace(asked.resolve);
  const child = startProgram([MAIN, 'once', '--no-input'], { cwd: place.root, KEY: 'key' });
  let notes = '';
  const stopping = Promise.withResolvers<void>();
  child.stderr.on('data', (chunk: Buffer) => {
    notes += chunk.toString();
    if (notes.includes('stopping:')) stopping.resolve();
  });
  const closed = once(child, 'close');
  await asked.promise;
  child.kill('SIGTERM');
  await stopping.promise;
  child.kill('SIGTERM');
  expect([(await closed)[0], notes]).toEqual([
    1,
    expect.stringContaining('stopped before it was done'),
  ]);
});

test('after the second signal, paid work has until a moment after its last answer', async () => {
  const host = new EventEmitter();
  using signals = listenForSignals(host as unknown as NodeJS.Process, { early: () => [] });
  const answers = Promise.withResolvers<void>();
  const steps: (string | number)[] = [];
  const clock = {
    now: () => 0,
    sleep: async (ms: number) => {
      steps.push(ms);
    },
  };
  const ended = endedBySignal(new Promise(() => {}), {
    ...{ command: { endsPaidWork: true }, signals, clock },
    paidWork: () => [{ answered: async () => await answers.promise }],
  });
  host.emit('SIGTERM', 'SIGTERM');
  host.emit('SIGTERM', 'SIGTERM');
  void answers.promise.then(() => steps.push('answered'));
  answers.resolve();
  await expect(ended).rejects.toBeInstanceOf(LeftBehind);
  expect(steps).toEqual(['answered', GRACE_MS]);
});

test('after a signal, nothing that is left keeps the process alive', async () => {
  const asked = Promise.withResolvers<void>();
  await using place = await silentPlace(asked.resolve);
  const codes: unknown[] = [];
  const ended = runHere(['languages'], {
    cwd: place.root,
    env: { KEY: 'key', HOME: place.root, PATH: process.env['PATH'] },
    onHost: (host) => {
      Object.assign(host, { exit: (code: unknown) => codes.push(code) });
      void asked.promise.then(() => host.emit('SIGTERM', 'SIGTERM'));
    },
  });
  const { code } = await ended;
  expect(codes).toEqual([code]);
});

/** Sends the process a SIGTERM when it lists the sources for the first time. */
const WHILE_LISTING = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { readdirSync } = fs;
  let isSent = false;
  fs.readdirSync = (path, options) => {
    const names = readdirSync(path, options);
    // A second signal would end the daemon two seconds later, done or not.
    if (!isSent && String(path).includes('locales')) {
      isSent = true;
      process.emit('SIGTERM', 'SIGTERM');
    }
    return names;
  };
  syncBuiltinESMExports();
`)}`;

test('a daemon that is stopped while it lists the sources for the first time ends with 0', async () => {
  await using rig = await Rig.start({
    config: PROJECTS,
    files: { 'terms.csv': 'en,de\na,b\n', [FILE]: '{ "hello": "Hello" }\n' },
  });
  const child = startProgram(['--import', WHILE_LISTING, MAIN, 'run'], {
    cwd: rig.root,
    DRAGOMAN_KEY: rig.sandbox.key,
  });
  const notes = text(child.stderr);
  child.stdout.resume();
  const [code] = await once(child, 'close');
  expect([code, await notes]).toEqual([0, expect.not.stringContaining('before it was done')]);
});

test.each(['plan', 'once --frozen', 'status', 'check'])(
  'a SIGTERM while "%s" lists the sources for the first time ends its process',
  async (typed) => {
    await using rig = await Rig.start({
      config: PROJECTS,
      files: { 'terms.csv': 'en,de\na,b\n', [FILE]: '{ "hello": "Hello" }\n' },
    });
    const child = startProgram(['--import', WHILE_LISTING, MAIN, ...typed.split(' ')], {
      cwd: rig.root,
      DRAGOMAN_KEY: rig.sandbox.key,
    });
    const notes = text(child.stderr);
    child.stdout.resume();
    expect([...(await once(child, 'close')), await notes]).toEqual([
      1,
      null,
      expect.stringContaining('stopped before it was done'),
    ]);
  },
);

/** Sends the process a SIGTERM when it begins to load the command line. */
const EARLY = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (url.includes('command-line')) process.kill(process.pid, 'SIGTERM');
      return next(url, context);
    },
  });
`)}`;

test('a SIGTERM while the program loads has the exit code of one that comes later', async () => {
  await using rig = await Rig.start({
    config: PROJECTS,
    files: { 'terms.csv': 'en,de\na,b\n', [FILE]: '{ "hello": "Hello" }\n' },
  });
  const child = startProgram(['--import', EARLY, MAIN, 'once'], {
    cwd: rig.root,
    DRAGOMAN_KEY: rig.sandbox.key,
  });
  const notes = text(child.stderr);
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(await notes).not.toContain('Error');
  expect(rig.exists('locales/de/app.json')).toBe(false);
});
