/** What tells a `.md` page that is MDX from plain Markdown: module statements and components at the margin, outside of code. Pure. */
import { frontMatterLength } from './front-matter-fences.ts';

/** An MDX page is parsed as a whole: a longer one takes too much memory. */
const LONGEST_PAGE = 1_000_000;

const STRING = String.raw`(?:"[^"\r\n]+"|'[^'\r\n]+')`;
const IMPORT = String.raw`import\s+(?:[\w$*][\w$*\s,{}]{0,2000}?\sfrom\s+|\{[\w$\s,]{0,2000}\}\s*from\s+)?${STRING}[ \t]*;?[ \t]*(?=[\r\n]|$)`;
const JS_NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const EXPORT = [
  String.raw`(?:const|let|var)\s+(?:${JS_NAME}\s*=|[[{])`,
  String.raw`(?:default\s+)?(?:async\s+)?function\s*\*?\s*(?:${JS_NAME})?\s*\(`,
  String.raw`(?:default\s+)?class\s+(?:${JS_NAME}\s+extends\s[^{\r\n]{1,500}|${JS_NAME}\s*)?\{`,
  String.raw`default\s+(?:[({[]|${JS_NAME};)`,
  String.raw`(?:\*(?:\s+as\s+${JS_NAME})?|\{[\w$\s,]{0,2000}\})\s*from\s+${STRING}`,
].join('|');

// Both are made at their first use: with others like them, they took 3 ms of the start of each command.
let statement: RegExp | undefined;
let moduleOnly: RegExp | undefined;

/** HTML in capital letters is no component. */
const COMPONENT = /^ {0,3}<[A-Z][\w.]*[a-z][\w.]*(?=[\s/>]|$)/;

/** Whether a paragraph consists of import and export statements. The words "import" and "export" alone are text. */
export function isModule(paragraph: string): boolean {
  if (!/^(?:im|ex)port\b/.test(paragraph)) return false;
  moduleOnly ??= new RegExp(`^(?:(?:${IMPORT})\\s*)*(?:export\\s+(?:${EXPORT})[\\s\\S]*)?$`, 'u');
  return moduleOnly.test(paragraph);
}

/**
 * The statements of such a paragraph, one line each; its line breaks may have been read as blanks. Undefined: it is another paragraph.
 */
export function moduleLinesOf(paragraph: string): string[] | undefined {
  if (!/^(?:im|ex)port\b/.test(paragraph)) return undefined;
  const lines = paragraph.split(/(?<=["'][ \t]*;?)\s+(?=(?:im|ex)port\b)/);
  return isModule(lines.join('\n')) ? lines : undefined;
}

const MAY_SHOW = /^(?:import|export)\s|^ {0,3}<[A-Z]/m;

/**
 * Whether a block at the margin begins with an import or export, or with the tag of a component. A page with a `<script>` of its own is
 * one of Vue, as VitePress has it.
 */
export function showsMdx(text: string): boolean {
  if (text.length > LONGEST_PAGE || !MAY_SHOW.test(text)) return false;
  const page = new PageLines();
  let isMdx = false;
  let offset = frontMatterLength(text);
  statement ??= new RegExp(`${IMPORT}|export\\s+(?:${EXPORT})`, 'uy');
  for (const line of text.slice(offset).split(/(?<=\n|\r(?!\n))/)) {
    const kind = page.kindOf(line);
    if (kind === 'script') return false;
    statement.lastIndex = offset;
    if (kind === 'start') isMdx ||= COMPONENT.test(line) || statement.test(text);
    offset += line.length;
  }
  return isMdx;
}

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/;

/** Reads the lines of a page in order, and knows which of them are in code or in a comment. */
class PageLines {
  /** Ends the code or comment that is open. */
  #end: RegExp | undefined;
  #isBehindBlank = true;

  /** `start`: the first line of a block, or `inside` one. */
  kindOf(line: string): 'start' | 'inside' | 'script' {
    if (this.#end !== undefined) {
      if (this.#end.test(line)) this.#end = undefined;
      return 'inside';
    }
    const isStart = this.#isBehindBlank;
    this.#isBehindBlank = line.trim() === '';
    if (/^ {0,3}<script[\s>]/i.test(line)) return 'script';
    this.#end = opened(line);
    return isStart && this.#end === undefined ? 'start' : 'inside';
  }
}

function opened(line: string): RegExp | undefined {
  const [, fence] = FENCE.exec(line) ?? [];
  if (fence !== undefined)
    return new RegExp(`^[ \\t>]*[${fence.charAt(0)}]{${fence.length},}[ \\t]*[\\r\\n]*$`);
  if (/^ {0,3}<!--/.test(line) && !line.includes('-->')) return /-->/;
  return /^ {0,3}<(?:style|pre|textarea)[\s>]/i.test(line) &&
    !/<\/(?:style|pre|textarea)>/i.test(line)
    ? /<\/(?:style|pre|textarea)>/i
    : undefined;
}
