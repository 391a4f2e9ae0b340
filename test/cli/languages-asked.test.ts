/**
 * The answer of the service about its languages decides which settings a config may have; before that answer, the documented table
 * decides.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { ListedLanguage } from '../../src/config/capabilities.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [sv]
    formality: more
    routes: [{ from: "locales/{locale}/**/*.json" }]
`;
const FILES = { 'locales/en/app.json': '{ "a": "Your boat" }\n' };
const REFUSAL = 'projects.app.formality: the service has no formality for sv';

interface Asked extends AsyncDisposable {
  readonly url: string;
  readonly resources: readonly string[];
  /** Paths of other calls. */
  readonly others: readonly string[];
  /** Codes in the next answers. */
  codes: readonly string[];
  /** Codes in the first answer for each resource; absent: as in the next ones. */
  damaged?: readonly string[];
}

/** A service that learned formality for Swedish after this program was made; it knows how to list languages, and nothing else. */
async function learned(): Promise<Asked> {
  const resources: string[] = [];
  const others: string[] = [];
  const listed = (lang: string): ListedLanguage & { name: string; status: string } => ({
    lang,
    name: lang,
    status: 'stable',
    usable_as_source: true,
    usable_as_target: true,
    features: { formality: { status: 'stable' } },
  });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://any');
    if (url.pathname === '/v3/languages') resources.push(url.searchParams.get('resource') ?? '');
    else others.push(url.pathname);
    const isFirst = resources.length <= 5;
    const codes = isFirst ? (asked.damaged ?? asked.codes) : asked.codes;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(codes.map(listed)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const asked: Asked = {
    url: `http://127.0.0.1:${port}`,
    resources,
    others,
    codes: ['en', 'sv'],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return asked;
}

function pointAt(rig: Rig, { url }: Asked): void {
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(rig.sandbox.url, url));
}

test('a feature that the service newly has for a language is usable at once, and known offline afterwards', async () => {
  const service = await learned();
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  pointAt(rig, service);
  const offline = await rig.run('check');
  expect(offline).toMatchObject({ code: 78 });
  expect(offline.stdout).toContain(REFUSAL);
  expect(offline.stderr).toContain('as the documentation of the API names them');
  const { code, stdout } = await rig.run('plan', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ estimated_characters: 'Your boat'.length });
  expect(service.resources).toEqual([
    'translate_text',
    'translate_document',
    'glossary',
    'voice',
    'write',
  ]);
  await service[Symbol.asyncDispose]();
  expect(await rig.run('check')).toMatchObject({ code: 0 });
});

test('the first plan has no price for a language that the service turns out to lack', async () => {
  await using service = await learned();
  const config = CONFIG.replace('[sv]', '[sv, gd]').replace('    formality: more\n', '');
  await using rig = await Rig.start({ config, files: FILES });
  pointAt(rig, service);
  const first = await rig.run('plan', '--json');
  expect(first.code).toBe(1);
  const plan = JSON.parse(first.stdout) as Record<string, unknown>;
  expect(plan).toMatchObject({
    estimated_characters: 'Your boat'.length,
    languages: [
      { language: 'gd', bought: 0, would_fail: 1 },
      { language: 'sv', bought: 1, would_fail: 0 },
    ],
  });
  const again = await rig.run('plan', '--json');
  expect(again).toMatchObject({ code: 1, stdout: first.stdout });
});

test('the service is asked once an hour at most about a language that it lacks, and the language is refused with its place', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  // One answer alone may be damaged: the second run asks again, and the third one does not.
  for (const calls of [5, 10, 10]) {
    const { code, stderr } = await rig.run('once');
    expect(code).toBe(78);
    expect(stderr).toContain(`dragoman.yaml:11:16 ${REFUSAL}`);
    expect(rig.sandbox.counters().operations['GET /v3/languages']?.calls).toBe(calls);
  }
});

const PLAIN = CONFIG.replace('formality: more', '');

test('an empty list of languages is no answer: nothing is refused by it, and the next run asks again', async () => {
  await using service = await learned();
  await using rig = await Rig.start({ config: PLAIN, files: FILES });
  pointAt(rig, service);
  service.codes = [];
  expect(await rig.run('plan')).toMatchObject({ code: 0 });
  expect(rig.exists('.dragoman/languages.json')).toBe(false);
  const { code, stderr } = await rig.run('check', '--online');
  expect([code, stderr]).toEqual([1, expect.stringContaining('the list of languages is empty')]);
  service.codes = ['en', 'sv'];
  const before = service.resources.length;
  expect(await rig.run('plan')).toMatchObject({ code: 0 });
  expect(service.resources).toHaveLength(before + 5);
});

test('init takes an empty list for no answer', async () => {
  await using service = await learned();
  service.codes = [];
  const files = { ...FILES, 'locales/sv/app.json': '{ "a": "Din båt" }\n' };
  await using rig = await Rig.start({ config: PLAIN, files });
  rig.remove('dragoman.yaml');
  expect(await rig.run('init', '--yes', '--url', service.url)).toMatchObject({ code: 0 });
  expect(service.resources).toEqual(['translate_text']);
  expect(rig.read('dragoman.yaml')).toContain('targets: [sv]');
});

