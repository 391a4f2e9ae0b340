import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  XmlElement as Element,
  parseXml as parseIndependently,
  type XmlNode,
} from '@rgrove/parse-xml';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JobFailure } from '../../../src/failure.ts';
import { isElement, parseXml, type XmlElement } from '../../../src/formats/grammar/xml-tree.ts';
import { decodeBytes } from '../../../src/formats/text/decode.ts';
import { CORPUS } from '../../corpus.ts';

const TEXTS = join(CORPUS, 'text');
const FOLDERS = ['android', 'resx', 'xliff', 'stringsdict', 'ttml'].map((name) =>
  join(TEXTS, name),
);

describe('spans of elements are those that an independent parser finds', () => {
  const files = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    filesUnder(folder),
  );
  if (files.length === 0) it.skip('the corpus is not there', () => {});
  for (const file of files) {
    it(relative(TEXTS, file), () => {
      const { text } = decodeBytes(readFileSync(file), { file });
      // It rewrites line ends before it counts.
      if (text.includes('\r')) return expect(parseXml(text, file).end).toBeGreaterThan(0);
      expect(spans(parseXml(text, file))).toEqual(independentSpans(text));
    });
  }
});

describe('text between elements is found, too', () => {
  const name = fc.constantFrom('a', 'b:c', 'd-e', 'f.g');
  const leaf = fc.constantFrom(
    'text',
    ' ',
    '\n',
    '<!-- a > b -->',
    '<![CDATA[<x>]]>',
    '&amp;',
    '<?pi x?>',
    '"',
    "'",
  );
  const { element } = fc.letrec<{ element: string }>((tie) => ({
    element: fc
      .tuple(
        name,
        fc.constantFrom('', ' x="1"', " y='a>b'", '\n z = "q"', ' '),
        fc.array(fc.oneof({ depthSize: 'small' }, leaf, tie('element')), { maxLength: 4 }),
      )
      .map(([tag, attribute, children]) =>
        children.length === 0
          ? `<${tag}${attribute}/>`
          : `<${tag}${attribute}>${children.join('')}</${tag} >`,
      ),
  }));

  it('children tile their element', () => {
    fc.assert(
      fc.property(
        element,
        fc.constantFrom('', '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "b>">]>\n'),
        (text, prolog) => {
          const root = parseXml(prolog + text, 'x.xml');
          expect(tiles(root)).toBe(true);
          expect(spans(root)).toEqual(independentSpans(prolog + text));
        },
      ),
    );
  });
});

it.each([
  ['<a>\n<b></a>', 2],
  ['<a>\n<b/></a><c/>', 2],
  ['<a x=1/>', 1],
  ['<a>\n</a>\n</c>', 3],
])('%j is refused with its line', (text, line) => {
  expect(() => parseXml(text, 'x.xml')).toThrow(
    expect.objectContaining({
      failure: expect.objectContaining({
        kind: 'malformed',
        where: expect.objectContaining({ line }),
      }),
    }),
  );
});

type Span = readonly [name: string, start: number, end: number];

function spans(element: XmlElement): Span[] {
  const own: Span = [element.name, element.start, element.end];
  return [own, ...element.children.filter(isElement).flatMap(spans)];
}

it.each([
  ['<resources>\n  <string name="a">x', 2, 3, '<string> is not closed'],
  ['<a>\n<b>x</b><b>', 2, 9, '<b> is not closed'],
])('a cut-off %j is named by its last open tag', (text, line, column, message) => {
  let failure: unknown;
  try {
    parseXml(text, 'a.xml');
  } catch (error) {
    failure = error instanceof JobFailure ? error.failure : error;
  }
  expect(failure).toMatchObject({ kind: 'malformed', where: { line, column }, message });
});

function independentSpans(text: string): Span[] {
  const options = { includeOffsets: true, ignoreUndefinedEntities: true };
  const { root } = parseIndependently(text, options);
  const walk = (node: XmlNode): Span[] =>
    node instanceof Element
      ? [[node.name, node.start, node.end], ...node.children.flatMap(walk)]
      : [];
  return root === null ? [] : walk(root);
}

function tiles({ children, openEnd, closeStart }: XmlElement): boolean {
  let position = openEnd;
  for (const child of children) {
    if (child.start !== position) return false;
    if (isElement(child) && !tiles(child)) return false;
    position = child.end;
  }
  return children.length === 0 || position === closeStart;
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}
