/** XLIFF 1.2 and 2.x: targets beside their sources, inserted if missing. States are set; final texts are left alone. */
import type {
  Doc,
  Edit,
  Format,
  FormatOptions,
  Insertion,
  PlaceholderSyntax,
  Segment,
  SegmentState,
} from '../format.ts';
import { entrySource, partsText } from '../format.ts';
import { parseLanguage, sameLanguage } from '../language.ts';
import { flatId, flatKey, lineEndOf, removeEntries } from './grammar/flat-entries.ts';
import { localName, readUnits, type XliffText, type XliffUnits } from './grammar/xliff-units.ts';
import { namespaceEdits, removeAttribute, setAttribute } from './grammar/xml-attributes.ts';
import { ownLineBlanks, xmlEntries } from './grammar/xml-entries.ts';
import {
  attributeOf,
  type ElementPlace,
  type XmlContent,
  type XmlStyle,
  XmlTexts,
} from './grammar/xml-text.ts';
import { isSelfClosing, parseXml, type XmlElement } from './grammar/xml-tree.ts';
import { newUnits, type XmlUnitFile } from './grammar/xml-units.ts';
import { keysWithNamesakes } from './text/duplicates.ts';
import { sameParts } from './text/parts.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment, uniqueIds } from './text/segment.ts';

export const xliff: Format = {
  name: 'xliff',
  shape: 'keyed',
  bilingual: true,
  recognises: (text) => /<(?:\w+:)?xliff\b/.test(text),
  parse,
};

/** Codes of the native file are kept whole; the content of paired codes (`g`, `pc`, `mrk`) is translated. */
const STYLE: XmlStyle = {
  lead: /(?!)/,
  escapes: [],
  required: () => () => undefined,
  isOpaque: (element) =>
    /^(?:ph|it|bpt|ept|x|bx|ex|sc|ec|cp|sm|em)$/.test(localName(element)) ||
    element.attributes.get('mtype') === 'protected' ||
    element.attributes.get('translate') === 'no',
};

interface XliffFile extends XliffUnits, XmlUnitFile {}

function parse(text: string, options: FormatOptions): Doc {
  const file = openXliff(text, options);
  const contents = new XmlTexts(text, STYLE);
  const positionAt = positionsOf(text);
  const hasOwnText = ownTextsIn(file, options);
  const segments = file.texts.map((each) => {
    const { line } = positionAt(each.source.start);
    return unitSegment(file, each, { contents, line, isOwnText: hasOwnText(each.unit) });
  });
  const duplicates = keysWithNamesakes(segments);
  return {
    segments,
    ...(duplicates.length === 0 ? {} : { duplicates }),
    warnings: [],
    insert: (insertions) => insert(file, insertions),
    remove: (gone) => remove(file, gone),
    rename: (renames) => rename(file, renames),
    localeEdits: (language) => localeEdits(file, language),
    stateEdits: (states) => stateEdits(file, states),
    sourceEdits: (sources) => sourceEdits(file, sources, contents),
    declarationEdits: (written, source) =>
      namespaceEdits(text, file.root, { written, sourceRoot: () => parseXml(source, '') }),
  };
}

/** Locked units are entries of a target alone: they keep their keys, and no other unit is put beside them. */
function openXliff(text: string, { file, role }: Pick<FormatOptions, 'file' | 'role'>): XliffFile {
  const root = parseXml(text, file);
  const units = readUnits(text, root);
  const ids = uniqueIds();
  const read = units.texts.filter(({ isLocked }) => role === 'target' || !isLocked);
  const texts = read.map((each) => ({ ...each, id: ids(each.id) }));
  return { ...units, text, root, texts, units: new Map(texts.map(({ id, unit }) => [id, unit])) };
}

/**
 * Whether the targets of a source file are in its own language: then they are the texts to translate. Symfony writes such files; their
 * sources are keys.
 */
function ownTextsIn(
  { version, root, homes }: XliffFile,
  { role, embeddedSource, sourceLanguage }: FormatOptions,
): (unit: XmlElement) => boolean {
  if (role !== 'source' || embeddedSource === true) return () => false;
  const [of, to] = version === '1.2' ? OF_FILE : OF_ROOT;
  return (unit) => {
    const file = version === '1.2' ? (homes.get(unit)?.outer ?? root) : root;
    const language = parseLanguage(attributeOf(file, to) ?? '');
    const sources = [sourceLanguage, parseLanguage(attributeOf(file, of) ?? '')];
    return sources.some((each) => each && language && sameLanguage(each, language));
  };
}

