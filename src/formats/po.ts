/**
 * gettext PO and POT. The text to translate is the msgid, or the msgstr where the source file has its own. A translation replaces the
 * msgstr. Plural forms follow the target's formula.
 */

import {
  type Doc,
  type Edit,
  type ExpectedTarget,
  type Format,
  type FormatOptions,
  type PlaceholderSyntax,
  partsText,
  type Returning,
  type Segment,
} from '../format.ts';
import { gettextHeader } from '../segments/inline/plural-forms.ts';
import { parsePluralForms } from '../segments/inline/plural-formula.ts';
import { type EntryFile, homeAtEnd, lineEndOf } from './grammar/flat-entries.ts';
import { expandForms } from './grammar/plural-wordings.ts';
import { insertIntoPo, poStateEdits, removeFromPo, replaceInPo } from './grammar/po-edits.ts';
import { type PoEntry, type PoFile, type PoForm, scanPo } from './grammar/po-entries.ts';
import { dateEdits, headerEdits, headerField, pluralFormsOf } from './grammar/po-header.ts';
import { obsoleteEntries } from './grammar/po-obsolete.ts';
import { messageOfForm } from './text/key-path.ts';
import { malformed, positionsOf } from './text/position.ts';
import { makeSegment } from './text/segment.ts';

export const po: Format = {
  name: 'po',
  shape: 'keyed',
  messageOf: messageOfForm,
  bilingual: true,
  keepsLineEdges: true,
  fallbackEncoding: 'latin1',
  parse,
  expect: expectForms,
};

function parse(text: string, options: FormatOptions): Doc {
  const file = scanPo(text, options.file);
  refuseOtherCharset(file, options);
  if (options.role === 'source') refuseMissingForms(file, options.file);
  const positionAt = positionsOf(text);
  const segments = [...file.entries.values()].flatMap((entry) =>
    [...entry.forms].map(([index, form]) =>
      messageSegment(file, entry, {
        index,
        form,
        line: positionAt(form.start).line,
        hasOwnTexts: options.role === 'source' && options.embeddedSource !== true,
      }),
    ),
  );
  const home = homeOf(text);
  return {
    segments,
    warnings: [],
    insert: (insertions) => insertIntoPo({ ...file, home }, insertions),
    remove: (ids) => removeFromPo({ ...file, home }, ids),
    replace: (leaving, insertions) => replaceInPo({ ...file, home }, leaving, insertions),
    localeEdits: (language) => headerEdits(file, language, options.encoding),
    dateEdits: (at) => dateEdits(file, at),
    stateEdits: (states, kept) => poStateEdits(file, states, kept),
    sourceEdits: (sources, sourceText) => pluralEdits(file, sources, sourceText),
    returning: () => returning(file),
  };
}

/** A msgid identifies its message; its msgid_plural may change, and follows with the texts that are made from it. */
function pluralEdits(
  file: PoFile,
  sources: ReadonlyMap<string, Segment>,
  sourceText: string,
): Edit[] {
  const groups = new Set([...sources.values()].flatMap(({ plural }) => plural?.group ?? []));
  if (groups.size === 0) return [];
  const { entries } = scanPo(sourceText, '');
  return [...groups].flatMap((id): Edit[] => {
    const [old, now] = [file.entries.get(id)?.plural, entries.get(id)?.plural];
    if (old === undefined || now === undefined || old.text === now.text) return [];
    const like = file.text.slice(old.start, old.end);
    const text = file.literals.write(now.text, { like, lineEnd: lineEndOf(file.text) });
    return [{ start: old.start, end: old.end, text }];
  });
}

function returning(file: PoFile): ReadonlyMap<string, Returning> {
  const entries = obsoleteEntries(file).flatMap(({ sources, texts }) =>
    [...texts].map(([id, text]): [string, Returning] => [id, { sources, parts: [text] }]),
  );
  return new Map(entries);
}

// A blank line separates the first entry from the header.
function homeOf(text: string): EntryFile['home'] {
  const home = homeAtEnd(text);
  return text === '' ? home : { ...home, before: home.before + lineEndOf(text) };
}

