/**
 * XLIFF 2.1, and 1.2 and 2.0 as deployed services accept them: the translation is written to `<target>`; inline codes and all else stay.
 */

import { decodeXml, encodeXml } from '../../files/xml-characters.ts';
import { rawAttribute, type XmlTag, type XmlToken, xmlTokens } from '../../files/xml-tokens.ts';
import type { Span } from '../../format.ts';
import { countCharacters } from '../billing.ts';
import { answerPieces, blockHasWords, textForEngine } from './blocks.ts';
import { cannot, malformedDocument, type ReadDocument, type SourceDocument } from './document.ts';
import { type Splice, withSplices } from './splice.ts';
import { decodeText } from './text-bytes.ts';

const VERSIONS = { document: ['2.1'], deployed: ['1.2', '2.0', '2.1'] } as const;

export function readXliff({ bytes, name, target, dialect }: SourceDocument): ReadDocument {
  const { text, encode } = decodeText(bytes);
  const reader = new XliffReader(text, target);
  for (const token of xmlTokens(text, name)) reader.take(token);
  const allowed: readonly string[] = VERSIONS[dialect];
  if (reader.version === undefined) throw malformedDocument(name, 'it is no XLIFF file');
  if (!allowed.includes(reader.version)) {
    throw cannot(
      `${name} is XLIFF ${reader.version}; only ${allowed.join(', ')} can be translated`,
      'Convert it.',
    );
  }
  const units = reader.units.filter((unit) => blockHasWords(words(unit)));
  return {
    texts: units.map((unit) => textForEngine(words(unit))),
    characters: countCharacters(units.flatMap(words)),
    write(answers) {
      const targets = units.map((unit, index) => answered(text, unit, answers[index] ?? ''));
      return encode(withSplices(text, [...reader.languages, ...targets]));
    },
  };
}

interface Unit {
  /** The content between `<source>` and `</source>`. */
  source: Span;
  /** Its texts between inline codes. */
  readonly texts: XliffSpan[];
  /** The `<target>` element, or the place for a new one. */
  target: Span;
  open: string;
  close: string;
}

interface XliffSpan extends Span {
  /** The text of a CDATA section is not escaped. */
  readonly kind: 'text' | 'cdata';
  readonly raw: string;
}

function words(unit: Unit): readonly string[] {
  return unit.texts.map(spanText);
}

function spanText({ kind, raw }: XliffSpan): string {
  return kind === 'cdata' ? raw : decodeXml(raw);
}

function written({ kind }: XliffSpan, words: string): string {
  // "]]>" would end the section.
  return kind === 'cdata' ? words.replaceAll(']]>', ']]]]><![CDATA[>') : encodeXml(words);
}

function answered(text: string, unit: Unit, answer: string): Splice {
  const pieces = answerPieces(words(unit), answer);
  const shift = unit.source.start;
  const content = withSplices(
    text.slice(unit.source.start, unit.source.end),
    unit.texts.map((piece, index) => ({
      start: piece.start - shift,
      end: piece.end - shift,
      text: pieces[index] === spanText(piece) ? piece.raw : written(piece, pieces[index] ?? ''),
    })),
  );
  return { ...unit.target, text: unit.open + content + unit.close };
}

/** Elements of other modules also have sources and targets: memory matches, glossaries, history. */
const FOREIGN = /^(?:alt-trans|(?:\w+:)?(?:match|glossary|glossEntry|changeTrack|note))$/;

class XliffReader {
  version: string | undefined;
  readonly units: Unit[] = [];
  readonly languages: Splice[] = [];
  readonly #text: string;
  readonly #language: string;
  /** Depth of the outermost element that is not translated. */
  #kept: number | undefined;
  #depth = 0;
  #within: 'source' | 'target' | undefined;
  #unit: Unit | undefined;

  constructor(text: string, language: string) {
    this.#text = text;
    this.#language = language;
  }

