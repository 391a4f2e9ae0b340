import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { referencePage, schemaText } from '../../site/config-files.ts';
import { parseConfig } from '../../src/config/parse.ts';

const folder = join(import.meta.dirname, '..', '..', 'config');

test('the JSON Schema for editors is current (node site/config-files.ts writes it)', () => {
  expect(readFileSync(join(folder, 'dragoman.schema.json'), 'utf8')).toBe(schemaText());
});

test('the config reference is current (node site/config-files.ts writes it)', () => {
  expect(readFileSync(join(folder, '..', 'docs', 'config.md'), 'utf8')).toBe(referencePage());
});

test('the commented default config is sound', () => {
  const text = readFileSync(join(folder, 'dragoman.yaml'), 'utf8');
  const parsed = parseConfig(text, { file: '/repo/dragoman.yaml', env: {} });
  expect(parsed.faults).toBeUndefined();
});

test('every setting in the comments of the default config is one that the schema knows', () => {
  const text = readFileSync(join(folder, 'dragoman.yaml'), 'utf8');
  const everything = text.replaceAll(/^( *)# ((?:- )?[\w$]+:.*)$/gm, '$1$2');
  const { faults } = parseConfig(everything, { file: '/repo/dragoman.yaml', env: {} });
  expect(faults).toBeUndefined();
});

test('the default config names every setting of the reference', () => {
  const words = new Set(readFileSync(join(folder, 'dragoman.yaml'), 'utf8').match(/\w+/g));
  const settings = [...referencePage().matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = '']) => path);
  const missing = settings.filter((path) => !words.has(/(\w+)[^\w.]*$/.exec(path)?.[1] ?? ''));
  expect(settings.length).toBeGreaterThan(100);
  expect(missing.filter((path) => !path.endsWith('>'))).toEqual([]);
});

interface SchemaPart {
  readonly examples?: readonly string[];
  readonly properties: Readonly<Record<string, SchemaPart>>;
  readonly additionalProperties: SchemaPart;
  readonly items: SchemaPart;
  readonly anyOf: readonly SchemaPart[];
}

test('an editor is offered languages, paths of routes and the file of a glossary', () => {
  const { projects } = (JSON.parse(schemaText()) as SchemaPart).properties;
  const project = projects?.additionalProperties.properties;
  const route = project?.['routes']?.items.properties;
  const csv = project?.['glossary']?.anyOf[1]?.properties['csv'];
  for (const languages of [project?.['source'], project?.['targets']?.items]) {
    expect(languages?.examples).toEqual(expect.arrayContaining(['de', 'pt-BR', 'zh-Hant']));
  }
  expect(route?.['from']?.examples).toContain('locales/{locale}/**/*.json');
  expect(route?.['to']?.anyOf[0]?.examples).toContain('{dir}/{name}.{locale}.{ext}');
  expect(csv?.examples).toContain('l10n/{source}-{locale}.csv');
});