const OF_FILE = ['source-language', 'target-language'] as const;
const OF_ROOT = ['srcLang', 'trgLang'] as const;

/** Notes, alternatives and a person's approval stay with their unit. */
function rename({ text, texts }: XliffFile, renames: ReadonlyMap<string, string>): Edit[] {
  return texts.flatMap(({ id, unit, holder }) => {
    // In 2.x, one of several segments has an id of its own.
    if (holder !== unit && id.includes('/')) return [];
    const own = flatId(attributeOf(unit, 'id') ?? '');
    const file = id.slice(0, id.length - own.length);
    const to = renames.get(id);
    const isOwn = own !== '' && id === file + own && to?.startsWith(file) === true;
    const value = isOwn ? flatKey(to.slice(file.length)) : undefined;
    return value === undefined ? [] : setAttribute(text, unit, { name: 'id', value });
  });
}

interface UnitPlace {
  readonly contents: XmlTexts;
  readonly line: number;
  /** Its target is the text to translate. */
  readonly isOwnText: boolean;
}

function unitSegment(
  file: XliffFile,
  unit: XliffText,
  { contents, line, isOwnText }: UnitPlace,
): Segment {
  const { id, source, state, notes, maxLength } = unit;
  const sourceContent = contents.read(source);
  const target = targetPlace(file, unit, contents);
  // A unit that waits for its text (`new`) has that of its source.
  const isText = isOwnText && state !== 'new' && partsText(target.parts) !== '';
  const text = isText ? target.parts : sourceContent.parts;
  // Without a target, programs show the source of a locked unit.
  const isSourceShown = unit.isLocked && partsText(target.parts) === '';
  return makeSegment(file.text, {
    id,
    start: target.start,
    end: target.end,
    line,
    parts: isSourceShown ? [{ raw: partsText(sourceContent.parts) }] : target.parts,
    ...(unit.isLocked && { isReference: true }),
    source: text,
    ...(isText ? { keyText: sourceContent.parts } : {}),
    ...(notes === undefined ? {} : { context: notes }),
    ...(maxLength === undefined ? {} : { maxLength }),
    // The state of a source's own text says nothing of its translations.
    ...(state === undefined || isText ? {} : { state }),
    ...(isUntranslated(state, target, sourceContent) ? { gap: 'value' } : {}),
    syntax: syntaxOf(partsText(text)),
    encode: (parts) => target.before + contents.write(parts, target) + target.after,
  });
}

/** Tools put the source there and say so ("new"); a run of dragoman never does. */
function isUntranslated(
  state: SegmentState | undefined,
  target: XmlContent,
  source: XmlContent,
): boolean {
  return state === 'new' && target.parts.length > 0 && sameParts(target.parts, source.parts);
}

