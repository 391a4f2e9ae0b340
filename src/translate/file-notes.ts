/** Notes for a person about one file: texts that stay or are bought again, terms that are missing in the translation. */

import type { SegmentRecord, TranslationInputs } from '../baseline.ts';
import { findWorkTree } from '../files/work-tree.ts';
import { excerptOf, keyName, partsText, sourceParts } from '../format.ts';
import { reasonsOnce, shortList } from '../job.ts';
import { inEnglish, plural } from '../language.ts';
import type { Decision } from '../segments/decision.ts';
import { RECORDS_LOST } from '../segments/out-of-date.ts';
import { describeFinding, missingTerms } from '../segments/term-occurrence.ts';
import type { Prices } from './improvement.ts';
import type { TextFindings, TextInspection } from './inspection.ts';
import type { TextCase } from './text-case.ts';

/** Parts of a source that stay as they are in every language. */
export function untranslatedParts(
  { job }: TextCase,
  { source }: Pick<TextInspection, 'source'>,
): string[] {
  const [first] = source.doc.warnings;
  if (first === undefined) return [];
  const more = source.doc.warnings.length - 1;
  const others = more === 0 ? '' : `; ${more} more in "dragoman check"`;
  return [`${job.source}:${first.line}: ${first.message}${others}`];
}

/** A source in which no text is found, such as `{}`: it has no target, and nothing else would say why. */
export function withoutAnyText(
  { job }: TextCase,
  { source }: Pick<TextInspection, 'source'>,
): string[] {
  return source.doc.segments.length > 0
    ? []
    : [`${job.source}: it has no text to translate, so no target is written`];
}

/** Parts of a source that cannot be read: they are missing in every target. */
export function unreadableParts(
  { job }: TextCase,
  { source }: Pick<TextInspection, 'source'>,
): string[] {
  return source.doc.warnings
    .filter(({ isDamage }) => isDamage)
    .map(({ line, message }) => `${job.source}:${line}: ${message}`);
}

/**
 * Texts that nobody translates, because the target takes over another text in their places. The person who wrote the reference may mean it,
 * so it is only said.
 */
export function inheritedTexts(
  { job }: TextCase,
  { source, target, reader }: Pick<TextInspection, 'source' | 'target' | 'reader'>,
): string[] {
  const { language } = job;
  if (target === undefined || reader.format.inherited === undefined) return [];
  const { text, doc } = target;
  const all = reader.format.inherited(source.doc, { language, text, segments: doc.segments });
  return [...Map.groupBy(all, ({ reference }) => reference)].map(([reference, texts]) => {
    const keys = shortList(texts.map(({ id, line }) => `${keyName(id)} (line ${line})`));
    return `${job.source} (${language}): its translation takes texts over by "${reference}", so they are not translated: ${keys}; to have one translated, write its key without a value beside "<<" there`;
  });
}

/** The texts of a job that are bought again although their sources stayed. */
export function boughtAgain({ job }: TextCase, { merge }: Pick<TextInspection, 'merge'>): string[] {
  const keys = merge.decisions.flatMap((decision) =>
    decision.kind === 'buy' && decision.reason === 'recipe' ? [decision.id] : [],
  );
  if (keys.length === 0) return [];
  return [
    `${job.source} (${job.language}): bought again, since their rules changed: ${shortList(keys)}`,
  ];
}

/**
 * The translations of people that a job removes with their source texts. Formats that keep them as obsolete entries lose none, and a text
 * that gets plural forms, or loses them, is replaced.
 */
export function removedOfPeople(
  { job }: TextCase,
  { merge, found, target, reader, segments, shortened = [] }: RemovingInspection,
): string[] {
  if (target === undefined || target.doc.replace !== undefined) return [];
  const isKeyed = reader.format.shape === 'keyed';
  const shapes = new Map([...segments, ...target.doc.segments].map((each) => [each.id, each]));
  const messageOf = (id: string) => messageName(id, shapes.get(id)?.plural?.group);
  const reshaped = new Set(segments.flatMap(({ id }) => (found.has(id) ? [] : [messageOf(id)])));
  const isInShortened = (id: string) =>
    shortened.some(({ open }) => id.startsWith(open) && /^\d/.test(id.slice(open.length)));
  const others = merge.removed.filter(
    ({ id, movedTo }) =>
      movedTo === undefined && !isInShortened(id) && !(isKeyed && reshaped.has(messageOf(id))),
  );
  const inFile = others.map((each) => ({ ...each, target: found.get(each.id) }));
  const inLists = shortened.flatMap(({ texts }) => texts);
  const texts = [...inFile, ...inLists].flatMap(({ id, origin, target: text }) => {
    const isPersons = origin === 'human' || origin === 'adopted';
    if (!isPersons || !text) return [];
    const words = `"${excerptOf(partsText(text), EXCERPT)}"`;
    return /\p{L}/u.test(words) ? [isKeyed ? `${keyName(id)} ${words}` : words] : [];
  });
  if (texts.length === 0) return [];
  return [
    `${job.source} (${job.language}): translations of people are removed with their source texts: ${shortList(texts)}; another file that gets such a text takes its translation along, and "dragoman undo" brings back what a run removed`,
  ];
}

/** Texts that came from other files of the project, with the translations that people wrote there. */
export function movedHere({ job }: TextCase, { moved, segments }: TextFindings): string[] {
  const texts = segments.flatMap((segment) =>
    moved?.has(segment.id) ? [`"${excerptOf(partsText(sourceParts(segment)), EXCERPT)}"`] : [],
  );
  if (texts.length === 0) return [];
  return [
    `${job.source} (${job.language}): ${plural(texts.length, 'text')} from other files: their translations by people come along, and nothing is bought for them: ${shortList(texts)}`,
  ];
}

