/** The segments of literals: one for each string, its id is the key path. Scalars are segments too, so that new ones reach the target. */
import type {
  Arrangement,
  Doc,
  Edit,
  ExpectedTarget,
  FormatOptions,
  Insertion,
  PlaceholderSyntax,
  Segment,
} from '../../format.ts';
import { partsText } from '../../format.ts';
import { joinKey, splitKey } from '../text/key-path.ts';
import { pluralOfKey } from '../text/key-plurals.ts';
import { positionsOf } from '../text/position.ts';
import { makeSegment, uniqueIds } from '../text/segment.ts';
import { syntaxOfTexts } from '../text/syntax.ts';
import { newElement } from './insertions.ts';
import type { LiteralElement } from './literal-arrange.ts';
import type { LiteralFile, LiteralLeaf } from './literal-file.ts';
import { commentAbove } from './literal-layout.ts';
import { refuseOtherShape } from './literal-shapes.ts';
import type { LiteralEntry, LiteralNode } from './literal-tree.ts';
import { renamedKeys } from './renamed-keys.ts';
import { duplicatesIn, shadowedBy } from './shadowed.ts';

export interface LiteralOptions {
  /** Path of the file, which may decide its placeholder syntax. */
  readonly path: string;
  /** Absent for a format without expressions. */
  readonly role?: FormatOptions['role'];
  /** Set when the format fixes it. */
  readonly syntax?: PlaceholderSyntax;
  /** The literals of a source; absent for a format without expressions. */
  rootOf?(text: string): LiteralNode;
}

// A document captures only what its edits need: it stays in memory as long as its file is open.
export function literalDoc(file: LiteralFile, options: LiteralOptions): Doc {
  return {
    ...readingOf(file, options),
    insert: (insertions) => {
      const [first] = insertions;
      const source = first && options.rootOf?.(first.sourceText);
      if (source !== undefined) refuseOtherShape(file, source);
      return file.insert(insertions.map(additionOf));
    },
    remove: (removed) => file.remove({ removed: childrenOf(removed, childrenById(file, options)) }),
    arrange: ({ list, length, elements }) => {
      const path = splitKey(list);
      const made = elements.flatMap((each) => elementOf(each, path.length + 1));
      const edit = file.arrange(path, length, made);
      return edit && [edit];
    },
    rename: (renames, along) =>
      file.rename(renamedKeys([...childrenById(file, options).keys()], renames, along)),
  };
}

/**
 * The key of the authors, in MediaWiki and in jquery.i18n, which reads the same format ("Message File Format"). Each file has its own
 * authors.
 */
const OWN_GROUP = '@metadata';

function segmentLeaves(
  leaves: readonly LiteralLeaf[],
  { role }: LiteralOptions,
): readonly LiteralLeaf[] {
  return leaves.filter(
    (leaf) =>
      leaf.path[0] !== OWN_GROUP && (!isLocal(leaf.child) || (role === 'target' && isStated(leaf))),
  );
}

/**
 * In a target, an expression counts as a person's translation of its key. Not in lists: their elements are paired by their number in both
 * files.
 */
function isStated({ path, child }: LiteralLeaf): boolean {
  return child.keyEnd > child.start && !path.some((step) => typeof step === 'number');
}

function childrenById(
  file: LiteralFile,
  options: LiteralOptions,
): ReadonlyMap<string, LiteralEntry> {
  const ids = uniqueIds();
  return new Map(
    segmentLeaves(file.leaves(), options).map(({ path, child }) => [ids(joinKey(path)), child]),
  );
}

/** A group of the source for which a target has an expression: nothing is put beside it. */
export function withoutStatedGroups(
  wanted: readonly Segment[],
  { segments = [] }: ExpectedTarget,
): readonly Segment[] {
  const stated = segments.flatMap(({ id, isReference }) => (isReference ? [`${id}.`] : []));
  if (stated.length === 0) return wanted;
  return wanted.filter(({ id }) => !stated.some((group) => id.startsWith(group)));
}

interface ReadLeaves {
  readonly leaves: readonly LiteralLeaf[];
  lineAt(offset: number): number;
}

/** A function of its own: the leaves are dropped when it ends. */
function readingOf(
  file: LiteralFile,
  options: LiteralOptions,
): Pick<Doc, 'segments' | 'duplicates' | 'localeEdits' | 'warnings'> {
  const positionAt = positionsOf(file.text);
  const read = { leaves: file.leaves(), lineAt: (offset: number) => positionAt(offset).line };
  return { segments: literalSegments(file, options, read), ...remarksOn(file, read) };
}

function literalSegments(file: LiteralFile, options: LiteralOptions, read: ReadLeaves): Segment[] {
  const { path, syntax } = options;
  const ids = uniqueIds();
  const drafts = segmentLeaves(read.leaves, options).map((leaf) =>
    draftOf(file, leaf, { id: ids(joinKey(leaf.path)), line: read.lineAt(leaf.child.start) }),
  );
  const usual = syntaxOfTexts(drafts, path);
  const syntaxOf = (draft: Segment) =>
    syntax === undefined || draft.state !== undefined ? usual(draft) : syntax;
  const isPlural = pluralOfKey(drafts.map(({ id }) => id));
  return drafts.map((draft) => {
    const plural = isPlural(draft.id);
    return makeSegment(file.text, {
      ...draft,
      syntax: syntaxOf(draft),
      ...(plural === undefined ? {} : { plural }),
    });
  });
}

