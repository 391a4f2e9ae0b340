/** The object literals that a JavaScript or TypeScript module exports or has in constants, with spans, parsed by Babel. */
import { type ParserPlugin, parse } from '@babel/parser';
import { malformed, unexpectedAt } from '../text/position.ts';
import type { LiteralEntry, LiteralNode } from './literal-tree.ts';

type JsStatement = ReturnType<typeof parse>['program']['body'][number];
type Expression = Extract<JsStatement, { readonly type: 'ExpressionStatement' }>['expression'];
type ObjectMember = Extract<
  Expression,
  { readonly type: 'ObjectExpression' }
>['properties'][number];
type Property = Extract<ObjectMember, { readonly type: 'ObjectProperty' }>;

/**
 * A single literal is the root; several are children of a root, under their names. A module without one may export a call with one:
 * `defineMessages({ … })`. Throws JobFailure `malformed` with line and column.
 */
export function parseJsTree(text: string, file: string): LiteralNode {
  const statements = parseModule(text, file);
  const literals = statements.flatMap((node) => rootsOf(node, literalOf));
  const roots =
    literals.length === 0
      ? statements.filter(isExport).flatMap((node) => rootsOf(node, argumentOf))
      : literals;
  const [only] = roots;
  if (only !== undefined && roots.length === 1) {
    const node = nodeOf(only.value, text);
    const isPart = statements
      .filter(isExport)
      .some((each) => rootsOf(each, mergedWith(only)).length > 0);
    return isPart && node.kind === 'object' ? { ...node, isPart } : node;
  }
  const children = roots.map(({ name, value }): LiteralEntry => {
    const { start, end } = jsSpan(value);
    return { step: name, start, keyEnd: start, end, value: nodeOf(value, text) };
  });
  return { kind: 'object', isFrame: true, start: 0, end: text.length, children };
}

interface JsRoot {
  readonly name: string;
  readonly value: Expression;
}

function parseModule(text: string, file: string): readonly JsStatement[] {
  try {
    return parse(text, {
      sourceType: 'module',
      plugins: pluginsFor(file),
      allowReturnOutsideFunction: true,
      createParenthesizedExpressions: false,
    }).program.body;
  } catch (error) {
    const offset = (error as { pos?: number }).pos ?? 0;
    const message = error instanceof Error ? error.message : String(error);
    const isToken = message.startsWith('Unexpected token');
    const at = { text, offset };
    throw malformed(file, at, isToken ? unexpectedAt(at) : message.replace(/ \(\d+:\d+\)$/, ''));
  }
}

// `<Text>x` is a cast in `.ts` files, an element in `.tsx` files.
function pluginsFor(file: string): ParserPlugin[] {
  const extension = /\.[cm]?([jt]sx?)$/i.exec(file)?.[1]?.toLowerCase();
  if (extension === 'ts') return ['typescript'];
  return extension === 'tsx' ? ['typescript', 'jsx'] : ['jsx'];
}

function rootsOf(
  node: JsStatement,
  textsIn: (node: Expression) => Expression | undefined,
): JsRoot[] {
  const root = (name: string, node: Expression): JsRoot[] => {
    const value = textsIn(withoutTypes(node));
    return value === undefined ? [] : [{ name, value }];
  };
  switch (node.type) {
    case 'ExportDefaultDeclaration':
      return root('default', node.declaration as Expression);
    case 'ExportNamedDeclaration':
      return node.declaration ? rootsOf(node.declaration, textsIn) : [];
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id, init }) =>
        id.type === 'Identifier' && init ? root(id.name, init) : [],
      );
    case 'TSExportAssignment':
      return root('default', node.expression);
    case 'ExpressionStatement':
      return node.expression.type === 'AssignmentExpression'
        ? root('default', node.expression.right)
        : [];
    default:
      return [];
  }
}

/** Calls that a module does not export make other things than texts: `const i18n = createI18n({ … })`. */
function isExport({ type }: JsStatement): boolean {
  return type !== 'VariableDeclaration';
}

function literalOf(node: Expression): Expression | undefined {
  return node.type === 'ObjectExpression' || node.type === 'ArrayExpression' ? node : undefined;
}

/** The only argument of a call: `Object.freeze({ … })`. */
function argumentOf(node: Expression): Expression | undefined {
  const [only, ...others] = node.type === 'CallExpression' ? node.arguments : [];
  if (only === undefined || others.length > 0) return undefined;
  return literalOf(withoutTypes(only as Expression));
}

