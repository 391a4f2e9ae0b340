/** The catalogue of configured rules: 7 categories, 159 rules, 518 options (docs/design/api.md, "style rules"). */
import { readFileSync } from 'node:fs';
import { isObject } from './fields.ts';
import { badParameter } from './refusal.ts';
import type { ConfiguredRules } from './style-store.ts';

type Catalogue = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const catalogue = JSON.parse(
  readFileSync(new URL('../../config/style-rule-catalogue.json', import.meta.url), 'utf8'),
) as Catalogue;

/** @throws Refusal 400 that names the category, rule or option which the catalogue does not have. */
export function readRules(value: unknown): ConfiguredRules {
  if (!isObject(value)) throw badParameter('configured_rules', 'must be an object');
  for (const [category, rules] of Object.entries(value)) checkCategory(category, rules);
  return structuredClone(value) as ConfiguredRules;
}

function checkCategory(category: string, rules: unknown): void {
  const known = Object.hasOwn(catalogue, category) ? catalogue[category] : undefined;
  if (known === undefined) throw badParameter(`configured_rules.${category}`, 'is no category');
  if (!isObject(rules)) throw badParameter(`configured_rules.${category}`, 'must be an object');
  for (const [rule, option] of Object.entries(rules)) {
    const path = `configured_rules.${category}.${rule}`;
    const options = Object.hasOwn(known, rule) ? known[rule] : undefined;
    if (options === undefined) throw badParameter(path, 'is no rule of this category');
    if (!options.some((each) => each === option)) {
      throw badParameter(path, `must be one of ${options.join(', ')}`);
    }
  }
}
