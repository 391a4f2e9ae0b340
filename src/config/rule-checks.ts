/** Checks the rules of a project before anything is paid: contradictions, and text improvement that does not know the source. */

import { type LanguageTag, sameLanguage } from '../language.ts';
import type { Project, ProjectHead, TextImprovement } from '../project.ts';
import { didYouMean } from '../routes/suggest.ts';
import { type Capabilities, hasManners, isImprovable } from './capabilities.ts';
import type { Report } from './shape.ts';

export interface RuleChecks {
  readonly head: ProjectHead;
  readonly source: LanguageTag | 'auto';
  readonly targets: readonly LanguageTag[];
  /** The known capabilities of the service. */
  readonly capabilities: Capabilities;
  /** Paths are relative to the project. */
  readonly report: Report;
}

/** Reports each rule that the service would refuse for every language or that contradicts another rule. */
export function checkRules(checks: RuleChecks): void {
  checkImprovement(checks);
  checkDetection(checks);
  checkGlossaryFile(checks);
  checkModel(checks);
}

// A target that is a variant of the source is converted by text improvement; for every other target the source is improved, then translated.
function checkImprovement({ head, report, source, targets, capabilities }: RuleChecks): void {
  if (head.improve === undefined) return;
  if (source === 'auto') {
    report(['improve'], 'texts are improved in their own language; source is auto', 'name');
    return;
  }
  if (targets.every((target) => sameLanguage(source, target))) return;
  if (!isImprovable(capabilities, source)) {
    report(['improve'], `text improvement does not know ${source}`, 'name');
    return;
  }
  const manner = mannerOf(head.improve);
  if (manner === undefined || hasManners(capabilities, manner.feature, source)) return;
  const what = noManner(manner.feature, [source]);
  report(['improve', manner.feature], `${what}; ${preferring(manner.value)}`);
}

/**
 * The writing style or tone that not every language has (docs/design/api.md, "Text improvement").
 * @returns undefined for a value that falls back to the default
 */
export function mannerOf(improve: TextImprovement) {
  const manner =
    'tone' in improve
      ? ({ feature: 'tone', value: improve.tone } as const)
      : ({ feature: 'writing_style', value: improve.writingStyle } as const);
  return /^(default$|prefer_)/.test(manner.value) ? undefined : manner;
}

/** A message for people. */
export function noManner(manner: 'writing_style' | 'tone', languages: readonly LanguageTag[]) {
  const what = manner === 'tone' ? 'tones' : 'writing styles';
  return `text improvement has no ${what} for ${languages.join(', ')}`;
}

/** Advice for people about a value that a language lacks. */
export function preferring(value: string): string {
  return `write "prefer_${value}", which falls back to the default there`;
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
