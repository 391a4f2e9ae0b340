/** Checks the rules of a project before anything is paid: languages without a feature, contradictions. */

import { type LanguageTag, sameLanguage, targetCode } from '../language.ts';
import type { Project, ProjectHead } from '../project.ts';
import { didYouMean } from '../routes/suggest.ts';
import {
  type Capabilities,
  hasWritingStyles,
  isImprovable,
  type LanguageFeature,
  supportsFeature,
} from './capabilities.ts';
import type { Report } from './shape.ts';

export interface RuleChecks {
  readonly head: ProjectHead;
  readonly source: LanguageTag | 'auto';
  readonly targets: readonly LanguageTag[];
  readonly locales: Project['locales'];
  /** The known capabilities of the service. */
  readonly capabilities: Capabilities;
  /** Paths are relative to the project. */
  readonly report: Report;
}

/** Reports each rule that the service would refuse or that contradicts another rule. */
export function checkRules(checks: RuleChecks): void {
  checkFormality(checks);
  checkInstructions(checks);
  checkImprovement(checks);
  checkDetection(checks);
  checkGlossaryFile(checks);
  checkModel(checks);
}

// docs/design/api.md, "Translation rules", 5: the request fails, unless a prefer_ option is used.
function checkFormality(checks: RuleChecks): void {
  const { head, report } = checks;
  const { formality } = head;
  if (formality !== 'more' && formality !== 'less') return;
  const without = withoutFeature('formality', checks);
  if (without.length === 0) return;
  report(
    ['formality'],
    `"${formality}" is not supported for ${without.join(', ')}; "prefer_${formality}" is, and falls back to the default there`,
  );
}

function checkInstructions(checks: RuleChecks): void {
  const { head, report } = checks;
  if (head.customInstructions.length === 0) return;
  const without = withoutFeature('custom_instructions', checks);
  if (without.length === 0) return;
  report(
    ['custom_instructions'],
    `not supported for ${without.join(', ')}; put these languages into a project of their own`,
  );
}

// docs/design/api.md, "Text improvement": values without prefer_ give 400 for other languages. A target that is a variant of
// the source is converted by text improvement; for every other target the source is improved, then translated.
function checkImprovement({ head, report, source, targets, capabilities }: RuleChecks): void {
  if (head.improve === undefined) return;
  const [[setting, value] = ['', '']] = Object.entries(head.improve);
  if (source === 'auto') {
    report(['improve'], 'texts are improved in their own language; source is auto', 'name');
    return;
  }
  const improvedIn = targets.map((target) => (sameLanguage(source, target) ? target : source));
  if (improvedIn.includes(source) && !isImprovable(capabilities, source)) {
    report(['improve'], `text improvement does not know ${source}`, 'name');
    return;
  }
  if (value === 'default' || value.startsWith('prefer_')) return;
  const without = [...new Set(improvedIn)].filter((tag) => !hasWritingStyles(capabilities, tag));
  if (without.length === 0) return;
  report(
    ['improve', setting],
    `"${value}" is not supported for ${without.join(', ')}; "prefer_${value}" is, and falls back to the default there`,
  );
}

function checkDetection({ head, report, source }: RuleChecks): void {
  if (head.detect && source !== 'auto') {
    report(['detect'], `nothing is detected where source is ${source}; write source: auto`);
  }
  // docs/design/api.md, "Translation rules", 7. With `detect`, the detected language is sent with the request.
  if (head.glossary !== undefined && source === 'auto' && !head.detect) {
    report(['glossary'], 'a glossary needs a source language; source is auto', 'name');
  }
  if (head.detect && head.glossary !== undefined && 'csv' in head.glossary) {
    report(
      ['glossary', 'csv'],
      'a file is read for one source language; where it is detected, name a glossary by its id: { id: … }',
    );
  }
}

function checkGlossaryFile({ head, report }: RuleChecks): void {
  if (head.glossary === undefined || !('csv' in head.glossary)) return;
  const tokens = [...head.glossary.csv.matchAll(/\{([^}]*)\}/g)].map(([, token = '']) => token);
  for (const token of tokens) {
    if (token === 'source' || token === 'locale') continue;
    const hint = didYouMean(token, ['source', 'locale']);
    report(['glossary', 'csv'], `unknown token {${token}}; {source} and {locale} are known${hint}`);
  }
}

// docs/design/api.md, "Translation rules", 3 and 4: these settings use quality_optimized; the service rejects latency_optimized with them.
function checkModel({ head, report }: RuleChecks): void {
  if (head.model !== 'latency_optimized') return;
  const against = [
    head.tagHandlingVersion === 'v2' ? 'tag_handling_version v2' : undefined,
    head.style === undefined ? undefined : 'style',
    head.customInstructions.length === 0 ? undefined : 'custom_instructions',
    head.translationMemory === undefined ? undefined : 'translation_memory',
  ].filter((name) => name !== undefined);
  if (against.length === 0) return;
  report(['model'], `latency_optimized cannot be combined with ${against.join(', ')}`);
}

/** docs/design/api.md, "Translation rules", 1: a classic model never answers a request without a source language. @returns warnings */
export function idleModel({ source, detect, model }: ProjectHead): string[] {
  if (source !== 'auto' || detect || model !== 'latency_optimized') return [];
  return [
    'latency_optimized has no effect where source is auto: such requests always use the newer models; name the source, or write detect: true',
  ];
}

/** Targets that are translated. Variants of the source go to text improvement. */
function translated({ source, targets }: RuleChecks): LanguageTag[] {
  return targets.filter((target) => source === 'auto' || !sameLanguage(source, target));
}

function withoutFeature(feature: LanguageFeature, checks: RuleChecks): LanguageTag[] {
  const { locales, capabilities } = checks;
  return translated(checks).filter((tag) => {
    const code = locales.get(tag)?.api ?? targetCode(tag);
    return !supportsFeature(capabilities, feature, { tag, code });
  });
}

/**
 * The message when the glossary of a project contradicts that of an earlier project; else undefined.
 * One name is one glossary on the service: two different contents for it would overwrite each other at each sync. And
 * dragoman finds a glossary again by its file pattern: one file with two names would be renamed at each sync.
 */
export function glossaryClash(project: Project, earlier: readonly Project[]): string | undefined {
  const rule = project.rules.glossary;
  if (rule === undefined || 'id' in rule) return undefined;
  for (const { name, rules } of earlier) {
    const other = rules.glossary;
    if (other === undefined || 'id' in other) continue;
    const isNamesake = other.name === rule.name;
    const isSameFile = other.csv === rule.csv;
    if (isNamesake && !(isSameFile && other.mode === rule.mode)) {
      return `"${rule.name}" is the glossary of project ${name} too, with another csv or mode: give it another name`;
    }
    if (isSameFile && !isNamesake) {
      return `project ${name} reads ${rule.csv} too, as "${other.name}": one file is one glossary, for as many projects as you like; give both one name`;
    }
  }
  return undefined;
}
