/** Qt Linguist .ts: translations beside their sources, numerus forms as the target language counts them. */
import type {
  Doc,
  Edit,
  Format,
  FormatOptions,
  Insertion,
  Segment,
  SegmentState,
} from '../format.ts';
import type { LanguageTag } from '../language.ts';
import { qtForms } from '../segments/plural-forms.ts';
import { flatId, lineEndOf, removeEntries } from './grammar/flat-entries.ts';
import { expandForms } from './grammar/plural-wordings.ts';
import { removeAttribute, setAttribute } from './grammar/xml-attributes.ts';
import { indentationAt, xmlEntries } from './grammar/xml-entries.ts';
import { attributeOf, placeIn, plainText, type XmlStyle, XmlTexts } from './grammar/xml-text.ts';
import { childElements, isSelfClosing, parseXml, type XmlElement } from './grammar/xml-tree.ts';
import { newUnits, type UnitFile, type UnitHome } from './grammar/xml-units.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment, uniqueIds } from './text/segment.ts';

export const qt: Format = {
  name: 'qt',
  shape: 'keyed',
  bilingual: true,
  recognises: (text) => /<TS[\s>]|<!DOCTYPE TS>/.test(text),
  parse,
  expect: (source, { language }) => expandForms(source.segments, qtForms(language)),
};

const STYLE: XmlStyle = {
  lead: /(?!)/,
  escapes: [],
  required: () => () => undefined,
  isOpaque: () => true,
};

interface QtFile extends QtMessages, UnitFile {}

function open(text: string, file = ''): QtFile {
  const root = parseXml(text, file);
  const read = readMessages(text, root);
  const ids = uniqueIds();
  const messages = read.messages.map((message) => ({ ...message, id: ids(message.id) }));
  const units = new Map(
    messages.flatMap(({ id, element, forms }): [string, XmlElement][] => [
      [id, element],
      ...forms.map((_, index): [string, XmlElement] => [`${id}[${index}]`, element]),
    ]),
  );
  return { text, root, messages, units, homes: read.homes, empty: read.empty };
}

function parse(text: string, options: FormatOptions): Doc {
  const file = open(text, options.file);
  const texts = new XmlTexts(text, STYLE);
  const positionAt = positionsOf(text);
  const placed = file.messages.filter((each) => options.role === 'source' || hasPlace(each));
  const segments = placed.flatMap((message) => {
    const line = positionAt(message.source.start).line;
    return segmentsOf(file, message, texts).map((segment) => ({ ...segment, line }));
  });
  return {
    segments,
    warnings: [],
    insert: (insertions) => insert(file, insertions, texts),
    remove: (ids) => remove(file, ids),
    localeEdits: (language) => localeEdits(file, language),
    stateEdits: (states) => stateEdits(file, states),
    sourceEdits: (sources) => sourceEdits(file, sources, texts),
  };
}

/** A numerus message without forms has no place for one: all of them are insertions. */
function hasPlace({ isNumerus, forms }: QtMessage): boolean {
  return !isNumerus || forms.length > 0;
}

function segmentsOf({ text }: QtFile, message: QtMessage, texts: XmlTexts): Segment[] {
  const { id, source, translation, isNumerus, forms, notes } = message;
  const isUnfinished = translation.attributes.get('type') === 'unfinished';
  const elements = isNumerus && forms.length > 0 ? forms : [translation];
  return elements.map((element, index) => {
    const content = placeIn(text, element, texts);
    return makeSegment(text, {
      id: isNumerus ? `${id}[${index}]` : id,
      start: content.start,
      end: content.end,
      line: 0,
      parts: isNumerus && forms.length === 0 ? [] : content.parts,
      source: texts.read(source).parts,
      ...(notes === undefined ? {} : { context: notes }),
      ...(isNumerus ? { plural: { group: id, category: `${index}` } } : {}),
      ...(isUnfinished ? { state: 'needs-review' } : {}),
      syntax: 'qt',
      encode: (parts) => content.before + texts.write(parts, content) + content.after,
    });
  });
}

