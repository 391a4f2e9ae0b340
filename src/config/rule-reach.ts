/** Reports rules that no lane of their project sends, so that they would have no effect. Pure. */
import type { Lane } from '../job.ts';
import { parseLanguage, sameLanguage } from '../language.ts';
import type { Project, ProjectHead } from '../project.ts';
import { lanesOf } from '../routes/lanes.ts';
import { entriesByCode, settingName } from '../setting.ts';
import type { Report } from './shape.ts';

export interface RuleReach {
  readonly head: ProjectHead;
  readonly project: Project;
  /** Capabilities of the deployment (`service.capabilities`). */
  readonly capabilities: ReadonlySet<string>;
  /** Paths are relative to the project. */
  readonly report: Report;
}

type RuleName = keyof ProjectHead & string;

const TEXT_LANES: readonly Lane[] = ['text', 'subtitle'];
const TEXTS_AND_DOCUMENTS: readonly Lane[] = [...TEXT_LANES, 'document'];

export function checkReach(reach: RuleReach): void {
  const { head, project, report } = reach;
  const lanes = allLanes(project);
  for (const [rule, takenBy] of lanesByRule(reach.capabilities)) {
    if (!isGiven(head, rule)) continue;
    if (!translates(project)) {
      report(
        [settingName(rule)],
        'text improvement takes none, and every target is a variant of the source',
        'name',
      );
    } else if (lanes !== undefined && !takenBy.some((lane) => lanes.has(lane))) {
      report(
        [settingName(rule)],
        `nothing in this project takes it: it is for ${takenBy.join(', ')}`,
        'name',
      );
    }
  }
  if (
    head.improve !== undefined &&
    lanes !== undefined &&
    !TEXT_LANES.some((lane) => lanes.has(lane))
  ) {
    report(
      ['improve'],
      `nothing in this project takes it: it is for ${TEXT_LANES.join(', ')}`,
      'name',
    );
  }
  checkVariantStyles(reach);
}

/** Reports a style for a variant of the source: text improvement, which converts variants, takes no style list. */
function checkVariantStyles({ head, project, report }: RuleReach): void {
  const { source, targets } = project;
  if (source === 'auto' || !translates(project)) return;
  for (const [code] of entriesByCode(head.style ?? {})) {
    const tag = parseLanguage(code);
    if (tag === undefined || !targets.includes(tag) || !sameLanguage(source, tag)) continue;
    report(
      ['style', code],
      `${code} is a variant of ${source}: text improvement takes no style`,
      'name',
    );
  }
}

/** The lanes that send each rule (docs/design/api.md, "Documents" and "Voice jobs"). */
export function lanesByRule(
  capabilities: ReadonlySet<string>,
): ReadonlyMap<RuleName, readonly Lane[]> {
  const styled = capabilities.has('document_style') ? TEXTS_AND_DOCUMENTS : TEXT_LANES;
  return new Map<RuleName, readonly Lane[]>([
    ['formality', TEXTS_AND_DOCUMENTS],
    ['glossary', TEXTS_AND_DOCUMENTS],
    ['style', styled],
    ['translationMemory', styled],
    ['model', TEXT_LANES],
    ['context', TEXT_LANES],
    ['customInstructions', TEXT_LANES],
    ['tagHandlingVersion', TEXT_LANES],
  ]);
}

function isGiven(head: ProjectHead, rule: RuleName): boolean {
  const value = head[rule];
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function translates({ source, targets }: Project): boolean {
  return source === 'auto' || targets.some((target) => !sameLanguage(source, target));
}

/** The lanes of all routes; undefined where the pattern of a route does not decide its lane. */
function allLanes({ routes }: Project): ReadonlySet<Lane> | undefined {
  const lanes = new Set<Lane>();
  for (const route of routes) {
    const own = lanesOf(route);
    if (own === undefined) return undefined;
    for (const lane of own) lanes.add(lane);
  }
  return lanes;
}
