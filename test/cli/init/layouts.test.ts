import { describe, expect, test } from 'vitest';
import { firstConfigText } from '../../../src/cli/init/first-config.ts';
import type { Wishes } from '../../../src/cli/init/proposal.ts';
import { propose } from '../../../src/cli/init/propose.ts';
import { renderFaults } from '../../../src/config/fault.ts';
import { parseConfig } from '../../../src/config/parse.ts';

const LACKING = ['eu', 'ast'];
const WISHES: Wishes = { name: 'p', isSupported: (tag) => !LACKING.includes(tag) };

/** @param files paths, or paths with how the files begin */
function proposal(files: readonly string[] | Record<string, string>, wishes = WISHES) {
  const heads = Array.isArray(files) ? {} : (files as Record<string, string>);
  const paths = Array.isArray(files) ? files : Object.keys(files);
  return propose({ paths, head: (path) => heads[path] }, wishes);
}

const line = ({ layout, route }: { layout: string; route: object }) =>
  `${layout}: ${Object.values(route)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' -> ')}`;

/** Layouts with routes as one line each, and the languages of the only project. */
function found(...paths: string[]) {
  const { source, projects } = proposal(paths);
  expect(projects.length).toBeLessThan(2);
  const [project] = projects;
  return {
    languages: [source, ...(project?.targets ?? [])].join(' '),
    routes: project?.routes.map(line) ?? [],
    spellings: Object.fromEntries(project?.spellings ?? []),
  };
}

describe('a repository is recognised', () => {
  test.each([
    [
      ['public/locales/en/a.json', 'public/locales/pt-BR/a.json', 'src/app.ts', 'package.json'],
      'en pt-BR',
      'i18next: public/locales/{locale}/**/*.json',
    ],
    [
      ['config/locales/en.yml', 'config/locales/de.yml'],
      'en de',
      'Rails: config/locales/{locale}.yml',
    ],
    [
      [
        'app/src/main/res/values/strings.xml',
        'app/src/main/res/values-pt-rBR/strings.xml',
        'app/src/main/res/values-night/strings.xml',
        'app/src/main/res/values-iw/strings.xml',
        'app/src/main/res/values-car/strings.xml',
      ],
      'en he pt-BR',
      'Android: app/src/main/res/values/strings.xml -> app/src/main/res/values-{android}/{name}.{ext}',
    ],
    [
      ['App/en.lproj/Main.strings', 'App/zh-Hans.lproj/Main.strings'],
      'en zh-Hans',
      'Apple: App/{apple}.lproj/*.strings',
    ],
    [
      ['lib/l10n/app_en.arb', 'lib/l10n/app_pt_BR.arb'],
      'en pt-BR',
      'Flutter: lib/l10n/app_{locale_underscore}.arb',
    ],
    [
      ['po/app.pot', 'po/pt_BR/LC_MESSAGES/app.po'],
      'en pt-BR',
      'gettext: po/app.pot -> po/{locale_underscore}/LC_MESSAGES/{name}.po',
    ],
    [
      ['po/app.pot', 'po/de.po', 'po/pt_BR.po', 'po/LINGUAS'],
      'en de pt-BR',
      'gettext: po/app.pot -> po/{locale_underscore}.po',
    ],
    [['src/po/app.pot'], 'en de es fr', 'gettext: src/po/app.pot -> src/po/{locale_underscore}.po'],
    [
      ['app/locale/en/LC_MESSAGES/django.po', 'app/locale/de/LC_MESSAGES/django.po'],
      'en de',
      'gettext: app/locale/{locale_underscore}/LC_MESSAGES/*.po',
    ],
    [
      ['messages.pot', 'translations/fr/LC_MESSAGES/messages.po'],
      'en fr',
      'gettext: messages.pot -> translations/{locale_underscore}/LC_MESSAGES/{name}.po',
    ],
    [
      ['languages/shop.pot', 'languages/shop-de_DE.po'],
      'en de-DE',
      'gettext: languages/shop.pot -> languages/{name}-{locale_underscore}.po',
    ],
    [
      [
        'docusaurus.config.js',
        'docs/intro.md',
        'i18n/fr/docusaurus-plugin-content-docs/current/intro.md',
      ],
      'en fr',
      'Docusaurus: docs/**/*.{md,mdx} -> i18n/{locale}/docusaurus-plugin-content-docs/current/{dir}/{name}.{ext}',
    ],
    [
      ['content/posts/a.en.md', 'content/posts/a.de.md'],
      'en de',
      'pages by language: content/**/*.{locale}.md',
    ],
    [['i18n/en.toml', 'i18n/de.toml'], 'en de', 'Hugo: i18n/{locale}.toml -> text'],
    [['docs/en/a.md', 'docs/fr/a.md'], 'en fr', 'pages by language: docs/{locale}/**/*.md'],
    [['L.xcstrings'], 'en de es fr', 'Apple: L.xcstrings'],
  ])('%j', (paths, languages, route) => {
    expect(found(...paths)).toEqual({ languages, routes: [route], spellings: {} });
  });

  test('with the spelling of its files', () => {
    expect(found('i18n/en.json', 'i18n/zh-cn.json').spellings).toEqual({ 'zh-CN': 'zh-cn' });
  });

  test('not by folders that only look like languages', () => {
    expect(found('src/api/x.md', 'src/new/y.md', 'lang/tools/a.json').routes).toEqual([]);
  });

  test('in the language that most of it is in, when it is not English', () => {
    expect(found('lang/de.json', 'lang/de/b.json', 'lang/fr.json').languages).toBe('de fr');
  });
});

test('the findings make a config that is accepted', () => {
  const paths = [
    'locales/en/a.json',
    'locales/zh-cn/a.json',
    'po/app.pot',
    'res/values/strings.xml',
    'docs/en/x.md',
    'docs/de/x.md',
  ];
  const { projects, notes } = proposal(paths);
  const text = firstConfigText({ projects, notes, suggestions: [], url: 'http://127.0.0.1:1' });
  const parsed = parseConfig(text, { file: '/repo/dragoman.yaml', env: {} });
  if (parsed.faults !== undefined) throw new Error(renderFaults(parsed.faults));
  expect(parsed.router.match('p', 'locales/en/a.json')).toMatchObject({ kind: 'source' });
  expect(parsed.router.match('p', 'locales/zh-cn/a.json')).toMatchObject({
    kind: 'target',
    language: 'zh-CN',
  });
});
