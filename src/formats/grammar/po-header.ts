/** The header of a gettext file: its fields, its plural formula, and the edits that set its language. */
import type { Edit } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import { gettextHeader } from '../../segments/inline/plural-forms.ts';
import { type PluralForms, parsePluralForms } from '../../segments/inline/plural-formula.ts';
import { lineEndOf } from './flat-entries.ts';
import type { PoFile } from './po-entries.ts';

export function headerField({ header }: PoFile, name: string): string | undefined {
  const text = header?.forms.get(0)?.text ?? '';
  return new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(text)?.[1]?.trim();
}

/** The plural formula of the file, if it has a readable one: templates have only a placeholder. */
export function pluralFormsOf(file: PoFile): PluralForms | undefined {
  return parsePluralForms(headerField(file, 'Plural-Forms') ?? '');
}

/** Sets language, plural formula and charset; adds a header if there is none. */
export function headerEdits(
  file: PoFile,
  language: LanguageTag,
  encoding: string | undefined,
): Edit[] {
  const header = file.header?.forms.get(0);
  const lineEnd = lineEndOf(file.text);
  const fields = { Language: posixName(language), 'Plural-Forms': gettextHeader(language) };
  if (header === undefined) {
    const all = { ...fields, 'MIME-Version': '1.0', 'Content-Type': 'text/plain; charset=UTF-8' };
    const lines = Object.entries(all).map(([name, value]) => `"${name}: ${value}\\n"${lineEnd}`);
    const text = `msgid ""${lineEnd}msgstr ""${lineEnd}${lines.join('')}${lineEnd}`;
    return [{ start: 0, end: 0, text }];
  }
  const fuzzy = file.header?.comments.flatMap((comment) => withoutFuzzy(comment)) ?? [];
  const wanted = new Map(header.text.split('\n').flatMap((line) => fieldOf(line, encoding)));
  for (const [name, value] of Object.entries(fields)) wanted.set(name, value);
  const text = [...wanted].map(([name, value]) => `${name}: ${value}\n`).join('');
  const like = file.text.slice(header.start, header.end);
  const written = file.literals.write(text, { like, lineEnd });
  return [...fuzzy, { start: header.start, end: header.end, text: written }];
}

/** Sets `PO-Revision-Date`, if the header has it (GNU gettext manual, "Header Entry"). */
export function dateEdits({ text, header }: PoFile, at: string): Edit[] {
  const place = header?.forms.get(0);
  const found = /(?<=^|"|\\n)PO-Revision-Date:[ \t]*([^\\"\r\n]*)/i.exec(
    text.slice(place?.start, place?.end),
  );
  if (place === undefined || found === null) return [];
  const [field, date = ''] = found;
  const end = place.start + found.index + field.length;
  const minute = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const lead = /:$/.test(field) ? ' ' : '';
  return [{ start: end - date.length, end, text: `${lead}${minute}+0000` }];
}

function fieldOf(line: string, encoding: string | undefined): [string, string][] {
  const [, name = '', value = ''] = /^([^:]+):[ \t]*(.*)$/.exec(line) ?? [];
  if (name === '') return [];
  const isUtf8 = encoding === undefined || encoding === 'utf-8';
  const own = isUtf8 ? value.replace(/charset=\S+/i, 'charset=UTF-8') : value;
  return [[name, name.toLowerCase() === 'content-type' ? own : value]];
}

/** Removes the flag `fuzzy` from a comment line, or the whole line when it is the only flag. */
export function withoutFuzzy(comment: {
  readonly start: number;
  readonly next: number;
  readonly text: string;
}): Edit[] {
  const { start, next, text } = comment;
  if (!/^#,.*\bfuzzy\b/.test(text)) return [];
  const flags = text
    .slice(2)
    .split(',')
    .map((flag) => flag.trim())
    .filter((flag) => flag !== 'fuzzy' && flag !== '');
  if (flags.length === 0) return [{ start, end: next, text: '' }];
  return [{ start, end: start + text.length, text: `#, ${flags.join(', ')}` }];
}

// GNU gettext manual, "Locale Names": language, country, and the script as a modifier.
function posixName(language: LanguageTag): string {
  const { language: base, region, script } = new Intl.Locale(language);
  const modifier = script === 'Latn' ? '@latin' : script === 'Cyrl' ? '@cyrillic' : '';
  const country = region ?? (script === 'Hans' ? 'CN' : script === 'Hant' ? 'TW' : undefined);
  return base + (country === undefined ? '' : `_${country}`) + modifier;
}
