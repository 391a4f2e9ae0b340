/** A file of 10 MB beside everything else that a daemon has to do. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectControl, controlSocketPath } from '../../src/page/control-socket.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
log: { level: debug }
page: { listen: "127.0.0.1:0" }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}.json" }
`;
const KEYS = 30_000;
const SENTENCE = ', in a sentence that is as long as sentences in applications are'.repeat(4);

const resource = (text: string) =>
  `{\n${Array.from({ length: KEYS }, (_, n) => `  "section.key_${n}": "${text} number ${n}${SENTENCE}"`).join(',\n')}\n}\n`;

test('health and commands are answered again and again while 10 MB of JSON are read, merged and composed', async () => {
  await using rig = await Rig.start({
    commands: 'process',
    config: CONFIG,
    files: { 'locales/de.json': resource('Der Text'), 'locales/en.json': '{}\n' },
  });
  const daemon = await rig.daemon();
  const { stdout } = await rig.run('dashboard', '--json');
  const health = new URL('/healthz', (JSON.parse(stdout) as { page: string }).page);
  const control = await connectControl(controlSocketPath(join(rig.root, '.dragoman')));
  const jobs = (kind: string) => daemon.lines.filter((line) => line.kind === kind).length;
  const before = { queued: jobs('job-queued'), delivered: jobs('job-delivered') };
  rig.write('locales/en.json', resource('The text'));
  await daemon.until(() => jobs('job-queued') > before.queued);
  let answers = 0;
  while (jobs('job-delivered') === before.delivered) {
    expect((await fetch(health)).status).toBe(200);
    expect(await control?.status({ projects: [], languages: [], paths: [] })).toBeDefined();
    answers += 1;
  }
  // Some 1,000 beside a thread, and some 270 where other programs take most of the processors. On the loop itself the work leaves room for
  // some 30 before and after it.
  expect(answers).toBeGreaterThan(100);
  expect(rig.read('locales/de.json')).toBe(resource('Der Text'));
  expect(await daemon.stop()).toBe(0);
});
