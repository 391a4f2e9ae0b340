/** Commands about a file whose job runs: they decide on what the job leaves. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import type { Daemon } from '../../src/daemon.ts';
import { controlSocketPath, serveControl } from '../../src/page/control-socket.ts';
import { daemonHere } from '../daemon-here.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]
`;
const [EN, DE] = ['locales/en/app.json', 'locales/de/app.json'];
const WAIT = { interval: 20, timeout: 500_000 };
const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;

/** The service answers late, by this clock: when the test lets it. */
const LATE_MS = 77_777;

class ServiceClock implements Clock {
  readonly #answer = Promise.withResolvers<void>();
  /** How many requests wait for their answer. */
  held = 0;

  now = () => Date.now();

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms !== LATE_MS) return await systemClock.sleep(ms, signal);
    this.held += 1;
    await this.#answer.promise;
  }

  letAnswer(): void {
    this.#answer.resolve();
  }
}

/** A command looks so often at most whether the jobs have ended. */
const LOOK_MS = 50;

/** Where a command waits for a job, its patience ends at once; or something happens and no time passes, since the job may be slow. */
class CommandClock implements Clock {
  #ahead = 0;
  meanwhile: 'time passes' | (() => void) | undefined;

  now = () => Date.now() + this.#ahead;

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { meanwhile } = this;
    if (meanwhile === undefined || ms !== LOOK_MS) return await systemClock.sleep(ms, signal);
    if (meanwhile !== 'time passes') meanwhile();
    const before = this.now();
    await systemClock.sleep(1);
    this.#ahead += before - this.now() + (meanwhile === 'time passes' ? ms : 0);
  }
}

let rig: Rig;
let service: ServiceClock;
let clock: CommandClock;
let daemon: Daemon;
let socket: AsyncDisposable;
let stop: AbortController;
let running: Promise<void>;

/** A file with two conflicts, and a job that buys another text of it. */
beforeEach(async () => {
  [service, clock] = [new ServiceClock(), new CommandClock()];
  const files = { [EN]: json({ hello: 'Hello', bye: 'Goodbye' }) };
  rig = await Rig.start({ config: CONFIG, files, sandbox: { clock: service } });
  await rig.once();
  rig.write(DE, json({ hello: 'Servus', bye: 'Pfiat di' }));
  rig.write(EN, json({ hello: 'Hello there', bye: 'Goodbye now' }));
  expect(await rig.once()).toMatchObject({ code: 2, held: [{ language: 'de' }] });
  ({ daemon } = await daemonHere(rig, clock));
  socket = await serveControl(
    controlSocketPath(rig.path('.dragoman')),
    { control: daemon.answers.control, file: rig.path('dragoman.yaml') },
    clock,
  );
  stop = new AbortController();
  running = daemon.run({ drain: stop.signal, abort: new AbortController().signal });
  const operation = 'POST /v2/translate';
  rig.sandbox.faults.add([{ kind: 'latency', ms: LATE_MS, operation }]);
  rig.write(EN, json({ hello: 'Hello there', bye: 'Goodbye now', more: 'A new text' }));
  await vi.waitFor(() => expect(service.held).toBe(1), WAIT);
  expect([...daemon.ledger.all('jobs')]).toMatchObject([{ state: { kind: 'running' } }]);
});
afterEach(async () => {
  clock.meanwhile = undefined;
  service.letAnswer();
  stop.abort(new Error('SIGTERM'));
  await running;
  await socket[Symbol.asyncDispose]();
  await daemon[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

test('resolve waits for the running job of its file, and decides the conflicts that it leaves', async () => {
  clock.meanwhile = () => service.letAnswer();
  expect(await rig.run('resolve', DE, '--human')).toMatchObject({
    ...{ code: 0, stdout: '2 resolved\n' },
  });
  await vi.waitFor(
    () => expect([...daemon.ledger.all('jobs')]).toMatchObject([{ state: { kind: 'done' } }]),
    WAIT,
  );
  expect(JSON.parse(rig.read(DE))).toMatchObject({ hello: 'Servus', bye: 'Pfiat di' });
});

test('a conflict that is decided while the job of an earlier decision runs is decided, too', async () => {
  clock.meanwhile = () => service.letAnswer();
  const { control } = daemon.answers;
  const about = { file: rig.path(DE), languages: [], choice: { kind: 'human' } } as const;
  const decide = (key: string) => control.resolve({ ...about, key });
  const [hello, bye] = await Promise.all([decide('hello'), decide('bye')]);
  expect(hello).toMatchObject({ resolved: [{ key: 'hello' }] });
  expect(bye).toMatchObject({ resolved: [{ key: 'bye' }] });
  await vi.waitFor(
    () => expect([...daemon.ledger.all('jobs')]).toMatchObject([{ state: { kind: 'done' } }]),
    WAIT,
  );
});

test('a file whose job goes on for long is not resolved: the command says so, and to try again', async () => {
  clock.meanwhile = 'time passes';
  const { code, stdout, stderr } = await rig.run('resolve', DE, '--human');
  expect({ code, stdout }).toEqual({ code: 75, stdout: '0 resolved\n' });
  expect(stderr).toContain(`${DE}: its job is queued or running: try again when it has ended`);
  const answer = await daemon.answers.control.resolve({
    ...{ file: rig.path(EN), languages: [], choice: { kind: 'human' } },
  });
  expect(answer).toEqual({
    ...{ resolved: [], busy: [{ project: 'app', language: 'de', file: rig.path(DE) }] },
  });
});

test('resolve shows the texts of a conflict whose job runs', async () => {
  clock.meanwhile = () => service.letAnswer();
  const { code, stdout } = await rig.run('resolve', DE, 'hello');
  expect(code).toBe(64);
  expect(stdout).toContain('Servus');
});

test('retry waits for the running job of a file of which nothing waits yet', async () => {
  clock.meanwhile = 'time passes';
  expect(await rig.run('retry', DE, '--yes')).toMatchObject({
    ...{ code: 75, stderr: expect.stringContaining('its job is queued or running') },
  });
  clock.meanwhile = () => service.letAnswer();
  expect(await rig.run('retry', DE, '--yes')).toMatchObject({
    ...{ code: 0, stdout: expect.stringContaining('1 released') },
  });
});

test('undo waits for the running job of its file, and leaves the file when that takes long', async () => {
  const leftBy = async () => {
    const scope = { projects: [], languages: [], paths: [rig.path(DE)] };
    const { left } = await daemon.answers.control.undo({ act: 'price', scope });
    return left.map(({ reason }) => reason);
  };
  clock.meanwhile = 'time passes';
  expect(await leftBy()).toEqual([expect.stringContaining('its job is queued or running')]);
  clock.meanwhile = () => service.letAnswer();
  expect(await leftBy()).toEqual([expect.stringContaining('changed')]);
});
