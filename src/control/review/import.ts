/** `review import`: compares the texts that translators send back with the present targets, and writes them. */
import type { ReturnedRow } from '../../formats/exchange/exchange.ts';
import type { Stat } from '../../job.ts';
import { decideByProject } from '../../segments/import-projects.ts';
import type { ImportDecision, ReviewedText } from '../../segments/review-import.ts';
import { type SourceHash, sourceHash } from '../../segments/statements.ts';
import type { TextsBefore } from '../../state/undo.ts';
import type { TargetReplacement, UndoRun } from '../../state/undo-log.ts';
import type { ReviewImportRequest } from '../control.ts';
import type { ReviewImportLine, ReviewImportReport } from '../review-report.ts';
import type { ReviewText } from '../review-text.ts';
import { MOST_TRIES, pairsIn, type ReviewPair } from './files.ts';
import { reviewLineOf } from './mark.ts';
import { recordRun, saveTexts } from './save.ts';
import type { Saving } from './saving.ts';
import type { ReviewTexts } from './texts.ts';

type Growing = {
  -readonly [Name in keyof ReviewImportReport]: ReviewImportReport[Name] extends readonly (infer Line)[]
    ? Line[]
    : ReviewImportReport[Name];
};

interface PresentText extends ReviewedText {
  readonly project: string;
  readonly pair: ReviewPair;
  readonly text: ReviewText;
  /** All texts of its file. */
  readonly all: readonly ReviewText[];
  /** File status of the target with this text. */
  readonly seen: Stat | undefined;
}

interface Row extends ReturnedRow {
  readonly from: string;
}

type Decided = ImportDecision<PresentText, Row>;

export async function reviewImport(
  reviews: ReviewTexts,
  request: ReviewImportRequest,
): Promise<ReviewImportReport> {
  const { options } = reviews;
  const { lock = null } = options.inForce.config;
  const report: Growing = {
    ...{ lock, written: [], reviewed: [], outdated: [], conflicts: [], refused: [], warnings: [] },
    ...{ unchanged: 0, ignored: 0 },
  };
  if (lock === null) return report;
  if (options.condition.state === 'not running') await options.scan();
  const run: UndoRun = {};
  const byLanguage = Map.groupBy(request.files, ({ language }) => language);
  for (const [language, files] of byLanguage) {
    const rows = files.flatMap(({ file, rows: own }) => own.map((row) => ({ ...row, from: file })));
    const decided = await decideRows(reviews, { language, rows, request });
    addToReport(report, decided, language);
    await save(reviews, { report, decided, request, run, language });
  }
  return report;
}

interface Deciding {
  readonly language: string;
  readonly rows: readonly Row[];
  readonly request: ReviewImportRequest;
}

/** Reads the files that the rows name, and the other files only when rows are not found in them. */
async function decideRows(
  reviews: ReviewTexts,
  { language, rows, request }: Deciding,
): Promise<Decided[]> {
  const scope = { projects: request.projects, languages: [language], paths: [] };
  const pairs = [...pairsIn(reviews.options, scope)];
  const named = new Set(rows.map(({ path }) => path?.normalize('NFC')));
  const near = pairs.filter(({ source }) => named.has(source.path));
  const first = decideByProject(rows, await presentTexts(reviews, near), request.as);
  const isComplete = first.every(({ kind }) => kind !== 'unknown');
  if (isComplete || near.length === pairs.length) return first;
  return decideByProject(rows, await presentTexts(reviews, pairs), request.as);
}

async function presentTexts(
  reviews: ReviewTexts,
  pairs: readonly ReviewPair[],
): Promise<PresentText[]> {
  const texts: PresentText[] = [];
  for (const pair of pairs) {
    const read = await reviews.read(pair);
    if (typeof read === 'string') continue;
    for (const text of read.texts) {
      const isReviewed = text.state === 'reviewed';
      const isPersons = isReviewed || (text.target !== null && text.mark === 'human');
      const { name: project } = pair.project;
      const { path } = pair.source;
      const place = { project, path, pair, all: read.texts, seen: read.stat };
      const hashes = { sourceHash: text.source_hash, targetHash: text.target_hash };
      texts.push({ ...text, ...hashes, ...place, text, isReviewed, isPersons });
    }
  }
  return texts;
}

const SAVE_ANEW = 'save the file as UTF-8 (in Excel as "CSV UTF-8" or .xlsx), and import it again';
const GARBLED = {
  own: `letters came back as "?" or other signs: ${SAVE_ANEW}`,
  file: `its file lost letters elsewhere: ${SAVE_ANEW}`,
} as const;

const CHANGED = 'the translation was changed since the export';
const OF_UNKNOWN_EXPORT =
  'a person wrote the translation that is there, and the file no longer says which one was exported';
const OF_NONE = 'no text of the project belongs to it, by its id or by its source';
const OF_SEVERAL = 'several projects have a text with this id: add --project';

/** Reports the rows that need no write. */
function addToReport(report: Growing, decided: readonly Decided[], language: string): void {
  for (const decision of decided) {
    const { row } = decision;
    switch (decision.kind) {
      case 'ignored':
        report.ignored += 1;
        if (decision.because === 'new') {
          const message = 'ignored: its state is still "new"';
          report.warnings.push(strayLine(row, { language, message }));
        }
        break;
      case 'unchanged':
        report.unchanged += 1;
        break;
      case 'superseded':
        report.unchanged += 1;
        report.warnings.push(
          knownLine(
            decision,
            'the translator left the text as it was, and somebody else changed it since the export: the newer text stays',
          ),
        );
        break;
      case 'unknown': {
        const message = decision.isShared ? OF_SEVERAL : OF_NONE;
        const lines = decision.isLost ? report.refused : report.warnings;
        lines.push(strayLine(row, { language, message }));
        break;
      }
      case 'twice':
      case 'incomplete':
      case 'garbled':
        report.refused.push(knownLine(decision, whyNotTaken(decision)));
        break;
      case 'conflict':
        report.conflicts.push({
          ...knownLine(decision, row.was === undefined ? OF_UNKNOWN_EXPORT : CHANGED),
          disk: decision.text.target,
          returned: row.target,
        });
        break;
      case 'reviewed':
      case 'write':
        break;
    }
  }
}