function remarksOn(
  file: LiteralFile,
  { leaves, lineAt }: ReadLeaves,
): Pick<Doc, 'duplicates' | 'localeEdits' | 'warnings'> {
  const duplicates = duplicatesIn(file.repeated, lineAt);
  return {
    ...(duplicates.length === 0 ? {} : { duplicates, localeEdits: () => withoutRepeated(file) }),
    warnings: leftTexts(file, leaves).map(({ start }) => ({
      line: lineAt(start),
      message: 'a text with variables, of several pieces or over several lines stays as it is',
    })),
  };
}

/** Entries that are never read are left out of copies. */
export function withoutRepeated(file: LiteralFile): readonly Edit[] {
  return file.remove({ removed: new Set(shadowedBy(file.repeated).keys()) });
}

/** Expressions that begin with a text (heredocs, concatenations, templates), and elements with text. */
function leftTexts(file: LiteralFile, leaves: readonly LiteralLeaf[]): LiteralEntry[] {
  const locals = leaves.flatMap(({ child }) => (isLocal(child) ? [child] : []));
  return locals.filter(({ value: { start, end } }) => {
    const expression = file.text.slice(start, end);
    return LEFT_TEXT.test(expression) || hasShownText(expression);
  });
}

const LEFT_TEXT = /^(?:<<<|["'`])[\s\S]*\p{L}{2}/u;

/** An element of JSX with words between its tags. */
function hasShownText(expression: string): boolean {
  if (!/^<[^<]/.test(expression)) return false;
  const behindTags = expression.split(/(?<!=)>/).slice(1);
  return behindTags.some((text) => /\p{L}{2}/u.test(text.split(/[<{]/, 1)[0] ?? ''));
}

// An expression has a meaning only in its own file; but `undefined` can be replaced by a text.
function isLocal({ value }: LiteralEntry): boolean {
  return value.kind === 'literal' && value.isLocal === true && value.isNull === undefined;
}

function draftOf(
  file: LiteralFile,
  { child, isElement }: LiteralLeaf,
  place: { readonly id: string; readonly line: number },
): Segment {
  const listed = isElement ? ({ positional: true } as const) : {};
  const comment = commentAbove(file.text, child.start);
  const context = comment === undefined ? {} : { context: comment };
  const common = { ...place, ...listed, ...context, syntax: 'none' } as const;
  const { value } = child;
  if (value.kind !== 'string') return scalarOf(file, child, common);
  const { start, end } = value;
  return {
    ...common,
    start: start + 1,
    end: end - 1,
    parts: [file.strings.read(start + 1, end - 1)],
    encode: encoderOf(file.strings, start + 1, end - 1),
  };
}

/** A function of its own, since a closure in `draftOf` would hold all its variables. */
function encoderOf(strings: LiteralFile['strings'], start: number, end: number): Segment['encode'] {
  return (parts) => strings.rewrite(start, end, partsText(parts));
}

function scalarOf(
  file: LiteralFile,
  { value, ...child }: LiteralEntry,
  common: Omit<Segment, 'start' | 'end' | 'parts' | 'encode'>,
): Segment {
  const { start, end } = value;
  const raw = file.text.slice(start, end);
  const isNull = value.kind === 'literal' && value.isNull === true;
  const isLocal = value.kind === 'literal' && value.isLocal === true;
  // The value of a method, and of a shorthand member (`{ title }`), is the whole member.
  const key =
    value.start === child.start && child.keyEnd > child.start
      ? file.text.slice(child.start, child.keyEnd) + file.grammar.usualColon
      : '';
  return {
    ...common,
    start,
    end,
    parts: isLocal && isNull ? [] : [{ raw }],
    state: 'do-not-translate',
    ...(isNull ? { gap: 'node' } : {}),
    ...(isLocal && !isNull ? { isReference: true, isCode: true } : {}),
    encode: (parts) =>
      parts.every((part) => typeof part !== 'string')
        ? partsText(parts)
        : key + file.literal(partsText(parts)),
  };
}

function elementOf(element: Arrangement['elements'][number], depth: number): LiteralElement[] {
  if (typeof element === 'number') return [element];
  const made = newElement(
    element.map((insertion) => {
      const { path, value } = additionOf(insertion);
      return { path: path.slice(depth), value };
    }),
  );
  return made === undefined ? [] : [made];
}

function additionOf({ segment, after, parts }: Insertion) {
  const isLiteral = segment.parts.some((part) => typeof part !== 'string');
  return {
    path: splitKey(segment.id),
    after: after === null ? null : splitKey(after),
    value: isLiteral ? { literal: partsText(parts) } : { text: partsText(parts) },
  };
}

function childrenOf(
  ids: ReadonlySet<string>,
  children: ReadonlyMap<string, LiteralEntry>,
): ReadonlySet<LiteralEntry> {
  return new Set([...ids].map((id) => children.get(id)).filter((child) => child !== undefined));
}
