/**
 * What programs do to texts that nobody touched: they drop tabs, trim blanks, and keep the apostrophe of a spreadsheet. The sources of a
 * file show what its program does, because nobody edits these. Pure.
 */
import { needsApostrophe } from './cell-apostrophe.ts';
import { targetHash } from './statements.ts';

/** A returned text, with what its file says of it. */
interface ReturnedText {
  readonly target: string;
  /** Hash of the translation that was exported. */
  readonly was?: string;
  /** The cell of a spreadsheet as it is, if the apostrophe at its start may be the one of the export. */
  readonly cell?: string;
}

/** The present translation. */
interface TranslationOnDisk {
  readonly source: string;
  readonly target: string | null;
  readonly targetHash: string;
}

/** A pair of the same text. */
export interface KnownAndReturned {
  /** On the disk. */
  readonly known: string;
  readonly returned: string;
}

/** White space that a program removed and added: characters of the edges of a text, and of its inside. */
export class WhiteSpaceChanges {
  readonly #removed = new Set<string>();
  readonly #added = new Set<string>();

  /** @param sources pairs of sources: nobody edits them, so a change is one of the program */
  constructor(sources: Iterable<KnownAndReturned>) {
    for (const { known, returned } of sources) {
      if (known === returned || squeezed(known) !== squeezed(returned)) continue;
      const { removed, added } = changesOf({ known, returned });
      for (const each of removed) this.#removed.add(atEdge(each));
      for (const each of added) this.#added.add(atEdge(each));
    }
  }

  /** Whether the text is the known one, but for white space that the program changes. */
  explains(pair: KnownAndReturned): boolean {
    if (squeezed(pair.known) !== squeezed(pair.returned)) return false;
    const { removed, added } = changesOf(pair);
    const areAllGone = !INVISIBLE.test(pair.returned);
    return (
      removed.every((each) => this.#isRemoved(each, areAllGone)) &&
      added.every((each) => this.#added.has(atEdge(each)))
    );
  }

  /** Gives a changed text the white space at its edges that it had before the program removed or added some. */
  withEdges({ known, returned }: KnownAndReturned): string {
    const [now, was] = [edgesOf(returned), edgesOf(known)];
    const inner = returned.slice(now.lead.length, returned.length - now.trail.length);
    return `${this.#edge(was.lead, now.lead)}${inner}${this.#edge(was.trail, now.trail)}`;
  }

  #edge(was: string, now: string): string {
    const signs = [...(now === '' ? was : now.replace(/\r\n?/g, '\n'))];
    const ofProgram = now === '' ? this.#removed : this.#added;
    return signs.every((sign) => ofProgram.has(`edge ${sign}`)) ? was : now;
  }

  /** LibreOffice drops all tabs and control characters of a text when it writes `.ods`, and programs line breaks at the edges. */
  #isRemoved(change: string, areAllGone: boolean): boolean {
    if (this.#removed.has(atEdge(change)) || atEdge(change) === 'edge \n') return true;
    return areAllGone && INVISIBLE.test(change.slice(-1));
  }
}

/**
 * @returns the text as the translator sees it. It is the present text where only a program changed it
 */
export function returnedText(
  { target, was, cell }: ReturnedText,
  present: TranslationOnDisk,
  changes: WhiteSpaceChanges,
): string {
  const known = present.target ?? '';
  const readings = cell === undefined ? [target] : [target, cell.slice(1), cell];
  const same = readings.find((each) => targetHash(each) === present.targetHash);
  if (same !== undefined) return same;
  if (known === '') return changes.withEdges({ known: present.source, returned: target });
  if (readings.some((returned) => changes.explains({ known, returned }))) return known;
  if (was !== present.targetHash) return target;
  // The export wrote an apostrophe before this text. In the new text it may have no purpose: `'-5 Grad` became `'Minus 5 Grad`.
  const hadApostrophe = cell !== undefined && needsApostrophe(known);
  return changes.withEdges({ known, returned: hadApostrophe ? cell.slice(1) : target });
}

/** White space and control characters: nobody sees a difference in them. */
const BLANK = String.raw`[\s\p{Cc}]`;
const BLANKS = new RegExp(BLANK, 'gu');
const IS_BLANK = new RegExp(`^${BLANK}$`, 'u');
const INVISIBLE = /(?![\r\n])\p{Cc}/u;

function squeezed(text: string): string {
  return text.normalize('NFC').replace(BLANKS, '');
}

function edgesOf(text: string): { readonly lead: string; readonly trail: string } {
  // No pattern for the end: it would take the square of the time for a text with many blanks inside.
  let [start, end] = [0, text.length];
  while (start < end && IS_BLANK.test(text.charAt(start))) start += 1;
  while (end > start && IS_BLANK.test(text.charAt(end - 1))) end -= 1;
  return { lead: text.slice(0, start), trail: text.slice(end) };
}

function changesOf({ known, returned }: KnownAndReturned): {
  readonly removed: readonly string[];
  readonly added: readonly string[];
} {
  const [before, after] = [blanksOf(known), blanksOf(returned)];
  const more = (of: ReadonlyMap<string, number>, than: ReadonlyMap<string, number>) =>
    [...of].filter(([each, count]) => count > (than.get(each) ?? 0)).map(([each]) => each);
  return { removed: more(before, after), added: more(after, before) };
}

/** Programs treat the start and the end of a text alike. */
function atEdge(change: string): string {
  return change.replace(/^(?:lead|trail)/, 'edge');
}

/** Counts `lead `, `inner ` and `trail ` with each character. */
function blanksOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const { lead, trail } = edgesOf(text);
  const inner = text.slice(lead.length, text.length - trail.length);
  const pieces = [
    ['lead', lead],
    ['inner', inner],
    ['trail', trail],
  ] as const;
  for (const [where, piece] of pieces) {
    for (const sign of piece.replace(/\r\n?/g, '\n').match(BLANKS) ?? []) {
      const name = `${where} ${sign}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}