function whyNotTaken(
  decision: Extract<Decided, { kind: 'twice' | 'incomplete' | 'garbled' }>,
): string {
  switch (decision.kind) {
    case 'twice':
      return 'it is in the exchange files twice, with different texts';
    case 'incomplete': {
      const { nth, of } = decision.lacks;
      return `its segment ${nth} of ${of} has no translation`;
    }
    case 'garbled':
      return GARBLED[decision.of];
  }
}

interface Import {
  readonly report: Growing;
  readonly decided: readonly Decided[];
  readonly request: ReviewImportRequest;
  /** The texts of one import are undone together. */
  readonly run: UndoRun;
  readonly language: string;
}

type TakenDecision = Extract<Decided, { kind: 'write' | 'reviewed' }>;

async function save(reviews: ReviewTexts, importing: Import): Promise<void> {
  const byPair = Map.groupBy(takenOf(importing.decided), ({ text }) => text.pair);
  for (const [pair, decisions] of byPair) await saveIn(reviews, importing, { pair, decisions });
}

async function saveIn(
  reviews: ReviewTexts,
  importing: Import,
  { pair, decisions }: Omit<ImportTry, 'tries'>,
): Promise<void> {
  if (importing.request.act === 'write') await reviews.prepareLock(pair);
  using _lock = await reviews.exclusive(pair);
  let left = decisions;
  for (let tries = 1; left.length > 0; tries += 1) {
    left = await saveOnce(reviews, importing, { pair, decisions: left, tries });
  }
}

/** Rows with the same text count once. */
function takenOf(decided: readonly Decided[]): readonly TakenDecision[] {
  const taken = new Map<PresentText, TakenDecision>();
  for (const decision of decided) {
    if (decision.kind === 'write' || decision.kind === 'reviewed')
      taken.set(decision.text, decision);
  }
  return [...taken.values()];
}

interface ImportTry {
  readonly pair: ReviewPair;
  readonly decisions: readonly TakenDecision[];
  /** The number of this try, from 1. */
  readonly tries: number;
}

/** @returns the rows to try again: somebody wrote the file meanwhile, so they are compared with its present texts */
async function saveOnce(
  reviews: ReviewTexts,
  { report, request, run, language }: Import,
  { pair, decisions, tries }: ImportTry,
): Promise<readonly TakenDecision[]> {
  const { options } = reviews;
  const { act, by } = request;
  const of = new Map(decisions.map((decision) => [savingOf(decision), decision]));
  const lineFor = (saving: Saving, message: string) =>
    knownLine(of.get(saving) as TakenDecision, message);
  const undo = (step: TargetReplacement, before: TextsBefore['before']) =>
    recordRun(options, pair, { step, before, run });
  const { seen, all: texts = [] } = decisions[0]?.text ?? {};
  const what = { savings: [...of.keys()], texts, seen, act, by, how: 'import', undo } as const;
  const saved = await saveTexts(options, pair, what);
  if (saved.isOvertaken && tries < MOST_TRIES) {
    const rows = decisions.map(({ row }) => row);
    const again = decideByProject(rows, await presentTexts(reviews, [pair]), request.as);
    addToReport(report, again, language);
    return takenOf(again);
  }
  for (const saving of saved.saved) {
    if (saving.target === saving.text.target) report.reviewed.push(lineFor(saving, 'reviewed'));
    else if (saving.older === undefined) report.written.push(lineFor(saving, 'written'));
    else report.outdated.push(lineFor(saving, 'its source changed since the export'));
  }
  for (const { saving, reason } of saved.refused) report.refused.push(lineFor(saving, reason));
  for (const { saving, message } of saved.warnings) report.warnings.push(lineFor(saving, message));
  return [];
}

function savingOf(decision: TakenDecision): Saving {
  const { text } = decision.text;
  // A row may have other line ends or another Unicode form. The text of the target stays byte for byte.
  if (decision.kind === 'reviewed') return { text, target: text.target ?? '', isReviewed: true };
  const { older, isFinal, row } = decision;
  return {
    ...{ text, target: row.target, isReviewed: isFinal },
    ...(older === undefined ? {} : { older: { hash: older, text: sourceIfHashed(row, older) } }),
  };
}

/** The source of a row, if it is the one that the row's id names: a tool may have changed it. */
function sourceIfHashed({ source }: Row, hash: SourceHash): string | undefined {
  return source !== undefined && sourceHash(source) === hash ? source : undefined;
}

function knownLine(
  { row, text: { pair, text } }: Extract<Decided, { text: PresentText }>,
  message: string,
): ReviewImportLine {
  const { file, language, key } = reviewLineOf(pair, text);
  return { ...placeOfRow(row), file, language, key, message };
}

function strayLine(
  row: Row,
  { language, message }: { readonly language: string; readonly message: string },
): ReviewImportLine {
  return { ...placeOfRow(row), file: null, language, key: row.id, message };
}

function placeOfRow({ from, line, sheet }: Row): Pick<ReviewImportLine, 'from' | 'row' | 'sheet'> {
  return { from, row: line, ...(sheet === undefined ? {} : { sheet }) };
}
