/** Fluent: one text per value, attribute and variant; placeables are moved, plural variants follow the target language. */
import type { Doc, Format, FormatOptions, Segment } from '../format.ts';
import { insertionEdits, removalEdits, renameEdits } from './grammar/fluent-edits.ts';
import { fluentForms } from './grammar/fluent-forms.ts';
import { type FluentEntry, type FluentLeaf, openFluent } from './grammar/fluent-tree.ts';
import { COUNTING, withoutShadowed } from './text/duplicates.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment, uniqueIds } from './text/segment.ts';

export const ftl: Format = {
  name: 'ftl',
  shape: 'keyed',
  parse,
  expect: (source, target) => fluentForms(source.segments, target),
};

function parse(text: string, options: FormatOptions): Doc {
  const file = openFluent(text);
  const ids = uniqueIds();
  const positionAt = positionsOf(text);
  const counting = file.entries.filter(({ isShadowed }) => !isShadowed);
  const segments = counting.flatMap((entry) =>
    entry.texts.map((leaf) =>
      makeSegment(text, {
        ...segmentOf(entry, leaf),
        id: ids(leaf.id),
        line: positionAt(leaf.start).line,
      }),
    ),
  );
  const keys = uniqueIds();
  const entries = file.entries.flatMap(({ key, keyStart }) =>
    key === undefined ? [] : [{ id: keys(key), line: positionAt(keyStart).line }],
  );
  const doc: Doc = {
    segments,
    warnings: file.warnings,
    insert: (insertions) => insertionEdits(text, file, insertions),
    remove: (removed) => removalEdits(text, file, removed),
    rename: (renames) => renameEdits(file, renames),
  };
  return withoutShadowed(doc, { counting: COUNTING.ftl, file: options.file, entries });
}

function segmentOf(entry: FluentEntry, leaf: FluentLeaf): Omit<Segment, 'id' | 'line'> {
  const { comment } = entry;
  const { start, end, parts, encode, plural } = leaf;
  return {
    start,
    end,
    parts,
    encode,
    syntax: 'markup',
    ...(comment === undefined ? {} : { context: comment }),
    ...(plural === undefined ? {} : { plural }),
    ...(isBound(entry, leaf) ? { positional: true } : {}),
    ...(isPrivate(entry, leaf) ? { state: 'do-not-translate' } : {}),
  };
}

// The value of a message and the text around a choice (`id~1`) cannot go while the rest of the message stays.
function isBound({ texts }: FluentEntry, { id, isDefault, owner }: FluentLeaf): boolean {
  return isDefault === true || /~\d+$/.test(id) || (owner === undefined && texts.length > 1);
}

/** Attributes of terms are for selectors, never shown (Project Fluent, "Terms"). */
function isPrivate({ key }: FluentEntry, { id }: FluentLeaf): boolean {
  return key?.startsWith('-') === true && id.startsWith(`${key}.`);
}
