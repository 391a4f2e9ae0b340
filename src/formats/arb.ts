/** Application Resource Bundle (Flutter): flat JSON of ICU messages; `@key` describes `key`, `@@locale` names the language. */
import type { Doc, Edit, Format, Insertion, Part, Segment } from '../format.ts';
import { partsText } from '../format.ts';
import type { LanguageTag } from '../language.ts';
import { openJson } from './grammar/json-file.ts';
import { withoutRepeated } from './grammar/literal-doc.ts';
import type { LiteralFile } from './grammar/literal-file.ts';
import type { LiteralEntry, LiteralNode } from './grammar/literal-tree.ts';
import { renamedKeys } from './grammar/renamed-keys.ts';
import { duplicatesIn, shadowedBy } from './grammar/shadowed.ts';
import { joinKey, splitKey } from './text/key-path.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment } from './text/segment.ts';

export const arb: Format = {
  name: 'arb',
  shape: 'keyed',
  parse: (text, options) => parse(openJson(text, 'json', options.file)),
};

// Keys that begin with `@` hold attributes, not messages (ARB specification, "Resource attributes").
function parse(file: LiteralFile): Doc {
  const shadowed = shadowedBy(file.repeated);
  const messages = rootChildren(file).filter(
    (child) =>
      isMessage(child.value) && !String(child.step).startsWith('@') && !shadowed.has(child),
  );
  const described = descriptions(file);
  const positionAt = positionsOf(file.text);
  const children = new Map(messages.map((child) => [joinKey([child.step]), child]));
  const segments = [...children].map(([id, child]) =>
    arbSegment(file, child, {
      id,
      line: positionAt(child.start).line,
      context: described.get(String(child.step)),
    }),
  );
  const duplicates = duplicatesIn(file.repeated, (offset) => positionAt(offset).line);
  return {
    segments,
    ...(duplicates.length === 0 ? {} : { duplicates }),
    warnings: [],
    insert: (insertions) => file.insert(insertions.map(additionIn(file))),
    remove: (removed) => file.remove({ removed: withAttributes(file, children, removed) }),
    rename: (renames) => file.rename(withDescriptions(renamedKeys([...children.keys()], renames))),
    localeEdits: (language) => [...localeEdits(file, language), ...withoutRepeated(file)],
  };
}

/** A text, or null in place of one. */
function isMessage(value: LiteralNode): boolean {
  return value.kind === 'string' || (value.kind === 'literal' && value.isNull === true);
}

function rootChildren(file: LiteralFile): readonly LiteralEntry[] {
  return file.root.kind === 'object' ? file.root.children : [];
}

function arbSegment(
  file: LiteralFile,
  { value }: LiteralEntry,
  place: { readonly id: string; readonly line: number; readonly context: string | undefined },
): Segment {
  const { id, line, context } = place;
  const common = {
    id,
    line,
    ...(context === undefined ? {} : { context }),
    syntax: 'icu',
  } as const;
  if (value.kind !== 'string') {
    const { start, end } = value;
    const encode = (parts: readonly Part[]) => file.literal(partsText(parts));
    return makeSegment(file.text, { ...common, start, end, parts: [], gap: 'value', encode });
  }
  const span = { start: value.start + 1, end: value.end - 1 };
  return makeSegment(file.text, {
    ...common,
    ...span,
    parts: [file.strings.read(span.start, span.end)],
    encode: (parts) => file.strings.rewrite(span.start, span.end, partsText(parts)),
  });
}

function descriptions(file: LiteralFile): Map<string, string> {
  const found = new Map<string, string>();
  for (const { step, value } of rootChildren(file)) {
    if (!String(step).startsWith('@') || value.kind !== 'object') continue;
    const description = value.children.find((child) => child.step === 'description')?.value;
    if (description?.kind !== 'string') continue;
    const text = file.strings.read(description.start + 1, description.end - 1);
    if (text.trim() !== '') found.set(String(step).slice(1), text);
  }
  return found;
}

/** A new first message is below the attributes of the file (`@@locale`). */
function additionIn(file: LiteralFile) {
  const keys = rootChildren(file).map(({ step }) => String(step));
  const head = keys
    .slice(
      0,
      keys.findIndex((key) => !key.startsWith('@@')),
    )
    .at(-1);
  return ({ segment, after, parts }: Insertion) => ({
    path: splitKey(segment.id),
    after: after === null ? (head === undefined ? null : [head]) : splitKey(after),
    value: { text: partsText(parts) },
  });
}

// A message is removed with its attributes: gen-l10n refuses `@key` without `key`.
function withAttributes(
  file: LiteralFile,
  children: ReadonlyMap<string, LiteralEntry>,
  removed: ReadonlySet<string>,
): ReadonlySet<LiteralEntry> {
  const gone = new Set<LiteralEntry>();
  for (const id of removed) {
    const child = children.get(id);
    if (child !== undefined) gone.add(child);
  }
  const keys = new Set([...gone].map(({ step }) => `@${step}`));
  for (const child of rootChildren(file)) if (keys.has(String(child.step))) gone.add(child);
  return gone;
}

// `@key` is renamed together with its key.
function withDescriptions(keys: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const attributes = [...keys].map(
    ([id, key]) => [joinKey([`@${splitKey(id)[0]}`]), `@${key}`] as const,
  );
  return new Map([...keys, ...attributes]);
}

function localeEdits(file: LiteralFile, language: LanguageTag): Edit[] {
  // The last one counts, and the others are removed.
  const value = rootChildren(file).findLast(({ step }) => step === '@@locale')?.value;
  if (value?.kind !== 'string') return [];
  // Flutter accepts `pt_BR` and `pt-BR` (gen-l10n): the file's own form is kept, else `pt_BR`.
  const own = file.text.slice(value.start, value.end);
  const spelled = own.includes('-') ? language : language.replaceAll('-', '_');
  return [{ start: value.start + 1, end: value.end - 1, text: spelled }];
}