/** Forms of messages that stand go into them; others come with their message. */
function insert(file: QtFile, insertions: readonly Insertion[], texts: XmlTexts): Edit[] {
  const standing = new Map(file.messages.map((message) => [message.id, message]));
  const own = ({ segment }: Insertion) => standing.get(segment.plural?.group ?? segment.id);
  const forms = Map.groupBy(insertions, (insertion) => own(insertion));
  const edits = [...forms].flatMap(([message, group]) =>
    message === undefined ? [] : formEdits(file.text, message, contentsOf(group, texts)),
  );
  const added = insertions.filter((insertion) => own(insertion) === undefined);
  return [...edits, ...newUnits(file, added, { open, fill: fillWith(added, texts) })];
}

function contentsOf(insertions: readonly Insertion[], texts: XmlTexts): string[] {
  return insertions.map(({ parts }) => texts.write(parts, { isCdata: false }));
}

/** New forms behind those that stand, or in place of what a translation without forms holds. */
function formEdits(text: string, message: QtMessage, contents: readonly string[]): Edit[] {
  const { translation, forms } = message;
  const last = forms.at(-1);
  const lead = lineEndOf(text) + indentationAt(text, translation.start);
  const written = contents.map((content) => `${lead}    <numerusform>${content}</numerusform>`);
  if (last !== undefined) return [{ start: last.end, end: last.end, text: written.join('') }];
  const { start, openEnd, end } = translation;
  const tag = text.slice(start, openEnd).replace(/\s*\/>$/, '>');
  return [{ start, end, text: `${tag}${written.join('')}${lead}</translation>` }];
}

/** A copy of a source's message gets the forms of the target instead of its own. */
function fillWith(insertions: readonly Insertion[], texts: XmlTexts) {
  const [first] = insertions;
  const source = open(first?.sourceText ?? '<TS/>');
  const messages = new Map(source.messages.map((message) => [message.element.start, message]));
  return (unit: XmlElement, group: readonly Insertion[]): readonly Edit[] => {
    const message = messages.get(unit.start);
    if (message?.isNumerus) {
      return formEdits(source.text, { ...message, forms: [] }, contentsOf(group, texts));
    }
    return group.map(({ segment: { start, end, encode }, parts }) => ({
      start,
      end,
      text: encode(parts),
    }));
  };
}

/** Messages without a text that stays go; of others single forms. */
function remove({ text, messages, homes }: QtFile, ids: ReadonlySet<string>): Edit[] {
  const gone = new Map<XmlElement, Set<string>>();
  const edits: Edit[] = [];
  for (const { id, element, isNumerus, forms, translation } of messages) {
    const own = isNumerus ? forms.map((_, index) => `${id}[${index}]`) : [id];
    const leaving = own.filter((each) => ids.has(each));
    if (leaving.length === 0) continue;
    if (leaving.length < own.length) {
      const entries = xmlEntries(text, translation, (form) => `${id}[${forms.indexOf(form)}]`);
      edits.push(...removeEntries(entries, new Set(leaving)));
      continue;
    }
    const home = homes.get(element)?.element;
    if (home !== undefined) gone.set(home, (gone.get(home) ?? new Set()).add(`${element.start}`));
  }
  for (const [home, units] of gone) {
    edits.push(
      ...removeEntries(
        xmlEntries(text, home, (child) => `${child.start}`),
        units,
      ),
    );
  }
  return edits;
}

/** Qt spells `de_DE` (QLocale). */
function localeEdits({ text, root }: QtFile, language: LanguageTag): Edit[] {
  return setAttribute(text, root, { name: 'language', value: language.replaceAll('-', '_') });
}

