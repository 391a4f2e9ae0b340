/** What the elements of an Office Open XML part are to a translator, by vocabulary and local name (ECMA-376 part 1). */
import { JobFailure } from '../failure.ts';

export type Role = 'paragraph' | 'run' | 'look' | 'text' | 'skipped' | 'transparent' | 'other';

/** How characters that XML cannot hold are written: only spreadsheets have a way (xstring.ts). */
export type Spelling = 'plain' | 'xstring';

/** The prefixes of one part, and what elements named with them are. */
export class Vocabularies {
  readonly #part: string;
  readonly #prefixes = new Map<string, string>();

  constructor(part: string) {
    this.#part = part;
  }

  /** Reads the prefixes that a tag declares. @throws JobFailure `unsupported` when a prefix of ours gets a second meaning */
  declare(tag: string): void {
    if (!tag.includes('xmlns')) return;
    for (const [, prefix = '', uri = ''] of tag.matchAll(DECLARATION)) {
      const known = VOCABULARY.exec(uri)?.[1];
      const vocabulary = known === undefined ? uri : `${known}/main`;
      const before = this.#prefixes.get(prefix) ?? vocabulary;
      if (before !== vocabulary && (OURS.has(before) || OURS.has(vocabulary)))
        throw this.#twoMeanings(prefix);
      this.#prefixes.set(prefix, vocabulary);
    }
  }

  role(name: string): Role {
    const local = name.slice(name.indexOf(':') + 1);
    return ROLES[`${this.#vocabulary(name)} ${local}`] ?? 'other';
  }

  spelling(name: string): Spelling {
    return this.#vocabulary(name) === SHEET ? 'xstring' : 'plain';
  }

  #vocabulary(name: string): string | undefined {
    const colon = name.indexOf(':');
    return this.#prefixes.get(colon < 0 ? '' : name.slice(0, colon));
  }

  #twoMeanings(prefix: string): JobFailure {
    return new JobFailure({
      kind: 'unsupported',
      what: `${this.#part} gives the prefix "${prefix}" two meanings`,
      advice: 'Save the file again with its own application.',
    });
  }
}

const WORD = 'wordprocessingml/main';
const DRAWING = 'drawingml/main';
const SHEET = 'spreadsheetml/main';

/** By vocabulary and local name. Fields of slides (numbers, dates) and phonetic hints are no text of the author. */
const ROLES: Readonly<Record<string, Role>> = {
  [`${WORD} p`]: 'paragraph',
  [`${WORD} t`]: 'text',
  [`${WORD} r`]: 'run',
  [`${WORD} rPr`]: 'look',
  [`${WORD} proofErr`]: 'transparent',
  [`${WORD} lastRenderedPageBreak`]: 'transparent',
  [`${DRAWING} p`]: 'paragraph',
  [`${DRAWING} t`]: 'text',
  [`${DRAWING} r`]: 'run',
  [`${DRAWING} rPr`]: 'look',
  [`${DRAWING} fld`]: 'skipped',
  [`${SHEET} si`]: 'paragraph',
  [`${SHEET} is`]: 'paragraph',
  [`${SHEET} text`]: 'paragraph',
  [`${SHEET} t`]: 'text',
  [`${SHEET} r`]: 'run',
  [`${SHEET} rPr`]: 'look',
  [`${SHEET} rPh`]: 'skipped',
};

// Transitional and strict files name the same vocabularies differently (ECMA-376 part 1, annex A; part 4).
const VOCABULARY =
  /^http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml)\/(wordprocessingml|drawingml|spreadsheetml)\/(?:2006\/)?main$/;

const OURS = new Set([WORD, DRAWING, SHEET]);
const DECLARATION = /\sxmlns(?::([^\s=]+))?\s*=\s*["']([^"']*)["']/g;
