/**
 * Lines of a page that define a name for its texts: an address, a footnote, an abbreviation, a module, an anchor of front matter. Without
 * its definition a text is read otherwise, or the page has a fault. Pure.
 */
import { TAG } from '../../parsing/markup.ts';
import { endsLine, type FramePiece, isBlankPiece } from './frame.ts';
import { namedLines } from './named-lines.ts';

export interface Definition {
  readonly names: readonly string[];
  /** Indices of its pieces: whole lines. */
  readonly from: number;
  readonly to: number;
  readonly uses: FindUses;
}

/** The names that a text uses, of some names. */
type FindUses = (text: string, names: ReadonlySet<string>) => readonly string[];

/** The names of some definitions that a text uses. */
export function namesUsedIn(text: string, definitions: readonly Definition[]): ReadonlySet<string> {
  const kinds = Map.groupBy(definitions, ({ uses }) => uses);
  return new Set(
    [...kinds].flatMap(([uses, all]) => uses(text, new Set(all.flatMap(({ names }) => names)))),
  );
}

/** Whether a text may have a definition: most have none, and are not searched further. */
export function mayDefine(text: string): boolean {
  return /^ {0,3}\*?\[[^[\]]+\]:|^(?:import|export)\s|[\s[{,]&[\w-]/m.test(text);
}

export function definitionsIn(pieces: readonly FramePiece[]): Definition[] {
  const labels = namedLines(pieces).flatMap(({ name, from, to }): Definition[] =>
    name.startsWith('[')
      ? [{ names: [name], from, to: endOf(pieces, to), uses: usesLabel }]
      : anchorsIn(pieces, from, to),
  );
  const lines = [...pieces.keys()].filter((at) => at === 0 || endsLine(pieces[at - 1] ?? NONE));
  const others = lines.flatMap(
    (from) => abbreviation(pieces, from) ?? statement(pieces, from) ?? [],
  );
  return [...labels, ...others];
}

const NONE: FramePiece = { kind: 'segment', id: '' };

function textAt(pieces: readonly FramePiece[], at: number): string {
  const piece = pieces[at];
  return piece?.kind === 'line' ? piece.text : '';
}

/** A footnote has further paragraphs, which are indented; so is the title of a link on a line of its own. */
function endOf(pieces: readonly FramePiece[], from: number): number {
  for (let to = from; ; ) {
    let next = to;
    for (let piece = pieces[next]; piece && isBlankPiece(piece) && endsLine(piece); ) {
      next += 1;
      piece = pieces[next];
    }
    if (!/^(?:\t| {2})/.test(textAt(pieces, next))) return to;
    while (next < pieces.length && !endsLine(pieces[next] ?? NONE)) next += 1;
    to = Math.min(next + 1, pieces.length);
  }
}

const usesLabel: FindUses = (text, names) =>
  [...text.matchAll(/\[([^[\]\\]+)\](?![(:])/g)].flatMap(([, label = '']) => {
    const plain = label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().toLowerCase();
    return names.has(`[${plain}]`) ? [`[${plain}]`] : [];
  });

function anchorsIn(pieces: readonly FramePiece[], from: number, to: number): Definition[] {
  const text = pieces
    .slice(from, to)
    .map((_, nth) => textAt(pieces, from + nth))
    .join('');
  const names = [...text.matchAll(/(?<=[\s[{,])&([\w-]+)/g)].map(([, name = '']) => name);
  return names.length === 0 ? [] : [{ names, from, to, uses: usesAnchor }];
}

const usesAnchor: FindUses = (text, names) =>
  [...text.matchAll(/(?<=[\s[{,])\*([\w-]+)/g)].flatMap(([, name = '']) =>
    names.has(name) ? [name] : [],
  );

function abbreviation(pieces: readonly FramePiece[], from: number): Definition | undefined {
  const name = /^\*\[([^[\]]+)\]:/.exec(textAt(pieces, from))?.[1];
  if (name === undefined) return undefined;
  return { names: [name], from, to: from + 1, uses: usesWord };
}

const usesWord: FindUses = (text, names) => [...names].filter((name) => wordIn(text, name, ''));

/** @param around further characters of a word */
function wordIn(text: string, word: string, around: string): boolean {
  const own = String.raw`[\p{L}\p{N}_${around}]`;
  return new RegExp(`(?<!${own})${RegExp.escape(word)}(?!${own})`, 'u').test(text);
}

/** An import or export of MDX, up to the next one or an empty line. */
function statement(pieces: readonly FramePiece[], from: number): Definition | undefined {
  if (!STATEMENT.test(textAt(pieces, from))) return undefined;
  let to = from + 1;
  while (to < pieces.length && !isBlankPiece(pieces[to]) && !STATEMENT.test(textAt(pieces, to)))
    to++;
  const text = pieces
    .slice(from, to)
    .map((_, nth) => textAt(pieces, from + nth))
    .join('');
  const names = namesOfStatement(text);
  return names.length === 0 ? undefined : { names, from, to, uses: usesIdentifier };
}

const STATEMENT = /^(?:import|export)\s/;

function namesOfStatement(text: string): string[] {
  const made =
    /^export\s+(?:default\s+)?(?:const|let|var|class|(?:async\s+)?function\*?)\s+([\w$]+)/.exec(
      text,
    );
  if (made?.[1] !== undefined) return [made[1]];
  const clause = /^import\s+([^'"]+?)\s*from\s*['"]/.exec(text)?.[1] ?? '';
  return clause.split(/[,{}]/).flatMap((part) => /([\w$]+)\s*$/.exec(part)?.[1] ?? []);
}

/** A name in the words of a sentence is a word. */
const usesIdentifier: FindUses = (text, names) => {
  const code = [...text.matchAll(CODE)].map(([own]) => own).join('\n');
  return [...names].filter((name) => wordIn(code, name, '$'));
};

const CODE = new RegExp(String.raw`${TAG}|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|^export\s.*$`, 'gm');
