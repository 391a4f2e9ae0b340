/** Languages that the service lacks, or has without a feature: one of them never stops the others. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import {
  LanguageSupport,
  type LanguageSupportOptions,
} from '../../src/config/load-language-support.ts';
import { parseConfig } from '../../src/config/parse.ts';
import type { Lane } from '../../src/job.ts';
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

test('a language that was taken out of the config is in no number any more, and its files stay', async () => {
  await using rig = await Rig.start({ config: config('[de, fr]'), files: FILES });
  await rig.once();
  const numbers = async () => {
    const { jobs, projects } = JSON.parse((await rig.run('status', '--json')).stdout);
    const { unchanged } = await rig.once();
    const languages = projects[0].languages.map(({ language }: { language: string }) => language);
    return { done: jobs.done, unchanged, languages };
  };
  expect(await numbers()).toEqual({ done: 2, unchanged: 2, languages: ['de', 'fr'] });
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('[de, fr]', '[de]'));
  expect(await numbers()).toEqual({ done: 1, unchanged: 1, languages: ['de'] });
  const before = billed(rig);
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('[de]', '[de, fr]'));
  expect(await numbers()).toEqual({ done: 2, unchanged: 2, languages: ['de', 'fr'] });
  expect(billed(rig)).toEqual(before);
  expect(rig.exists('locales/fr/a.json')).toBe(true);
});

const STYLE =
  'name: ours\nlanguage: de\ncustom_instructions: [{ label: Tone, prompt: Be brief }]\n';

test.each([
  ['formality: more', 'sv', 'the service has no formality for sv'],
  ['custom_instructions: [Be brief]', 'sv', 'the service takes no custom instructions for sv'],
  ['style: { de: de.yaml, sv: { id: ours } }', 'sv', 'the service has no style rules for sv'],
  ['glossary: { name: terms, csv: terms.csv }', 'th', 'the service has no glossaries for th'],
])(
  'with "%s", a language without the feature fails by name, and all others go on',
  async (rule, language, lack) => {
    await using rig = await Rig.start({
      config: config(`[de, ${language}]`).replace('    routes:', `    ${rule}\n    routes:`),
      files: {
        ...FILES,
        'terms.csv': 'en,de,th\nbye,tschüss,ลาก่อน\n',
        'de.yaml': STYLE,
      },
    });
    expect(await rig.run('plan')).toMatchObject({ code: 1, stdout: expect.stringContaining(lack) });
    for (const delivered of [1, 0]) {
      const once = await rig.once();
      expect(once).toMatchObject({ code: 1, delivered });
      expect(once.failed).toMatchObject([{ language, reason: expect.stringContaining(lack) }]);
    }
    // `check --online` refuses the id: no list can be for a language without style rules.
    const online = rule.includes('id: ours') ? [] : [['check', '--online']];
    for (const command of [['check'], ...online, ['once', '--frozen'], ['plan']]) {
      const { code, stdout } = await rig.run(...command);
      expect([command, code, stdout.split(lack).length]).toEqual([command, 1, 2]);
    }
    expect((await rig.run('status')).stdout.split(lack), 'told once').toHaveLength(2);
    const refused = Object.values(rig.sandbox.counters().operations).map(
      ({ statuses }) => statuses,
    );
    expect(refused.filter((statuses) => (statuses[400] ?? 0) > 0)).toEqual([]);
    const only = rig.read('dragoman.yaml').replace(`[de, ${language}]`, `[${language}]`);
    rig.write('dragoman.yaml', only.replace('de: de.yaml, ', ''));
    const alone = await rig.run('once');
    expect(alone).toMatchObject({ code: 78, stderr: expect.stringContaining(lack) });
  },
);

test('a variant of the source without writing styles fails by name, and all others go on', async () => {
  const rule = '    improve: { writing_style: business }\n    routes:';
  const text = config('[de, en-GB]').replace('source: en', 'source: en-US');
  await using rig = await Rig.start({
    config: text.replace('    routes:', rule),
    files: { 'locales/en-US/a.json': FILES['locales/en/a.json'] },
  });
  await rig.run('check', '--online');
  const kept = JSON.parse(rig.read('.dragoman/languages.json')) as {
    resources: { write: { lang: string; features: Record<string, unknown> }[] };
  };
  for (const { lang, features } of kept.resources.write) {
    if (lang === 'en-GB') delete features['writing_style'];
  }
  rig.write('.dragoman/languages.json', JSON.stringify({ ...kept, confirmed: true }));
  const once = await rig.once();
  expect(once).toMatchObject({ code: 1, delivered: 1 });
  const reason = 'text improvement has no writing styles for en-GB';
  expect(once.failed).toMatchObject([{ language: 'en-GB', reason }]);
  expect(await rig.run('check')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(reason),
  });
});

test('a language without glossaries is translated when the glossary has no terms of it', async () => {
  const rule = '    glossary: { name: terms, csv: terms.csv }\n    routes:';
  await using rig = await Rig.start({
    config: config('[de, th]').replace('    routes:', rule),
    files: { ...FILES, 'terms.csv': 'en,de\nbye,tschüss\n' },
  });
  await rig.run('check', '--online');
  expect(await rig.run('plan')).toMatchObject({ code: 0 });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
  for (const command of [['check'], ['check', '--online'], ['once', '--frozen'], ['plan']]) {
    expect([command, (await rig.run(...command)).code]).toEqual([command, 0]);
  }
  rig.write('terms.csv', 'en,de,th\nbye,tschüss,ลาก่อน\n');
  expect(await rig.run('check')).toMatchObject({ code: 1 });
  rig.write('terms.csv', 'en,de\nbye,tschüss\n');
  rig.write('locales/en/b.json', '{ "bye": "Bye bye" }\n');
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
});

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
  const lackIn = (lane: Lane) => support.lack({ project, language, lane }, () => true)?.what ?? '';
  expect(lackIn('text')).toContain('the service has no glossaries for th');
  expect(lackIn('voice')).not.toContain('glossaries');
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
