/**
 * What the source removed and a text of the target still uses. It stays in the target, as something that a person wrote. In a page this is
 * the definition of a name, in a file with keys an entry that another entry names. Pure.
 */
import { keyName } from '../../format.ts';
import {
  type Definition,
  definitionsIn,
  mayDefine,
  namesUsedIn,
} from '../../segments/frame/definitions.ts';
import { type FramePiece, isBlankPiece, lineKey, pieceKey } from '../../segments/frame/frame.ts';
import type { Merge } from '../../segments/merge.ts';
import { sourcePieces, targetPieces } from './compose-sequence.ts';
import type { SequenceFrame } from './composition.ts';
import type { OpenFile, Reader } from './open.ts';

interface DecidedFile {
  readonly reader: Reader;
  readonly source: OpenFile;
  readonly target: OpenFile | undefined;
  readonly merge: Merge;
  readonly frame?: SequenceFrame;
}

/** The merge, without the removal of what texts of the target still use. */
export function withUsedDefinitions(seen: DecidedFile): Pick<DecidedFile, 'merge' | 'frame'> {
  const { merge, target, frame, reader } = seen;
  if (target === undefined) return { merge };
  if (reader.format.shape === 'keyed') return { merge: withUsedEntries(seen, target) };
  if (frame?.before === undefined || !mayDefine(target.text))
    return { merge, ...(frame && { frame }) };
  return withUsedLines({ ...seen, target, frame: { ...frame, before: frame.before } });
}

/** Texts that do not stay as they are in the target. */
function replacedIn({ decisions, removed }: Merge): ReadonlySet<string> {
  const written = decisions.filter(({ kind }) => kind === 'buy' || kind === 'restore');
  return new Set([...written, ...removed].map(({ id }) => id));
}

interface DecidedPage extends DecidedFile {
  readonly target: OpenFile;
  readonly frame: SequenceFrame & { readonly before: readonly string[] };
}

function withUsedLines({ merge, target, source, reader, frame }: DecidedPage) {
  const { placed, before, ignored } = frame;
  const pages = {
    source: sourcePieces({ source, options: reader.options }, ignored),
    target: targetPieces(target, placed),
  };
  const defined = new Set(definitionsIn(pages.source).flatMap(({ names }) => names));
  const gone = definitionsIn(pages.target).flatMap((each) =>
    withNames(each, (name) => !defined.has(name)),
  );
  const inSource = namesUsedIn(source.text, gone);
  const lost = gone.flatMap((each) => withNames(each, (name) => !inSource.has(name)));
  const { kept, ids } = usedIn({ merge, target, frame, pages, lost });
  if (kept.length === 0) return { merge, frame };
  const lines = kept.map(({ from, to }) => pages.target.slice(from, to));
  return {
    merge: { ...merge, removed: merge.removed.filter(({ id }) => !ids.has(id)) },
    frame: {
      ...frame,
      placed: new Map([...placed].filter(([id]) => !ids.has(id))),
      before: lines.reduce(withoutLines, before),
    },
  };
}

/** The definition with some of its names; empty where none is left. */
function withNames(definition: Definition, isWanted: (name: string) => boolean): Definition[] {
  const names = definition.names.filter(isWanted);
  return names.length === 0 ? [] : [{ ...definition, names }];
}

interface LostDefinitions extends Pick<DecidedPage, 'merge' | 'target' | 'frame'> {
  readonly pages: Readonly<Record<'source' | 'target', readonly FramePiece[]>>;
  readonly lost: readonly Definition[];
}