function syntaxOf(text: string): PlaceholderSyntax {
  return /\{\s*\w+\s*,\s*(?:plural|select)/.test(text) ? 'icu' : 'generic';
}

function targetPlace(file: XliffFile, unit: XliffText, contents: XmlTexts): ElementPlace {
  const { source, target, beforeTarget } = unit;
  const name = source.name.replace(/source$/, 'target');
  if (target === undefined) {
    const at = beforeTarget.end;
    const blanks = ownLineBlanks(file.text, source.start);
    const open = openingTag(`<${name}/>`, file.version);
    const before = blanks === undefined ? open : lineEndOf(file.text) + blanks + open;
    return { start: at, end: at, parts: [], isCdata: false, before, after: `</${name}>` };
  }
  if (isSelfClosing(target)) {
    const tag = openingTag(file.text.slice(target.start, target.end), file.version);
    const { start, end } = target;
    return { start, end, parts: [], isCdata: false, before: tag, after: `</${name}>` };
  }
  return { ...contents.read(target), before: '', after: '' };
}

/** Turns `<target/>` into `<target>` with the state of the new text. */
function openingTag(tag: string, version: XliffUnits['version']): string {
  const open = tag.replace(/(?<!\s)\s*\/>$/, '');
  if (version === '2.x') return `${open}>`;
  return `${open.replace(/(?<!\s)\s+state\s*=\s*(["']).*?\1/, '')} ${NEW_STATE}>`;
}

const NEW_STATE = 'state="needs-review-translation"';

function insert(file: XliffFile, insertions: readonly Insertion[]): readonly Edit[] {
  let source: XliffFile | undefined;
  return newUnits(file, insertions, {
    open: (text) => {
      source = openXliff(text, { file: '', role: 'source' });
      return source;
    },
    fill: (unit, group) => [
      ...group.map(({ segment: { start, end, encode }, parts }) => ({
        start,
        end,
        text: encode(parts),
      })),
      ...(source === undefined ? [] : ownStates(source, unit, group)),
    ],
  });
}

/**
 * Resets the state of a copied unit. In the file of the source's own language, the unit says that the source's text is final or
 * approved. This is not true for the new text.
 */
function ownStates(source: XliffFile, unit: XmlElement, group: readonly Insertion[]): Edit[] {
  const approved =
    attributeOf(unit, 'approved') === undefined
      ? []
      : setAttribute(source.text, unit, { name: 'approved', value: 'no' });
  return [
    ...approved,
    ...stateEdits(
      source,
      new Map(group.map(({ segment }) => [segment.id, 'needs-review'] as const)),
    ),
  ];
}

/** A unit that loses its last text is removed. */
function remove({ text, texts, homes }: XliffFile, ids: ReadonlySet<string>): Edit[] {
  const kept = new Set(texts.filter(({ id }) => !ids.has(id)).map(({ unit }) => unit));
  const gone = texts.map(({ unit }) => unit).filter((unit) => !kept.has(unit));
  const byHome = Map.groupBy(new Set(gone), (unit) => homes.get(unit)?.element);
  return [...byHome].flatMap(([home, units]) => {
    if (home === undefined) return [];
    const entries = xmlEntries(text, home, (child) => `${child.start}`);
    return removeEntries(entries, new Set(units.map(({ start }) => `${start}`)));
  });
}

function localeEdits({ text, root, files, version }: XliffFile, language: string): Edit[] {
  return version === '1.2'
    ? files.flatMap((file) =>
        setAttribute(text, file, { name: 'target-language', value: language }),
      )
    : setAttribute(text, root, { name: 'trgLang', value: language });
}

/** XLIFF 1.2, "state". In 2.x a machine's text may only be `translated`. */
const WORDS_OF_1: Readonly<Partial<Record<SegmentState, string>>> = {
  new: 'new',
  'needs-review': 'needs-review-translation',
  'review-wanted': 'needs-review-translation',
  translated: 'translated',
  reviewed: 'translated',
  final: 'final',
};

/** XLIFF 2.0, 4.7.2.3 "state". */
const WORDS_OF_2: Readonly<Partial<Record<SegmentState, string>>> = {
  new: 'initial',
  reviewed: 'reviewed',
  final: 'final',
};

function stateEdits(file: XliffFile, states: ReadonlyMap<string, SegmentState>): Edit[] {
  return file.texts.flatMap(({ id, unit, target, holder, isLocked }) => {
    const state = states.get(id);
    if (state === undefined || isLocked) return [];
    if (file.version === '2.x') {
      const value = WORDS_OF_2[state] ?? 'translated';
      return setAttribute(file.text, holder, { name: 'state', value });
    }
    const approved = approvalEdits(file.text, unit, state);
    const value = WORDS_OF_1[state];
    // A new target is inserted with its state.
    if (value === undefined || target === undefined || isSelfClosing(target)) return approved;
    return [...approved, ...setAttribute(file.text, target, { name: 'state', value })];
  });
}

/** XLIFF 1.2, "approved": a person has approved this text. Another text of the unit is not approved by that. */
function approvalEdits(text: string, unit: XmlElement, state: SegmentState): Edit[] {
  if (state === 'reviewed') return setAttribute(text, unit, { name: 'approved', value: 'yes' });
  if (state === 'final' || attributeOf(unit, 'approved') !== 'yes') return [];
  return removeAttribute(text, unit, 'approved');
}

/** A changed source is also changed in the target's copy of it. */
function sourceEdits(
  { texts }: XliffFile,
  sources: ReadonlyMap<string, Segment>,
  contents: XmlTexts,
): Edit[] {
  return texts.flatMap(({ id, source, isLocked }) => {
    const segment = sources.get(id);
    const now = segment && entrySource(segment);
    if (now === undefined || isLocked || isSelfClosing(source)) return [];
    const content = contents.read(source);
    const { start, end } = content;
    return [{ start, end, text: contents.write(now, content) }];
  });
}
