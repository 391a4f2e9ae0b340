/**
 * `init` reads in the files themselves which language is the source, which keys are not texts, and what a format cannot give.
 */
import { describe, expect, test } from 'vitest';
import { firstConfigText } from '../../../src/cli/init/first-config.ts';
import type { Proposal, Wishes } from '../../../src/cli/init/proposal.ts';
import { propose } from '../../../src/cli/init/propose.ts';
import { renderFaults } from '../../../src/config/fault.ts';
import { parseConfig } from '../../../src/config/parse.ts';

const WISHES: Wishes = { name: 'app', isSupported: (tag) => !['eu', 'sr'].includes(tag) };

/** Paths, each with how the file begins. */
type Files = Readonly<Record<string, string>>;

function files(paths: string, heads: Files = {}): Files {
  return { ...Object.fromEntries(paths.split(/\s+/).map((path) => [path, ''])), ...heads };
}

function proposalFor(tree: Files): Proposal {
  return propose({ paths: Object.keys(tree), head: (path) => tree[path] }, WISHES);
}

/** Languages and routes of the projects, as the config has them; it must be sound. */
function projectsFor(tree: Files): string[] {
  const { projects, notes, suggestions } = proposalFor(tree);
  if (projects.length === 0) return [];
  const priced = suggestions.map((suggestion) => ({ ...suggestion, price: 'free' }));
  const text = firstConfigText({ projects, notes, suggestions: priced, url: 'http://127.0.0.1:1' });
  const { faults } = parseConfig(text, { file: '/repo/dragoman.yaml', env: {} });
  if (faults !== undefined) throw new Error(renderFaults(faults));
  return text
    .slice(text.indexOf('projects:'))
    .split('\n')
    .map((line) => line.trim().replace(/ {3}#.*$/, ''))
    .filter((line) => /^(?:source|targets|locales|-)\b|^- /.test(line));
}

describe('the source', () => {
  test('Shopify: the file that says "default", and what the editor of themes shows', () => {
    const tree = files(
      `locales/en.default.json locales/de.json locales/pt-BR.json
       locales/en.default.schema.json locales/de.schema.json locales/pt-BR.schema.json`,
    );
    expect(projectsFor(tree)).toEqual([
      'source: en',
      'targets: [de, pt-BR]',
      '- { from: "locales/en.default.json", to: "locales/{locale}.json" }',
      '- { from: "locales/en.default.schema.json", to: "locales/{locale}.schema.json" }',
    ]);
    expect(proposalFor(tree).notes).toEqual([]);
  });

  test('Shopify: a shop whose default is not English', () => {
    const tree = files('locales/fr.default.json locales/en.json locales/de.json');
    expect(projectsFor(tree).slice(0, 2)).toEqual(['source: fr', 'targets: [de, en]']);
  });

  test('Flutter: the template that l10n.yaml names, in any language or in none', () => {
    const german = files('lib/l10n/app_en.arb lib/l10n/app_de.arb', {
      'l10n.yaml': 'arb-dir: lib/l10n\ntemplate-arb-file: app_de.arb\n',
    });
    expect(projectsFor(german).slice(0, 2)).toEqual(['source: de', 'targets: [en]']);
    const nameless = files('lib/l10n/intl_messages.arb lib/l10n/intl_de.arb lib/l10n/intl_fr.arb', {
      'l10n.yaml': 'arb-dir: lib/l10n\ntemplate-arb-file: intl_messages.arb\n',
    });
    expect(projectsFor(nameless)).toEqual([
      'source: en',
      'targets: [de, fr]',
      '- { from: "lib/l10n/intl_messages.arb", to: "lib/l10n/intl_{locale_underscore}.arb" }',
    ]);
  });

  test.each([
    ['project.inlang/settings.json', '{ "baseLocale": "de", "locales": ["de", "en"] }'],
    ['config/application.rb', 'module A\n  config.i18n.default_locale = :de\nend\n'],
    ['nuxt.config.ts', "export default { i18n: { defaultLocale: 'de' } }"],
    ['lingui.config.js', "module.exports = { sourceLocale: 'de' }"],
    ['public/manifest.json', '{ "default_locale": "de" }'],
    ['config/app.php', "<?php return ['locale' => 'de'];"],
  ])('%s names it', (file, text) => {
    const tree = files('locales/en.json locales/de.json locales/fr.json', { [file]: text });
    expect(projectsFor(tree).slice(0, 2)).toEqual(['source: de', 'targets: [en, fr]']);
    expect(proposalFor(tree).notes).toEqual([
      `The source language is de, from ${file}; --source sets another one.`,
    ]);
  });

  test('a language that no file has is not the source, whatever a config names', () => {
    const tree = files('locales/en.json locales/fr.json', {
      'nuxt.config.ts': "defaultLocale: 'de'",
    });
    expect(projectsFor(tree).slice(0, 2)).toEqual(['source: en', 'targets: [fr]']);
  });

  test('English is reported as a guess where another language has more texts', () => {
    const tree = {
      'i18n/en.json': '{"a":"Hello"}',
      'i18n/de.json': `{"a":"Hallo","b":"${'Einstellungen '.repeat(9)}"}`,
      'i18n/fr.json': '{"a":"Bonjour"}',
    };
    expect(projectsFor(tree)[0]).toBe('source: en');
    expect(proposalFor(tree).notes).toEqual([
      'The source language is en, but there is more text in de: if de is the source, add --source de.',
    ]);
  });
});

describe('languages', () => {
  test('a folder and a file of the same language are one place', () => {
    expect(projectsFor(files('i18n/en/en.toml i18n/de/de.toml i18n/zh-cn/zh-cn.toml'))).toEqual([
      'source: en',
      'targets: [de, zh-CN]',
      'locales: { zh-CN: { file: "zh-cn" } }',
      '- { from: "i18n/{locale}/**/{locale}.toml", lane: "text" }',
    ]);
    expect(projectsFor(files('locales/en/en.json locales/de/de.json'))).toContain(
      '- { from: "locales/{locale}/**/{locale}.json" }',
    );
    expect(
      projectsFor(files('translations/en-US/Shop.en-US.xlf translations/de-DE/Shop.de-DE.xlf')),
    ).toContain('- { from: "translations/{locale}/**/*.{locale}.xlf", lane: "text" }');
  });

  test('a list of languages in each language is no such place', () => {
    const tree = files(
      'locales/en/en.json locales/en/de.json locales/de/en.json locales/de/de.json',
    );
    expect(projectsFor(tree)).toContain('- { from: "locales/{locale}/**/*.json" }');
  });

  test('pages with few translations, and nothing else: the languages are those that are there', () => {
    const pages = 'a b c d e'.split(' ').map((name) => `content/en/${name}.md`);
    const tree = files(`${pages.join(' ')} content/fr/a.md content/ja/a.md`);
    expect(projectsFor(tree).slice(0, 2)).toEqual(['source: en', 'targets: [fr, ja]']);
    expect(proposalFor(tree).notes).toEqual([
      'content/{locale}/**/*.md: 2 of 10 translated pages are there; "dragoman plan" says what the others cost.',
    ]);
  });

  test('a language that a config names with its region may have files without the region', () => {
    const tree = files('i18n/locales/en-US.json i18n/locales/de-DE.json', {
      'nuxt.config.ts': "i18n: { locales: ['en', 'de', 'fr'] }",
    });
    expect(proposalFor(tree).notes).toEqual([
      'nuxt.config.ts also names fr, which has no files: add it to "targets".',
    ]);
  });

  test('Android: old codes of three letters are reported, not dropped', () => {
    const tree = files(
      'res/values/strings.xml res/values-de/strings.xml res/values-eng/strings.xml res/values-heb/strings.xml res/values-car/strings.xml res/values-v21/strings.xml',
    );
    expect(projectsFor(tree)).toContain('targets: [de, he]');
  });

  test('gettext: catalogs with a template, beside some without', () => {
    const tree = files(
      `l/django.pot l/en/LC_MESSAGES/django.po l/de/LC_MESSAGES/django.po
       l/en/LC_MESSAGES/djangojs.po l/de/LC_MESSAGES/djangojs.po`,
    );
    expect(projectsFor(tree)).toEqual([
      'source: en',
      'targets: [de]',
      '- { from: "l/django.pot", to: "l/{locale_underscore}/LC_MESSAGES/{name}.po" }',
      '- { from: "l/{locale_underscore}/LC_MESSAGES/djangojs.po" }',
    ]);
  });

  test('Django: a catalog that the source language lacks is its own source', () => {
    const tree = files(
      `shop/locale/en/LC_MESSAGES/django.po shop/locale/de/LC_MESSAGES/django.po
       shop/locale/fr/LC_MESSAGES/django.po shop/locale/de/LC_MESSAGES/djangojs.po`,
    );
    expect(projectsFor(tree)).toEqual([
      'source: en',
      'targets: [de, fr]',
      '- { from: "shop/locale/{locale_underscore}/LC_MESSAGES/django.po" }',
      'source: en',
      'targets: [de]',
      '- { from: "shop/locale/{locale_underscore}/LC_MESSAGES/djangojs.po", embedded_source: true }',
    ]);
  });
});

describe('tables', () => {
  test('Godot: a column for each language', () => {
    const tree = { 'translations/text.csv': 'keys,en,es,pt_BR\nHELLO,Hello,Hola,Oi\n' };
    expect(projectsFor(tree)).toEqual([
      'source: en',
      'targets: [es, pt-BR]',
      '- { from: "translations/text.csv", columns: { key: "keys", source: "en", targets: { es: "es", pt-BR: "pt_BR" } } }',
    ]);
  });

  test('Unity: columns named for people, with the code behind', () => {
    const tree = { 'Assets/UI.csv': 'Key;Id;English(en);German(de)\nhello;1;Hello;Hallo\n' };
    expect(projectsFor(tree)).toContain(
      '- { from: "Assets/UI.csv", columns: { key: "Key", source: "English(en)", targets: { de: "German(de)" }, delimiter: ";" } }',
    );
  });

  test('Magento: two columns in a file for each language', () => {
    const tree = {
      'app/code/A/Shop/i18n/en_US.csv': '"Save","Save"\n',
      'app/code/A/Shop/i18n/de_DE.csv': '"Save","Speichern"\n',
    };
    expect(projectsFor(tree)).toEqual([
      'source: en-US',
      'targets: [de-DE]',
      '- { from: "app/code/A/Shop/i18n/{locale_underscore}.csv", columns: { key: 1, source: 2, header: false } }',
    ]);
  });

  test('numbers by country are no table of texts', () => {
    expect(projectsFor({ 'data/sales.csv': 'year,de,fr\n2020,12,13\n' })).toEqual([]);
  });
});

describe('what is no text', () => {
  test.each([
    ['"message": "Hi", "description": "A greeting"', '["*.description", "*.placeholders.*"]'],
    ['"defaultMessage": "Hi", "description": "A greeting"', '["*.description"]'],
  ])('descriptions: %s', (entry, keys) => {
    const text = `{ "hi": { ${entry} } }`;
    const tree = { 'locales/en/messages.json': text, 'locales/de/messages.json': text };
    expect(projectsFor(tree)).toContain(
      `- { from: "locales/{locale}/**/*.json", keys: { ignore: ${keys} } }`,
    );
  });

  test('keys stay ignored where a route gets the spelling of similar routes', () => {
    const text = '{ "hi": { "message": "Hi", "description": "A greeting" } }';
    const places = ['web/locales/en', 'web/locales/pt_BR', 'app/locales/en', 'app/locales/de'];
    const tree = Object.fromEntries(places.map((place) => [`${place}/messages.json`, text]));
    const keys = 'keys: { ignore: ["*.description", "*.placeholders.*"] }';
    expect(projectsFor(tree)).toContain(
      `- { from: "app/locales/{locale_underscore}/**/*.json", ${keys} }`,
    );
  });

  test('MediaWiki: who translated; inlang: the address of a schema', () => {
    const wiki = '{ "@metadata": { "authors": ["A"] }, "hi": "Hi" }';
    expect(projectsFor({ 'i18n/en.json': wiki, 'i18n/de.json': wiki })).toContain(
      '- { from: "i18n/{locale}.json", keys: { ignore: ["@metadata.*"] } }',
    );
    const inlang = '{ "$schema": "https://inlang.com/schema", "hi": "Hi" }';
    expect(projectsFor({ 'messages/en.json': inlang, 'messages/de.json': inlang })).toContain(
      '- { from: "messages/{locale}.json", keys: { ignore: ["$schema"] } }',
    );
  });

  test('an app that says "message" and "description" has texts in both', () => {
    const text =
      '{ "title": "Errors", "gone": { "message": "Not there", "description": "Look elsewhere" } }';
    expect(projectsFor({ 'locales/en.json': text, 'locales/de.json': text })).toContain(
      '- { from: "locales/{locale}.json" }',
    );
  });

  test('settings of programs are left out: of MkDocs, Spring, Jekyll, containers', () => {
    expect(
      projectsFor(
        files(
          'docs/en/mkdocs.yml docs/de/mkdocs.yml src/application.properties src/application-de.properties src/application-fr.properties',
        ),
      ),
    ).toEqual([]);
  });

  test('Symfony: XLIFF whose source is a key becomes a route', () => {
    const xliff = (language: string, text: string) =>
      `<xliff version="1.2"><file source-language="en" target-language="${language}"><body><trans-unit id="a"><source>label.save</source><target>${text}</target></trans-unit></body></file></xliff>`;
    const tree = {
      'translations/messages.en.xlf': xliff('en', 'Save'),
      'translations/messages.de.xlf': xliff('de', 'Speichern'),
    };
    expect(projectsFor(tree)).toEqual([
      'source: en',
      'targets: [de]',
      '- { from: "translations/**/*.{locale}.xlf", lane: "text" }',
    ]);
  });

  test('Interface Builder: the source of Main.strings is a storyboard', () => {
    const tree = files(
      'App/Base.lproj/Main.storyboard App/de.lproj/Main.strings R/en.lproj/L.strings R/de.lproj/L.strings',
    );
    expect(proposalFor(tree).notes).toEqual([
      'Apple: the texts of App/de.lproj/Main.strings are in App/Base.lproj/Main.storyboard: "ibtool --export-strings-file App/en.lproj/Main.strings App/Base.lproj/Main.storyboard" writes a source; then "dragoman init" again',
    ]);
  });
});

describe('what no format reads', () => {
  test('is named where nothing else is there', () => {
    expect(proposalFor(files('assets/lang/en_US.lang assets/lang/de_DE.lang')).notes).toEqual([
      'assets/lang/{de_DE,en_US}.lang look like translations: .lang is no format that dragoman reads.',
    ]);
  });

  test('UWP: .resw is .resx under another name', () => {
    expect(projectsFor(files('Strings/en-US/Resources.resw Strings/de-DE/Resources.resw'))).toEqual(
      [
        'source: en-US',
        'targets: [de-DE]',
        '- { from: "Strings/{locale}/**/*.resw", lane: "text" }',
      ],
    );
  });
});
