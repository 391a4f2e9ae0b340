/**
 * For all nested formats: finds the existing group that each new entry is inserted into. A new group that several entries need is made
 * once.
 */
import { JobFailure } from '../../failure.ts';
import { joinKey, type KeyPath, type KeyStep } from '../text/key-path.ts';
import { positionsOf } from '../text/position.ts';

/** A group of an existing file: an object with keys or a list. Every other node is a leaf. */
export interface Branch<B> {
  readonly kind: 'object' | 'list';
  /** An empty group that may become a list or an object: `[]` of PHP. */
  readonly isEither?: true;
  readonly children: readonly {
    readonly step: KeyStep;
    /** Offset in the file. */
    readonly start: number;
    readonly value: B | Leaf;
  }[];
}

export interface Leaf {
  readonly kind: 'string' | 'literal';
  /** The value is null: a group can replace it. */
  readonly isNull?: true;
}

export interface Addition<V> {
  readonly path: KeyPath;
  /** The existing entry before it, anywhere in the file; null: none. */
  readonly after: KeyPath | null;
  readonly value: V;
}

export type NewValue<V> = { readonly kind: 'leaf'; readonly value: V } | NewGroup<V>;

export interface NewGroup<V> {
  readonly kind: 'object' | 'list';
  readonly children: readonly NewChild<V>[];
}

export interface NewChild<V> {
  readonly step: KeyStep;
  readonly value: NewValue<V>;
}

/** A new child of an existing group, behind its child number `anchor` (-1: first). */
export interface ChildInsertion<V> extends NewChild<V> {
  readonly anchor: number;
}

export interface Sorted<B, V> {
  readonly insertions: ReadonlyMap<B, readonly ChildInsertion<V>[]>;
  /** New groups in place of null, by the value that they replace: children of a group by their number. */
  readonly replacements: readonly GroupReplacement<B, V>[];
}

export interface GroupReplacement<B, V> {
  readonly branch: B;
  readonly index: number;
  readonly group: NewGroup<V>;
}

/** Throws JobFailure `unsupported` when the file has a text and the source a group under the same key, or the reverse. */
export function insertions<B extends Branch<B>, V>(
  root: B | Leaf,
  additions: readonly Addition<V>[],
  file: TargetText,
): Sorted<B, V> {
  const sorted = new Insertions<B, V>(root, file);
  for (const addition of additions) sorted.add(addition);
  return sorted.all();
}

interface TargetText {
  /** For messages. */
  readonly file: string;
  readonly text: string;
}

interface GrowingGroup<V> extends NewGroup<V> {
  readonly children: NewChild<V>[];
  readonly groups: Map<KeyStep, GrowingGroup<V>>;
}

class Insertions<B extends Branch<B>, V> {
  readonly #root: B | Leaf;
  readonly #file: TargetText;
  readonly #insertions = new Map<B, ChildInsertion<V>[]>();
  readonly #replacements: GroupReplacement<B, V>[] = [];
  readonly #groups = new Map<B, Map<KeyStep, GrowingGroup<V>>>();
  readonly #indexes = new Map<B, ReadonlyMap<KeyStep, number>>();

  constructor(root: B | Leaf, file: TargetText) {
    this.#root = root;
    this.#file = file;
  }

  all(): Sorted<B, V> {
    return { insertions: this.#insertions, replacements: this.#replacements };
  }

  add(addition: Addition<V>): void {
    const { branch, depth } = this.#deepest(addition.path);
    const [step, ...rest] = addition.path.slice(depth);
    if (step === undefined) throw this.#misfit(addition.path, 0);
    const anchor = this.#anchor(branch, depth, addition);
    if (rest.length === 0) {
      this.#insert(branch, { anchor, step, value: { kind: 'leaf', value: addition.value } });
      return;
    }
    const known = this.#groups.get(branch)?.get(step);
    const group = known ?? this.#newGroup(branch, step, rest);
    fillGroup(group, rest, addition.value);
    if (known !== undefined) return;
    const index = this.#index(branch).get(step);
    if (index === undefined) this.#insert(branch, { anchor, step, value: group });
    else this.#replacements.push({ branch, index, group });
  }

  #insert(branch: B, insertion: ChildInsertion<V>): void {
    const insertions = this.#insertions.get(branch);
    if (insertions === undefined) this.#insertions.set(branch, [insertion]);
    else insertions.push(insertion);
  }

