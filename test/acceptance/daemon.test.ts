/** A daemon in trouble: crashes, slow copies, trouble while it runs. */
import { closeSync, openSync, utimesSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { type Daemon, type LogLine, Rig } from '../rig.ts';

const CONFIG = `
log: { level: debug }
defaults: { settle_ms: 200 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/**/*.json" }
      - { from: "text/en/**/*.txt", to: "text/{locale}/{dir}/{name}.{ext}", lane: text }
`;

const json = (texts: Record<string, unknown>) => `${JSON.stringify(texts, null, 2)}\n`;
const delivered = (line: LogLine) =>
  line.kind === 'job-delivered' && (line.msg ?? '').startsWith('wrote');
const deliveries = (daemon: Daemon) => daemon.lines.filter(delivered).length;

test('a file that was dropped while the daemon was down is processed at its start', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'locales/en/app.json': json({ hello: 'Hello' }) },
  });
  const daemon = await rig.daemon();
  await daemon.logged(delivered);
  expect(rig.exists('locales/de/app.json')).toBe(true);
  expect(await daemon.stop()).toBe(0);
});

test('files that were there before the daemon are worked on once each', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `locales/en/${n}.json`);
  await using rig = await Rig.start({
    config: CONFIG,
    files: Object.fromEntries(names.map((name, n) => [name, json({ hello: `Hello ${n}` })])),
  });
  const longAgo = new Date(Date.now() - 3_600_000);
  for (const name of names) utimesSync(rig.path(name), longAgo, longAgo);
  const daemon = await rig.daemon();
  await daemon.until(() => deliveries(daemon) === names.length);
  rig.write('locales/en/last.json', json({ hello: 'Hello at last' }));
  await daemon.logged((line) => delivered(line) && (line.msg ?? '').includes('last.json'));
  await daemon.stop();
  const started = daemon.lines.filter(({ kind }) => kind === 'job-started').map(({ msg }) => msg);
  expect(started.length).toBe(names.length + 1);
  expect(new Set(started).size).toBe(names.length + 1);
});

test('a copy that goes on for a while is billed once', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  const daemon = await rig.daemon();
  rig.write('text/en/slow.txt', '');
  const file = openSync(rig.path('text/en/slow.txt'), 'w');
  for (let line = 0; line < 20; line++) {
    writeSync(file, `Line number ${line} of a slow copy.\n`);
    await wait(60);
  }
  closeSync(file);
  await daemon.logged(delivered);
  await daemon.stop();
  const characters = rig.read('text/en/slow.txt').replaceAll('\n', '').length;
  expect(billed(rig)).toBe(characters);
});

test('a file that is edited while it is translated ends with the newer content, in one output', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    sandbox: {
      faults: [{ kind: 'slow_headers', operation: 'POST /v2/translate', ms: 1500, times: 1 }],
    },
  });
  const daemon = await rig.daemon();
  rig.write('locales/en/app.json', json({ hello: 'First words' }));
  await daemon.logged((line) => line.kind === 'job-started');
  rig.write('locales/en/app.json', json({ hello: 'Second words' }));
  await daemon.logged(delivered);
  await daemon.stop();
  const { undoPseudo } = await import('../../src/sandbox/engines/pseudo.ts');
  expect(undoPseudo(String(rig.json('locales/de/app.json')['hello']))).toBe('Second words');
  expect(deliveries(daemon)).toBe(1);
});

test('a source that is deleted and made again is still watched', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'locales/en/app.json': json({ hello: 'Hello' }) },
  });
  const daemon = await rig.daemon();
  await daemon.logged(delivered);
  rig.remove('locales/en');
  await daemon.logged((line) => line.kind === 'trashed');
  rig.write('locales/en/app.json', json({ hello: 'Hello again' }));
  await daemon.until(() => deliveries(daemon) === 2);
  await daemon.stop();
  expect(rig.exists('locales/de/app.json')).toBe(true);
});

test('two sources of one name in different folders have two outputs', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'text/en/a.txt': 'Above\n', 'text/en/sub/a.txt': 'Below\n' },
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
  expect(rig.read('text/de/a.txt')).not.toBe(rig.read('text/de/sub/a.txt'));
});

test('a daemon that is killed at work bills nothing again but what was in flight', async () => {
  const texts = Object.fromEntries(
    Array.from({ length: 2000 }, (_, n) => [`k${n}`, `Sentence number ${n}`]),
  );
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'locales/en/app.json': json(texts) },
    sandbox: { faults: [{ kind: 'latency', ms: 50, times: 'always' }] },
  });
  const daemon = await rig.daemonApart();
  await daemon.until(() => daemon.lines.filter((line) => line.kind === 'billed').length >= 24);
  await daemon.stop('SIGKILL');
  rig.sandbox.faults.clear();
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  const unique = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
  // Eight are on the wire; the answers of as many more may not be durable yet, which a slow disk shows.
  const inFlight = 2 * 8 * 50;
  expect(billed(rig)).toBeGreaterThanOrEqual(unique);
  expect(billed(rig)).toBeLessThanOrEqual(unique + inFlight * 'Sentence number 1234'.length);
  expect(rig.sandbox.counters().asked_twice.length).toBeLessThanOrEqual(inFlight);
});

test('a file that came while the service was down is processed when it is back', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  const daemon = await rig.daemon();
  const bringBack = await rig.stopService();
  rig.write('locales/en/app.json', json({ hello: 'Hello' }));
  await daemon.logged((line) => line.kind === 'job-started');
  await bringBack();
  await daemon.logged(delivered);
  expect(await daemon.stop()).toBe(0);
  expect(billed(rig)).toBe('Hello'.length);
});

test('a hook of the config is called with what a run delivered', async () => {
  await using rig = await Rig.start({
    config: `on: { delivered: [{ run: "cat > told.json" }] }\n${CONFIG}`,
    files: { 'locales/en/app.json': json({ hello: 'Hello' }) },
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.json('told.json')).toMatchObject({
    event: 'delivered',
    wrote: ['locales/de/app.json'],
  });
});

test('the log names files from the folder of the config, as all other messages do', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'locales/en/bad.json': '{ "a": [}\n', 'text/en/link.txt': 'Hello\n' },
  });
  const daemon = await rig.daemon();
  const failed = await daemon.logged((line) => line.kind === 'job-failed');
  expect(failed.msg).toContain('locales/en/bad.json:1:');
  rig.write('dragoman.yaml', `${rig.read('dragoman.yaml')}unknown: 1\n`);
  daemon.kill('SIGHUP');
  const refused = await daemon.logged((line) => line.kind === 'config-refused');
  expect(refused.msg).toContain('dragoman.yaml:');
  await daemon.stop();
  expect(daemon.lines.filter(({ msg = '' }) => msg.includes(rig.root))).toEqual([]);
});
