/** A Markdown text as mdast with offsets; the dialect (plain or MDX) brings its own extensions. */
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { malformed } from '../text/position.ts';
import { FRONT_MATTERS } from './front-matter-fences.ts';
import { withBoxesAsLists, withDirectContentAsWords } from './markdown-boxes.ts';
import { JOINED_DATA } from './markdown-data.ts';
import { CODE_OR_COMMENT } from './markdown-markers.ts';

export type Root = ReturnType<typeof fromMarkdown>;
export type Nodes = Root | Root['children'][number];
export type NodeOf<T extends Nodes['type']> = Extract<Nodes, { type: T }>;
/** An inline node of a paragraph. */
export type Inline = NodeOf<'paragraph'>['children'][number];

/** The extensions that a dialect adds to CommonMark, GFM and front matter. */
export interface MarkdownDialect {
  readonly name: 'markdown' | 'mdx';
  /** UTF-16 units: the least part of a page that is parsed alone; infinite: the whole page. */
  readonly leastPiece: number;
  readonly extensions: NonNullable<Options['extensions']>;
  readonly mdastExtensions: NonNullable<Options['mdastExtensions']>;
}

export function isOnePiece({ leastPiece }: MarkdownDialect): boolean {
  return !Number.isFinite(leastPiece);
}

const GFM = gfm();
// The transform finds more addresses in texts, but its nodes have no position.
const GFM_NODES = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));

type Extension = NonNullable<Options['extensions']>[number];
type Construct = Exclude<NonNullable<NonNullable<Extension['text']>[string]>, readonly unknown[]>;

interface Place {
  /** For messages. */
  readonly file: string;
  /** The text begins where its page begins, so it may begin with front matter. */
  readonly isStart: boolean;
  /** The labels of definitions elsewhere in the page: `[label`, or `^label` for a footnote. */
  readonly labels: readonly string[];
}

/** Throws JobFailure `malformed` with line and column; plain Markdown always parses. */
export function parseMarkdown(text: string, dialect: MarkdownDialect, place: Place): Root {
  const isMdx = dialect.name === 'mdx';
  const read = isMdx ? withoutComments(withoutHeadingIds(text)) : withBoxesAsLists(text);
  return parsed({ text, read }, dialect, place);
}

/** As earlier versions parsed a part of a page. Undefined: as today. */
export function parseAsBefore(text: string, dialect: MarkdownDialect): Root | undefined {
  const read = dialect.name === 'mdx' ? undefined : withDirectContentAsWords(text);
  const place = { file: '', isStart: false, labels: [] };
  return read === undefined ? undefined : parsed({ text, read }, dialect, place);
}

/** @param read the text with other characters in some places, for the parser */
function parsed(
  { text, read }: { readonly text: string; readonly read: string },
  dialect: MarkdownDialect,
  { file, isStart, labels }: Place,
): Root {
  const matters = FRONT_MATTERS.filter(({ whole }) => isStart && whole.test(text)).map(
    ({ kind }) => kind,
  );
  try {
    return fromMarkdown(read, {
      extensions: [frontmatter(matters), GFM, ...dialect.extensions, defining(labels), JOINED_DATA],
      mdastExtensions: [frontmatterFromMarkdown(matters), GFM_NODES, ...dialect.mdastExtensions],
    });
  } catch (error) {
    throw malformed(file, { text, offset: faultOffset(error) }, faultReason(error));
  }
}

/**
 * Tells the parser that these labels are defined. It must know this before it reads the end of a reference. Definitions cannot be written
 * before the text. A normalized label may be too long for a definition, and a footnote would take indented code behind it.
 */
function defining(labels: readonly string[]): Extension {
  if (labels.length === 0) return {};
  const prepared = new WeakSet<object>();
  const construct: Construct = {
    tokenize(_, __, nok) {
      const { parser } = this;
      if (!prepared.has(parser)) {
        prepared.add(parser);
        parser.gfmFootnotes ??= [];
        const { gfmFootnotes: footnotes, defined } = parser;
        for (const label of labels)
          (label.startsWith('^') ? footnotes : defined).push(label.slice(1).toUpperCase());
      }
      return nok;
    },
  };
  return { text: { [OPENS]: construct, [CLOSES]: construct } };
}

const OPENS = '['.charCodeAt(0);
const CLOSES = ']'.charCodeAt(0);

/**
 * `## Title {#id}`: site generators read the id before MDX, which would take the braces for JavaScript. Blanks replace it so that offsets
 * stay: the id is not text, and each language keeps its own.
 */
function withoutHeadingIds(text: string): string {
  return text.replace(
    /^([ \t>]{0,12}#{1,6}[ \t][^\r\n]*?)(\{#[^{}\r\n]*\})(?=[ \t]*$)/gm,
    (_, title: string, id: string) => title + ' '.repeat(id.length),
  );
}

/** Docusaurus reads comments of HTML, which MDX does not have. Blanks replace them. */
function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text;
  return text.replace(CODE_OR_COMMENT, (found) =>
    found.startsWith('<!--') ? found.replace(/[^\r\n]/g, ' ') : found,
  );
}

// micromark throws a VFileMessage, whose place is a point or a position.
function faultOffset(error: unknown): number {
  const place = (error as { place?: { offset?: number; start?: { offset?: number } } }).place;
  return place?.offset ?? place?.start?.offset ?? 0;
}

function faultReason(error: unknown): string {
  if (error instanceof Error && error.cause instanceof RangeError) return error.cause.message;
  const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  if (reason.startsWith('Could not parse expression')) {
    return 'the content of these braces is no JavaScript';
  }
  return reason.startsWith('Could not parse import/exports')
    ? 'this import or export is no JavaScript'
    : reason;
}

/** The offsets of a node; every parsed node has them. */
export function nodeSpan(node: Nodes): { readonly start: number; readonly end: number } {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  if (start === undefined || end === undefined) throw new TypeError(`${node.type} has no place`);
  return { start, end };
}
