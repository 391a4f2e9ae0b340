/** Decides about texts that come back, for a config with several projects: a row matches only texts of its own project. Pure. */
import { parseExchangeId, projectHash } from './exchange-id.ts';
import {
  decideImport,
  type ImportAs,
  type ImportDecision,
  type ImportRow,
  type ReviewedText,
  withoutGarbled,
} from './review-import.ts';

interface TextOfProject extends ReviewedText {
  /** Name of its project. */
  readonly project: string;
}

interface RowOfProject extends ImportRow {
  /** The exchange file of the row. */
  readonly from: string;
  /** The value of a column or a comment of the file. */
  readonly project?: string;
}

/** @returns one decision for each row, in the order of the rows */
export function decideByProject<Text extends TextOfProject, Row extends RowOfProject>(
  rows: readonly Row[],
  texts: readonly Text[],
  as?: ImportAs,
): ImportDecision<Text, Row>[] {
  const ofProject = Map.groupBy(texts, ({ project }) => project);
  const projectOf = projectFinder(texts);
  const decided = new Map<Row, ImportDecision<Text, Row>>();
  for (const [project, group] of Map.groupBy(rows, projectOf)) {
    const own = project === null ? [] : project === undefined ? texts : ofProject.get(project);
    for (const [nth, decision] of decideImport<Text, Row>(group, own ?? [], as).entries()) {
      const isShared = project === null && decision.kind === 'unknown';
      decided.set(group[nth] as Row, isShared ? { ...decision, isShared } : decision);
    }
  }
  return withoutGarbled(rows.flatMap((row) => decided.get(row) ?? []));
}

/**
 * @returns finds the project of a row; undefined: no project has its id. Null: several projects have it, and the row names none of them
 */
function projectFinder(
  texts: readonly TextOfProject[],
): (row: RowOfProject) => string | undefined | null {
  const names = new Map<string, string>();
  const byUnit = new Map<string, string | null>();
  for (const { project, unit } of texts) {
    names.set(project, project);
    const known = byUnit.get(unit);
    byUnit.set(unit, known === undefined || known === project ? project : null);
  }
  for (const name of [...names.keys()]) names.set(projectHash(name), name);
  return ({ id, project }) => {
    const named = parseExchangeId(id);
    const stated = names.get(named?.projectHash ?? '') ?? names.get(project ?? '');
    return stated ?? byUnit.get(named?.unit ?? '');
  };
}