/** The key that all forms of a text share: of `x_one`, `x.one`, `x[one]`, `x.0` and `x` it is `x`. */
function messageName(id: string, group: string | undefined): string {
  return group?.replace(/(?:_ordinal)?[_.[]$/, '') ?? id.replace(/(?:[.~]\d+|\[\D[^\]]*\])$/, '');
}

/**
 * Texts of ours that the target lacks for the first time, where no history of git can tell whether a person removed them. A file may have
 * been put back, or lost its end.
 */
export function takenForRemoved(
  { job, lock, sourcePath }: Pick<TextCase, 'job' | 'lock' | 'sourcePath'>,
  decisions: readonly Decision[],
): string[] {
  if (lock !== undefined && findWorkTree(sourcePath) !== undefined) return [];
  const texts = decisions.flatMap((decision) =>
    decision.kind === 'keep' && decision.isMissing === true
      ? [`"${excerptOf(decision.record.source, EXCERPT)}"`]
      : [],
  );
  if (texts.length === 0) return [];
  return [
    `${job.source} (${job.language}): ${plural(texts.length, 'text')} of the translation left it, and will not be written again, as if a person removed them: ${shortList(texts)}; if nobody did, put the translation back as it was`,
  ];
}

type RemovingInspection = Pick<
  TextInspection,
  'merge' | 'target' | 'reader' | 'segments' | 'shortened'
> &
  Pick<TextFindings, 'found'>;

/** Characters of a text that a note shows. */
const EXCERPT = 40;

/** The first run in which the targets of a source are its texts: changes since the last run of an earlier version are not seen. */
export function readAnew(
  { job, deliveredSource }: TextCase,
  { isReadAnew, source }: Pick<TextInspection, 'isReadAnew' | 'source'>,
): string[] {
  const isChanged = deliveredSource !== undefined && deliveredSource !== source.hash;
  if (isReadAnew === undefined || !isChanged) return [];
  return [
    `${job.source} (${job.language}): its texts are read in <target> from now on; translations of texts that changed since the last run of the earlier version stay as they are: compare the file with git, and correct these translations`,
  ];
}

/** Why texts of a job are held. */
export function heldParts({ job }: TextCase, { merge }: Pick<TextInspection, 'merge'>): string[] {
  const held = merge.decisions.flatMap((decision) =>
    decision.kind === 'hold' ? [decision.record] : [],
  );
  const problems = held.map(({ problem = 'held', unclear }) => ({
    ...{ message: problem, ...(unclear === undefined ? {} : { unclear }) },
  }));
  return reasonsOnce(problems).map((reason) => `${job.source} (${job.language}): held: ${reason}`);
}

/** Texts that may be stale, because what this machine knew of them is lost. */
export function lostRecords(
  { job }: TextCase,
  { merge, areRecordsLost }: Pick<TextFindings, 'areRecordsLost'> & Pick<TextInspection, 'merge'>,
): string[] {
  const open = merge.decisions.filter(({ kind }) => kind === 'conflict').length;
  if (areRecordsLost !== true || open === 0) return [];
  return [
    `${job.source} (${job.language}): ${RECORDS_LOST}; texts that may be stale: ${open}; decide with "dragoman resolve"`,
  ];
}

/** Code and links that a person changed for an unknown version of the source. */
export function unexplainedFrame(
  { job }: TextCase,
  { frame }: Pick<TextInspection, 'frame'>,
): string[] {
  if (frame?.unexplained === undefined) return [];
  return [
    `${job.source} (${job.language}): a person changed code, links or other lines between its texts, and the history of the repository does not show for which source: they stay, whatever the source has there ("fetch-depth: 0" in CI fetches the history)`,
  ];
}

/** Texts that stay, and the inputs with which each would be bought now. */
interface KeptTexts extends Pick<TextInspection, 'merge'> {
  inputs(record: SegmentRecord): TranslationInputs;
}

/** The texts that stay although a term in their source has changed: nothing buys them again. */
export function staleTerms({ job, route }: TextCase, { merge, inputs }: KeptTexts): string[] {
  if (route.policies.retranslateOn.has('glossary')) return [];
  const keys = merge.decisions.flatMap((decision) => {
    if (decision.kind !== 'keep' || decision.record.origin !== 'machine') return [];
    const { id, made } = decision.record;
    return made !== undefined && made.terms !== inputs(decision.record).terms ? [id] : [];
  });
  if (keys.length === 0) return [];
  return [
    `${job.source} (${job.language}): a term of these changed, and they stay as they are (retranslate_on: [glossary] would buy them again): ${shortList(keys)}`,
  ];
}

/** The separate bill of improving the sources. */
export function improvementBill({ job }: TextCase, { improvement }: Prices): string[] {
  if (improvement === 0) return [];
  const characters = inEnglish(improvement);
  return [`${job.source}: improving its texts first costs ${characters} of these characters`];
}

/** A text that was just bought. */
export interface BoughtText {
  /** Its key, or the cue in which its sentence begins. */
  readonly id: string;
  readonly source: string;
  readonly target: string;
}

/** Terms that these texts should hold but do not, a sentence for each term: only a report, no text is held for it. */
export function termsMissing({ projectTerms }: TextCase, texts: readonly BoughtText[]): string[] {
  const index = projectTerms.terms?.index;
  if (index === undefined) return [];
  const found = texts.flatMap(({ id, source, target }) =>
    missingTerms(source, target, index).map((finding) => ({
      id,
      sentence: describeFinding(finding),
    })),
  );
  const byTerm = Map.groupBy(found, ({ sentence }) => sentence);
  return [...byTerm].map(([sentence, all]) => `${shortList(all.map(({ id }) => id))}: ${sentence}`);
}
