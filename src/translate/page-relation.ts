/** Relates a page to its source by neighbours and contents. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import { ownKey, sourcePieces, targetPieces } from '../formats/text/compose-sequence.ts';
import { pageReaderVersion } from '../plan/reader-version.ts';
import {
  alignSequence,
  type SequenceAlignment,
  type SequenceInput,
} from '../segments/align-sequence.ts';
import { withOwnTitles } from '../segments/box-titles.ts';
import { withCodeAlone } from '../segments/code-alone.ts';
import type { WantedSegment } from '../segments/decision.ts';
import { asReadNow } from '../segments/earlier-reading.ts';
import { featuresOf } from '../segments/features.ts';
import { framePieces, unpackFrame } from '../segments/frame/frame.ts';
import { rememberedPieces, rowsOfPage } from '../segments/frame/table-rows.ts';
import { signsInElements, type TextSigns } from '../segments/frame/text-signs.ts';
import { hashesOfOwn, OWN } from '../segments/lock-section.ts';
import { statedRecords } from '../segments/stated-records.ts';
import { NO_TARGET, type Statement, sourceHash, targetHash } from '../segments/statements.ts';
import { statementsAt } from '../state/lock-file.ts';
import { withContainersRead } from './container-records.ts';
import { withContentRead } from './content-records.ts';
import { frameFromHistory, framePolicy, frameSeen, packedSourceFrame } from './earlier-frame.ts';
import { asFormatReads, type Related, type RelationInput } from './relation-model.ts';
import { lockedSourceOf, type TextCase } from './text-case.ts';
import type { TextFile } from './text-files.ts';
import { withUnseen } from './unseen.ts';

export function relateSequence(given: RelationInput): Related {
  const reading = pageReaderVersion(given.text.route);
  const isReadAgain = given.known !== undefined && given.known.frame?.reading !== reading;
  const input = isReadAgain ? withReadRecords(given) : given;
  const { text, source, target, segments, wanted, known, statements } = input;
  const texts = target?.doc.segments.map(({ parts }) => parts) ?? [];
  const [openFrame, segmentsBefore] = partition(asFormatReads(input));
  const remembered = isReadAgain ? asReadNow(segmentsBefore, wanted, texts) : segmentsBefore;
  const { earlier } = input;
  const stated = statements?.('') ?? [];
  const records =
    earlier?.records ??
    statedRecords({ wanted, found: texts, records: remembered, statements: stated });
  const frameOfRecords =
    earlier?.frame ?? (records === remembered ? known?.frame?.lines : undefined);
  const whole = alignSequence({
    wanted,
    records,
    found: texts,
    isOwn: isOwnText(input),
    isStated: (parts) => stated.some(({ target: text }) => text === targetHash(partsText(parts))),
    choices: text.instructions.choices,
    ...pageLists(input, records, frameOfRecords),
    held: earlier === undefined ? heldIds(wanted, stated) : new Set(),
    features: () => ({
      source: featuresOf(source.text, segments),
      target: target === undefined ? [] : featuresOf(target.text, target.doc.segments),
    }),
  });
  const aligned = withTitles(whole, input, stated);
  const { found, isUnlike } = aligned;
  const page = { text: source.text, segments, known };
  const seen = isReadAgain ? withUnseen(aligned, wanted, page) : aligned.base;
  const base =
    target === undefined ? seen : withCodeAloneRecords(seen, aligned.placed, { ...input, target });
  const relation = { base, found, inPlace: found, openFrame, reading };
  if (isUnlike) return { ...relation, blocker: 'unlike' };
  const placed = withoutKept(aligned, wanted, text);
  const ignored = new Set(wanted.flatMap((w) => (w.treatment === 'omit' ? [w.id] : [])));
  const isRemembered = records === remembered;
  const { ids } = whole;
  const isStated = earlier === undefined && !(isRemembered && known !== undefined);
  const seenFrame = frameSeen(input, { placed, ignored, ids, isStated });
  const isOpen = isStated && seenFrame === undefined;
  const before = isOpen ? frameFromHistory(input) : seenFrame;
  const unexplained = isOpen && before === undefined ? packedSourceFrame(input) : undefined;
  const policy = framePolicy(text, openFrame);
  const frame = { placed, before, ignored, ...policy, ...(unexplained && { unexplained }) };
  return { ...relation, blocker: undefined, frame };
}

function withReadRecords(input: RelationInput): RelationInput {
  const { known, source, target, wanted } = input;
  if (known === undefined) return input;
  const lines = () =>
    [source, target].flatMap((page) => {
      const pieces = page && framePieces(page.text, page.doc.segments);
      return pieces?.flatMap((piece) => (piece.kind === 'line' ? piece.text : [])) ?? [];
    });
  const boxes = withContainersRead(known, {
    source: wanted.map((each) => partsText(each.source)),
    target: target?.doc.segments.map(({ parts }) => partsText(parts)) ?? [],
    lines,
  });
  const contents = {
    source: { text: source.text, segments: source.doc.segments },
    target: target && { text: target.text, segments: target.doc.segments },
    lines,
  };
  return { ...input, known: withContentRead(boxes, contents) };
}

function withTitles(
  whole: SequenceAlignment,
  { source, target, wanted, earlier, reader: { options } }: RelationInput,
  stated: readonly Statement[],
): SequenceAlignment {
  const own = earlier === undefined ? whole : withoutPersonsTexts(whole, wanted, stated);
  if (target === undefined) return own;
  const texts = target.doc.segments.map(({ parts }) => parts);
  const all = new Map(texts.map((_, at) => [String(at), at]));
  const pieces = () => ({
    source: sourcePieces({ source, options }, new Set()),
    target: targetPieces(target, all),
  });
  return withOwnTitles(own, { wanted, texts, pieces });
}

/**
 * The table rows, so that cells are compared with those of their row, and the signs of the texts. Empty where the records have no frame.
 */
