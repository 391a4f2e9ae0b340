/** Effects of the account, the key and the settings of the service: released jobs, warnings, features that a plan lacks. */
import { expect, test } from 'vitest';
import { requests } from '../counts.ts';
import { Rig } from '../rig.ts';
import { silence } from '../sandbox/voice-calls.ts';

const TRANSLATE = 'POST /v2/translate';
const APP = `
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;
const FILES = { 'locales/en/app.json': '{ "hello": "Hello" }\n' };

/** Another value of a setting in the config. */
function change(rig: Rig, from: string, to: string): void {
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(from, to));
}

test('a refused text is tried again when a header changes, and not before', async () => {
  const faults = [{ kind: 'status', status: 400, operation: TRANSLATE, times: 'always' }] as const;
  const service = '  headers: { x-tenant: "one" }';
  await using rig = await Rig.start({ config: APP, files: FILES, service, sandbox: { faults } });
  expect(await rig.once()).toMatchObject({ code: 1, delivered: 0 });
  const before = requests(rig, TRANSLATE);
  rig.sandbox.faults.clear();
  expect(await rig.once()).toMatchObject({ code: 1, delivered: 0 });
  expect(requests(rig, TRANSLATE)).toBe(before);
  change(rig, 'x-tenant: "one"', 'x-tenant: "two"');
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
});

test('a recording that is too large for service.limits is looked at again when the limit changes', async () => {
  const config = `
defaults: { settle_ms: 0 }
projects:
  talks:
    source: en
    targets: [de]
    routes:
      - { from: "in/*.wav", to: { transcript: "out/{locale}/{name}.txt" } }
`;
  const files = { 'in/a.wav': silence(2000) };
  await using rig = await Rig.start({ config, files, service: '  limits: { wav: 1KB }' });
  expect(await rig.once()).toMatchObject({ code: 2, requests: 0 });
  expect(await rig.once()).toMatchObject({ code: 2, requests: 0 });
  change(rig, 'wav: 1KB', 'wav: 10KB');
  const plan = await rig.run('plan', '--json');
  expect(JSON.parse(plan.stdout).jobs).toMatchObject([{ reason: 'tried again' }]);
});

test('a document that the service could not translate is sent again with another header, and not before', async () => {
  const operation = 'POST /v2/document/{document_id}';
  const faults = [{ kind: 'failed_job', message: 'no such tenant', operation }] as const;
  const config = APP.replace('{locale}/**/*.json', '{locale}/**/*.txt');
  const service = '  headers: { x-tenant: "one" }';
  const files = { 'locales/en/a.txt': 'Hello world\n' };
  await using rig = await Rig.start({ config, files, service, sandbox: { faults } });
  expect(await rig.once()).toMatchObject({ code: 1, failed: [{ code: 'rejected' }] });
  expect(await rig.once()).toMatchObject({ code: 1, requests: 0 });
  change(rig, 'x-tenant: "one"', 'x-tenant: "two"');
  const plan = JSON.parse((await rig.run('plan', '--json')).stdout);
  expect(plan.jobs).toMatchObject([{ reason: 'tried again' }]);
  expect(plan.jobs[0]).not.toHaveProperty('would_fail');
  const frozen = JSON.parse((await rig.run('once', '--frozen', '--json')).stdout);
  expect(frozen).toMatchObject({
    jobs: [{ reason: 'tried again' }],
    attention: [{ state: 'failed', code: 'rejected' }],
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(requests(rig, 'POST /v2/document')).toBe(2);
});

test('once, status and a hook report a key near its limit', async () => {
  const config = `on: { budget: [{ run: "cat > budget.json" }] }${APP}`;
  const sandbox = { limits: { limited_key: 6 } };
  await using rig = await Rig.start({ config, files: FILES, sandbox });
  rig.write('key', `${rig.sandbox.key}-limited`);
  change(rig, '{ env: DRAGOMAN_KEY }', '{ file: key }');
  const once = await rig.once();
  expect(once).toMatchObject({
    ...{ code: 0, delivered: 1, requests: 1 },
    notes: [expect.stringContaining('83 % of the key’s limit of 6 characters is used')],
  });
  expect(rig.json('budget.json')).toMatchObject({ event: 'budget', scope: 'key', used: 5 });
  const { stdout } = await rig.run('status', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ notes: [expect.stringContaining('83 %')] });
});

test('check --online and plan report a style list that the plan of the account does not have', async () => {
  const style =
    'name: app\nlanguage: de\ncustom_instructions:\n  - { label: Tone, prompt: Brief }\n';
  const config = APP.replace('routes:', 'style: { de: style.yaml }\n    routes:');
  await using rig = await Rig.start({ config, files: { ...FILES, 'style.yaml': style } });
  rig.write('key', `${rig.sandbox.key}-free`);
  change(rig, '{ env: DRAGOMAN_KEY }', '{ file: key }');
  for (const command of [['check', '--online'], ['plan']]) {
    const { code, stdout, stderr } = await rig.run(...command);
    expect(`${stdout}${stderr}`).toContain('this key may not use style lists');
    expect(code).toBe(1);
  }
});

test('check --online reports a service that does not list its languages, and checks the rest', async () => {
  const memory = APP.replace(
    'routes:',
    'translation_memory: { id: 00000000-0000-4000-8000-000000000000 }\n    routes:',
  );
  const faults = [
    { kind: 'status', status: 404, operation: 'GET /v3/languages', times: 'always' },
  ] as const;
  const files = { ...FILES, 'locales/de/app.json': '{ "hello": "Hallo" }\n' };
  await using rig = await Rig.start({ config: APP, files, sandbox: { faults } });
  const told = 'this service does not list its languages';
  const { code, stdout } = await rig.run('check', '--online');
  expect(stdout).toContain(told);
  expect(code).toBe(0);
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(APP, memory));
  const named = await rig.run('check', '--online');
  expect(named.stdout).toContain('the service has none of this id for this key');
  expect(named.code).toBe(78);
});
