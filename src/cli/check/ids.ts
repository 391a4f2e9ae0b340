/** Checks the ids that a config names (glossary, style list, translation memory) on the service, before a request with them is refused. */

import { type Fault, sortFaults } from '../../config/fault.ts';
import type { SoundConfig } from '../../config/parse.ts';
import { baseLanguage, type LanguageTag, sameLanguage } from '../../language.ts';
import { append } from '../../parsing/append.ts';
import type { Project } from '../../project.ts';
import type { Glossary } from '../../service/glossaries.ts';
import type { SettingPath } from '../../setting.ts';
import { languageTagOf } from '../../sync/glossary-lookup.ts';
import { type IdLookup, lookUpGlossary, lookUpMemory, lookUpStyle } from '../../sync/named-ids.ts';

export interface IdFindings {
  readonly faults: readonly Fault[];
  /** What lets some languages fail; the others go on. */
  readonly holds: readonly Fault[];
  /** Ids that exist and have no effect for some language. */
  readonly warnings: readonly Fault[];
}

interface Asking extends IdLookup {
  /** Not empty: this key may not use style lists, so they are not asked for. */
  readonly forbidden: readonly unknown[];
}

/** Asks for each id once per project. @throws JobFailure where the service gives no answer */
export async function checkIds(
  asking: Asking,
  { config, faultAt }: Pick<SoundConfig, 'config' | 'faultAt'>,
): Promise<IdFindings> {
  const found: IdFinding[] = [];
  for (const project of config.projects) {
    const own = [
      ...(await glossaryFindings(asking, project)),
      ...(await styleFindings(asking, project)),
      ...(await memoryFindings(asking, project)),
    ];
    append(
      found,
      own.map((each) => ({ ...each, path: ['projects', project.name, ...each.path] })),
    );
  }
  const at = (severity: IdFinding['severity']) =>
    sortFaults(
      found
        .filter((each) => each.severity === severity)
        .map(({ path, message }) => faultAt(path, message)),
    );
  return { faults: at('fault'), holds: at('hold'), warnings: at('warning') };
}

interface IdFinding {
  /** Relative to the project; `checkIds` adds the project. */
  readonly path: SettingPath;
  readonly severity: 'fault' | 'hold' | 'warning';
  readonly message: string;
}

async function glossaryFindings(
  asking: Asking,
  { source, targets, rules }: Project,
): Promise<IdFinding[]> {
  const rule = rules.glossary;
  if (rule === undefined || !('id' in rule)) return [];
  const path = ['glossary', 'id'];
  const answer = await lookUpGlossary(asking, rule.id);
  if ('problem' in answer) return [fault(path, answer.problem)];
  if (source === 'auto') return [];
  const without = targets
    .filter((target) => !sameLanguage(source, target))
    .filter((target) => !hasPair(answer.found, source, target));
  if (without.length === 0) return [];
  const message = `has no dictionary from ${source} into ${without.join(', ')}: it has no effect there`;
  return [{ path, severity: 'warning', message }];
}

function hasPair({ dictionaries }: Glossary, source: LanguageTag, target: LanguageTag): boolean {
  return dictionaries.some(
    ({ source_lang, target_lang }) =>
      languageTagOf(source_lang) === baseLanguage(source) &&
      languageTagOf(target_lang) === baseLanguage(target),
  );
}

/** A list that is not there lets the jobs of its languages fail. Only where no language is left, the config is at fault. */
async function styleFindings(asking: Asking, { rules, targets }: Project): Promise<IdFinding[]> {
  if (asking.forbidden.length > 0) return [];
  const problems: string[] = [];
  const failing = new Set<LanguageTag>();
  for (const [id, languages] of languagesById(rules.styles)) {
    const answer = await lookUpStyle(asking, id, languages);
    if (!('problem' in answer)) continue;
    problems.push(`${answer.problem} (${languages.join(', ')} fails by it)`);
    for (const language of languages) failing.add(language);
  }
  const severity = targets.every((target) => failing.has(target)) ? 'fault' : 'hold';
  return problems.map((message) => ({ path: ['style'], severity, message }));
}

function languagesById(styles: Project['rules']['styles']): Map<string, LanguageTag[]> {
  const ids = new Map<string, LanguageTag[]>();
  for (const [tag, rule] of styles) {
    if ('id' in rule) ids.set(rule.id, [...(ids.get(rule.id) ?? []), tag]);
  }
  return ids;
}

/** If a deployment cannot list translation memories, an id stays unchecked. */
async function memoryFindings(asking: Asking, { rules }: Project): Promise<IdFinding[]> {
  const id = rules.translationMemory?.id;
  if (id === undefined) return [];
  const path = ['translation_memory', 'id'];
  const answer = await lookUpMemory(asking, id);
  if ('unknown' in answer) return [{ path, severity: 'warning', message: answer.unknown }];
  return 'problem' in answer ? [fault(path, answer.problem)] : [];
}

function fault(path: SettingPath, message: string): IdFinding {
  return { path, severity: 'fault', message };
}
