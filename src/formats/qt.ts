/** Qt Linguist .ts: translations beside their sources, numerus forms by the rules of the target language. */

import type {
  Doc,
  Edit,
  Format,
  FormatOptions,
  Insertion,
  Leaving,
  Replacement,
  Segment,
  SegmentState,
} from '../format.ts';
import type { LanguageTag } from '../language.ts';
import { append } from '../parsing/append.ts';
import { qtForms } from '../segments/inline/plural-forms.ts';
import { lineEndOf, removeEntries } from './grammar/flat-entries.ts';
import { messageState } from './grammar/message-state.ts';
import { expandForms } from './grammar/plural-wordings.ts';
import { type QtMessage, type QtMessages, readMessages } from './grammar/qt-messages.ts';
import {
  finishedEdits,
  isPersons,
  returning,
  segmentIds,
  vanish,
  wasFinished,
  withNote,
} from './grammar/qt-vanished.ts';
import { type Message, type NewMessage, successors } from './grammar/successors.ts';
import { namespaceEdits, removeAttribute, setAttribute } from './grammar/xml-attributes.ts';
import { indentationBefore, xmlEntries } from './grammar/xml-entries.ts';
import { attributeOf, elementText, placeIn, type XmlStyle, XmlTexts } from './grammar/xml-text.ts';
import { childElements, isSelfClosing, parseXml, type XmlElement } from './grammar/xml-tree.ts';
import { newUnits, type XmlUnitFile } from './grammar/xml-units.ts';
import { messageOfForm } from './text/key-path.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment, uniqueIds } from './text/segment.ts';

export const qt: Format = {
  name: 'qt',
  shape: 'keyed',
  messageOf: messageOfForm,
  bilingual: true,
  recognises: (text) => /<TS[\s/>]|<!DOCTYPE TS>/.test(text),
  parse,
  expect: (source, { language }) => expandForms(source.segments, qtForms(language)),
};

const STYLE: XmlStyle = {
  lead: /(?!)/,
  escapes: [],
  required: () => () => undefined,
  isOpaque: () => true,
};

interface QtFile extends QtMessages, XmlUnitFile {}

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
  return { ...read, text, root, messages, units };
}

function parse(text: string, options: FormatOptions): Doc {
  const file = open(text, options.file);
  const texts = new XmlTexts(text, STYLE);
  const positionAt = positionsOf(text);
  const placed = file.messages.filter((each) => options.role === 'source' || hasPlace(each));
  const segments = placed.flatMap((message) => {
    const line = positionAt(message.source.start).line;
    return messageSegments(file, message, texts).map((segment) => ({ ...segment, line }));
  });
  return {
    segments,
    warnings: [],
    insert: (insertions) => insert(file, insertions, texts),
    declarationEdits: (written, source) =>
      namespaceEdits(text, file.root, { written, sourceRoot: () => parseXml(source, '') }),
    remove: (ids) => remove(file, ids),
    replace: (leaving, insertions) => replace(file, leaving, { insertions, texts }),
    localeEdits: (language) => localeEdits(file, language),
    stateEdits: (states, kept) => stateEdits(file, states, kept),
    sourceEdits: (sources) => sourceEdits(file, sources, texts),
    returning: () => returning(file.vanished, texts),
  };
}

/** A numerus message without forms has no place for one: all its forms are insertions. */
function hasPlace({ isNumerus, forms }: QtMessage): boolean {
  return !isNumerus || forms.length > 0;
}

