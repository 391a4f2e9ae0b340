/** The object literals that a JavaScript or TypeScript module exports or keeps in constants, with spans, over acorn. */
import { stripTypeScriptTypes } from 'node:module';
import {
  type AnyNode,
  type Expression,
  type Node,
  type Property,
  parse,
  type SpreadElement,
} from 'acorn';
import { malformed } from '../text/position.ts';
import type { LiteralEntry, LiteralNode } from './literal-tree.ts';

/** One literal is the root itself; several stand in it under their names. Throws JobFailure `malformed` with line and column. */
export function parseJsTree(text: string, file: string): LiteralNode {
  const roots = parseModule(text, file).flatMap((node) => rootsOf(node));
  const [only] = roots;
  if (only !== undefined && roots.length === 1) return nodeOf(only.value);
  const children = roots.map(({ name, value }): LiteralEntry => {
    const { start, end } = value;
    return { step: name, start, keyEnd: start, end, value: nodeOf(value) };
  });
  return { kind: 'object', isFrame: true, start: 0, end: text.length, children };
}

interface Root {
  readonly name: string;
  readonly value: Expression;
}

function parseModule(text: string, file: string): readonly AnyNode[] {
  const code = /\.[cm]?tsx?$/.test(file) ? stripped(text, file) : text;
  try {
    const { body } = parse(code, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowReturnOutsideFunction: true,
    });
    return body;
  } catch (error) {
    const offset = (error as { pos?: number }).pos ?? 0;
    const message = error instanceof Error ? error.message : String(error);
    throw malformed(file, { text, offset }, message.replace(/ \(\d+:\d+\)$/, ''));
  }
}

// Types become blanks, so that every offset stays (Node, `module.stripTypeScriptTypes`, mode "strip").
function stripped(text: string, file: string): string {
  try {
    return stripTypeScriptTypes(text, { mode: 'strip' });
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw malformed(file, { text, offset: 0 }, `not TypeScript that can be stripped: ${message}`);
  }
}

function rootsOf(node: AnyNode): Root[] {
  switch (node.type) {
    case 'ExportDefaultDeclaration':
      return literal('default', node.declaration);
    case 'ExportNamedDeclaration':
      return node.declaration ? rootsOf(node.declaration) : [];
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id, init }) =>
        id.type === 'Identifier' && init ? literal(id.name, init) : [],
      );
    case 'ExpressionStatement':
      return node.expression.type === 'AssignmentExpression'
        ? literal('default', node.expression.right)
        : [];
    default:
      return [];
  }
}

function literal(name: string, node: Node): Root[] {
  const value = node as Expression;
  return value.type === 'ObjectExpression' || value.type === 'ArrayExpression'
    ? [{ name, value }]
    : [];
}

function nodeOf(node: Expression): LiteralNode {
  const { start, end } = node;
  if (node.type === 'ObjectExpression') {
    const children = node.properties.map(memberOf);
    return { kind: 'object', start, end, children };
  }
  if (node.type === 'ArrayExpression') {
    const children = node.elements.flatMap((element, step): LiteralEntry[] => {
      if (element === null) return [];
      const value = element.type === 'SpreadElement' ? expression(element) : nodeOf(element);
      return [{ step, start: element.start, keyEnd: element.start, end: element.end, value }];
    });
    return { kind: 'list', start, end, children };
  }
  if (node.type === 'Literal' && typeof node.value === 'string')
    return { kind: 'string', start, end };
  if (node.type === 'Literal') return { kind: 'literal', start, end };
  return expression(node);
}

// Spreads, methods and computed keys are entries, too: a group that has one is never empty.
function memberOf(property: Property | SpreadElement): LiteralEntry {
  const { start, end } = property;
  if (property.type === 'SpreadElement' || !isPlain(property)) {
    return { step: `\0${start}`, start, keyEnd: start, end, value: expression(property) };
  }
  const { key, value } = property;
  const step = key.type === 'Identifier' ? key.name : String((key as { value?: unknown }).value);
  return { step, start, keyEnd: key.end, end, value: nodeOf(value) };
}

function isPlain({ computed, method, shorthand, kind }: Property): boolean {
  return !computed && !method && !shorthand && kind === 'init';
}

function expression({ start, end }: Node): LiteralNode {
  return { kind: 'literal', start, end, isLocal: true };
}
