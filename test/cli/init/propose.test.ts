/** The proposals of `init` for the trees of real ecosystems: projects, routes, and suggestions. */
import { describe, expect, test } from 'vitest';
import { firstConfigText } from '../../../src/cli/init/first-config.ts';
import type { Proposal, Wishes } from '../../../src/cli/init/proposal.ts';
import { propose } from '../../../src/cli/init/propose.ts';
import { renderFaults } from '../../../src/config/fault.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import type { LanguageTag } from '../../../src/language.ts';

const WISHES: Wishes = { name: 'app', isSupported: (tag) => tag !== 'eu' };

/** Paths, each with how the file begins. */
type Files = Readonly<Record<string, string>>;

function tree(text: string, heads: Files = {}): Files {
  const paths = text.split('\n').flatMap((line) => line.trim() || []);
  return { ...Object.fromEntries(paths.map((path) => [path, ''])), ...heads };
}

function proposalFor(files: Files, wishes = WISHES): Proposal {
  return propose({ paths: Object.keys(files), head: (path) => files[path] }, wishes);
}

/** The projects as the config has them, without the comments behind routes; the config must be sound. */
function projectsFor(files: Files, wishes = WISHES): string[] {
  const { projects, notes, suggestions } = proposalFor(files, wishes);
  const priced = suggestions.map((suggestion) => ({ ...suggestion, price: 'free' }));
  const text = firstConfigText({ projects, notes, suggestions: priced, url: 'http://127.0.0.1:1' });
  const { faults } = parseConfig(text, { file: '/repo/dragoman.yaml', env: {} });
  if (faults !== undefined) throw new Error(renderFaults(faults));
  return text
    .slice(text.indexOf('projects:'))
    .split('\n')
    .slice(1)
    .flatMap((line) => line.trim().replace(/ {3}#.*$/, '') || [])
    .filter((line) => line !== 'routes:');
}

describe('gettext', () => {
  test('catalogs without a template are their own source, as Linux packages and Django have them', () => {
    const files = tree(`
      po/LINGUAS
      po/POTFILES.in
      po/de.po
      po/pt_BR.po
      shop/locale/de/LC_MESSAGES/django.po
      shop/locale/pt_BR/LC_MESSAGES/django.po`);
    expect(projectsFor(files)).toEqual([
      'app:',
      'source: en',
      'targets: [de, pt-BR]',
      '- { from: "po/{locale_underscore}.po", embedded_source: true }',
      '- { from: "shop/locale/{locale_underscore}/LC_MESSAGES/*.po", embedded_source: true }',
    ]);
  });

  test('a modifier names a script, and the spelling is kept', () => {
    expect(projectsFor(tree('po/de.po\npo/sr@latin.po\npo/LINGUAS'))).toEqual([
      'app:',
      'source: en',
      'targets: [de, sr-Latn]',
      'locales: { sr-Latn: { file: "sr@latin" } }',
      '- { from: "po/{locale}.po", embedded_source: true }',
    ]);
  });
});

test('Qt files are their own source; TypeScript of the same name is not one of them', () => {
  const qt = '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS version="2.1">';
  const files = {
    'i18n/app_de.ts': qt,
    'i18n/app_en.ts': qt,
    'i18n/app_pt_BR.ts': qt,
    'src/view_de.ts': 'export const a = 1;',
  };
  expect(projectsFor(files)).toEqual([
    'app:',
    'source: en',
    'targets: [de, pt-BR]',
    '- { from: "i18n/app_{locale_underscore}.ts", embedded_source: true }',
  ]);
});

describe('Android', () => {
  const files = tree(`
    app/src/main/res/values/strings.xml
    app/src/main/res/values/arrays.xml
    app/src/main/res/values/colors.xml
    app/src/main/res/values-de/strings.xml
    app/src/main/res/values-iw/strings.xml
    app/src/main/res/values-zh-rCN/strings.xml
    app/src/main/res/values-eu/strings.xml
    app/src/main/res/values-en-rGB/strings.xml
    app/src/main/res/values-night/strings.xml
    app/src/androidTest/res/values/strings.xml
    app/src/debug/res/values/strings.xml
    lib/src/main/res/values/strings.xml
    fastlane/metadata/android/en-US/title.txt
    fastlane/metadata/android/en-US/full_description.txt
    fastlane/metadata/android/de-DE/title.txt
    fastlane/metadata/android/de-DE/full_description.txt`);

  test('modules share their languages, the store has its own, and no language is dropped silently', () => {
    expect(projectsFor(files)).toEqual([
      'app:',
      'source: en',
      'targets: [de, he, zh-CN]',
      '# left out: eu: the service does not translate into it',
      '# left out: en-rGB: a variant of en: add it to "targets" to have texts converted',
      '- { from: "app/src/main/res/values/strings.xml", to: "app/src/main/res/values-{android}/{name}.{ext}" }',
      '- { from: "lib/src/main/res/values/strings.xml", to: "lib/src/main/res/values-{android}/{name}.{ext}" }',
      '# not taken: it has no translation yet; free',
      '# - { from: "app/src/main/res/values/arrays.xml", to: "app/src/main/res/values-{android}/{name}.{ext}" }',
      '# not taken: it has no translation yet; free',
      '# - { from: "app/src/debug/res/values/strings.xml", to: "app/src/debug/res/values-{android}/{name}.{ext}" }',
      'store:',
      'source: en',
      'targets: [de-DE]',
      'locales: { en: { file: "en-US" } }',
      '- { from: "fastlane/metadata/android/{locale}/**/*.txt", exclude: ["video.txt"], lane: "text" }',
    ]);
  });

  test('arrays are taken where one of them is translated', () => {
    const more = { ...files, 'app/src/main/res/values-de/arrays.xml': '' };
    expect(projectsFor(more).join('\n')).toContain(
      '\n- { from: "app/src/main/res/values/arrays.xml"',
    );
  });

  test('a folder with the new code of a language keeps its name', () => {
    const spelled = tree(
      'res/values/strings.xml\nres/values-he/strings.xml\nres/values-pt-rBR/strings.xml',
    );
    expect(projectsFor(spelled)).toEqual([
      'app:',
      'source: en',
      'targets: [he, pt-BR]',
      'locales: { pt-BR: { file: "pt-rBR" } }',
      '- { from: "res/values/strings.xml", to: "res/values-{locale}/{name}.{ext}" }',
    ]);
  });
});

test('Apple: folders of languages and string catalogs; what is vendored and what is for tests stays out', () => {
  const catalog =
    '{"sourceLanguage":"en","strings":{"a":{"localizations":{"de":{"stringUnit":{}},"zh-Hans":{"variations":{}}}}}}';
  const files = tree(
    `App/en.lproj/Localizable.strings
     App/de.lproj/Localizable.strings
     App/zh-Hans.lproj/Localizable.strings
     App/Base.lproj/Main.storyboard
     Pods/Kit/en.lproj/Kit.strings
     AppTests/en.lproj/Test.strings`,
    { 'App/More.xcstrings': catalog },
  );
  expect(projectsFor(files)).toEqual([
    'app:',
    'source: en',
    'targets: [de, zh-Hans]',
    '- { from: "App/{apple}.lproj/*.strings" }',
    '- { from: "App/More.xcstrings" }',
  ]);
});

test('Apple: where the folder of the language is there, Base.lproj is only offered', () => {
  const files = tree(
    'App/en.lproj/Localizable.strings\nApp/de.lproj/Localizable.strings\nApp/Base.lproj/Main.strings',
  );
  expect(projectsFor(files)).toContain('- { from: "App/{apple}.lproj/*.strings" }');
  expect(proposalFor(files).suggestions).toMatchObject([
    {
      route: { from: 'App/Base.lproj/*.strings' },
      reason:
        'App/en.lproj is the source; a file that is only in Base.lproj needs a route with that name',
    },
  ]);
});

test('next-intl: languages that only routing.ts names are the targets', () => {
  const routing =
    "export const routing = defineRouting({\n  locales: ['en', 'de', 'eu', 'pt-BR'],\n});";
  const files = tree('messages/en.json', { 'src/i18n/routing.ts': routing });
  expect(projectsFor(files)).toContain('targets: [de, pt-BR]');
  expect(proposalFor(files).notes).toEqual([
    'There is no translation yet: the languages in "targets" are those that src/i18n/routing.ts names.',
    'src/i18n/routing.ts names eu: the service does not translate into it.',
  ]);
  const begun = { ...files, 'messages/de.json': '' };
  expect(projectsFor(begun)).toContain('targets: [de]');
  expect(proposalFor(begun).notes[0]).toBe(
    'src/i18n/routing.ts also names pt-BR, which has no files: add it to "targets".',
  );
});

test('Hugo: the texts of a theme are only offered', () => {
  const files = tree(
    'i18n/en.toml\ni18n/de.toml\nthemes/ananke/i18n/en.toml\nthemes/ananke/i18n/de.toml',
  );
  expect(projectsFor(files).filter((line) => line.startsWith('-'))).toEqual([
    '- { from: "i18n/{locale}.toml", lane: "text" }',
  ]);
  expect(proposalFor(files).suggestions).toMatchObject([
    { reason: 'it belongs to a theme, which has a repository of its own' },
  ]);
});

test('Rails: what a build writes for browsers is only offered', () => {
  const files = tree(
    'config/locales/en.yml\nconfig/locales/de.yml\npublic/javascripts/locales/en.json\npublic/javascripts/locales/de.json',
  );
  expect(projectsFor(files)).not.toContain(
    '- { from: "public/javascripts/locales/{locale}.json" }',
  );
  expect(proposalFor(files).suggestions).toMatchObject([
    { reason: 'a build writes scripts for browsers there' },
  ]);
});

test('Rails: files by language in every folder, with the names of gems', () => {
  const files = tree(`
    config/locales/en.yml
    config/locales/de.yml
    config/locales/devise.en.yml
    config/locales/devise.de.yml
    config/locales/models/en.yml
    config/locales/models/de.yml`);
  expect(projectsFor(files)).toEqual([
    'app:',
    'source: en',
    'targets: [de]',
    '- { from: "config/locales/**/{locale}.yml" }',
    '- { from: "config/locales/**/*.{locale}.yml" }',
  ]);
});

test('Laravel: the PHP files; a JSON file without a source is named', () => {
  const files = tree(
    'artisan\nlang/en/auth.php\nlang/de/auth.php\nlang/de.json\nlang/vendor/x/en/a.php',
  );
  expect(projectsFor(files)).toEqual([
    'app:',
    'source: en',
    'targets: [de]',
    '- { from: "lang/{locale}/**/*.php", lane: "text" }',
  ]);
  expect(proposalFor(files).notes).toEqual([
    'Laravel: the keys of lang/{de}.json are its source texts; to translate it, write lang/en.json with each key as its own value, and a route from "lang/{locale}.json"',
  ]);
});

test('Flutter: names with several parts', () => {
  expect(
    projectsFor(tree('l10n.yaml\nlib/l10n/my_app_en.arb\nlib/l10n/my_app_zh_Hant.arb')),
  ).toEqual([
    'app:',
    'source: en',
    'targets: [zh-Hant]',
    '- { from: "lib/l10n/my_app_{locale_underscore}.arb" }',
  ]);
});

test.each([
  [
    'next-intl',
    {
      'src/i18n/request.ts': [
        'messages: (await import(`../../texts/',
        '{locale}.json`)).default',
      ].join('$'),
      'texts/en.json': '',
    },
    '- { from: "texts/{locale}.json" }',
  ],
  [
    'i18next',
    {
      'i18next-parser.config.js': "module.exports = { output: 'app/$LOCALE/$NAMESPACE.json' }",
      'app/en/common.json': '',
    },
    '- { from: "app/{locale}/*.json" }',
  ],
])(
  'the config of %s says where texts are, also before a translation is there',
  (_, files, route) => {
    expect(projectsFor(files)).toEqual(['app:', 'source: en', 'targets: [de, es, fr]', route]);
    expect(proposalFor(files).notes.join()).toContain('are examples');
  },
);

describe('sites', () => {
  test('Starlight and VitePress: the language of the root has no folder', () => {
    const files = tree(`
      src/content/docs/index.mdx
      src/content/docs/guides/a.md
      src/content/docs/de/index.mdx
      src/content/docs/de/guides/a.mdx
      src/content/docs/pt-br/index.mdx
      src/content/docs/pt-br/guides/a.md`);
    expect(projectsFor(files)).toEqual([
      'app:',
      'source: en',
      'targets: [de, pt-BR]',
      'locales: { pt-BR: { file: "pt-br" } }',
      '- { from: "src/content/docs/**/*.{md,mdx}", to: "src/content/docs/{locale}/{dir}/{name}.{ext}", exclude: ["src/content/docs/{de,pt-br}"] }',
    ]);
  });

  test('MkDocs and Hugo: a language behind the name', () => {
    const files = tree('docs/index.md\ndocs/index.fr.md\ndocs/sub/a.md\ndocs/sub/a.fr.md');
    expect(projectsFor(files)).toEqual([
      'app:',
      'source: en',
      'targets: [fr]',
      '- { from: "docs/**/*.md", to: "docs/{dir}/{name}.{locale}.{ext}", exclude: ["**/*.fr.md"] }',
    ]);
  });

  test('pages that nobody translated so far are offered, and so are those of which few are', () => {
    const site = tree(`
      locales/en/a.json
      locales/de/a.json
      locales/fr/a.json
      docusaurus.config.js
      docs/a.md
      docs/b.md
      docs/c.md
      i18n/fr/docusaurus-plugin-content-docs/current/a.md
      guide/docusaurus.config.ts
      guide/docs/a.md`);
    expect(projectsFor(site)).toEqual([
      'app:',
      'source: en',
      'targets: [de, fr]',
      '- { from: "locales/{locale}/**/*.json" }',
      '# not taken: 1 of 3 translated pages are there; free',
      '# - { from: "docs/**/*.{md,mdx}", to: "i18n/{locale}/docusaurus-plugin-content-docs/current/{dir}/{name}.{ext}" }',
      '# not taken: it has no translation yet; free',
      '# - { from: "guide/docs/**/*.{md,mdx}", to: "guide/i18n/{locale}/docusaurus-plugin-content-docs/current/{dir}/{name}.{ext}" }',
    ]);
    expect(proposalFor(site).suggestions.map(({ sources }) => sources.length)).toEqual([3, 1]);
  });
});

test('texts and pages with other languages are projects of their own: nothing is bought that nobody asked for', () => {
  const files = tree(`
    locales/en/a.json
    locales/de/a.json
    locales/fr/a.json
    locales/ja/a.json
    docs/en/x.md
    docs/de/x.md`);
  expect(projectsFor(files)).toEqual([
    'app:',
    'source: en',
    'targets: [de, fr, ja]',
    '- { from: "locales/{locale}/**/*.json" }',
    'docs:',
    'source: en',
    'targets: [de]',
    '- { from: "docs/{locale}/**/*.md" }',
  ]);
});

test.each([
  [
    'Java',
    'src/main/resources/m.properties\nsrc/main/resources/m_de.properties\nsrc/main/resources/app.properties',
    '- { from: "src/main/resources/m.properties", to: "src/main/resources/{name}_{locale_underscore}.{ext}" }',
  ],
  [
    '.NET',
    'R/S.resx\nR/S.de.resx\nR/O.resx',
    '- { from: "R/S.resx", to: "R/{name}.{locale}.{ext}" }',
  ],
  [
    'Angular',
    'src/locale/messages.xlf\nsrc/locale/messages.de.xlf',
    '- { from: "src/locale/messages.xlf", to: "src/locale/{name}.{locale}.{ext}", lane: "text" }',
  ],
  [
    'VS Code',
    'package.json\npackage.nls.json\npackage.nls.de.json\ntsconfig.json\ntsconfig.es.json',
    '- { from: "package.nls.json", to: "{name}.{locale}.{ext}" }',
  ],
  [
    'browser extensions',
    '_locales/en/messages.json\n_locales/de/messages.json',
    '- { from: "_locales/{locale}/messages.json", keys: { ignore: ["*.description", "*.placeholders.*"] } }',
  ],
  [
    'modules',
    'src/locales/en.ts\nsrc/locales/de.ts',
    '- { from: "src/locales/{locale}.ts", lane: "text" }',
  ],
  ['twins', 'text/en/a.json\ntext/de/a.json', '- { from: "text/{locale}/**/*.json" }'],
  [
    'Symfony',
    'translations/m.en.xlf\ntranslations/m.de.xlf',
    '- { from: "translations/**/*.{locale}.xlf", lane: "text" }',
  ],
])('%s', (_, files, route) => {
  expect(projectsFor(tree(files))).toEqual(['app:', 'source: en', 'targets: [de]', route]);
});

describe('nothing is proposed', () => {
  test.each([
    ['for code', 'src/is/a.ts\nsrc/no/b.json\nsrc/id.json\nsrc/api/x.md\nlang/tools/a.json'],
    ['for vendored trees', 'vendor/x/locales/en/a.json\nvendor/x/locales/de/a.json'],
    ['for test data', 'test/fixtures/locales/en/a.json\ntest/fixtures/locales/de/a.json'],
    ['for what a build makes', 'dist/locales/en/a.json\ndist/locales/de/a.json'],
  ])('%s', (_, files) => {
    expect(proposalFor(tree(files))).toMatchObject({ projects: [], suggestions: [] });
  });

  test('for what git attributes and submodules declare', () => {
    const files = {
      'a/locales/en/x.json': '',
      'a/locales/de/x.json': '',
      'kit/locales/en/x.json': '',
      'kit/locales/de/x.json': '',
    };
    const heads: Files = {
      '.gitattributes': '/a/** linguist-generated\n*.po text',
      '.gitmodules': '[submodule "kit"]\n\tpath = kit\n\turl = https://example.com/kit.git\n',
    };
    const found = propose({ paths: Object.keys(files), head: (path) => heads[path] }, WISHES);
    expect(found.projects).toEqual([]);
  });

  test('but offered, for examples and for what a program writes', () => {
    const files = tree(
      `locales/en/a.json
       locales/de/a.json
       examples/web/locales/en/a.json
       examples/web/locales/de/a.json
       README.md
       README.de.md
       gen/x.md`,
      { 'res/values/strings.xml': '<!-- DO NOT EDIT -->', 'res/values-de/strings.xml': '' },
    );
    const { projects, suggestions } = proposalFor(files);
    expect(projects.map(({ routes }) => routes.length)).toEqual([1]);
    expect(suggestions.map(({ reason }) => reason).sort()).toEqual([
      'a program writes res/values/strings.xml',
      'it lies among examples',
      'such pages are often translated with a structure of their own',
    ]);
  });
});

test('languages that a person asks for are those of every project; a file that is its own source has only its own', () => {
  const files = tree('po/de.po\npo/fr.po\nlocales/en/a.json\nlocales/de/a.json');
  const targets = ['de', 'ja'] as readonly string[] as readonly LanguageTag[];
  expect(projectsFor(files, { ...WISHES, targets })).toEqual([
    'app:',
    'source: en',
    'targets: [de, ja]',
    '- { from: "locales/{locale}/**/*.json" }',
    'po:',
    'source: en',
    'targets: [de]',
    '- { from: "po/{locale_underscore}.po", embedded_source: true }',
  ]);
});

test('an unknown code of a language is reported, and Norwegian is not read as "no"', () => {
  expect(
    projectsFor(
      tree('locales/en/a.json\nlocales/no/a.json\nlocales/xx/a.json\nlocales/kmr/a.json'),
    ),
  ).toEqual([
    'app:',
    'source: en',
    'targets: ["no"]',
    '# left out: xx, kmr: no language, or a second spelling of one',
    '- { from: "locales/{locale}/**/*.json" }',
  ]);
});

test('a source that is not English is reported as a guess', () => {
  const files = tree('locales/pt/a.json\nlocales/es/a.json');
  expect(proposalFor(files).notes).toEqual([expect.stringContaining('--source sets another one')]);
  const source = 'pt' as LanguageTag;
  expect(proposalFor(files, { ...WISHES, source }).notes).toEqual([]);
});

describe('names that only some ecosystems have', () => {
  test('a code behind a prefix, in settings files', () => {
    const files = tree(
      'options/locale/locale_en-US.ini\noptions/locale/locale_zh-CN.ini\nconf/app.ini',
    );
    expect(projectsFor(files)).toEqual([
      'app:',
      'source: en-US',
      'targets: [zh-CN]',
      '- { from: "options/locale/locale_{locale}.ini", lane: "text" }',
    ]);
  });

  test('an extension of Visual Studio Code: the texts of its manifest and of its program', () => {
    const files = tree(`
      package.nls.json
      package.nls.de.json
      l10n/bundle.l10n.json
      l10n/bundle.l10n.de.json`);
    expect(projectsFor(files)).toContain(
      '- { from: "l10n/bundle.l10n.json", to: "l10n/{name}.{locale}.{ext}" }',
    );
  });

  test('Kodi: the language ends the name of a folder', () => {
    const files = tree(`
      resources/language/resource.language.en_gb/strings.po
      resources/language/resource.language.de_de/strings.po`);
    expect(projectsFor(files)).toEqual([
      'app:',
      'source: en-GB',
      'targets: [de-DE]',
      'locales: { de-DE: { file: "de_de" }, en-GB: { file: "en_gb" } }',
      '- { from: "resources/language/resource.language.{locale}/*.po" }',
    ]);
  });

  test('TYPO3: the code is before the name', () => {
    const files = tree(
      'Resources/Private/Language/locallang.xlf\nResources/Private/Language/de.locallang.xlf',
    );
    expect(projectsFor(files)).toContain(
      '- { from: "Resources/Private/Language/locallang.xlf", to: "Resources/Private/Language/{locale}.{name}.{ext}", lane: "text" }',
    );
  });

  test('a recording without a translation is included where others are translated', () => {
    const files = tree('videos/intro.en.vtt\nvideos/intro.de.vtt\nvideos/outro.en.vtt');
    expect(projectsFor(files)).toContain('- { from: "videos/*.{locale}.vtt" }');
  });

  test('a file whose languages show no spelling gets the spelling of similar files', () => {
    const files = tree(`
      lib/form/config.properties
      lib/form/config_de.properties
      lib/form/config_zh_TW.properties
      lib/job/index.properties
      lib/job/index_de.properties`);
    expect(projectsFor(files)).toContain(
      '- { from: "lib/job/index.properties", to: "lib/job/{name}_{locale_underscore}.{ext}" }',
    );
  });

  test('a catalog of gettext with an unknown variant is named, not dropped', () => {
    const files = tree(`
      languages/shop.pot
      languages/shop-de_DE.po
      languages/shop-de_DE_formal.po`);
    const [project] = proposalFor(files).projects;
    expect([...(project?.leftOut.keys() ?? [])]).toEqual(['de_DE_formal']);
  });

  test('languages that the settings of inlang name and no file has yet are reported', () => {
    const files = tree('messages/en.json\nmessages/de.json', {
      'project.inlang/settings.json': '{ "baseLocale": "en", "locales": ["en", "de", "fr"] }',
    });
    expect(proposalFor(files).notes).toEqual([
      'project.inlang/settings.json also names fr, which has no files: add it to "targets".',
    ]);
  });
});
