/** Finds the texts of an entry of Apple's string catalogs: units, variations, substitutions and sets of phrases. */
import type { KeyPath } from '../text/key-path.ts';
import type { LiteralEntry, LiteralNode, LiteralString } from './literal-tree.ts';

/** One text of a language. */
export interface CatalogText {
  /** Path below the language; of a phrase `…, "stringSet", 0`. */
  readonly path: KeyPath;
  readonly value: LiteralString;
  /** The object with its state. */
  readonly unit: LiteralNode;
  /** One of the phrases of a `stringSet` (App Shortcuts). */
  readonly isPhrase: boolean;
}

// `stringUnit` occurs directly in a language, in its variations, and in the substitutions of a text.
export function* catalogTexts(node: LiteralNode, path: KeyPath = []): Generator<CatalogText> {
  for (const { step, value: unit } of childrenOf(node)) {
    if (step === 'stringUnit') {
      const value = childOf(unit, 'value')?.value;
      if (value?.kind === 'string') yield { path, value, unit, isPhrase: false };
    } else if (step === 'stringSet') {
      yield* phrases(unit, [...path, step]);
    } else {
      yield* catalogTexts(unit, [...path, step]);
    }
  }
}

function* phrases(unit: LiteralNode, path: KeyPath): Generator<CatalogText> {
  const values = childOf(unit, 'values')?.value;
  if (values?.kind !== 'list') return;
  for (const { step, value } of values.children) {
    if (value.kind === 'string') yield { path: [...path, step], value, unit, isPhrase: true };
  }
}

/** Paths of a text and of its state, below the language. */
export function textAndStatePaths(path: KeyPath): {
  readonly value: KeyPath;
  readonly state: KeyPath;
} {
  const group = path.slice(0, -1);
  return group.at(-1) === 'stringSet'
    ? { value: [...group, 'values', path.at(-1) ?? 0], state: [...group, 'state'] }
    : { value: [...path, 'stringUnit', 'value'], state: [...path, 'stringUnit', 'state'] };
}

/** Path of the substitution that a text belongs to, below its language; undefined for most. */
export function substitutionOf(path: KeyPath): KeyPath | undefined {
  return path[0] === 'substitutions' && path.length > 1 ? path.slice(0, 2) : undefined;
}

/**
 * Entries that are not translated: `shouldTranslate: false`, stale entries, which the code no longer uses, and Xcode's entry for the empty
 * text.
 */
export function isLeftAlone(entry: LiteralEntry, text: string): boolean {
  const says = (key: string, raw: string): boolean => {
    const value = childOf(entry.value, key)?.value;
    return value !== undefined && text.slice(value.start, value.end) === raw;
  };
  return (
    entry.step === '' || says('shouldTranslate', 'false') || says('extractionState', '"stale"')
  );
}

export function localizations(entry: LiteralEntry): LiteralEntry | undefined {
  return childOf(entry.value, 'localizations');
}

export function childrenOf(node: LiteralNode | undefined): readonly LiteralEntry[] {
  return node?.kind === 'object' ? node.children : [];
}

export function childOf(node: LiteralNode | undefined, key: string): LiteralEntry | undefined {
  return childrenOf(node).find(({ step }) => step === key);
}

/** The node at a path below a node. */
export function descendantOf(
  node: LiteralNode | undefined,
  path: KeyPath,
): LiteralNode | undefined {
  return path.reduce<LiteralNode | undefined>((found, step) => {
    if (found?.kind !== 'object' && found?.kind !== 'list') return undefined;
    return found.children.find((child) => child.step === step)?.value;
  }, node);
}

/** The member before a new one: Xcode sorts members by name. */
export function lastBefore(children: readonly LiteralEntry[], name: string): string | undefined {
  return children.map(({ step }) => String(step)).findLast((step) => step < name);
}
