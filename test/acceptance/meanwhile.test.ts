/** While a single run works, other commands are answered by it: they do not end with 75. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de, fr]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;

test('status, plan, check and once --frozen answer while once waits for the service, and pause is refused', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'locales/en/app.json': '{ "hello": "Hello" }\n' },
    sandbox: { faults: [{ kind: 'latency', ms: 60_000, target_lang: 'fr', times: 'always' }] },
  });
  const child = rig.spawn('once');
  await once(child.stderr, 'data'); // German is written, French on its way
  const status = await rig.run('status', '--json');
  expect(status.code).toBe(0);
  expect(JSON.parse(status.stdout)).toMatchObject({
    state: 'running',
    jobs: { done: 1, running: 1 },
  });
  const frozen = await rig.run('once', '--frozen', '--json');
  expect(frozen.code).toBe(1);
  expect(JSON.parse(frozen.stdout)).toMatchObject({
    jobs: [{ source: 'locales/en/app.json', language: 'fr' }],
  });
  expect((await rig.run('check')).code).toBe(0);
  expect((await rig.run('plan')).code).toBe(0);
  expect(await rig.run('pause')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('single run'),
  });
  expect((await rig.run('once')).code).toBe(75);
});
