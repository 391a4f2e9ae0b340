/** Languages that the service lacks, or has without a feature: one of them never stops the others. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import {
  LanguageSupport,
  type LanguageSupportOptions,
} from '../../src/config/load-language-support.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { billed, requests } from '../counts.ts';
import { Rig } from '../rig.ts';

const TRANSLATE = 'POST /v2/translate';
const LACK = 'the service does not translate into xh';
const config = (targets: string) => `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: ${targets}
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;
const FILES = { 'locales/en/a.json': '{ "hello": "Hello {name}", "bye": "Bye" }\n' };

test('a language that the service lacks fails by name, in every run and in every output, and all others go on', async () => {
  await using rig = await Rig.start({ config: config('[de, xh]'), files: FILES });
  for (const delivered of [1, 0]) {
    const once = await rig.once();
    expect(once).toMatchObject({ code: 1, delivered });
    expect(once.failed.map(({ reason }) => reason)).toEqual([LACK]);
  }
  for (const command of [['check'], ['check', '--online'], ['once', '--frozen'], ['plan']]) {
    const { code, stdout } = await rig.run(...command);
    expect([command, code]).toEqual([command, 1]);
    expect(stdout.split(LACK), 'told once').toHaveLength(2);
  }
  expect((await rig.run('status')).stdout.split(LACK), 'told once').toHaveLength(2);
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('[de, xh]', '[xh]'));
  expect(await rig.run('once')).toMatchObject({ code: 78 });
});

test.each(['en,de', 'en,de,th'])(
  'a language that the service has no glossaries for fails by name, and all others go on; the glossary begins with "%s"',
  async (heading) => {
    const lack = 'the service has no glossaries for th';
    const terms = `    glossary: { name: terms, csv: terms.csv }\n    routes:`;
    await using rig = await Rig.start({
      config: config('[de, th]').replace('    routes:', terms),
      files: { ...FILES, 'terms.csv': `${heading}\n${heading.replace(/[a-z]+/g, 'bye')}\n` },
    });
    expect(await rig.run('plan')).toMatchObject({ code: 1, stdout: expect.stringContaining(lack) });
    for (const delivered of [1, 0]) {
      const once = await rig.once();
      expect(once).toMatchObject({ code: 1, delivered });
      expect(once.failed).toMatchObject([
        { language: 'th', reason: expect.stringContaining(lack) },
      ]);
    }
    for (const command of [['check'], ['check', '--online'], ['once', '--frozen'], ['plan']]) {
      const { code, stdout } = await rig.run(...command);
      expect([command, code, stdout.split(lack).length]).toEqual([command, 1, 2]);
    }
    expect((await rig.run('status')).stdout.split(lack), 'told once').toHaveLength(2);
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('[de, th]', '[th]'));
    expect(await rig.run('once')).toMatchObject({
      code: 78,
      stderr: expect.stringContaining(lack),
    });
  },
);

test('a recording is translated into a language without glossaries: the service uses none for recordings', async () => {
  const talks = `      - { from: "talks/*.wav", to: { transcript: "talks/{locale}/{name}.txt" } }`;
  const text = config('[de, th]').replace('    routes:', '    glossary: { id: g1 }\n    routes:');
  await using rig = await Rig.start({ config: `${text}${talks}\n`, files: FILES });
  await rig.run('check', '--online');
  const yaml = { file: rig.path('dragoman.yaml'), env: { DRAGOMAN_KEY: rig.sandbox.key } };
  const setup = parseConfig(rig.read('dragoman.yaml'), yaml);
  if (setup.faults !== undefined) throw new Error(JSON.stringify(setup.faults));
  const [project] = setup.config.projects;
  const language = project?.targets.find((each) => each === 'th');
  if (project === undefined || language === undefined) expect.unreachable();
  const noService = { languages: {} } as LanguageSupportOptions['service'];
  const options = { config: setup.config, service: noService, clock: systemClock };
  const support = new LanguageSupport(options);
  const pair = { project, language };
  expect(support.lack('text', pair)).toContain('the service has no glossaries for th');
  expect(support.lack('voice', pair) ?? '').not.toContain('glossaries');
});

test('the first plan ends with 78 as the run would, where the service lacks the source or all languages', async () => {
  for (const [before, after, what] of [
    ['source: en', 'source: tlh', 'from tlh'],
    ['targets: [de]', 'targets: [xh]', 'into xh'],
  ] as const) {
    const files = { 'locales/tlh/a.json': FILES['locales/en/a.json'], ...FILES };
    const changed = config('[de]').replace(before, after);
    await using rig = await Rig.start({ config: changed, files });
    for (const command of ['plan', 'plan', 'once']) {
      const { code, stdout, stderr } = await rig.run(command);
      expect([command, code, stdout]).toEqual([command, 78, '']);
      expect(stderr).toContain(`the service does not translate ${what}`);
    }
    expect(billed(rig)).toBe(0);
  }
});

test('failed and waiting jobs of a language are not reported after the language left the config, and are reported when it comes back', async () => {
  await using rig = await Rig.start({ config: config('[de, fr, xh]'), files: FILES });
  await rig.once();
  rig.write('locales/fr/a.json', '{ "hello": "Salut {name}", "bye": "Ciao" }\n');
  rig.write('locales/en/a.json', '{ "hello": "Hello {name}!", "bye": "Bye" }\n');
  expect(await rig.once()).toMatchObject({ code: 1, held: [{ language: 'fr' }] });
  const before = rig.read('dragoman.yaml');
  rig.write('dragoman.yaml', before.replace('[de, fr, xh]', '[de]'));
  expect(await rig.once()).toMatchObject({ code: 0, held: [], failed: [] });
  expect(await rig.run('once', '--frozen')).toMatchObject({ code: 0 });
  const status = JSON.parse((await rig.run('status', '--json')).stdout);
  expect(status).toMatchObject({ attention: [], conflicts: [], jobs: { held: 0, failed: 0 } });
  expect(await rig.run('check')).toMatchObject({ code: 0 });
  rig.write('dragoman.yaml', before);
  expect(await rig.once()).toMatchObject({ code: 1, held: [{ language: 'fr' }] });
  expect(rig.read('locales/fr/a.json')).toContain('Salut {name}');
});

test('a pair without a next-gen model takes v1 of tag handling, and is not asked for v2 again', async () => {
  await using rig = await Rig.start({ config: config('[de, lt]'), files: FILES });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
  expect(rig.json('locales/lt/a.json')['hello']).toContain('{name}');
  const refused = () => rig.sandbox.counters().operations[TRANSLATE]?.statuses[400] ?? 0;
  expect(refused()).toBe(1);
  rig.write('locales/en/a.json', '{ "hello": "Hello {name}", "bye": "Bye", "new": "New {thing}" }');
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
  expect(refused()).toBe(1);
});

test('a pair without tag handling gets its placeholders as they are, and costs what the plan said', async () => {
  await using rig = await Rig.start({ config: config('[lt]'), files: {} });
  await rig.run('check', '--online');
  const kept = rig.read('.dragoman/languages.json');
  const { resources, ...rest } = JSON.parse(kept) as {
    resources: { translate_text: { lang: string; features: Record<string, unknown> }[] };
  };
  for (const { lang, features } of resources.translate_text) {
    if (lang === 'lt') delete features['tag_handling'];
  }
  rig.write('.dragoman/languages.json', JSON.stringify({ ...rest, resources }));
  rig.write('locales/en/a.json', FILES['locales/en/a.json']);
  const plan = JSON.parse((await rig.run('plan', '--json')).stdout) as object;
  const characters = 'Hello {name}'.length + 'Bye'.length;
  expect(plan).toMatchObject({ estimated_characters: characters });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(rig.json('locales/lt/a.json')['hello']).toContain('{name}');
  expect([billed(rig), requests(rig, TRANSLATE)]).toEqual([characters, 1]);
});
