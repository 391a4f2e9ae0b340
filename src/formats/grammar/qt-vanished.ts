/**
 * Messages of Qt's files that left their program: a person's translation stays as `vanished`, and is found again when the message returns.
 * Pure.
 */
import { type Edit, type Insertion, partsText, type Returning } from '../../format.ts';
import { ATTRIBUTES } from '../../parsing/markup.ts';
import type { QtMessage } from './qt-messages.ts';
import { removeAttribute, setAttribute } from './xml-attributes.ts';
import type { XmlTexts } from './xml-text.ts';

/** The ids of its segments. */
export function segmentIds({ id, isNumerus, forms }: QtMessage): string[] {
  return isNumerus ? forms.map((_, index) => `${id}[${index}]`) : [id];
}

/** Marks a message like lupdate: `obsolete` if nobody finished it, else `vanished`. */
export function vanish(text: string, { translation }: QtMessage): Edit[] {
  const isUnfinished = translation.attributes.get('type') === 'unfinished';
  const value = isUnfinished ? 'obsolete' : 'vanished';
  return setAttribute(text, translation, { name: 'type', value });
}

/** Whether a person wrote one of its texts. */
export function isPersons(
  message: QtMessage,
  human: ReadonlySet<string>,
  texts: XmlTexts,
): boolean {
  return (
    segmentIds(message).some((id) => human.has(id)) &&
    translationParts(message, texts).some(({ parts }) => partsText(parts) !== '')
  );
}

/** The translations of such messages, by the ids of their segments. */
export function returning(
  messages: readonly QtMessage[],
  texts: XmlTexts,
): ReadonlyMap<string, Returning> {
  return new Map(
    messages.flatMap((message): [string, Returning][] => {
      const sources = [partsText(texts.read(message.source).parts)];
      return translationParts(message, texts).flatMap(({ id, parts }): [string, Returning][] =>
        partsText(parts) === '' ? [] : [[id, { sources, parts }]],
      );
    }),
  );
}

function translationParts(message: QtMessage, texts: XmlTexts) {
  const { id, isNumerus, forms, translation } = message;
  const elements = isNumerus ? forms : [translation];
  return elements.map((element, at) => ({
    id: isNumerus ? `${id}[${at}]` : id,
    parts: texts.read(element).parts,
  }));
}

/** Moves a translator's note from a vanished message to its return. @param text of the file of `old` */
export function withNote(
  insertion: Insertion,
  text: string,
  old: QtMessage | undefined,
): Insertion {
  const note = old?.note;
  if (note === undefined || insertion.notes !== undefined) return insertion;
  return { ...insertion, notes: [text.slice(note.start, note.end)] };
}

export function wasFinished(old: QtMessage | undefined): boolean {
  return old?.translation.attributes.get('type') === 'vanished';
}

/** The edits that fill a copy of a message and remove the mark of an unfinished one. */
export function finishedEdits(
  text: string,
  { translation }: QtMessage,
  edits: readonly Edit[],
): Edit[] {
  const isWhole = ({ start }: Edit) => start === translation.start;
  if (!edits.some(isWhole)) return [...removeAttribute(text, translation, 'type'), ...edits];
  return edits.map((edit) =>
    isWhole(edit) ? { ...edit, text: edit.text.replace(UNFINISHED, '$1') } : edit,
  );
}

const UNFINISHED = new RegExp(String.raw`^(<\w+${ATTRIBUTES}?)\s+type=(["'])unfinished\2`);
