/** Configs of other tools, written by the formats that the tools publish, and what becomes of them. */
import { describe, expect, test } from 'vitest';
import { firstConfigText } from '../../../src/cli/init/first-config.ts';
import { proposeImported } from '../../../src/cli/init/from/propose-imported.ts';
import { readToolConfig } from '../../../src/cli/init/from/thread-work.ts';
import { TOOLS } from '../../../src/cli/init/from/tools.ts';
import { renderFaults } from '../../../src/config/fault.ts';
import { parseConfig } from '../../../src/config/parse.ts';

interface Arrival {
  readonly file: string;
  readonly text: string;
  /** Of the repository. */
  readonly paths: string;
}

/** The lines of the projects, without layouts, and what is left to a person. */
async function arrive({ file, text, paths }: Arrival) {
  const tool = TOOLS.find(({ pattern }) => pattern.test(`/repo/${file}`));
  if (tool === undefined) throw new Error(`no tool for ${file}`);
  const data = tool.language === 'INI' ? text : (await readToolConfig({ text, file }))();
  const imported = tool.read(await data);
  const wishes = { name: 'app', isSupported: () => true };
  const { projects, suggestions, notes } = proposeImported(imported, paths.split(/\s+/), wishes);
  const priced = suggestions.map((suggestion) => ({ ...suggestion, price: 'free' }));
  const written = firstConfigText({
    ...{ projects, notes, suggestions: priced, url: 'http://127.0.0.1:1' },
    ...(imported.budget === undefined ? {} : { budget: imported.budget }),
  });
  const { faults } = parseConfig(written, { file: '/repo/dragoman.yaml', env: {} });
  if (faults !== undefined) throw new Error(renderFaults(faults));
  const lines = written
    .slice(written.indexOf('projects:'))
    .split('\n')
    .slice(1)
    .flatMap((line) => line.trim().replace(/ {3}#.*$/, '') || [])
    .filter((line) => line !== 'routes:');
  return { lines, notes: notes.map((note) => note.replace(/^.*, by hand: /, '')), written };
}

describe('DeepL sync', () => {
  test('buckets, languages, rules and the limit of a run are taken over', async () => {
    const { lines, notes, written } = await arrive({
      file: '.deepl-sync.yaml',
      text: `version: 1
source_locale: en
target_locales: [de, fr]
buckets:
  json:
    include: ["locales/en.json", "locales/en/*.json"]
    exclude: ["locales/en/generated.json"]
  android_xml:
    include: ["app/src/main/res/values/strings.xml"]
    target_path_pattern: "app/src/main/res/values-{locale}/strings.xml"
translation:
  formality: formal
  model_type: prefer_quality_optimized
  glossary: my-terms
  custom_instructions: ["Be short"]
sync: { max_characters: 50000, concurrency: 5 }
context: { enabled: true }
`,
      paths: `locales/en.json locales/de.json locales/en/a.json locales/fr/a.json
        app/src/main/res/values/strings.xml app/src/main/res/values-de/strings.xml`,
    });
    expect(lines).toEqual([
      'app:',
      'source: en',
      'targets: [de, fr]',
      'formality: "more"',
      'model: "prefer_quality_optimized"',
      'custom_instructions: ["Be short"]',
      '- { from: "locales/{locale}.json", exclude: ["locales/en/generated.json"] }',
      '- { from: "locales/{locale}/*.json", exclude: ["locales/en/generated.json"] }',
      '- { from: "app/src/main/res/values/strings.xml", to: "app/src/main/res/values-{locale}/strings.xml" }',
    ]);
    expect(written).toContain('budget: { run: 50000 }');
    expect(notes.map((note) => note.split(':')[0])).toEqual([
      'translation.glossary',
      'sync.concurrency',
      'context',
    ]);
  });

  test('a glossary and a memory by their ids, with the threshold', async () => {
    const id = '0d9c3b1e-3f4c-4c58-9d7e-1f2a3b4c5d6e';
    const { lines } = await arrive({
      file: '.deepl-sync.yaml',
      text: `version: 1
source_locale: en
target_locales: [de]
buckets: { json: { include: ["i18n/en.json"] } }
translation: { glossary: ${id}, model_type: quality_optimized, translation_memory: ${id}, translation_memory_threshold: 80 }
`,
      paths: 'i18n/en.json',
    });
    expect(lines).toEqual([
      'app:',
      'source: en',
      'targets: [de]',
      'model: "quality_optimized"',
      `glossary: { id: "${id}" }`,
      `translation_memory: { id: "${id}", threshold: 80 }`,
      '- { from: "i18n/{locale}.json" }',
    ]);
  });
});

test('lingo.dev: buckets with [locale], delimiters and keys; what is not there is offered', async () => {
  const { lines, notes } = await arrive({
    file: 'i18n.json',
    text: JSON.stringify({
      $schema: 'https://lingo.dev/schema/i18n.json',
      version: '1.10',
      locale: { source: 'en', targets: ['de', 'pt-BR'] },
      buckets: {
        json: {
          include: ['src/[locale]/*.json', { path: 'old/[locale].json', delimiter: '_' }],
          exclude: ['src/[locale]/skip.json'],
          lockedKeys: ['brand/name'],
          ignoredKeys: ['debug/*'],
        },
        mdx: { include: ['docs/[locale]/*.mdx'] },
      },
      provider: { id: 'openai' },
    }),
    paths: 'src/en/a.json src/de/a.json old/en.json old/pt_BR.json',
  });
  expect(lines).toEqual([
    'app:',
    'source: en',
    'targets: [de, pt-BR]',
    '- { from: "src/{locale}/*.json", exclude: ["src/*/skip.json"], keys: { ignore: ["debug.*"], lock: ["brand.name"] } }',
    '- { from: "old/{locale_underscore}.json", exclude: ["src/*/skip.json"], keys: { ignore: ["debug.*"], lock: ["brand.name"] } }',
    '# not taken: none of its sources exists; free',
    '# - { from: "docs/{locale}/*.mdx" }',
  ]);
  expect(notes).toEqual(['provider: the service translates; dragoman calls no language model']);
});

test('Crowdin: patterns of paths, mappings of languages; the languages are those of the files', async () => {
  const { lines, notes } = await arrive({
    file: 'crowdin.yml',
    text: `project_id_env: CROWDIN_PROJECT_ID
preserve_hierarchy: true
base_path: "."
files:
  - source: /locales/en/**/*.json
    translation: /locales/%two_letters_code%/**/%original_file_name%
    languages_mapping: { two_letters_code: { pt-BR: pt_BR, zh-CN: cn } }
    update_option: update_as_unapproved
  - source: /app/src/main/res/values/strings.xml
    translation: /app/src/main/res/values-%android_code%/%original_file_name%
  - source: /docs/*.md
    translation: /%original_path%/%file_name%.%two_letters_code%.%file_extension%
    ignore: ["/docs/*.%two_letters_code%.md"]
`,
    paths: `locales/en/a.json locales/en/x/b.json locales/de/a.json locales/pt_BR/a.json locales/cn/a.json
      app/src/main/res/values/strings.xml app/src/main/res/values-de/strings.xml
      app/src/main/res/values-pt-rBR/strings.xml app/src/main/res/values-zh-rCN/strings.xml
      docs/a.md docs/a.de.md`,
  });
  expect(lines).toEqual([
    'app:',
    'source: en',
    'targets: [de, pt-BR, zh-CN]',
    'locales: { pt-BR: { file: "pt_BR" }, zh-CN: { file: "cn" } }',
    '- { from: "locales/en/**/*.json", to: "locales/{locale}/{dir}/{name}.{ext}" }',
    '- { from: "app/src/main/res/values/strings.xml", to: "app/src/main/res/values-{android}/{name}.{ext}" }',
    'docs:',
    'source: en',
    'targets: [de]',
    '- { from: "docs/*.md", to: "docs/{name}.{locale}.{ext}", exclude: ["docs/*.*.md"] }',
  ]);
  expect(notes).toEqual([expect.stringMatching(/^files\[0\]\.update_option: "human_edits"/)]);
});

test('i18n-tasks: patterns, languages and ignored keys; lines of ERB are no YAML', async () => {
  const { lines, notes } = await arrive({
    file: 'config/i18n-tasks.yml',
    text: `# i18n-tasks finds and manages missing and unused translations
base_locale: en
locales: [de, fr]
data:
  read:
    - config/locales/%{locale}.yml
    - config/locales/**/*.%{locale}.yml
  write:
    - config/locales/%{locale}.yml
search:
  paths:
    - app/
ignore:
  - '{devise,simple_form}.*'
<% I18n::Tasks.add_scanner 'Scanner' %>
`,
    paths: 'config/locales/en.yml config/locales/de.yml config/locales/devise.en.yml',
  });
  expect(lines).toEqual([
    'app:',
    'source: en',
    'targets: [de, fr]',
    '- { from: "config/locales/{locale}.yml", keys: { ignore: ["devise.*", "simple_form.*"] } }',
    '- { from: "config/locales/**/*.{locale}.yml", keys: { ignore: ["devise.*", "simple_form.*"] } }',
  ]);
  expect(notes.map((note) => note.split(':')[0])).toEqual(['data.write', 'search']);
});

describe('Tolgee', () => {
  test('files by language, and where they are pulled to', async () => {
    const { lines, notes } = await arrive({
      file: '.tolgeerc',
      text: JSON.stringify({
        projectId: 1,
        format: 'JSON_TOLGEE',
        push: {
          files: [
            { path: './i18n/en.json', language: 'en' },
            { path: './i18n/de.json', language: 'de' },
          ],
        },
        pull: { path: './i18n', states: ['REVIEWED'] },
      }),
      paths: 'i18n/en.json i18n/de.json i18n/fr.json',
    });
    expect(lines).toEqual([
      'app:',
      'source: en',
      'targets: [de, fr]',
      '- { from: "i18n/{locale}.json" }',
    ]);
    expect(notes).toEqual([expect.stringContaining('dragoman review import FILE')]);
  });

  test('templates with namespaces', async () => {
    const { lines } = await arrive({
      file: '.tolgeerc.json',
      text: JSON.stringify({
        format: 'JSON_ICU',
        push: { filesTemplate: ['./src/{namespace}/{languageTag}.json'] },
        pull: { path: './src', fileStructureTemplate: '{namespace}/{languageTag}.{extension}' },
      }),
      paths: 'src/shop/en.json src/shop/de.json',
    });
    expect(lines.slice(2)).toEqual(['targets: [de]', '- { from: "src/*/{locale}.json" }']);
  });
});

test('Phrase: the pattern of the pulled files, also for a source that is pushed by its name', async () => {
  const { lines, notes } = await arrive({
    file: '.phrase.yml',
    text: `phrase:
  project_id: 1234
  push:
    sources:
      - file: ./config/locales/en.yml
        params: { file_format: yml, update_translations: true }
  pull:
    targets:
      - file: ./config/locales/<locale_name>.yml
        params: { file_format: yml }
`,
    paths: 'config/locales/en.yml config/locales/de.yml',
  });
  expect(lines).toEqual([
    'app:',
    'source: en',
    'targets: [de]',
    '- { from: "config/locales/{locale}.yml" }',
  ]);
  expect(notes).toEqual([expect.stringContaining('update_translations')]);
});

test('Transifex: resources, mapped languages, and catalogs with a template', async () => {
  const { lines, notes } = await arrive({
    file: '.tx/config',
    text: `[main]
host = https://app.transifex.com
lang_map = zh_CN: zh-cn

[o:org:p:proj:r:app]
file_filter = locale/<lang>/LC_MESSAGES/app.po
source_file = locale/app.pot
source_lang = en
type = PO
minimum_perc = 50

[o:org:p:proj:r:web]
file_filter = web/<lang>.json
source_file = web/en.json
source_lang = en
trans.pt_BR = web/brazil.json
`,
    paths:
      'locale/app.pot locale/de/LC_MESSAGES/app.po locale/pt_BR/LC_MESSAGES/app.po web/en.json web/de.json web/pt_BR.json',
  });
  expect(lines).toEqual([
    'app:',
    'source: en',
    'targets: [de, pt-BR]',
    '- { from: "locale/app.pot", to: "locale/{locale_underscore}/LC_MESSAGES/app.po" }',
    '- { from: "web/{locale_underscore}.json" }',
  ]);
  expect(notes.map((note) => note.split(': ')[0])).toEqual([
    'o:org:p:proj:r:app.minimum_perc',
    'o:org:p:proj:r:web.trans.pt_BR',
  ]);
});

test('a config that is no YAML is refused with its line', async () => {
  const arrival = { file: 'crowdin.yml', text: 'files:\n  - source: [\n', paths: '' };
  await expect(arrive(arrival)).rejects.toThrow(/crowdin\.yml/);
});

describe('configs as people have them', () => {
  test('Tolgee: the example of its documentation, with comments and commas at the end', async () => {
    const text = `{
  "$schema": "https://docs.tolgee.io/cli-schema.json",
  "projectId": 123, // project id
  /* what is pushed */
  "push": {
    "filesTemplate": "./public/i18n/{languageTag}.json", // not a comment: "//"
  },
}
`;
    const paths = 'public/i18n/en.json public/i18n/de.json';
    const { lines } = await arrive({ file: '.tolgeerc', text, paths });
    expect(lines).toContain('- { from: "public/i18n/{locale}.json" }');
  });

  test('Tolgee in .config', async () => {
    const text = '{ "push": { "filesTemplate": "../i18n/{languageTag}.json" } }';
    const given = { file: '.config/tolgeerc.json', text, paths: 'i18n/en.json i18n/de.json' };
    expect((await arrive(given)).lines).toContain('- { from: "i18n/{locale}.json" }');
  });

  test('i18n-tasks: a file whose name only ends like that of another pattern', async () => {
    const text =
      'base_locale: en\ndata:\n  read:\n    - config/locales/%{locale}.yml\n    - config/locales/admin.%{locale}.yml\n';
    const names = ['en', 'de', 'admin.en', 'admin.de'];
    const paths = names.map((name) => `config/locales/${name}.yml`).join(' ');
    const { lines } = await arrive({ file: 'config/i18n-tasks.yml', text, paths });
    expect(lines).toContain('- { from: "config/locales/admin.{locale}.yml" }');
    expect(lines).toContain('- { from: "config/locales/{locale}.yml" }');
  });

  test('Phrase: files that are named one by one', async () => {
    const files = ['en', 'es', 'zh'].map((code) => `      - file: app/${code}.json`).join('\n');
    const text = `phrase:\n  push:\n    sources:\n${files}\n      - file: app/locale-en.json\n  pull:\n    targets:\n      - file: app/locale-es.json\n`;
    const paths = 'app/en.json app/es.json app/zh.json app/locale-en.json app/locale-es.json';
    const { lines, notes } = await arrive({ file: '.phrase.yml', text, paths });
    expect(lines).toContain('- { from: "app/{locale}.json" }');
    expect(lines).toContain('- { from: "app/locale-{locale}.json" }');
    expect(notes).toEqual([]);
  });

  test('Crowdin: columns, a mapping for all files, folders of Xcode, and pages among the texts of a site', async () => {
    const text = `
languages_mapping: { two_letters_code: { pt-BR: pt_BR } }
files:
  - { source: /t.csv, translation: /t.csv, scheme: "identifier,source_phrase,context,de,fr", first_line_contains_header: true }
  - { source: /ios/en.lproj/*.strings, translation: /ios/%osx_code%/%original_file_name% }
  - { source: /i18n/en/**/*, translation: /i18n/%two_letters_code%/**/%original_file_name% }
  - { source: /docs/**/*, translation: /i18n/%two_letters_code%/pages/current/**/%original_file_name% }
  - { source: "**/values/strings.xml", translation: "/%original_path%-%android_code%/%original_file_name%" }
`;
    const paths = `t.csv ios/en.lproj/L.strings ios/de.lproj/L.strings i18n/en/code.json i18n/pt_BR/code.json
      docs/a.md i18n/pt_BR/pages/current/a.md`;
    const { lines, notes } = await arrive({ file: 'crowdin.yml', text, paths });
    expect(lines.filter((line) => line.startsWith('- '))).toEqual([
      '- { from: "t.csv", columns: { key: 1, source: 2, header: true, targets: { de: 4, fr: 5 } } }',
      '- { from: "ios/en.lproj/*.strings", to: "ios/{apple}.lproj/{name}.{ext}" }',
      '- { from: "i18n/en/**/*", to: "i18n/{locale_underscore}/{dir}/{name}.{ext}", exclude: ["i18n/en/pages/current/**"] }',
      '- { from: "docs/**/*", to: "i18n/{locale_underscore}/pages/current/{dir}/{name}.{ext}" }',
    ]);
    expect(notes).toEqual([
      'files[4].translation: after %original_path% comes a part of a folder name: write a route for each folder',
    ]);
  });
});