function messageSegments({ text }: QtFile, message: QtMessage, texts: XmlTexts): Segment[] {
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

/** Inserts forms into existing messages, and new messages with their forms; a vanished message that comes back is replaced. */
function insert(file: QtFile, insertions: readonly Insertion[], texts: XmlTexts): Edit[] {
  const current = new Map(file.messages.map((message) => [message.id, message]));
  const own = ({ segment }: Insertion) => current.get(segment.plural?.group ?? segment.id);
  const forms = Map.groupBy(insertions, (insertion) => own(insertion));
  const edits = [...forms].flatMap(([message, group]) =>
    message === undefined ? [] : formEdits(file.text, message, contentsOf(group, texts)),
  );
  const added = insertions.filter((insertion) => own(insertion) === undefined);
  const ids = new Set(added.map(groupOf));
  const back = file.vanished.filter(({ id }) => ids.has(id));
  const old = new Map(back.map((message) => [message.id, message]));
  const noted = added.map((each) => withNote(each, file.text, old.get(groupOf(each))));
  return [
    ...edits,
    ...removeMessages(file, back),
    ...newUnits(file, noted, { open, fill: fillWith(noted, { texts, old }) }),
  ];
}

function groupOf({ segment }: Insertion): string {
  return segment.plural?.group ?? segment.id;
}

function contentsOf(insertions: readonly Insertion[], texts: XmlTexts): string[] {
  return insertions.map(({ parts }) => texts.write(parts, { isCdata: false }));
}

/** Inserts new forms behind existing ones, or in place of the content of a translation without forms. */
function formEdits(text: string, message: QtMessage, contents: readonly string[]): Edit[] {
  const { translation, forms } = message;
  const last = forms.at(-1);
  const lead = lineEndOf(text) + indentationBefore(text, translation.start);
  const written = contents.map((content) => `${lead}    <numerusform>${content}</numerusform>`);
  if (last !== undefined) return [{ start: last.end, end: last.end, text: written.join('') }];
  const { start, openEnd, end } = translation;
  const tag = text.slice(start, openEnd).replace(/(?<!\s)\s*\/>$/, '>');
  return [{ start, end, text: `${tag}${written.join('')}${lead}</translation>` }];
}

interface Fillings {
  readonly texts: XmlTexts;
  /** Vanished messages that come back, by id. */
  readonly old: ReadonlyMap<string, QtMessage>;
}

/** Fills a copy of the source's message with the forms of the target. A message that was finished when it vanished is finished again. */
function fillWith(insertions: readonly Insertion[], { texts, old }: Fillings) {
  const [first] = insertions;
  const source = open(first?.sourceText ?? '<TS/>');
  const messages = new Map(source.messages.map((message) => [message.element.start, message]));
  return (unit: XmlElement, group: readonly Insertion[]): readonly Edit[] => {
    const message = messages.get(unit.start);
    const written = message?.isNumerus
      ? formEdits(source.text, { ...message, forms: [] }, contentsOf(group, texts))
      : group.map(({ segment: { start, end, encode }, parts }) => ({
          start,
          end,
          text: encode(parts),
        }));
    if (message === undefined) return written;
    const edits = wasFinished(old.get(message.id))
      ? finishedEdits(source.text, message, written)
      : written;
    return [...noteEdits(source.text, message, group), ...edits];
  };
}

function noteEdits(
  text: string,
  { element, translation, note }: QtMessage,
  [first]: readonly Insertion[],
): Edit[] {
  const [own] = first?.notes ?? [];
  if (own === undefined || note !== undefined) return [];
  const before = childElements(element).findLast(({ end }) => end <= translation.start);
  const at = before?.end ?? element.openEnd;
  const lead = lineEndOf(text) + indentationBefore(text, translation.start);
  return [{ start: at, end: at, text: lead + own }];
}

/** A message that loses its last text is removed; from others, single forms are removed. */
function remove(file: QtFile, ids: ReadonlySet<string>): Edit[] {
  const gone: QtMessage[] = [];
  const edits: Edit[] = [];
  for (const message of file.messages) {
    const { id, forms, translation } = message;
    const own = segmentIds(message);
    const leaving = own.filter((each) => ids.has(each));
    if (leaving.length === 0) continue;
    if (leaving.length < own.length) {
      const entries = xmlEntries(file.text, translation, (form) => `${id}[${forms.indexOf(form)}]`);
      append(edits, removeEntries(entries, new Set(leaving)));
      continue;
    }
    gone.push(message);
  }
  return [...edits, ...removeMessages(file, gone)];
}

function removeMessages({ text, homes }: QtFile, messages: readonly QtMessage[]): Edit[] {
  const byHome = Map.groupBy(messages, ({ element }) => homes.get(element)?.element);
  return [...byHome].flatMap(([home, gone]) => {
    if (home === undefined) return [];
    const entries = xmlEntries(text, home, (child) => `${child.start}`);
    return removeEntries(entries, new Set(gone.map(({ element }) => `${element.start}`)));
  });
}

/**
 * Removes messages whose source was edited. Translators' notes move to the new message. A message becomes `vanished` when a person
 * translated it, or when no new message takes its note. lupdate does the same.
 */
function replace(
  file: QtFile,
  { gone: ids, human }: Leaving,
  { insertions, texts }: { readonly insertions: readonly Insertion[]; readonly texts: XmlTexts },
): Replacement {
  const leaving = file.messages.filter((message) => segmentIds(message).every((id) => ids.has(id)));
  const noted = leaving.filter(({ note }) => note !== undefined);
  const translated = leaving.filter((message) => isPersons(message, human, texts));
  if (noted.length + translated.length === 0) {
    return { edits: remove(file, ids), notes: new Map() };
  }
  const entries = new Map(file.messages.map((each) => [each.id, messageIn(file.text, each)]));
  const gone = new Set(leaving.map(({ id }) => id));
  const found = successors(entries, gone, newMessagesOf(file, gone, insertions));
  const notes = new Map<string, readonly string[]>();
  for (const { id, note } of noted) {
    const heir = found.get(id)?.id;
    for (const { segment } of insertions) {
      const isHeir = heir !== undefined && (segment.plural?.group ?? segment.id) === heir;
      if (isHeir && note !== undefined)
        notes.set(segment.id, [file.text.slice(note.start, note.end)]);
    }
  }
  const staying = new Set([...translated, ...noted.filter(({ id }) => !found.has(id))]);
  const kept = new Set([...staying].flatMap(segmentIds));
  return {
    edits: [
      ...remove(file, ids.difference(kept)),
      ...[...staying].flatMap((message) => vanish(file.text, message)),
    ],
    notes,
  };
}

function newMessagesOf(
  file: QtFile,
  gone: ReadonlySet<string>,
  insertions: readonly Insertion[],
): NewMessage[] {
  const [first] = insertions;
  if (first === undefined) return [];
  const source = open(first.sourceText);
  const messages = new Map(source.messages.map((each) => [each.id, messageIn(source.text, each)]));
  const current = new Map(
    file.messages.flatMap((each) => [each.id, ...segmentIds(each)].map((id) => [id, each.id])),
  );
  const comers = new Map<string, NewMessage>();
  for (const { segment, after } of insertions) {
    const id = segment.plural?.group ?? segment.id;
    const entry = messages.get(id);
    const isNew = !current.has(id) || gone.has(id);
    if (entry === undefined || !isNew || comers.has(id)) continue;
    comers.set(id, { entry, after: current.get(after ?? '') ?? null });
  }
  return [...comers.values()];
}

function messageIn(text: string, { id, element, source, context }: QtMessage): Message {
  const references = childElements(element, 'location').map(
    (place) => `${attributeOf(place, 'filename') ?? ''}:${attributeOf(place, 'line') ?? ''}`,
  );
  return { id, text: elementText(text, source), context, references };
}

/** Qt writes `de_DE` (QLocale). */
function localeEdits({ text, root }: QtFile, language: LanguageTag): Edit[] {
  return setAttribute(text, root, { name: 'language', value: language.replaceAll('-', '_') });
}

/** lrelease also uses unfinished texts. The mark is removed when a text needs no review. */
function stateEdits(
  { text, messages }: QtFile,
  written: ReadonlyMap<string, SegmentState>,
  kept: ReadonlyMap<string, SegmentState> | undefined,
): Edit[] {
  return messages.flatMap((message) => {
    const { translation } = message;
    const state = messageState(segmentIds(message), { written, kept });
    if (isSelfClosing(translation)) return [];
    // The mark returns when a person withdraws an approval. A machine text in place of a finished one keeps Qt's own state.
    if (state === 'review-wanted' && !translation.attributes.has('type')) {
      return setAttribute(text, translation, { name: 'type', value: 'unfinished' });
    }
    return state === 'finished' ? removeAttribute(text, translation, 'type') : [];
  });
}

/** Only messages with an id keep their id when the source changes. */
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