// Bytes that are not UTF-8 were read as Latin-1; then the header must name that charset.
function refuseOtherCharset(file: PoFile, options: FormatOptions): void {
  const charset = /charset=(\S+)/i.exec(headerField(file, 'Content-Type') ?? '')?.[1] ?? '';
  if (options.encoding !== 'latin1' || /^(?:iso-?8859-1|latin-?1|charset|)$/i.test(charset)) return;
  const offset = file.header?.forms.get(0)?.start ?? 0;
  const advice = `the header says ${charset}: set "encoding: ${charset.toLowerCase()}" on the route`;
  throw malformed(options.file, { text: file.text, offset }, advice);
}

/** A target is made from the forms of its source. msgfmt also refuses others ("plural form has wrong index"). */
function refuseMissingForms({ entries, text }: PoFile, file: string): void {
  for (const { forms } of entries.values()) {
    const missing = [...forms.keys()].findIndex((_, index) => !forms.has(index));
    if (missing < 0) continue;
    const offset = [...forms.values()][0]?.lineStart ?? 0;
    throw malformed(
      file,
      { text, offset },
      `the plural forms of this msgid lack msgstr[${missing}]`,
    );
  }
}

interface SourceForm {
  readonly index: number;
  readonly form: PoForm;
  readonly line: number;
  /** A source: its texts may be in the msgstr. */
  readonly hasOwnTexts: boolean;
}

function messageSegment(file: PoFile, entry: PoEntry, place: SourceForm): Segment {
  const { index, form, line, hasOwnTexts } = place;
  const isPlural = entry.plural !== undefined;
  const isFuzzy = entry.comments.some(({ text }) => /^#,.*\bfuzzy\b/.test(text));
  const msgid = index === 0 ? entry.msgid : (entry.plural ?? entry.msgid);
  // A source's own PO may have keys as msgids and its texts in the msgstr.
  const source = hasOwnTexts && !isFuzzy && form.text !== '' ? form.text : msgid.text;
  const raw = file.text.slice(form.start, form.end);
  const lineEnd = lineEndOf(file.text);
  const context = contextOf(entry);
  return makeSegment(file.text, {
    id: isPlural ? `${entry.id}[${index}]` : entry.id,
    start: form.start,
    end: form.end,
    line,
    // gettext does not use fuzzy texts: they wait for a translation like empty ones.
    parts: form.text === '' || isFuzzy ? [] : [form.text],
    source: [source],
    ...(context === undefined ? {} : { context }),
    ...(isPlural ? { plural: { group: entry.id, category: `${index}` } } : {}),
    ...(isFuzzy ? { state: 'needs-review', gap: 'waiting', empty: '""' } : {}),
    syntax: syntaxOf(entry),
    encode: (parts) => file.literals.write(partsText(parts), { like: raw, lineEnd }),
  });
}

/** The msgctxt, and the comments of developers and translators. `#:` and `#,` are for programs. */
function contextOf({ context = '', comments }: PoEntry): string | undefined {
  const words = comments
    .filter(({ text }) => /^#(?:\.|[ \t]|$)/.test(text))
    .map(({ text }) => text.replace(/^#\.?/, '').trim());
  const said = [context.trim(), words.filter((text) => text !== '').join(' ')];
  return said.filter((text) => text !== '').join(': ') || undefined;
}

/** Flags of gettext whose texts may have more placeholders than `generic` knows, and the syntax of each (gettext manual, "PO Files"). */
const FLAGS: ReadonlyMap<string, PlaceholderSyntax> = new Map([
  ['no-c-format', 'markup'],
  ['python-format', 'printf'],
  ['c-format', 'printf'],
  ['objc-format', 'printf'],
  ['php-format', 'printf'],
  ['lua-format', 'printf'],
  ['gcc-internal-format', 'printf'],
  ['qt-format', 'qt'],
  ['qt-plural-format', 'qt'],
  ['kde-format', 'qt'],
  ['sh-format', 'shell'],
]);

function syntaxOf({ comments }: PoEntry): PlaceholderSyntax {
  const line = comments.find(({ text }) => text.startsWith('#,'))?.text ?? '';
  const flags = line.slice(2).split(',');
  return (
    flags.map((flag) => FLAGS.get(flag.trim())).find((syntax) => syntax !== undefined) ?? 'generic'
  );
}

function expectForms(source: Doc, { language, text }: ExpectedTarget): readonly Segment[] {
  const own = text === undefined ? undefined : pluralFormsOf(scanPo(text, ''));
  const forms = own ?? parsePluralForms(gettextHeader(language));
  return forms === undefined ? source.segments : expandForms(source.segments, forms);
}