/** `Object.assign({}, base, { … })`: the named literal is a part of what a module exports. */
function mergedWith({ name }: JsRoot): (node: Expression) => Expression | undefined {
  return (node) => {
    if (node.type !== 'CallExpression') return undefined;
    const { callee, arguments: parts } = node;
    const called = callee.type === 'MemberExpression' ? callee.property : callee;
    if (called.type !== 'Identifier' || !/assign|merge|extend|defaults/i.test(called.name))
      return undefined;
    const isNamed = parts.some((part) => part.type === 'Identifier' && part.name === name);
    const others = parts.map((part) => withoutTypes(part as Expression));
    return isNamed
      ? others.find((part) => part.type === 'ObjectExpression' && part.properties.length > 0)
      : undefined;
  };
}

/** The object inside `{ … } as const satisfies Texts`. */
function withoutTypes(node: Expression): Expression {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return withoutTypes(node.expression);
    default:
      return node;
  }
}

function nodeOf(typed: Expression, text: string): LiteralNode {
  const node = withoutTypes(typed);
  const { start, end } = jsSpan(node);
  switch (node.type) {
    case 'ObjectExpression':
      return {
        kind: 'object',
        start,
        end,
        children: node.properties.map((member) => memberOf(member, text)),
      };
    case 'ArrayExpression':
      return { kind: 'list', start, end, children: elementsOf(node.elements, text) };
    case 'StringLiteral':
      return { kind: 'string', start, end };
    case 'TemplateLiteral':
      return node.expressions.length === 0
        ? { kind: 'string', start, end }
        : { kind: 'literal', start, end, isLocal: true };
    case 'NumericLiteral':
    case 'BooleanLiteral':
    case 'BigIntLiteral':
    case 'RegExpLiteral':
      return { kind: 'literal', start, end };
    case 'NullLiteral':
      return { kind: 'literal', start, end, isNull: true };
    case 'Identifier':
      return node.name === 'undefined'
        ? { kind: 'literal', start, end, isLocal: true, isNull: true }
        : expression(node);
    default:
      return expression(node);
  }
}

type ArrayElements = Extract<Expression, { readonly type: 'ArrayExpression' }>['elements'];

function elementsOf(elements: ArrayElements, text: string): LiteralEntry[] {
  return elements.flatMap((element, step): LiteralEntry[] => {
    if (element === null) return [];
    const { start, end } = jsSpan(element);
    const value = element.type === 'SpreadElement' ? expression(element) : nodeOf(element, text);
    return [{ step, start, keyEnd: start, end, value }];
  });
}

// Spreads, methods and computed keys are entries too, so a group with one is never empty. `['a']` has a name: nothing is put beside it.
function memberOf(member: ObjectMember, text: string): LiteralEntry {
  const { start, end } = jsSpan(member);
  const isProperty = member.type === 'ObjectProperty';
  const name = isProperty && member.computed ? keyInBrackets(member.key) : undefined;
  if (isProperty && name !== undefined) {
    const keyEnd = text.indexOf(']', jsSpan(member.key).end) + 1;
    return { step: name, start, keyEnd, end, value: expression(member) };
  }
  if (member.type === 'SpreadElement' || member.computed || jsSpan(member.key).start > start) {
    return { step: `\0${start}`, start, keyEnd: start, end, value: expression(member) };
  }
  if (member.type === 'ObjectMethod' || member.shorthand) {
    const keyEnd = jsSpan(member.key).end;
    return { step: propertyName(member.key), start, keyEnd, end, value: expression(member) };
  }
  const value = nodeOf(member.value as Expression, text);
  return { step: propertyName(member.key), start, keyEnd: jsSpan(member.key).end, end, value };
}

/** Undefined for a key that only the program knows. */
function keyInBrackets(key: Property['key']): string | undefined {
  if (key.type === 'StringLiteral' || key.type === 'NumericLiteral') return propertyName(key);
  if (key.type !== 'TemplateLiteral' || key.expressions.length > 0) return undefined;
  return key.quasis[0]?.value.cooked ?? undefined;
}

function propertyName(key: Property['key']): string {
  if (key.type === 'Identifier') return key.name;
  return String((key as { readonly value?: unknown }).value);
}

/** Code without anything to translate. */
function expression(node: Spanned): LiteralNode {
  return { kind: 'literal', ...jsSpan(node), isLocal: true };
}

interface Spanned {
  readonly start?: number | null;
  readonly end?: number | null;
}

/** Babel's type has optional offsets; parsed nodes always have them. */
function jsSpan({ start, end }: Spanned): { readonly start: number; readonly end: number } {
  return { start: start ?? 0, end: end ?? 0 };
}
