/** YAML string files, Rails' among them: values keep their quoting, comments, anchors and blocks; keys are never touched. */
import {
  type Arrangement,
  type Doc,
  type Edit,
  type ExpectedTarget,
  type Format,
  type FormatOptions,
  type Insertion,
  partsText,
  type Segment,
} from '../format.ts';
import { type LanguageTag, parseLanguage, sameLanguage } from '../language.ts';
import { newElement } from './grammar/insertions.ts';
import { renamedKeys } from './grammar/renamed-keys.ts';
import { duplicatesIn } from './grammar/shadowed.ts';
import { detachedAliases, referenceTo, withKeptAnchors } from './grammar/yaml-anchors.ts';
import type { YamlElement } from './grammar/yaml-arrange.ts';
import { openYaml, type YamlFile, type YamlLeaf } from './grammar/yaml-file.ts';
import { keyText } from './grammar/yaml-insert.ts';
import { commentAbove } from './grammar/yaml-layout.ts';
import { newScalar, rewriteScalar } from './grammar/yaml-scalar.ts';
import {
  isMerge,
  valuesOf,
  type YamlChild,
  type YamlNode,
  type YamlString,
} from './grammar/yaml-tree.ts';
import { countingOf, refusal } from './text/duplicates.ts';
import { joinKey, type KeyPath, messageOfKey, splitKey } from './text/key-path.ts';
import { keyPlurals, pluralOfKey } from './text/key-plurals.ts';
import { hasLetters } from './text/parts.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment, uniqueIds } from './text/segment.ts';
import { splice } from './text/splice.ts';
import { syntaxOfTexts } from './text/syntax.ts';

export const yaml: Format = {
  name: 'yaml',
  shape: 'keyed',
  messageOf: messageOfKey,
  parse: (text, options) => parse(openYaml(text, options.file), options),
  expect: (source, target) => withoutInherited(keyPlurals(source.segments, target), target),
  inherited: (source, target) => {
    const { text = '' } = target;
    if (!REFERENCE.test(text)) return [];
    const texts = keyPlurals(source.segments, target);
    const expected = new Set(withoutInherited(texts, target));
    const others = texts.filter((each) => !expected.has(each) && hasLetters(each.parts));
    if (others.length === 0) return [];
    const own = others.filter(isTextOfItsOwn(texts, { ...target, text }));
    const find = referenceTo(text);
    return own.flatMap(({ id }) => find(splitKey(id)).map((found) => ({ id, ...found })));
  },
  expectsByMaker: 'shapes',
};

function parse(file: YamlFile, options: FormatOptions): Doc {
  const rails = railsRoot(file.root, options);
  if (rails !== undefined)
    file.requireOneDocument('below a language, programs read only the first');
  const leaves = file.leaves().filter((leaf) => !isLocal(leaf) || isStatedIn(leaf, options));
  const [ids, positionAt] = [uniqueIds(), positionsOf(file.text)];
  const owners = new Map<string, YamlChild>();
  const overrides = overridesIn(file);
  const drafts = leaves.map((leaf) => {
    const id = ids(joinKey(rails === undefined ? leaf.path : leaf.path.slice(1)));
    if (leaf.owner !== undefined) owners.set(id, leaf.owner);
    const { line } = positionAt(leaf.node.start);
    const draft = draftOf(file.text, leaf, { id, line, ...overrides(leaf) });
    return rails !== undefined && isRailsSetting(leaf)
      ? { ...draft, state: 'do-not-translate' as const }
      : draft;
  });
  const segments = withSyntax(drafts, { file, options });
  const prefix = rails === undefined ? [] : [rails.step];
  const duplicates = duplicatesIn(file.repeated, (offset) => positionAt(offset).line);
  if (duplicates.length > 0 && countingOf('yaml', options) === 'refused') {
    throw refusal(duplicates, options.file);
  }
  return {
    segments,
    ...(duplicates.length === 0 ? {} : { duplicates }),
    warnings: [],
    insert: (insertions) => file.insert(insertions.map((one) => additionOf(one, prefix))),
    remove: (removed) => {
      const edits = removeFrom(file, owners, { removed, rails });
      // A new file is a copy of its source, whose aliases stand for texts in the source's language.
      return options.role === 'source' ? edits : withKeptAnchors(file.text, edits, options.file);
    },
    detach: (references, changed) => detached({ file, segments, prefix }, references, changed),
    rename: (renames, along) => {
      const base = rails?.value ?? file.root;
      const keys = renamedKeys([...owners.keys()], renames, along);
      return base === undefined ? [] : renameEdits(file.text, base, keys);
    },
    arrange: ({ list, length, elements }) => {
      const edit = file.arrange(
        [...prefix, ...splitKey(list)],
        length,
        elements.flatMap((each) => elementOf(each, list)),
      );
      return edit && [edit];
    },
    localeEdits: (language) => (rails === undefined ? [] : [renamed(file.text, rails, language)]),
  };
}