  take(token: XmlToken): void {
    switch (token.kind) {
      case 'open':
        this.#depth++;
        this.#enter(token);
        return;
      case 'empty':
        this.#depth++;
        this.#enter(token);
        this.#leave(token);
        this.#depth--;
        return;
      case 'close':
        this.#leave(token);
        this.#depth--;
        return;
      case 'text':
        this.#addText('text', token);
        return;
      case 'cdata':
        this.#addText('cdata', {
          start: token.start + '<![CDATA['.length,
          end: token.end - ']]>'.length,
        });
        return;
      case 'other':
        return;
    }
  }

  #enter(tag: XmlTag): void {
    const text = this.#text.slice(tag.start, tag.end);
    if (this.#depth === 1) this.#enterRoot(tag, text);
    if (tag.name === 'file' && this.version === '1.2') this.#name(tag, 'target-language');
    const isKept = rawAttribute(text, 'translate') === 'no' || FOREIGN.test(tag.name);
    if (isKept) this.#kept ??= this.#depth;
    if (this.#kept !== undefined) return;
    if (tag.name === 'source' && tag.kind === 'open') this.#enterSource(tag);
    if (tag.name === 'target' && this.#unit) this.#enterTarget(tag, text);
  }

  #enterRoot(tag: XmlTag, text: string): void {
    if (tag.name !== 'xliff') return;
    this.version = rawAttribute(text, 'version');
    if (this.version !== '1.2') this.#name(tag, 'trgLang');
  }

  #enterSource(tag: XmlTag): void {
    const nowhere = { start: 0, end: 0 };
    this.#within = 'source';
    this.#unit = {
      source: { start: tag.end, end: tag.end },
      texts: [],
      target: nowhere,
      open: '',
      close: '',
    };
  }

  #enterTarget(tag: XmlTag, text: string): void {
    const unit = this.#unit;
    if (unit === undefined) return;
    this.#within = 'target';
    unit.open = tag.kind === 'empty' ? `${text.slice(0, -2).trimEnd()}>` : text;
    unit.close = '</target>';
    unit.target = { start: tag.start, end: tag.end };
  }

  #leave(tag: XmlTag): void {
    if (this.#kept !== undefined) {
      if (this.#depth === this.#kept) this.#kept = undefined;
      return;
    }
    const unit = this.#unit;
    if (tag.name === 'source' && unit) {
      unit.source = { start: unit.source.start, end: tag.start };
      unit.target = { start: tag.end, end: tag.end };
      unit.open = `${this.#indentBefore(unit.source.start)}<target>`;
      unit.close = '</target>';
      this.units.push(unit);
      this.#within = undefined;
    }
    if (tag.name === 'target' && unit && this.#within === 'target') {
      unit.target = { start: unit.target.start, end: tag.end };
      this.#within = undefined;
    }
    if (tag.name === 'segment' || tag.name === 'trans-unit') this.#unit = undefined;
  }

  #addText(kind: XliffSpan['kind'], { start, end }: Span): void {
    if (this.#within !== 'source' || this.#kept !== undefined) return;
    this.#unit?.texts.push({ kind, start, end, raw: this.#text.slice(start, end) });
  }

  /** The line end and white space before `<source>`, so that `<target>` has the same indentation. */
  #indentBefore(at: number): string {
    const tag = this.#text.lastIndexOf('<', at - 1);
    return /\s*$/.exec(this.#text.slice(this.#text.lastIndexOf('>', tag) + 1, tag))?.[0] ?? '';
  }

  /** Sets a language attribute of a tag. */
  #name(tag: XmlTag, attribute: string): void {
    const text = this.#text.slice(tag.start, tag.end);
    const found = new RegExp(`\\s${attribute}\\s*=\\s*["']([^"']*)["']`).exec(text);
    const nameEnd = tag.start + 1 + tag.name.length;
    if (found === null) {
      this.languages.push({
        start: nameEnd,
        end: nameEnd,
        text: ` ${attribute}="${this.#language}"`,
      });
      return;
    }
    const end = tag.start + found.index + found[0].length - 1;
    this.languages.push({ start: end - (found[1]?.length ?? 0), end, text: this.#language });
  }
}
