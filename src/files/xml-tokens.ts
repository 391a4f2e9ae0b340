/**
 * Cuts an XML document into tokens with exact offsets: so text can be replaced while all other characters stay (XML 1.0, fifth
 * edition).
 */
import { JobFailure } from '../failure.ts';

export type XmlToken =
  | XmlTag
  | { readonly kind: 'text' | 'cdata' | 'other'; readonly start: number; readonly end: number };

export interface XmlTag {
  readonly kind: 'open' | 'close' | 'empty';
  /** With its prefix. */
  readonly name: string;
  /** UTF-16 offsets of the token, `<` and `>` included. */
  readonly start: number;
  readonly end: number;
}

// Deeper than any real document. Without a limit, a hostile one could use all memory.
const MAX_DEPTH = 5_000;

/**
 * Reads tokens in document order; `other` is a comment, a processing instruction or the XML declaration.
 * @throws JobFailure `malformed` with line and column: where tags do not match, and for any DOCTYPE. A DOCTYPE can declare entities that
 * read files or grow without bound. No office format has one (ECMA-376 part 2, 8.1.4)
 */
export function* xmlTokens(text: string, file: string): Generator<XmlToken> {
  const open: string[] = [];
  let roots = 0;
  for (let at = 0; at < text.length; ) {
    const token = readToken({ text, file }, at);
    if (token.kind === 'open' || token.kind === 'empty') {
      if (open.length === 0) roots++;
      if (open.length > MAX_DEPTH)
        throw fault({ text, file }, at, 'elements are nested too deeply');
    }
    if (token.kind === 'open') open.push(token.name);
    if (token.kind === 'close' && open.pop() !== token.name) {
      throw fault({ text, file }, at, `</${token.name}> closes nothing that is open`);
    }
    yield token;
    at = token.end;
  }
  if (open.length > 0) throw fault({ text, file }, text.length, `<${open.at(-1)}> is never closed`);
  if (roots !== 1) throw fault({ text, file }, 0, `there are ${roots} root elements`);
}

interface Source {
  readonly text: string;
  readonly file: string;
}

function readToken(source: Source, start: number): XmlToken {
  const { text } = source;
  if (text[start] !== '<') {
    const next = text.indexOf('<', start);
    return { kind: 'text', start, end: next < 0 ? text.length : next };
  }
  if (text.startsWith('<!--', start)) {
    return { kind: 'other', start, end: endAfter(source, start, '-->') };
  }
  if (text.startsWith('<![CDATA[', start)) {
    return { kind: 'cdata', start, end: endAfter(source, start, ']]>') };
  }
  if (text.startsWith('<?', start))
    return { kind: 'other', start, end: endAfter(source, start, '?>') };
  if (text.startsWith('<!', start)) throw fault(source, start, 'a DOCTYPE is refused');
  return readTag(source, start);
}

const TAG_NAME = /<\/?([^\s<>/="'!?&]+)/y;
const QUOTE_OR_END = /["'<>]/g;

function readTag(source: Source, start: number): XmlTag {
  const { text } = source;
  TAG_NAME.lastIndex = start;
  const name = TAG_NAME.exec(text)?.[1];
  if (name === undefined) throw fault(source, start, 'this "<" begins no tag');
  const end = endOfTag(source, start);
  if (text[start + 1] === '/') return { kind: 'close', name, start, end };
  return { kind: text[end - 2] === '/' ? 'empty' : 'open', name, start, end };
}

/** A `>` inside quotes ends no tag. */
function endOfTag(source: Source, start: number): number {
  const { text } = source;
  for (let at = start + 1; ; ) {
    QUOTE_OR_END.lastIndex = at;
    const hit = QUOTE_OR_END.exec(text);
    if (hit === null || hit[0] === '<') throw fault(source, start, 'this tag is never closed');
    if (hit[0] === '>') return hit.index + 1;
    const closing = text.indexOf(hit[0], hit.index + 1);
    if (closing < 0) throw fault(source, start, 'a quote in this tag is never closed');
    at = closing + 1;
  }
}

function endAfter(source: Source, start: number, mark: string): number {
  const at = source.text.indexOf(mark, start);
  if (at < 0) throw fault(source, start, `"${mark}" is missing`);
  return at + mark.length;
}

function fault({ text, file }: Source, at: number, message: string): JobFailure {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  return new JobFailure({ kind: 'malformed', where: { file, line, column }, message });
}

/** The raw value of an attribute of a tag, given the tag's own text; undefined when it has none of that name. */
export function rawAttribute(tag: string, name: string): string | undefined {
  for (const [, found, , double, single] of tag.matchAll(ATTRIBUTE)) {
    if (found === name) return double ?? single;
  }
  return undefined;
}

const ATTRIBUTE = /\s([^\s=<>"'/]+)\s*=\s*("([^"]*)"|'([^']*)')/g;
