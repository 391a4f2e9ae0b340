/** JSON, JSONC and JSON5 string files; i18next's plural keys and nested groups of categories follow the target language. */

import type { Doc, Edit, Format, Segment } from '../format.ts';
import { openJson } from './grammar/json-file.ts';
import type { JsonDialect } from './grammar/json-tree.ts';
import { literalDoc } from './grammar/literal-doc.ts';
import { messageOfKey } from './text/key-path.ts';
import { keyPlurals } from './text/key-plurals.ts';
import { sameParts } from './text/parts.ts';
import { splice } from './text/splice.ts';
import { syntaxOfTexts } from './text/syntax.ts';

export const json: Format = jsonFormat('json');
export const jsonc: Format = jsonFormat('jsonc');
export const json5: Format = jsonFormat('json5');

function jsonFormat(dialect: JsonDialect): Format {
  return {
    name: dialect,
    shape: 'keyed',
    messageOf: messageOfKey,
    parse: (text, { file }) => docOf({ text, dialect, file }),
    expect: (source, target) => keyPlurals(source.segments, target),
    expectsByMaker: 'shapes',
  };
}

interface JsonText {
  readonly text: string;
  readonly dialect: JsonDialect;
  readonly file: string;
}

function docOf(json: JsonText): Doc {
  const doc = literalDoc(openJson(json.text, json.dialect, json.file), { path: json.file });
  // A JSON5 string may span several lines, and a comment may contain something that looks like a string.
  if (json.dialect !== 'json') return doc;
  const { segments, warnings, duplicates } = doc;
  const read = { segments, warnings, ...(duplicates && { duplicates }) };
  return { ...doc, withTexts: (edits, file) => withTexts({ ...json, file }, read, edits) };
}

/** The result of reading, without a reference to the text. */
type ReadJson = Pick<Doc, 'segments' | 'warnings' | 'duplicates'>;

/** In JSON a string ends at its quote and on its line. So after an edit of string contents, all else of the file is read as before. */
function withTexts(before: JsonText, read: ReadJson, edits: readonly Edit[]): Doc | undefined {
  const segments = edited(before, read.segments, edits);
  if (segments === undefined) return undefined;
  const json = { ...before, text: splice(before.text, edits) };
  const now = { ...read, segments };
  // Structural edits are rarely used after a text was written, so the file is parsed for them only then.
  let again: Doc | undefined;
  const reread = () => {
    again ??= docOf(json);
    return again;
  };
  return {
    ...now,
    ...(read.duplicates && { localeEdits: (language) => reread().localeEdits?.(language) ?? [] }),
    insert: (insertions) => reread().insert?.(insertions) ?? [],
    remove: (ids) => reread().remove?.(ids) ?? [],
    rename: (...renames) => reread().rename?.(...renames) ?? [],
    arrange: (list) => reread().arrange?.(list),
    withTexts: (more, file) => withTexts({ ...json, file }, now, more),
  };
}

/**
 * Undefined if an edit is not exactly the content of a string, or its text has other placeholders. One text with Laravel's placeholders
 * decides how all others are read.
 */
function edited(
  { text, file }: JsonText,
  segments: readonly Segment[],
  edits: readonly Edit[],
): Segment[] | undefined {
  const open = new Map(edits.map((edit) => [edit.start, edit]));
  let shift = 0;
  const now: Segment[] = [];
  for (const segment of segments) {
    const edit = open.get(segment.start);
    const start = segment.start + shift;
    if (edit === undefined) {
      now.push(shift === 0 ? segment : { ...segment, start, end: segment.end + shift });
      continue;
    }
    const content = edit.end === segment.end ? contentAt(text, edit) : undefined;
    if (content === undefined) return undefined;
    open.delete(segment.start);
    shift += edit.text.length - (edit.end - edit.start);
    const place = { ...segment, start, end: segment.end + shift };
    now.push(withText(place, content, edit.text));
  }
  if (open.size > 0) return undefined;
  const syntaxOf = syntaxOfTexts(now, file);
  return now.every((segment) => syntaxOf(segment) === segment.syntax) ? now : undefined;
}

/** Undefined when the span is not a string, or the text is not content of a string. */
function contentAt(text: string, { start, end, text: written }: Edit): string | undefined {
  if (text[start - 1] !== '"' || text[end] !== '"') return undefined;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return undefined;
  }
}

function withText(segment: Segment, content: string, raw: string): Segment {
  const parts = [content];
  return {
    ...segment,
    parts,
    encode: (wanted) => (sameParts(wanted, parts) ? raw : segment.encode(wanted)),
  };
}