test('an empty list that an earlier version kept refuses nothing', async () => {
  await using service = await learned();
  await using rig = await Rig.start({ config: PLAIN, files: FILES });
  pointAt(rig, service);
  const resources = { translate_text: [], translate_document: [], glossary: [], voice: [] };
  const kept = { url: service.url, asked: new Date().toISOString(), resources };
  rig.write('.dragoman/languages.json', JSON.stringify(kept));
  for (const command of [['check'], ['plan'], ['status']]) {
    expect(await rig.run(...command)).toMatchObject({ code: 0 });
  }
});

test('a config is refused for a kept answer only after the service was asked once more', async () => {
  await using service = await learned();
  await using rig = await Rig.start({ config: PLAIN, files: FILES });
  pointAt(rig, service);
  service.codes = ['tlh'];
  expect(await rig.run('plan')).toMatchObject({ code: 78 });
  service.codes = ['en', 'sv'];
  for (const command of ['status', 'plan']) {
    expect(await rig.run(command)).toMatchObject({ code: 0 });
  }
});

test('a language is lacking by a kept answer only after the service was asked once more', async () => {
  await using service = await learned();
  const config = PLAIN.replace('[sv]', '[sv, de]');
  await using rig = await Rig.start({ config, files: FILES });
  pointAt(rig, service);
  service.codes = ['en', 'de'];
  const { code, stdout } = await rig.run('plan');
  expect([code, stdout]).toEqual([1, expect.stringContaining('does not translate into sv')]);
  service.codes = ['en', 'de', 'sv'];
  expect(await rig.run('plan')).toMatchObject({ code: 0 });
});

test('one damaged answer that lacks a language is asked again at once, and no command takes it for the last word', async () => {
  await using service = await learned();
  const config = PLAIN.replace('[sv]', '[sv, de]');
  await using rig = await Rig.start({ config, files: FILES });
  pointAt(rig, service);
  service.codes = ['en', 'de', 'sv'];
  service.damaged = ['en', 'de'];
  for (const command of ['plan', 'check', 'plan']) {
    const { code } = await rig.run(command);
    expect({ command, code }).toEqual({ command, code: 0 });
  }
  expect((await rig.run('once', '--frozen')).stdout).not.toContain('does not translate');
  expect(service.resources).toHaveLength(10);
});

test('a service that has none of the languages ends a run before anything is sent to be translated', async () => {
  const service = await learned();
  await using rig = await Rig.start({ config: CONFIG.replace('[sv]', '[de]'), files: FILES });
  pointAt(rig, service);
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('formality: more', ''));
  expect(await rig.run('check')).toMatchObject({ code: 0 });
  const { code, stderr } = await rig.run('once');
  expect(code).toBe(78);
  expect(stderr).toContain('projects.app.targets.0: the service does not translate into de');
  expect(service.resources).toHaveLength(10);
  expect(service.others).toEqual([]);
});

test('an answer of the service counts for a week, and a run with nothing to do asks for no new one', async () => {
  const files = { ...FILES, 'locales/sv/app.json': '{ "a": "Din båt" }\n' };
  await using rig = await Rig.start({ config: CONFIG.replace('formality: more', ''), files });
  const asked = () => rig.sandbox.counters().operations['GET /v3/languages']?.calls ?? 0;
  expect(await rig.once()).toMatchObject({ code: 0 });
  const first = asked();
  const kept = JSON.parse(rig.read('.dragoman/languages.json'));
  const old = { ...kept, asked: new Date(Date.now() - 8 * 86_400_000).toISOString() };
  rig.write('.dragoman/languages.json', JSON.stringify(old));
  expect(await rig.once()).toMatchObject({ requests: 0 });
  expect(asked()).toBe(first);
  rig.write('locales/en/app.json', '{ "a": "Your boat", "b": "Your sail" }\n');
  await rig.once();
  expect(asked()).toBe(first + 5);
  rig.write('locales/en/app.json', '{ "a": "Your boat", "b": "Your mast" }\n');
  await rig.once();
  expect(asked()).toBe(first + 5);
});

test('a daemon asks when it has work, and reports what the service does not have', async () => {
  const service = await learned();
  await using rig = await Rig.start({ config: CONFIG.replace('[sv]', '[de]'), files: FILES });
  pointAt(rig, service);
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('formality: more', ''));
  const daemon = await rig.daemon();
  const { msg } = await daemon.logged(({ kind }) => kind === 'config-doubted');
  expect(msg).toContain('projects.app.targets.0: the service does not translate into de');
  expect(service.resources).toHaveLength(10);
});

test('commands that ask the service something of their own work with languages that it does not have', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  expect(await rig.run('translate', '--to', 'de', 'Hello')).toMatchObject({ code: 0 });
});

test('with an unreachable service, the documented table decides', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  await rig.stopService();
  const { code, stderr } = await rig.run('once');
  expect(code).toBe(78);
  expect(stderr).toContain(REFUSAL);
});

test('a lane whose languages the service does not have is named', async () => {
  const files = { ...FILES, 'in/a.docx': '' };
  const routes = 'routes: [{ from: "in/*.docx", to: "out/{locale}/{name}.{ext}" }]';
  const config = CONFIG.replace(/routes: .*/, routes).replace('formality: more', '');
  await using rig = await Rig.start({ config: config.replace('[sv]', '[gsw]'), files });
  const { code, stdout } = await rig.run('check', '--online');
  expect(code).toBe(78);
  expect(stdout).toContain('the service does not translate documents into gsw');
});
