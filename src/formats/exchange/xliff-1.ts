/** XLIFF 1.2 for agencies: one unit for each text, placeholders as `ph`, the review as `state` and `approved`. */
import { findExchangeId } from '../../segments/exchange-id.ts';
import { localName } from '../grammar/xliff-units.ts';
import { attributeOf, elementText, escapeXml } from '../grammar/xml-text.ts';
import { childElements, type XmlElement } from '../grammar/xml-tree.ts';
import { readComments } from './comments.ts';
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
  ExchangeRows,
  emptySegmentIn,
  exchangeText,
  openExchange,
  unitNotes,
  xmlContent,
} from './xml.ts';

export const xliff1: ExchangeFormat = {
  name: 'xliff',
  extension: 'xlf',
  write,
  lacks: lacksXml,
  read,
};

/** XLIFF 1.2, 2.4.1 "state". */
const TARGET_STATES = {
  missing: 'new',
  stale: 'needs-review-translation',
  held: 'needs-review-translation',
  unreviewed: 'needs-review-translation',
  reviewed: 'final',
  done: 'translated',
} as const;

const NAMESPACE = 'urn:oasis:names:tc:xliff:document:1.2';

function write(document: ExchangeDocument): Uint8Array {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xliff version="1.2" xmlns="${NAMESPACE}">`,
    ...document.files.flatMap((file) => fileLines(document, file)),
    '</xliff>',
    '',
  ];
  return Buffer.from(lines.join('\n'));
}

function fileLines(
  { sourceLanguage, language }: ExchangeDocument,
  { project, path, units }: ExchangeFile,
): string[] {
  const head = attributes({
    original: path,
    'product-name': project,
    'source-language': sourceLanguage,
    'target-language': language,
    datatype: 'plaintext',
  });
  const body = ['    <body>', ...units.flatMap(unitLines), '    </body>'];
  return [`  <file${head}>`, ...body, '  </file>'];
}

function unitLines(unit: ExchangeUnit): string[] {
  const { id, key, state, target, was, maxLength, codes } = unit;
  const approved = state === 'reviewed' ? 'yes' : 'no';
  const head = attributes({
    id,
    ...(key === '' ? {} : { resname: key }),
    approved,
    'xml:space': 'preserve',
    ...(maxLength === undefined ? {} : { maxwidth: `${maxLength}`, 'size-unit': 'char' }),
  });
  const notes = [
    ...unit.notes.map((text) => ({ from: 'developer', text })),
    ...(unit.previousSource === undefined
      ? []
      : [{ from: 'dragoman-previous-source', text: unit.previousSource }]),
    { from: 'dragoman-target', text: was },
    // Programs that make PO of this file keep the notes of developers alone. Without an approval, an entry is fuzzy there.
    ...(target === '' ? [] : [{ from: 'dragoman-developer', text: `approved: ${approved}` }]),
  ];
  return [
    `      <trans-unit${head}>`,
    `        <source>${inline(unit.source, codes)}</source>`,
    `        <target state="${target === '' ? 'new' : TARGET_STATES[state]}">${inline(target, codes)}</target>`,
    ...notes.map(
      ({ from, text }) =>
        `        <note from="${from}">${escapeXml(text.replaceAll('\r', ' '))}</note>`,
    ),
    '      </trans-unit>',
  ];
}

function inline(text: string, codes: readonly string[]): string {
  const ids = new CodeIds(codes);
  return cutAtCodes(text, codes)
    .map((piece) =>
      'text' in piece
        ? xmlContent(piece.text)
        : `<ph id="${ids.take(piece.code)}">${xmlContent(piece.code)}</ph>`,
    )
    .join('');
}

function read(bytes: Uint8Array, file: string): Returned {
  const { text, root, lineAt } = openExchange(bytes, file);
  const rows = new ExchangeRows();
  const languages = new Set<string>();
  for (const each of childElements(root).filter((child) => localName(child) === 'file')) {
    const language = attributeOf(each, 'target-language');
    if (language !== undefined) languages.add(language);
    const project = attributeOf(each, 'product-name');
    const path = attributeOf(each, 'original');
    for (const unit of unitsIn(each)) {
      const line = lineAt(unit.start);
      const target = childElements(unit).find((child) => localName(child) === 'target');
      const spoken = isHeader(unit)
        ? /^Language: *(.+)$/m.exec(elementText(text, target))?.[1]
        : target && attributeOf(target, 'xml:lang');
      if (spoken) languages.add(spoken);
      if (isHeader(unit)) continue;
      rows.add(line, () => ({
        ...(project === undefined ? {} : { project }),
        ...(path === undefined ? {} : { path }),
        ...rowOf(text, unit, line),
      }));
    }
  }
  return { ...rows.returned, languages: [...languages] };
}

/** The header of a PO file, in the XLIFF that the Translate Toolkit makes of it. */
function isHeader(unit: XmlElement): boolean {
  return unit.attributes.get('restype') === 'x-gettext-domain-header';
}

function unitsIn(element: XmlElement): XmlElement[] {
  return childElements(element).flatMap((child) => {
    const name = localName(child);
    if (name === 'trans-unit') return [child];
    return name === 'body' || name === 'group' ? unitsIn(child) : [];
  });
}

/** @throws Error with the reason why the unit is refused */
function rowOf(text: string, unit: XmlElement, line: number): ReturnedRow {
  const child = (name: string) => childElements(unit).find((each) => localName(each) === name);
  const source = child('source');
  const target = child('target');
  const codes = new Map(
    codesIn(source).map((code) => [code.attributes.get('id') ?? '', elementText(text, code)]),
  );
  const was = unitNotes(text, [unit], 'from').get('dragoman-target');
  const key = attributeOf(unit, 'resname');
  const fromPo = poEntryOf(text, unit);
  const state = target?.attributes.get('state') ?? '';
  const isApproved = unit.attributes.get('approved') === 'yes';
  const isStated = isApproved || state === 'final' || state === 'signed-off';
  // An entry of PO that is not fuzzy becomes an approved unit, also where nothing was asked.
  const isFinal = isStated && (fromPo === undefined || fromPo.isReviewed || fromPo.wasFuzzy);
  const id = attributeOf(unit, 'id') ?? '';
  return {
    id: findExchangeId([id, ...(fromPo?.references ?? [])]) ?? id,
    ...(key === undefined ? {} : { key }),
    ...(source === undefined ? {} : { source: exchangeText(text, source, codes) }),
    target: target === undefined ? '' : exchangeText(text, target, codes),
    ...(was === undefined ? {} : { was }),
    ...fromPo?.row,
    ...emptySegmentOf(text, child('seg-source'), target),
    word: state === 'new' ? 'new' : isFinal ? 'final' : 'open',
    line,
  };
}

function emptySegmentOf(
  text: string,
  source: XmlElement | undefined,
  target: XmlElement | undefined,
): Pick<ReturnedRow, 'emptySegment'> {
  const translated = segmentsIn(text, target);
  if (translated.size === 0) return {};
  const wanted = [...segmentsIn(text, source)].filter(([, words]) => words !== '');
  return emptySegmentIn(wanted.map(([mid]) => (translated.get(mid) ?? '') !== ''));
}

/** The segments of a tool that cut the text, by their ids. */
function segmentsIn(text: string, element: XmlElement | undefined): Map<string, string> {
  const marks = element === undefined ? [] : segmentMarks(element);
  return new Map(
    marks.map((mark) => [mark.attributes.get('mid') ?? '', elementText(text, mark).trim()]),
  );
}

function segmentMarks(element: XmlElement): XmlElement[] {
  return childElements(element).flatMap((child) => {
    const isSegment = localName(child) === 'mrk' && child.attributes.get('mtype') === 'seg';
    return isSegment ? [child] : segmentMarks(child);
  });
}

/** What the Translate Toolkit keeps of a PO entry: its references and its comments. Undefined: the unit was not an entry. */
function poEntryOf(text: string, unit: XmlElement) {
  const groups = childElements(unit).filter((child) => localName(child) === 'context-group');
  const contexts = groups.flatMap((group) => childElements(group));
  const wordsOf = (type: string) =>
    contexts
      .filter((context) => context.attributes.get('context-type') === type)
      .map((context) => elementText(text, context));
  const references = wordsOf('sourcefile');
  const comments = wordsOf('x-po-autocomment').flatMap((words) => words.split('\n'));
  if (references.length + comments.length === 0) return undefined;
  return { references, ...readComments(comments) };
}

function codesIn(element: XmlElement | undefined): XmlElement[] {
  if (element === undefined) return [];
  return childElements(element).flatMap((child) =>
    /^(?:ph|x|bx|ex|it|bpt|ept)$/.test(localName(child)) ? [child] : codesIn(child),
  );
}