/** Perhaps an alias or a merge: files without are not read a second time. */
const REFERENCE = /\*[^\s*]|<<["']?[ \t]*:/;

/**
 * A map of the target may inherit a text from another map (`<<: *base`, `more: *base`, `<<: {…}`). Then the text counts as present: a new text in the
 * map would hide the inherited one. Where the source has its text beside a `<<` of the same map, hiding it is what the source does, too.
 */
function withoutInherited(
  wanted: readonly Segment[],
  { text = '', segments = [] }: ExpectedTarget,
): readonly Segment[] {
  if (!REFERENCE.test(text)) return wanted;
  const own = new Set(segments.map(({ id }) => id));
  if (wanted.every(({ id }) => own.has(id))) return wanted;
  const values = valuesOf(text);
  const maps = wanted.some((each) => each.isOverride) ? mapsWithMerge(openYaml(text, '')) : [];
  // Ids are without the language of Rails.
  const merging = new Set(maps.flatMap((path) => [joinKey(path), joinKey(path.slice(1))]));
  return wanted.filter(({ id, isOverride }) => {
    const path = splitKey(id);
    const isOverridden = isOverride === true && merging.has(joinKey(path.slice(0, -1)));
    return own.has(id) || isOverridden || typeof valueAt(values, path) !== 'string';
  });
}

function overridesIn(file: YamlFile): (leaf: YamlLeaf) => Pick<Segment, 'isOverride'> {
  const merging = new Set(mapsWithMerge(file).map((path) => joinKey(path)));
  return ({ path }) => (merging.has(joinKey(path.slice(0, -1))) ? { isOverride: true } : {});
}

/** The paths of the maps that take texts over by `<<`. */
function mapsWithMerge(file: YamlFile): readonly KeyPath[] {
  if (!/<<["']?[ \t]*:/.test(file.text)) return [];
  return file.leaves().flatMap(({ path }) => {
    const at = path.findIndex(isMerge);
    return at === -1 ? [] : [path.slice(0, at)];
  });
}

/** Not where the source has the same text in the place from which the target takes its translation: then it is the right one. */
function isTextOfItsOwn(
  texts: readonly Segment[],
  { text, segments = [] }: ExpectedTarget & { readonly text: string },
): (segment: Segment) => boolean {
  const values = valuesOf(text);
  const sources = new Map(texts.map(({ id, parts }) => [id, partsText(parts)]));
  const pairs = new Set(
    segments.map(({ id, parts }) => JSON.stringify([sources.get(id), partsText(parts)])),
  );
  return ({ id, parts }) =>
    !pairs.has(JSON.stringify([partsText(parts), valueAt(values, splitKey(id))]));
}

interface DetachedFrom {
  readonly file: YamlFile;
  readonly segments: readonly Segment[];
  readonly prefix: KeyPath;
}

function detached(
  { file, segments, prefix }: DetachedFrom,
  references: ReadonlySet<string>,
  changed: ReadonlySet<string>,
): readonly Edit[] {
  const { text } = file;
  const aliases = detachedAliases(text, segments, { references, changed });
  const own = new Set(segments.map(({ id }) => id));
  const inherited = [...references].filter((id) => !own.has(id));
  if (inherited.length === 0 || changed.size === 0 || !/\*[^\s*]/.test(text)) return aliases;
  // Texts that a map takes over from another one are written into it.
  const others = segments.flatMap(({ id, start, end, parts, encode }) =>
    changed.has(id) ? [{ start, end, text: encode([`${partsText(parts)}x`]) }] : [],
  );
  const [before, after] = [valuesOf(text), valuesOf(splice(text, others))];
  const kept = inherited.flatMap((id) => {
    const path = [...prefix, ...splitKey(id)];
    const value = valueAt(before, path);
    const isChanged = typeof value === 'string' && value !== valueAt(after, path);
    return isChanged ? [{ path, text: value }] : [];
  });
  return [...aliases, ...file.override(kept)];
}

/** Looks below the Rails language, if there is one. @returns undefined for a path into a list element */
function valueAt(values: unknown, path: KeyPath): unknown {
  const from = (root: unknown) =>
    path.reduce<unknown>((value, step) => (isMap(value) ? value[step] : undefined), root);
  const root = isMap(values) && Object.keys(values).length === 1 ? Object.values(values)[0] : {};
  return from(values) ?? from(root);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An alias or a value with a tag of its own. */
function isLocal({ node }: YamlLeaf): boolean {
  return node.kind === 'literal' && node.isLocal;
}

/**
 * In a target, an alias (`b: *a`) or a tagged value counts as a person's translation of the key. Not in lists: their elements are paired by
 * their number in both files.
 */
function isStatedIn({ node, path }: YamlLeaf, { role }: FormatOptions): boolean {
  const isInList = path.some((step) => typeof step === 'number');
  return role === 'target' && node.end > node.start && !isInList && path.at(-1) !== '<<';
}

/** The single root key that names the language (Rails I18n). It is not part of the ids, and differs in every target. */
function railsRoot(root: YamlNode | undefined, options: FormatOptions): YamlChild | undefined {
  if (root?.kind !== 'object' || root.children.length !== 1) return undefined;
  const [child] = root.children;
  if (child?.value.kind !== 'object' || typeof child.step !== 'string') return undefined;
  const tag = parseLanguage(child.step);
  const names = options.file.split(/[/.]/);
  if (tag === undefined) return undefined;
  // `pt` may be the root of a file for pt-BR.
  const known = [options.language, options.sourceLanguage].filter((one) => one !== undefined);
  const isNamed = known.some((language) => sameLanguage(tag, language));
  return isNamed || names.includes(child.step) ? child : undefined;
}

function draftOf(
  text: string,
  { node, owner, isElement }: YamlLeaf,
  place: Pick<Segment, 'id' | 'line' | 'isOverride'>,
): Segment {
  const { start, end } = node;
  const raw = text.slice(start, end);
  const listed = isElement ? ({ positional: true } as const) : {};
  const comment = owner === undefined ? undefined : commentAbove(text, owner.start);
  const context = comment === undefined ? {} : { context: comment };
  const common = { ...place, ...listed, ...context, start, end, syntax: 'none' } as const;
  if (node.kind !== 'string') return { ...common, ...valueless(text, node) };
  // A tag alone (`a: !!str`) is an empty text.
  const lead = raw === '' && start > 0 && !/\s/.test(text.charAt(start - 1)) ? ' ' : '';
  return {
    ...common,
    ...(node.hasPlainTag && { unseenBefore: true }),
    parts: [node.value],
    encode: (parts) => lead + rewriteScalar(partsText(parts), { ...node, raw }),
  };
}

/** A number, a boolean, null, or a key without a value. A text can replace the last two. */
function valueless(
  text: string,
  node: Exclude<YamlLeaf['node'], YamlString>,
): Pick<Segment, 'parts' | 'state' | 'encode' | 'gap' | 'isReference'> {
  const { start, end } = node;
  const raw = text.slice(start, end);
  const isGap = node.kind !== 'literal' || node.isNull === true;
  const lead = node.kind === 'literal' || /\s$/.test(text.slice(0, start)) ? '' : (node.lead ?? '');
  const inFlow = node.inFlow === true;
  // A comment needs a blank before it.
  const tail = text.charAt(end) === '#' ? ' ' : '';
  return {
    parts: raw === '' ? [] : [{ raw }],
    state: 'do-not-translate',
    ...(isGap ? { gap: 'node' } : {}),
    ...(node.kind === 'literal' && node.isLocal && { isReference: true }),
    encode: (parts) =>
      parts.every((part) => typeof part !== 'string')
        ? partsText(parts)
        : lead + newScalar(partsText(parts), { style: 'plain', inFlow }) + tail,
  };
}

// Symbols (`:year`), strftime and number patterns: Rails reads them, people do not (rails-i18n, "date", "time", "number").
function isRailsSetting({ node, path }: YamlLeaf): boolean {
  if (node.kind !== 'string') return false;
  const [, group, ...rest] = path;
  if (/^:[a-z_]+$/.test(node.value)) return true;
  if (group === 'date' || group === 'time')
    return rest.includes('formats') || rest.includes('order');
  return (
    group === 'number' &&
    /^(?:format|delimiter|separator|negative_format)$/.test(String(rest.at(-1)))
  );
}

function withSyntax(
  drafts: readonly Segment[],
  { file, options }: { file: YamlFile; options: FormatOptions },
): Segment[] {
  const syntaxOf = syntaxOfTexts(drafts, options.file);
  const pluralOf = pluralOfKey(drafts.map(({ id }) => id));
  return drafts.map((draft) => {
    const plural = pluralOf(draft.id);
    return makeSegment(file.text, {
      ...draft,
      syntax: syntaxOf(draft),
      ...(plural === undefined ? {} : { plural }),
    });
  });
}

const STYLES: ReadonlyMap<string, YamlString['style']> = new Map(
  Object.entries({ '"': 'double', "'": 'single', '|': 'literal', '>': 'folded' }),
);

function elementOf(element: Arrangement['elements'][number], list: string): YamlElement[] {
  if (typeof element === 'number') return [element];
  const depth = splitKey(list).length + 1;
  const made = newElement(
    element.map((insertion) => {
      const { path, value } = additionOf(insertion, []);
      return { path: path.slice(depth), value };
    }),
  );
  return made === undefined ? [] : [made];
}

function additionOf(
  { segment, after, parts, sourceText }: Insertion,
  prefix: readonly (string | number)[],
) {
  const isLiteral = segment.parts.some((part) => typeof part !== 'string');
  const style = STYLES.get(sourceText.charAt(segment.start)) ?? 'plain';
  return {
    path: [...prefix, ...splitKey(segment.id)],
    after: after === null ? null : [...prefix, ...splitKey(after)],
    value: isLiteral ? { literal: partsText(parts) } : { text: partsText(parts), style },
  };
}

function removeFrom(
  file: YamlFile,
  owners: ReadonlyMap<string, YamlChild>,
  { removed, rails }: { removed: ReadonlySet<string>; rails: YamlChild | undefined },
): readonly Edit[] {
  const kept = rails?.value ?? file.root;
  if (kept === undefined) return [];
  const entries = [...removed].map((id) => owners.get(id)).filter((owner) => owner !== undefined);
  return file.remove(new Set(entries), kept);
}

function renamed(
  text: string,
  { keyStart: start, keyEnd, step }: YamlChild,
  language: LanguageTag,
): Edit {
  const spelled = String(step).includes('_') ? language.replaceAll('-', '_') : language;
  const style = STYLES.get(text.charAt(start)) ?? 'plain';
  // `no` is false in YAML 1.1: Norwegian is written with quotes.
  return { start, end: keyEnd, text: newScalar(spelled, { style, inFlow: false }) };
}

// Edits that rename keys, each in the quotes of the old key.

/** @param keys the new key by the id of the path, from `root` on, that ends with the old one */
function renameEdits(text: string, root: YamlNode, keys: ReadonlyMap<string, string>): Edit[] {
  const edits: Edit[] = [];
  const visit = (node: YamlNode, path: KeyPath): void => {
    if (node.kind !== 'object' && node.kind !== 'list') return;
    for (const child of node.children) {
      const own = [...path, child.step];
      const key = keys.get(joinKey(own));
      const { keyStart: start, keyEnd: end } = child;
      if (key !== undefined && end > start) {
        edits.push({ start, end, text: keyText(text, key, child) });
      }
      visit(child.value, own);
    }
  };
  visit(root, []);
  return edits;
}