  // The last existing group on the path; of a repeated key, the last one is read.
  #deepest(path: KeyPath): { readonly branch: B; readonly depth: number } {
    let node = this.#root;
    let start = 0;
    for (const [depth, step] of path.entries()) {
      if (!isBranch(node)) throw this.#misfit(path, start);
      const isList = typeof step === 'number';
      if (node.isEither !== true && isList !== (node.kind === 'list'))
        throw this.#misfit(path, start);
      const child = node.children[this.#index(node).get(step) ?? -1];
      if (child === undefined) return { branch: node, depth };
      if (depth === path.length - 1) {
        if (isBranch(child.value)) throw this.#misfit(path, child.start, 'a group', 'a text');
        return { branch: node, depth };
      }
      if (!isBranch(child.value) && child.value.isNull) return { branch: node, depth };
      node = child.value;
      start = child.start;
    }
    throw this.#misfit(path, start);
  }

  #newGroup(branch: B, step: KeyStep, rest: KeyPath): GrowingGroup<V> {
    const group = emptyGroup<V>(rest);
    const groups = this.#groups.get(branch) ?? new Map<KeyStep, GrowingGroup<V>>();
    this.#groups.set(branch, groups.set(step, group));
    return group;
  }

  #anchor(branch: B, depth: number, { path, after }: Addition<V>): number {
    // The id of an element is its index, so a new one can only be the last.
    if (branch.kind === 'list') return branch.children.length - 1;
    if (after === null) return -1;
    for (let index = 0; index < depth; index += 1) if (after[index] !== path[index]) return -1;
    return this.#index(branch).get(after[depth] ?? '') ?? -1;
  }

  #index(branch: B): ReadonlyMap<KeyStep, number> {
    const known = this.#indexes.get(branch);
    if (known !== undefined) return known;
    const index = new Map<KeyStep, number>();
    for (const [position, { step }] of branch.children.entries()) {
      index.set(step, position);
    }
    this.#indexes.set(branch, index);
    return index;
  }

  /** @param start offset of the entry that prevents it @param has what the target has there @param wants what the source has */
  #misfit(
    path: KeyPath,
    start: number,
    has = 'a text',
    wants = 'a group, or a list where it has keys',
  ): JobFailure {
    const { file, text } = this.#file;
    const { line } = positionsOf(text)(start);
    return new JobFailure({
      kind: 'unsupported',
      what: `${file}: "${joinKey(path)}" does not fit: line ${line} of the target has ${has} where the source has ${wants}`,
      advice: 'Remove the entry from the target; then it is written again.',
    });
  }
}

/** Builds a new element from its texts, whose paths begin at the element. */
export function newElement<V>(
  texts: readonly { readonly path: KeyPath; readonly value: V }[],
): NewValue<V> | undefined {
  const [first] = texts;
  if (first === undefined) return undefined;
  if (first.path.length === 0) return { kind: 'leaf', value: first.value };
  const group = emptyGroup<V>(first.path);
  for (const { path, value } of texts) fillGroup(group, path, value);
  return group;
}

function isBranch<B extends Branch<B>>(node: B | Leaf): node is B {
  return node.kind === 'object' || node.kind === 'list';
}

function emptyGroup<V>(rest: KeyPath): GrowingGroup<V> {
  return { kind: typeof rest[0] === 'number' ? 'list' : 'object', children: [], groups: new Map() };
}

function fillGroup<V>(group: GrowingGroup<V>, path: KeyPath, value: V): void {
  const [step, ...rest] = path;
  if (step === undefined) return;
  if (rest.length === 0) {
    group.children.push({ step, value: { kind: 'leaf', value } });
    return;
  }
  let inner = group.groups.get(step);
  if (inner === undefined) {
    inner = emptyGroup<V>(rest);
    group.groups.set(step, inner);
    group.children.push({ step, value: inner });
  }
  fillGroup(inner, rest, value);
}