function pageLists(
  { source, target, wanted, reader: { options } }: RelationInput,
  records: readonly SegmentRecord[],
  frame: string | undefined,
): Pick<SequenceInput, 'rows' | 'signs'> {
  const ids = records.map((_, at) => String(at));
  const keys = frame === undefined ? undefined : unpackFrame(frame, ids);
  if (target === undefined || keys === undefined) return {};
  const ignored = new Set(wanted.flatMap((w) => (w.treatment === 'omit' ? [w.id] : [])));
  const all = new Map(target.doc.segments.map((_, at) => [String(at), at]));
  const pages = {
    source: sourcePieces({ source, options }, ignored),
    target: targetPieces(target, all),
  };
  const signs = (): TextSigns => {
    const then = signsInElements(rememberedPieces(keys, [pages.source, pages.target]));
    const now = signsInElements(pages.source);
    const mine = signsByText(target, signsInElements(pages.target));
    return {
      records: records.map(
        ({ target: text }, at) =>
          then.get(String(at)) ?? (text ? mine.get(partsText(text)) : undefined),
      ),
      wanted: wanted.map(({ id }) => now.get(id)),
    };
  };
  return { rows: rowsOfPage(pages, keys, wanted), signs };
}

/** By text: the signs in the target stand for those of a source line that is not known any more. */
function signsByText(
  { doc }: TextFile,
  signs: ReadonlyMap<string, string>,
): ReadonlyMap<string, string | undefined> {
  return new Map(doc.segments.map(({ parts }, at) => [partsText(parts), signs.get(String(at))]));
}

/** The texts that the lock calls held, without a text of the target. */
function heldIds(
  wanted: readonly WantedSegment[],
  statements: readonly Statement[],
): ReadonlySet<string> {
  const held = new Set(
    statements.flatMap(({ source, target, mark }) =>
      mark === 'held' && target === NO_TARGET ? [source] : [],
    ),
  );
  if (held.size === 0) return new Set();
  return new Set(
    wanted.flatMap(({ id, source }) => (held.has(sourceHash(partsText(source))) ? [id] : [])),
  );
}

/** Texts of the target that belonged to no segment when it was last written. */
function isOwnText({ known, text, lock }: RelationInput): (parts: readonly Part[]) => boolean {
  if (known !== undefined || lock === undefined) {
    const own = new Set(known?.frame?.own);
    return (parts) => own.has(ownKey(parts));
  }
  const stated = new Set(statementsAt(lock, lockedSourceOf(text), OWN).map(({ target }) => target));
  return (parts) => stated.size > 0 && stated.has(hashesOfOwn(ownKey(parts)).target);
}

/** Adds records for paragraphs that the target has only as code: they are not missing. */
function withCodeAloneRecords(
  base: SequenceAlignment['base'],
  placed: SequenceAlignment['placed'],
  { wanted, segments, source, target }: RelationInput & { readonly target: TextFile },
): SequenceAlignment['base'] {
  const pages = {
    wanted,
    source: { text: source.text, segments },
    target: { text: target.text, segments: target.doc.segments },
  };
  const records = withCodeAlone({ base, placed }, pages);
  if (records.length === 0) return base;
  return new Map([...base, ...records.map((record) => [record.id, record] as const)]);
}

/** Machine texts whose sources are gone are removed; those of people stay. */
function withoutPersonsTexts(
  { base, placed, found, ids: names, isUnlike }: SequenceAlignment,
  wanted: readonly WantedSegment[],
  statements: readonly Statement[],
): SequenceAlignment {
  const ids = new Set(wanted.map(({ id }) => id));
  const ours = new Set(
    statements.flatMap(({ target, mark }) => (mark === 'human' ? [] : [target])),
  );
  const stays = ({ id }: SegmentRecord) => {
    const text = found.get(id);
    return !ids.has(id) && text !== undefined && !ours.has(targetHash(partsText(text)));
  };
  const left = new Set([...base.values()].filter(stays).map(({ id }) => id));
  const without = <T>(map: ReadonlyMap<string, T>) =>
    new Map([...map].filter(([id]) => !left.has(id)));
  const texts = { base: without(base), placed: without(placed), found: without(found) };
  return { ...texts, ids: names, isUnlike };
}

function partition(records: readonly SegmentRecord[]): [SegmentRecord[], SegmentRecord[]] {
  const { open = [], segments = [] } = Object.groupBy(records, ({ isFrame }) =>
    isFrame ? 'open' : 'segments',
  );
  return [open, segments];
}

/** With `deleted_source: keep`, texts that left the source count as a person's from then on. */
function withoutKept(
  { placed }: SequenceAlignment,
  wanted: readonly WantedSegment[],
  { route }: TextCase,
): ReadonlyMap<string, number> {
  if (route.policies.deletedSource !== 'keep') return placed;
  const ids = new Set(wanted.map(({ id }) => id));
  return new Map([...placed].filter(([id]) => ids.has(id)));
}