/** The definitions that are used by what stays, and by each other. */
function usedIn({ merge, target, frame, pages, lost }: LostDefinitions) {
  const { segments } = target.doc;
  const replaced = replacedIn(merge);
  const now = new Set(pages.source.map(pieceKey));
  const known = new Set(frame.before);
  const textOf = (piece: FramePiece) => {
    if (piece.kind === 'line') return piece.text;
    const own = segments[frame.placed.get(piece.id) ?? -1];
    return own === undefined ? '' : target.text.slice(own.start, own.end);
  };
  const leaves = (piece: FramePiece) =>
    piece.kind === 'segment'
      ? replaced.has(piece.id)
      : known.has(pieceKey(piece)) && !now.has(pieceKey(piece));
  const inLost = new Set(lost.flatMap(({ from, to }) => pages.target.slice(from, to)));
  const stays = pages.target.filter((piece) => !inLost.has(piece) && !leaves(piece));
  let text = stays.map(textOf).join('');
  let [kept, rest]: [Definition[], readonly Definition[]] = [[], lost];
  for (let found = true; found; ) {
    const names = namesUsedIn(text, rest);
    const { used = [], others = [] } = Object.groupBy(rest, (each) =>
      each.names.some((name) => names.has(name)) ? 'used' : 'others',
    );
    text += used.flatMap(({ from, to }) => pages.target.slice(from, to).map(textOf)).join('');
    [kept, rest, found] = [[...kept, ...used], others, used.length > 0];
  }
  const pieces = kept.flatMap(({ from, to }) => pages.target.slice(from, to));
  return { kept, ids: new Set(pieces.flatMap((one) => (one.kind === 'segment' ? [one.id] : []))) };
}

/** Without the lines of a definition, as the last source had them, and one of the gaps around lines that stand alone. */
function withoutLines(keys: readonly string[], lines: readonly FramePiece[]): readonly string[] {
  const run = lines.map(pieceKey);
  const at = keys.findIndex((_, from) => run.every((key, nth) => keys[from + nth] === key));
  if (at >= 0) {
    const [isBelow, isAbove] = [at - 1, at + run.length].map((place) => keys[place] === EMPTY);
    const isAlone = (isBelow || at === 0) && (isAbove || at + run.length === keys.length);
    const gap = isAlone && keys.length > run.length ? 1 : 0;
    return keys.toSpliced(isBelow ? at - gap : at, run.length + gap);
  }
  const own = new Set(lines.filter((piece) => !isBlankPiece(piece)).map(pieceKey));
  return keys.filter((key) => !own.has(key));
}

const EMPTY = lineKey('\n');

function withUsedEntries(
  { merge, reader: { format } }: DecidedFile,
  { doc, text }: OpenFile,
): Merge {
  const uses = USES.get(format.name) ?? LINKED;
  if (merge.removed.length === 0 || !uses.test(text)) return merge;
  const ids = new Set(doc.segments.map(({ id }) => id));
  const message = (id: string) => keyName(format.messageOf?.(id, (each) => ids.has(each)) ?? id);
  const written = replacedIn(merge);
  const leaves = new Set(merge.removed.map(({ id }) => id));
  const texts = doc.segments.filter(({ id }) => !written.has(id) || leaves.has(id));
  for (let { removed } = merge; ; ) {
    const gone = new Set(removed.map(({ id }) => id));
    const stay = texts.filter(({ id }) => !gone.has(id));
    const used = new Set(stay.flatMap((each) => namesUsed(text.slice(each.start, each.end), uses)));
    const left = removed.filter(({ id }) => !used.has(message(id)));
    if (left.length === removed.length) return { ...merge, removed };
    removed = left;
  }
}

function namesUsed(text: string, uses: RegExp): string[] {
  return [...text.matchAll(new RegExp(uses, 'gu'))].flatMap(([, ...names]) =>
    names.filter(Boolean),
  );
}

/** `$t(key)` of i18next, and `@:key` of vue-i18n ("Linked messages"). */
const LINKED =
  /\$t\(\s*(?:[\w-]+:)?([\w.-]+)|@(?:\.\w+)?:(?:\(([^()\n]+)\)|\{\s*'?([^{}'\n]+?)'?\s*\}|([\w.]*\w))/u;

/** How a text names another entry of its file, by format; in all others by the links of a library. */
const USES: ReadonlyMap<string, RegExp> = new Map([
  ['ftl', /\{\s*(-?[A-Za-z][\w-]*)/u],
  ['android', /@string\/([\w.]+)/u],
]);
