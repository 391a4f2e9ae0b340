/** Obsolete entries of gettext files (`#~`): made from entries that leave, and found again when one returns. Pure. */
import type { Edit } from '../../format.ts';
import { lineEndOf } from './flat-entries.ts';
import { type PoEntry, type PoFile, poId } from './po-entries.ts';

/** Programs write `#.`, `#:`, `#,`, `#|`, `#~` and `#=`; all other comments are the translator's (gettext manual, "PO Files"). */
export function translatorLines({ comments }: Pick<PoEntry, 'comments'>): string[] {
  return comments.map(({ text }) => text).filter(isTranslators);
}

function isTranslators(line: string): boolean {
  return !/^#[.:,|~=]/.test(line) && !isReviewLine(line);
}

/** The comment above an entry whose text needs a review; `fuzzy` would make gettext ignore the text. */
export const REVIEW_LINE = '# dragoman: needs review';

export function isReviewLine(line: string): boolean {
  return line.trimEnd() === REVIEW_LINE;
}

/**
 * Makes an entry obsolete like msgmerge: the translator's comments and the flags stay, the entry gets `#~`.
 * @param notes whether the comments stay with it, or moved to the entry that replaces it
 */
export function obsolete(
  { text }: PoFile,
  { start, end, comments }: PoEntry,
  notes: 'kept' | 'handed on',
): Edit {
  const body = text.slice(comments.at(-1)?.next ?? start, end).split(/\r\n|\n|\r/);
  const own = notes === 'kept' ? translatorLines({ comments }) : [];
  const flags = comments.map((comment) => comment.text).filter((line) => line.startsWith('#,'));
  const lines = [...own, ...flags, ...body.map((line) => `#~ ${line.trim()}`)];
  return { start, end, text: lines.join(lineEndOf(text)) };
}

export interface ObsoleteEntry {
  readonly id: string;
  /** The translator's comment lines above it. */
  readonly notes: readonly string[];
  /** The translated source: msgid, and msgid_plural if there is one. */
  readonly sources: readonly string[];
  /** Its translations by the ids of their segments; empty for a `fuzzy` entry. */
  readonly texts: ReadonlyMap<string, string>;
  /** The edit that removes it with its comments and the blank lines above. */
  readonly edit: Edit;
}

interface PoLine {
  readonly start: number;
  readonly next: number;
  readonly text: string;
}

/** Obsolete entries. Beside an entry with the same msgid and context they are an error for msgfmt ("duplicate message definition"). */
export function obsoleteEntries(file: PoFile): ObsoleteEntry[] {
  const found: PoLine[][] = [];
  let above: PoLine[] = [];
  let current: PoLine[] | undefined;
  for (const line of poLines(file.text)) {
    const isBody = /^#~(?!\|)/.test(line.text);
    const isFirst = /^#~[ \t]*(?:msgctxt\b|msgid[ \t]*")/.test(line.text);
    const hasId = current?.some(({ text }) => /^#~[ \t]*msgid[ \t]*"/.test(text)) ?? false;
    if (isBody && current !== undefined && !(isFirst && hasId)) {
      current.push(line);
    } else if (isBody) {
      current = [...above, line];
      found.push(current);
      above = [];
    } else {
      current = undefined;
      above = line.text.startsWith('#') ? [...above, line] : [];
    }
  }
  return found.map((lines) => obsoleteEntry(file, lines));
}

function poLines(text: string): PoLine[] {
  return [...text.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g)].map(
    ({ 0: all, 1: line = '', index }) => ({
      start: index,
      next: index + all.length,
      text: line.trim(),
    }),
  );
}

function obsoleteEntry(file: PoFile, lines: readonly PoLine[]): ObsoleteEntry {
  const literals = new Map<string, string>();
  let word = '';
  for (const { text } of lines) {
    const [, keyword, literal = ''] =
      /^#~[ \t]*(msg[a-z_]+(?:\[\d+\])?)?[ \t]*(".*")/.exec(text) ?? [];
    word = keyword ?? word;
    literals.set(word, (literals.get(word) ?? '') + literal);
  }
  const read = (name: string) => {
    const raw = literals.get(name);
    return raw === undefined ? undefined : file.literals.read(raw);
  };
  const start = lines[0]?.start ?? 0;
  const before = file.text.slice(0, start);
  const blanks = /(?<=^|[\r\n])[\s]*$/.exec(before.slice(-200))?.[0].length ?? 0;
  const id = poId(read('msgctxt'), read('msgid') ?? '');
  return {
    id,
    sources: ['msgid', 'msgid_plural'].flatMap((name) => read(name) ?? []),
    texts: lines.some(isGuess) ? new Map() : wordReadings(id, literals.keys(), read),
    notes: lines.map(({ text }) => text).filter(isTranslators),
    edit: { start: start - blanks, end: lines.at(-1)?.next ?? start, text: '' },
  };
}

function isGuess({ text }: PoLine): boolean {
  return /^#(?:~[ \t]*#)?,.*\bfuzzy\b/.test(text);
}

/** `msgstr` belongs to the entry itself, `msgstr[2]` to its third form. */
function wordReadings(
  id: string,
  words: Iterable<string>,
  read: (word: string) => string | undefined,
): Map<string, string> {
  const texts = new Map<string, string>();
  for (const word of words) {
    const [, form] = /^msgstr(\[\d+\])?$/.exec(word) ?? [word, 'none'];
    const text = read(word) ?? '';
    if (form !== 'none' && text !== '') texts.set(id + (form ?? ''), text);
  }
  return texts;
}
