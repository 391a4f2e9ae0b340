/**
 * Lines of a page that have a name: an entry of front matter has its key, a link definition and a footnote have their label. A page has
 * each name once, and its place says nothing. No other file reads these names. Pure.
 */
import { blockIn } from './block-syntax.ts';
import { endsLine, type FramePiece } from './frame.ts';

export interface NamedLines {
  readonly name: string;
  /** Indices of its pieces. */
  readonly from: number;
  readonly to: number;
  /** Whole lines without texts: they can be written at another place. */
  readonly isFrame: boolean;
}

/** @param line of a page, or its beginning before a text; @returns its name, if it begins a definition or a footnote */
export function labelIn(line: string): string | undefined {
  const label = /^ {0,3}\[([^[\]\\]+)\]:/.exec(line)?.[1]?.trim().replace(/\s+/g, ' ');
  // CommonMark 4.7 calls labels the same that differ in case alone.
  return label && `[${label.toLowerCase().toUpperCase().toLowerCase()}]`;
}

export function namedLines(pieces: readonly FramePiece[]): NamedLines[] {
  const lines = startsOfLines(pieces);
  const end = matterEnd(lines);
  const named = [...matterNames(lines.slice(0, end)), ...labels(lines.slice(end))];
  return named.map((each) => {
    const own = pieces.slice(each.from, each.to);
    return { ...each, isFrame: each.isFrame && own.every(endsLine) };
  });
}

interface StartOfLine {
  /** Up to its first text. */
  readonly text: string;
  /** Indices of its pieces. */
  readonly from: number;
  readonly to: number;
  readonly hasText: boolean;
}

function startsOfLines(pieces: readonly FramePiece[]): StartOfLine[] {
  const starts = [...pieces.keys()].filter((at) => at === 0 || endsLine(pieces[at - 1] ?? TEXT));
  return starts.map((from, nth) => {
    const { text } = { text: '', ...(pieces[from] ?? TEXT) };
    const to = starts[nth + 1] ?? pieces.length;
    const hasText = pieces.slice(from, to).some(({ kind }) => kind === 'segment');
    return { text: text.replace(/(?<![\r\n])[\r\n]+$/, ''), from, to, hasText };
  });
}

const TEXT: FramePiece = { kind: 'segment', id: '' };

/** Number of lines of front matter, with its upper fence. */
function matterEnd(lines: readonly StartOfLine[]): number {
  const fence = lines[0]?.text.trimEnd() ?? '';
  if ((fence !== '---' && fence !== '+++') || isRule(lines)) return 0;
  return Math.max(
    0,
    lines.findIndex(({ text }, at) => at > 0 && text.trimEnd() === fence),
  );
}

/** Whether a fence at the start of a page is a rule, as for the reader of pages. A blank line is below it, and then no key. */
export function isRule(
  lines: readonly { readonly text: string; readonly hasText: boolean }[],
): boolean {
  const [fence, first, ...others] = lines;
  if (fence?.text.trimEnd() !== '---' || first?.text.trim() !== '' || first.hasText) return false;
  const shown = others.find(({ text, hasText }) => hasText || !/^\s*(?:#.*)?$/.test(text));
  return shown !== undefined && !(KEYS.get('---')?.test(shown.text) ?? false);
}

const KEYS: ReadonlyMap<string, RegExp> = new Map([
  ['---', /^([\w.-]+|"[^"]+"|'[^']+')\s*:(?:\s|$)/],
  ['+++', /^([\w.-]+|"[^"]+"|'[^']+')\s*=/],
]);

/** Keys with what is below them. Keys in a table of TOML are not known. */
function matterNames([fence, ...lines]: readonly StartOfLine[]): NamedLines[] {
  const sign = fence?.text.trimEnd() ?? '';
  const key = KEYS.get(sign);
  const table = lines.findIndex(({ text }) => sign === '+++' && text.startsWith('['));
  const found: NamedLines[] = [];
  let open: NamedLines | undefined;
  for (const { text, from, to } of lines.slice(0, table < 0 ? lines.length : table)) {
    if (text.trim() === '') continue;
    const name = key?.exec(text)?.[1];
    if (name !== undefined) {
      open = { name, from, to, isFrame: true };
      found.push(open);
    } else if (open !== undefined && /^(?:[ \t\]})]|- )/.test(text)) {
      open = { ...open, to };
      found.splice(-1, 1, open);
    } else {
      open = undefined;
    }
  }
  return found;
}

/** The labels of definitions and footnotes outside of code. */
function labels(lines: readonly StartOfLine[]): NamedLines[] {
  let code: string | undefined;
  return lines.flatMap(({ text, from, to }, at) => {
    const block = text.includes('```') || text.includes('~~~') ? blockIn(text) : undefined;
    if (block?.kind === 'fence') {
      const isEnd = code !== undefined && block.isBare && block.fence.startsWith(code);
      code = isEnd ? undefined : (code ?? block.fence);
      return [];
    }
    const name = code === undefined ? labelIn(text) : undefined;
    // A title or further paragraphs may be below.
    const isFrame = !/^[ \t]+\S/.test(lines[at + 1]?.text ?? '');
    return name === undefined ? [] : [{ name, from, to, isFrame }];
  });
}
