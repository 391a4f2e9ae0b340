/** Reads the files of one glossary: CSV, TSV or TBX in any Unicode encoding. Faults have file and line. Pure. */
import type { Fault } from '../config/fault.ts';
import { failureOf } from '../failure.ts';
import { decodeXml } from '../files/xml-characters.ts';
import { rawAttribute, type XmlTag, xmlTokens } from '../files/xml-tokens.ts';
import { positionsOf } from '../formats/text/position.ts';
import { baseLanguage, type LanguageTag, parseLanguage } from '../language.ts';
import type { TermDictionary } from '../segments/dictionary.ts';
import { Collection, type SkippedRows } from './collect.ts';
import { decodeGlossary } from './decode.ts';
import { type Expected, readTermTable, type TableTarget } from './table.ts';

export interface GlossaryFile {
  /** Path, for messages. The extension decides the format: `.tsv`, `.tbx`; everything else is CSV. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The language pairs of the file. */
  readonly expected: Expected;
}

export interface ReadGlossary {
  readonly dictionaries: readonly TermDictionary[];
  /** Rows with pairs of other projects: left out, as the service does. */
  readonly skipped: readonly SkippedRows[];
  readonly faults: readonly Fault[];
}

/** Parses the files. Never throws for their content; returns all faults at once. */
export function readGlossary(files: readonly GlossaryFile[]): ReadGlossary {
  const into = new Collection();
  for (const file of files)
    readFile(file, { expected: file.expected, asked: askedOf(file, files), into });
  return { dictionaries: into.dictionaries(), skipped: into.skipped(), faults: into.faults };
}

/** All languages that some project takes from this file. */
function askedOf({ file }: GlossaryFile, files: readonly GlossaryFile[]): TableTarget['asked'] {
  const readers = files.filter((each) => each.file === file);
  return new Set(readers.flatMap(({ expected }) => expected.targets));
}

function readFile({ file, bytes }: GlossaryFile, target: TableTarget): void {
  const text = decodedGlossary(file, bytes, target.into);
  if (text === undefined) return;
  if (/\.(tbx|xml)$/i.test(file)) readTermbase(file, text, target);
  else {
    const kind = /\.(tsv|tab)$/i.test(file) ? 'tsv' : 'csv';
    readTermTable({ file, text, kind }, target);
  }
}

function decodedGlossary(file: string, bytes: Uint8Array, into: Collection): string | undefined {
  try {
    return decodeGlossary(file, bytes).text;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'malformed') throw error;
    into.fault({ file, line: failure.where.line ?? 1 }, 'is no UTF-8, and no UTF-16 either');
    return undefined;
  }
}

type TableTerms = Pick<TableTarget, 'expected' | 'into'>;

/** Reads a termbase in TBX-Basic (ISO 30042), with the elements of version 2 or 3: concepts with terms by language. */
function readTermbase(file: string, text: string, { expected, into }: TableTerms): void {
  try {
    for (const concept of concepts(file, text)) addConcept(file, concept, { expected, into });
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'malformed') throw error;
    into.fault({ file, line: failure.where.line ?? 1 }, failure.message);
  }
}

/** One concept: its terms by base language, in the order of the file. */
type Concept = ReadonlyMap<LanguageTag, readonly LocatedTerm[]>;

interface LocatedTerm {
  readonly text: string;
  readonly line: number;
}

function addConcept(file: string, concept: Concept, { expected, into }: TableTerms): void {
  const sources = concept.get(expected.source) ?? [];
  for (const target of expected.targets) {
    // The first term of a language is the preferred one; the others are synonyms.
    const [preferred] = concept.get(target) ?? [];
    if (preferred === undefined) continue;
    for (const { text, line } of sources) {
      into.add({ source: expected.source, target }, [text, preferred.text], { file, line });
    }
  }
}

function* concepts(file: string, whole: string): Generator<Concept> {
  // TBX 2 has a DOCTYPE. Without an internal subset it declares nothing, so it is replaced by spaces.
  const text = whole.replace(/<!DOCTYPE[^[\]>]*>/, (found) => ' '.repeat(found.length));
  const positionOf = positionsOf(text);
  const reader = new ConceptReader();
  for (const token of xmlTokens(text, file)) {
    const own = text.slice(token.start, token.end);
    switch (token.kind) {
      case 'text':
        reader.text(decodeXml(own));
        break;
      case 'cdata':
        reader.text(own.slice('<![CDATA['.length, -']]>'.length));
        break;
      case 'open':
        reader.open(token, own, positionOf(token.start).line);
        break;
      case 'close': {
        const concept = reader.close(token);
        if (concept !== undefined) yield concept;
        break;
      }
      case 'empty':
      case 'other':
        break;
    }
  }
}

const CONCEPT_ELEMENTS = new Set(['termEntry', 'conceptEntry']);
const LANGUAGE_ELEMENTS = new Set(['langSet', 'langSec']);

class ConceptReader {
  #terms = new Map<LanguageTag, LocatedTerm[]>();
  #language: LanguageTag | undefined;
  #term: { readonly line: number; text: string } | undefined;

  open({ name }: XmlTag, own: string, line: number): void {
    if (CONCEPT_ELEMENTS.has(name)) this.#terms = new Map();
    if (LANGUAGE_ELEMENTS.has(name)) this.#language = tagLanguage(own);
    if (name === 'term') this.#term = { line, text: '' };
  }

  text(text: string): void {
    if (this.#term !== undefined) this.#term.text += text;
  }

  /** @returns the concept that ends here */
  close({ name }: XmlTag): Concept | undefined {
    if (name === 'term') this.#keepTerm();
    return CONCEPT_ELEMENTS.has(name) ? this.#terms : undefined;
  }

  #keepTerm(): void {
    const term = this.#term;
    this.#term = undefined;
    if (term === undefined || this.#language === undefined) return;
    const known = this.#terms.get(this.#language) ?? [];
    this.#terms.set(this.#language, [...known, { text: term.text.trim(), line: term.line }]);
  }
}

function tagLanguage(tag: string): LanguageTag | undefined {
  const parsed = parseLanguage(rawAttribute(tag, 'xml:lang') ?? '');
  return parsed && baseLanguage(parsed);
}
