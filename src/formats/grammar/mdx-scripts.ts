/** Reads the JavaScript of MDX pages. The parser of MDX asks whether it is valid, and for little of its tree. Pure. */
import { type Expression, type Node, type Options, Parser, type Program } from 'acorn';
import jsx from 'acorn-jsx';

const SCRIPT = Parser.extend(jsx());

/** Comments are read, and not kept. */
const NOT_KEPT = () => {};

/**
 * Acorn for the parser of MDX. That parser computes the place of each node that it sees, by a walk over all lines: 8,000 imports took 4 s.
 * So it sees statements and expressions without their content, and no comments.
 */
export const SCRIPTS = {
  parse(text: string, options: Options): Program {
    // The names that earlier blocks import.
    const [names] = /^var [^\n]*/.exec(text) ?? [];
    if (names === undefined) return statementsOf(text, options);
    const { length } = names;
    const [declaration] = SCRIPT.parse('var x', options).body;
    const program = statementsOf(' '.repeat(length) + text.slice(length), options);
    if (declaration !== undefined) program.body.unshift(declaration);
    return program;
  },

  parseExpressionAt(text: string, offset: number, options: Options): Expression {
    refuseOpenBrackets(text);
    const expression = SCRIPT.parseExpressionAt(text, offset, { ...options, onComment: NOT_KEPT });
    hideContent(expression);
    lastRead = UNREAD;
    return expression;
  },
};

function statementsOf(text: string, options: Options): Program {
  const program = SCRIPT.parse(text, { ...options, onComment: NOT_KEPT });
  program.body.forEach(hideFields);
  return program;
}

/** The parser of MDX looks through parentheses, and at the fields of an object. */
function hideContent(expression: Expression): void {
  if (expression.type === 'ParenthesizedExpression') hideContent(expression.expression);
  else if (expression.type === 'ObjectExpression') expression.properties.forEach(hideFields);
  else hideFields(expression);
}

function hideFields(node: Node): void {
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'object') Object.defineProperty(node, name, { enumerable: false });
  }
}

/** How far a text was read, and how many of its brackets are open there. */
interface ReadScript {
  readonly text: string;
  readonly end: number;
  readonly open: number;
  /** How often the expression did not end at a closing brace. */
  readonly braces: number;
}

const UNREAD: ReadScript = { text: '', end: 0, open: 0, braces: 0 };

/**
 * The parser of MDX asks at each closing brace of an expression whether the expression ends there. Acorn then reads all of it again: a list
 * of 4,000 objects took 11 s. Open brackets alone say no, and each text is read on from the one before.
 */
let lastRead = UNREAD;

/** The parser of MDX itself collects the whole expression for each question: 4,000 on lines of their own took 5 s. */
const MOST_BRACES = 3000;
const TOO_MANY_BRACES = `these braces have more than ${MOST_BRACES} others inside; move them into a file that the page imports`;

/** A bracket, or what has none. Comments, regular expressions, templates and elements are left to Acorn, and so is an open string. */
const BRACKETS =
  /[{([]|[})\]]|(?:[^"'`/<{}()[\]]+|"(?:[^"\\\r\n]|\\[^\r\n])*"|'(?:[^'\\\r\n]|\\[^\r\n])*')/y;

/**
 * The first expression of a page with so many braces that its parser would refuse it, after seconds. Only expressions of brackets,
 * strings and words are counted to their end.
 * @param from where the front matter ends
 */
export function manyBracesIn(
  text: string,
  from = 0,
): { readonly offset: number; readonly what: string } | undefined {
  if (text.split('}', MOST_BRACES + 2).length < MOST_BRACES + 2) return undefined;
  for (let offset = text.indexOf('{', from); offset !== -1; ) {
    const isEscaped = text[offset - 1] === '\\';
    const { end, braces } = isEscaped ? { end: offset + 1, braces: 0 } : readBraces(text, offset);
    if (braces > MOST_BRACES) return { offset, what: TOO_MANY_BRACES };
    offset = text.indexOf('{', end);
  }
  return undefined;
}

/** Reads an expression until its braces are closed, or something else than brackets, strings and words follows. */
function readBraces(
  text: string,
  start: number,
): { readonly end: number; readonly braces: number } {
  let [end, open, braces] = [start, 0, 0];
  BRACKETS.lastIndex = start;
  for (let found = BRACKETS.exec(text); found !== null; found = BRACKETS.exec(text)) {
    end = BRACKETS.lastIndex;
    if (/^[{([]/.test(found[0])) open += 1;
    else if (/^[})\]]/.test(found[0])) open -= 1;
    if (open === 0) break;
    if (found[0] === '}') braces += 1;
  }
  return { end, braces };
}

function refuseOpenBrackets(text: string): void {
  const isLonger = text.length > lastRead.text.length && text.startsWith(lastRead.text);
  const before = isLonger ? lastRead : UNREAD;
  let { end, open } = before;
  BRACKETS.lastIndex = end;
  for (let found = BRACKETS.exec(text); found !== null; found = BRACKETS.exec(text)) {
    end = BRACKETS.lastIndex;
    if (/^[{([]/.test(found[0])) open += 1;
    else if (/^[})\]]/.test(found[0])) open -= 1;
  }
  lastRead = { text, end, open, braces: before.braces + 1 };
  if (lastRead.braces > MOST_BRACES) {
    throw Object.assign(new RangeError(TOO_MANY_BRACES), { pos: 0, raisedAt: 0 });
  }
  if (end === text.length && open > 0) {
    throw Object.assign(new SyntaxError('more is missing'), { pos: end, raisedAt: end });
  }
}
