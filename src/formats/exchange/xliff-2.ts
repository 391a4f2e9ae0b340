/** XLIFF 2.1: a unit with one segment for each text, placeholders as `ph` with their content in `originalData`. */
import { plural } from '../../language.ts';
import { localName } from '../grammar/xliff-units.ts';
import { attributeOf, elementText, escapeXml } from '../grammar/xml-text.ts';
import { childElements, type XmlElement } from '../grammar/xml-tree.ts';
import {
  CodeIds,
  cutAtCodes,
  type ExchangeDocument,
  type ExchangeFile,
  type ExchangeFormat,
  type ExchangeUnit,
  lacksXml,
  type Returned,
  type ReturnedRow,
} from './exchange.ts';
import {
  attributes,
  childrenNamed,
  ExchangeRows,
  emptySegmentIn,
  exchangeText,
  openExchange,
  unitNotes,
  xmlContent,
} from './xml.ts';

export const xliff2: ExchangeFormat = {
  name: 'xliff2',
  extension: 'xlf',
  write,
  lacks: lacksXml,
  read,
};

const NAMESPACE = 'urn:oasis:names:tc:xliff:document:2.0';

function write({ sourceLanguage, language, files }: ExchangeDocument): Uint8Array {
  const head = attributes({ version: '2.1', srcLang: sourceLanguage, trgLang: language });
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xliff xmlns="${NAMESPACE}"${head}>`,
    ...files.flatMap((file, index) => fileLines(file, index + 1)),
    '</xliff>',
    '',
  ];
  return Buffer.from(lines.join('\n'));
}

function fileLines({ project, path, units }: ExchangeFile, number: number): string[] {
  return [
    `  <file${attributes({ id: `f${number}`, original: path })}>`,
    '    <notes>',
    `      <note category="dragoman-project">${escapeXml(project)}</note>`,
    '    </notes>',
    ...units.flatMap(unitLines),
    '  </file>',
  ];
}

function unitLines(unit: ExchangeUnit): string[] {
  const { id, key, target, was, maxLength, previousSource } = unit;
  const limit = maxLength === undefined ? [] : [`at most ${plural(maxLength, 'character')}`];
  const notes = [
    ...[...unit.notes, ...limit].map((text) => ({ category: 'developer', text })),
    ...(previousSource === undefined
      ? []
      : [{ category: 'dragoman-previous-source', text: previousSource }]),
    { category: 'dragoman-target', text: was },
  ];
  const data = new Map<string, number>();
  const source = inline(unit.source, unit.codes, data);
  const translated = inline(target, unit.codes, data);
  const name = key === '' ? {} : { name: key };
  return [
    `    <unit${attributes({ id, ...name })}>`,
    '      <notes>',
    ...notes.map(
      ({ category, text }) =>
        `        <note category="${category}">${escapeXml(text.replaceAll('\r', ' '))}</note>`,
    ),
    '      </notes>',
    ...dataLines(data),
    `      <segment${attributes(statesOf(unit))}>`,
    `        <source xml:space="preserve">${source}</source>`,
    ...(target === '' ? [] : [`        <target xml:space="preserve">${translated}</target>`]),
    '      </segment>',
    '    </unit>',
  ];
}

function dataLines(data: ReadonlyMap<string, number>): string[] {
  if (data.size === 0) return [];
  return [
    '      <originalData>',
    ...[...data].map(([code, id]) => `        <data id="d${id}">${xmlContent(code)}</data>`),
    '      </originalData>',
  ];
}

/** 4.3.1.18 "state": every state but `initial` needs a target; states that XLIFF does not have are in `subState`. */
function statesOf({ state, target }: ExchangeUnit): Record<string, string> {
  if (target === '') return { state: 'initial' };
  return {
    state: state === 'reviewed' ? 'final' : 'translated',
    subState: `dragoman:${state}`,
  };
}

function inline(text: string, codes: readonly string[], data: Map<string, number>): string {
  const ids = new CodeIds(codes);
  return cutAtCodes(text, codes)
    .map((piece) => {
      if ('text' in piece) return xmlContent(piece.text);
      const { code } = piece;
      if (!data.has(code)) data.set(code, data.size + 1);
      const named = { id: `${ids.take(code)}`, dataRef: `d${data.get(code)}` };
      return `<ph${attributes({ ...named, equiv: code, disp: code })}/>`;
    })
    .join('');
}

function read(bytes: Uint8Array, file: string): Returned {
  const { text, root, lineAt } = openExchange(bytes, file);
  const rows = new ExchangeRows();
  const languages = new Set<string>();
  const language = attributeOf(root, 'trgLang');
  if (language !== undefined) languages.add(language);
  for (const each of childrenNamed(root, 'file')) {
    const path = attributeOf(each, 'original');
    const project = unitNotes(text, childrenNamed(each, 'notes'), 'category').get(
      'dragoman-project',
    );
    for (const unit of unitsIn(each)) {
      const line = lineAt(unit.start);
      for (const target of childElements(unit).flatMap((part) => childrenNamed(part, 'target'))) {
        const spoken = attributeOf(target, 'xml:lang');
        if (spoken) languages.add(spoken);
      }
      rows.add(line, () => ({
        ...rowOf(text, unit, line),
        ...(project === undefined ? {} : { project }),
        ...(path === undefined ? {} : { path }),
      }));
    }
  }
  return { ...rows.returned, languages: [...languages] };
}

function unitsIn(element: XmlElement): XmlElement[] {
  return childElements(element).flatMap((child) => {
    const name = localName(child);
    if (name === 'unit') return [child];
    return name === 'group' ? unitsIn(child) : [];
  });
}

/** A tool may have split the text into several segments; they are joined again. @throws Error with the reason why the unit is refused */
function rowOf(text: string, unit: XmlElement, line: number): ReturnedRow {
  const data = new Map(
    childrenNamed(unit, 'originalData')
      .flatMap((holder) => childrenNamed(holder, 'data'))
      .map((each) => [each.attributes.get('id') ?? '', elementText(text, each)]),
  );
  const parts = childElements(unit).filter((child) =>
    /^(?:segment|ignorable)$/.test(localName(child)),
  );
  const codesOf = (name: 'source' | 'target') =>
    parts
      .flatMap((part) => childrenNamed(part, name))
      .flatMap((each) => codesIn(each))
      .flatMap((code) => codeText(code, data));
  const ofSource = codesOf('source');
  const codes = {
    source: new Map(ofSource),
    target: new Map([...ofSource, ...codesOf('target')]),
  };
  const joined = (name: 'source' | 'target') =>
    (name === 'source' ? parts : inTargetOrder(parts))
      .map((part) => {
        const own = childrenNamed(part, name)[0];
        // Text between segments has no target when it is the same in both languages.
        const shown =
          own ?? (localName(part) === 'ignorable' ? childrenNamed(part, 'source')[0] : undefined);
        return shown === undefined ? '' : exchangeText(text, shown, codes[name]);
      })
      .join('');
  const states = parts.filter((part) => localName(part) === 'segment').map(stateOf);
  const isTranslated = parts.some((part) => childrenNamed(part, 'target').length > 0);
  const was = unitNotes(text, childrenNamed(unit, 'notes'), 'category').get('dragoman-target');
  const key = attributeOf(unit, 'name');
  return {
    id: attributeOf(unit, 'id') ?? '',
    ...(key === undefined ? {} : { key }),
    source: joined('source'),
    target: isTranslated ? joined('target') : '',
    ...(was === undefined ? {} : { was }),
    ...emptySegmentIn(
      parts
        .filter((part) => localName(part) === 'segment' && hasWords(text, part, 'source'))
        .map((part) => hasWords(text, part, 'target')),
    ),
    word: wordOf(states),
    line,
  };
}

/** The export writes a state for each segment. Where a tool left out that of a translation, it says nothing. */
function stateOf(segment: XmlElement): string {
  const unstated = childrenNamed(segment, 'target').length > 0 ? 'translated' : 'initial';
  return segment.attributes.get('state') ?? unstated;
}

function hasWords(text: string, part: XmlElement, name: 'source' | 'target'): boolean {
  return childrenNamed(part, name).some((each) => elementText(text, each).trim() !== '');
}

/**
 * Segments and what is between them as the translation has them: `order` of a target is its place among all parts (XLIFF 2.1, 4.3.1.24).
 * @throws Error for two parts with one place
 */
function inTargetOrder(parts: readonly XmlElement[]): readonly XmlElement[] {
  const placed = parts.map((part, index) => {
    const order = childrenNamed(part, 'target')[0]?.attributes.get('order');
    return { part, place: order === undefined ? index + 1 : Number(order) };
  });
  const places = new Set(placed.map(({ place }) => place));
  const isSound = placed.every(({ place }) => Number.isInteger(place) && place > 0);
  if (places.size < parts.length || !isSound) {
    throw new Error('the orders of its targets contradict each other');
  }
  return placed.sort((a, b) => a.place - b.place).map(({ part }) => part);
}

function wordOf(states: readonly string[]): ReturnedRow['word'] {
  if (states.includes('initial')) return 'new';
  return states.every((state) => state === 'final' || state === 'reviewed') ? 'final' : 'open';
}

function codesIn(element: XmlElement): XmlElement[] {
  return childElements(element).flatMap((child) =>
    /^(?:ph|sc|ec)$/.test(localName(child)) ? [child] : codesIn(child),
  );
}

function codeText(code: XmlElement, data: ReadonlyMap<string, string>): [string, string][] {
  const own = data.get(code.attributes.get('dataRef') ?? '');
  return own === undefined ? [] : [[code.attributes.get('id') ?? '', own]];
}
