/** Reads and evaluates the plural formula of gettext (`nplurals=3; plural=n==1 ? 0 : …`), without eval. Pure. */

export interface PluralForms {
  /** How many forms there are. */
  readonly count: number;
  /** The form for a number; 0 where the formula names one that is not there, as gettext does it. */
  indexOf(n: number): number;
}

/** Longer formulas than this are not formulas; the longest known one has 132 characters. */
const MAX_LENGTH = 1000;

/** @returns undefined when the value of a `Plural-Forms` header cannot be read, or counts no form */
export function parsePluralForms(header: string): PluralForms | undefined {
  const match = /^\s*nplurals\s*=\s*(\d{1,2})\s*;\s*plural\s*=([^;]+);?\s*$/.exec(header);
  const count = Number(match?.[1] ?? 0);
  const formula = match?.[2] ?? '';
  if (count === 0 || formula.length > MAX_LENGTH) return undefined;
  const tokens = formula.match(/\d+|n|&&|\|\||[=!<>]=|[<>?:+\-*/%!()]|\S/g) ?? [];
  const reader: FormulaReader = { tokens, position: 0 };
  const evaluate = readConditional(reader);
  if (evaluate === undefined || reader.position !== tokens.length) return undefined;
  return {
    count,
    indexOf(n) {
      const index = evaluate(n);
      return Number.isInteger(index) && index >= 0 && index < count ? index : 0;
    },
  };
}

type Evaluate = (n: number) => number;

interface FormulaReader {
  readonly tokens: readonly string[];
  position: number;
}

function accept(reader: FormulaReader, token: string): boolean {
  if (reader.tokens[reader.position] !== token) return false;
  reader.position++;
  return true;
}

function readConditional(reader: FormulaReader): Evaluate | undefined {
  const condition = readBinary(reader, 0);
  if (condition === undefined || !accept(reader, '?')) return condition;
  const yes = readConditional(reader);
  const no = accept(reader, ':') ? readConditional(reader) : undefined;
  if (yes === undefined || no === undefined) return undefined;
  return (n) => (condition(n) ? yes(n) : no(n));
}

type Operator = (left: number, right: number) => number;

/** From the loosest to the tightest, as in C. */
const LEVELS: readonly Readonly<Record<string, Operator>>[] = [
  { '||': (a, b) => Number(a !== 0 || b !== 0) },
  { '&&': (a, b) => Number(a !== 0 && b !== 0) },
  { '==': (a, b) => Number(a === b), '!=': (a, b) => Number(a !== b) },
  {
    '<=': (a, b) => Number(a <= b),
    '>=': (a, b) => Number(a >= b),
    '<': (a, b) => Number(a < b),
    '>': (a, b) => Number(a > b),
  },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  { '*': (a, b) => a * b, '/': (a, b) => Math.trunc(a / b), '%': (a, b) => a % b },
];

function readBinary(reader: FormulaReader, level: number): Evaluate | undefined {
  const operators = LEVELS[level];
  if (operators === undefined) return readUnary(reader);
  let left = readBinary(reader, level + 1);
  for (;;) {
    const operator = operators[reader.tokens[reader.position] ?? ''];
    if (left === undefined || operator === undefined) return left;
    reader.position++;
    left = combine(operator, left, readBinary(reader, level + 1));
  }
}

function combine(operator: Operator, left: Evaluate, right: Evaluate | undefined) {
  return right && ((n: number) => operator(left(n), right(n)));
}

function readUnary(reader: FormulaReader): Evaluate | undefined {
  if (accept(reader, '!')) {
    const operand = readUnary(reader);
    return operand && ((n) => Number(operand(n) === 0));
  }
  if (accept(reader, '(')) {
    const inner = readConditional(reader);
    return accept(reader, ')') ? inner : undefined;
  }
  const token = reader.tokens[reader.position++] ?? '';
  if (token === 'n') return (n) => n;
  return /^\d+$/.test(token) ? () => Number(token) : undefined;
}
