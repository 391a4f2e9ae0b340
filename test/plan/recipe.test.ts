/**
 * The key that texts are bought with: two targets that are the same language for the service, with the same rules, share their texts.
 */
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import type { LanguageTag } from '../../src/language.ts';
import { memoryKey, memoryLanguage, recipeFor } from '../../src/plan/recipe.ts';

const tag = (code: string) => code as LanguageTag;

function projectOf(targets: string, settings = '') {
  const text = `version: 1
service: { url: "http://127.0.0.1:1" }
projects:
  app:
    source: en
    targets: [${targets}]
    routes: [{ from: "{locale}/*.json" }]
${settings}`;
  const { config, faults } = parseConfig(text, { file: '/repo/dragoman.yaml', env: {} });
  const [project] = config?.projects ?? [];
  if (project === undefined) throw new Error(JSON.stringify(faults));
  return project;
}

describe('the language in whose name texts are bought', () => {
  it.each([
    ['bn-BD, bn-IN', 'bn-IN', 'bn-BD', ''],
    ['zh-HK, zh-TW, zh-CN', 'zh-TW', 'zh-HK', ''],
    ['zh-HK, zh-TW, zh-CN', 'zh-CN', 'zh-CN', ''],
    ['es-MX, es-ES, es-AR', 'es-AR', 'es-MX', ''],
    ['es-MX, es-ES, es-AR', 'es-ES', 'es-ES', ''],
    ['de, de-AT', 'de-AT', 'de', ''],
    ['de, de-AT', 'de', 'de', ''],
    ['en-GB, en-AU', 'en-AU', 'en-GB', ''],
    ['de, fr', 'fr', 'fr', ''],
    ['hr, sr', 'sr', 'hr', '    locales: { sr: { api: hr } }\n'],
    ['de, de-AT', 'de-AT', 'de-AT', '    locales: { de-AT: { api: de-CH } }\n'],
    ['de, de-AT', 'de-AT', 'de-AT', '    style: { de-AT: { id: "1" }, de: { id: "2" } }\n'],
  ])('of %s, for %s, is %s', (targets, language, owner, settings) => {
    const project = projectOf(targets, settings);
    const recipe = recipeFor(project, tag(language));
    expect(memoryLanguage(recipe)).toBe(owner);
    expect(memoryKey({ recipe })).toBe(recipeFor(project, tag(owner)).key);
  });
});

it('a language keeps its own key for its jobs, also when another one shares its texts', () => {
  const alone = recipeFor(projectOf('bn-IN'), tag('bn-IN'));
  const shared = recipeFor(projectOf('bn-BD, bn-IN'), tag('bn-IN'));
  expect(shared.key).toBe(alone.key);
  expect(shared.options).toBe(alone.options);
});