/** lrelease takes unfinished texts along; the mark goes when a text needs no review. */
function stateEdits({ text, messages }: QtFile, states: ReadonlyMap<string, SegmentState>): Edit[] {
  return messages.flatMap(({ id, isNumerus, translation }) => {
    const state = states.get(isNumerus ? `${id}[0]` : id);
    const isFinished = state === 'translated' || state === 'final';
    if (!isFinished || isSelfClosing(translation)) return [];
    return removeAttribute(text, translation, 'type');
  });
}

/** Only messages with an id outlive a change of their source. */
function sourceEdits(
  { messages }: QtFile,
  sources: ReadonlyMap<string, Segment>,
  texts: XmlTexts,
): Edit[] {
  return messages.flatMap(({ id, isNumerus, source }) => {
    const segment = sources.get(isNumerus ? `${id}[0]` : id);
    if (segment?.source === undefined || isSelfClosing(source)) return [];
    const content = texts.read(source);
    return [{ start: content.start, end: content.end, text: texts.write(segment.source, content) }];
  });
}

/** Qt Linguist's .ts files as messages: sources, places of translations and numerus forms, what developers say of them. */
interface QtMessage {
  readonly id: string;
  readonly element: XmlElement;
  readonly source: XmlElement;
  readonly translation: XmlElement;
  readonly isNumerus: boolean;
  /** Of a numerus message, in the order of the language's forms; may be none yet. */
  readonly forms: readonly XmlElement[];
  readonly notes: string | undefined;
}

interface QtMessages {
  readonly messages: readonly QtMessage[];
  readonly homes: ReadonlyMap<XmlElement, UnitHome>;
  readonly empty: readonly UnitHome[];
}

/** Messages whose source is gone from the program (`vanished`, `obsolete`) are none of ours. */
function readMessages(text: string, root: XmlElement): QtMessages {
  const homes = new Map<XmlElement, UnitHome>();
  const empty: UnitHome[] = [];
  const messages = childElements(root).flatMap((context) => {
    // Files with ids may have messages outside of contexts.
    if (context.name === 'message') {
      homes.set(context, { element: root, outer: root, key: '' });
      return messageOf(text, context, '') ?? [];
    }
    if (context.name !== 'context') return [];
    const key = plainText(text, childElements(context, 'name')[0]);
    const home = { element: context, outer: context, key: `context ${key}` };
    const own = childElements(context, 'message');
    if (own.length === 0) empty.push(home);
    return own.flatMap((message) => {
      homes.set(message, home);
      return messageOf(text, message, key) ?? [];
    });
  });
  return { messages, homes, empty };
}

function messageOf(text: string, element: XmlElement, context: string): QtMessage | undefined {
  const child = (name: string) => childElements(element, name)[0];
  const [source, translation] = [child('source'), child('translation')];
  if (source === undefined || translation === undefined) return undefined;
  if (/^(?:vanished|obsolete)$/.test(translation.attributes.get('type') ?? '')) return undefined;
  const isNumerus = element.attributes.get('numerus') === 'yes';
  const notes = ['extracomment', 'comment', 'translatorcomment']
    .map((name) => plainText(text, child(name)).replace(/\s+/g, ' ').trim())
    .filter((note) => note !== '');
  return {
    id: idOf(element, [context, plainText(text, source), plainText(text, child('comment'))]),
    element,
    source,
    translation,
    isNumerus,
    forms: isNumerus ? childElements(translation, 'numerusform') : [],
    notes: notes.length === 0 ? undefined : notes.join(' '),
  };
}

/** Qt finds a translation by its id, or by context, source and comment. */
function idOf(message: XmlElement, [context, source, comment]: readonly string[]): string {
  const own = attributeOf(message, 'id');
  const steps = own === undefined ? [context ?? '', source ?? ''] : [own];
  if (own === undefined && comment) steps.push(comment);
  return steps.map((step) => flatId(step).replace(/[|[]/g, '\\$&')).join('|');
}
