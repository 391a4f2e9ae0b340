/** Qt Linguist's .ts files as messages: sources, offsets of translations and numerus forms, notes of developers and translators. Pure. */
import { flatId } from './flat-entries.ts';
import { attributeOf, elementText } from './xml-text.ts';
import { childElements, type XmlElement } from './xml-tree.ts';
import type { UnitHome } from './xml-units.ts';

export interface QtMessage {
  readonly id: string;
  readonly element: XmlElement;
  readonly source: XmlElement;
  readonly translation: XmlElement;
  readonly isNumerus: boolean;
  /** Forms of a numerus message, in the order of the language's forms; may be empty. */
  readonly forms: readonly XmlElement[];
  readonly notes: string | undefined;
  /** A translator's note. */
  readonly note: XmlElement | undefined;
  /** The class that it belongs to. */
  readonly context: string;
}

export interface QtMessages {
  readonly messages: readonly QtMessage[];
  /** Messages whose source left the program (`vanished`, `obsolete`): they are ignored until they return. */
  readonly vanished: readonly QtMessage[];
  readonly homes: ReadonlyMap<XmlElement, UnitHome>;
  readonly empty: readonly UnitHome[];
}

export function readMessages(text: string, root: XmlElement): QtMessages {
  const homes = new Map<XmlElement, UnitHome>();
  const empty: UnitHome[] = [];
  const all = childElements(root).flatMap((context) => {
    // Files with ids may have messages outside of contexts.
    if (context.name === 'message') {
      homes.set(context, { element: root, outer: root, key: '' });
      return messageOf(text, context, '') ?? [];
    }
    if (context.name !== 'context') return [];
    const key = elementText(text, childElements(context, 'name')[0]);
    const home = { element: context, outer: context, key: `context ${key}` };
    const own = childElements(context, 'message');
    if (own.length === 0) empty.push(home);
    return own.flatMap((message) => {
      homes.set(message, home);
      return messageOf(text, message, key) ?? [];
    });
  });
  const { left: vanished = [], current: messages = [] } = Object.groupBy(all, ({ translation }) =>
    isVanished(translation) ? 'left' : 'current',
  );
  return { messages, vanished, homes, empty };
}

function isVanished({ attributes }: XmlElement): boolean {
  return /^(?:vanished|obsolete)$/.test(attributes.get('type') ?? '');
}

function messageOf(text: string, element: XmlElement, context: string): QtMessage | undefined {
  const child = (name: string) => childElements(element, name)[0];
  const [source, translation] = [child('source'), child('translation')];
  if (source === undefined || translation === undefined) return undefined;
  const isNumerus = element.attributes.get('numerus') === 'yes';
  const notes = ['extracomment', 'comment', 'translatorcomment']
    .map((name) => elementText(text, child(name)).replace(/\s+/g, ' ').trim())
    .filter((note) => note !== '');
  return {
    id: messageId(element, [
      context,
      elementText(text, source),
      elementText(text, child('comment')),
    ]),
    element,
    source,
    translation,
    isNumerus,
    forms: isNumerus ? childElements(translation, 'numerusform') : [],
    notes: notes.length === 0 ? undefined : notes.join(' '),
    note: child('translatorcomment'),
    context,
  };
}

/** Qt finds a translation by its id, or by context, source and comment. */
function messageId(message: XmlElement, [context, source, comment]: readonly string[]): string {
  const own = attributeOf(message, 'id');
  const steps = own === undefined ? [context ?? '', source ?? ''] : [own];
  if (own === undefined && comment) steps.push(comment);
  return steps.map((step) => flatId(step).replace(/[|[]/g, '\\$&')).join('|');
}
