/** PO for translators with Poedit: one entry for each text, `fuzzy` when a person must look at it. */
import { plural } from '../../language.ts';
import { findExchangeId } from '../../segments/exchange-id.ts';
import { targetHash } from '../../segments/statements.ts';
import { type PoEntry, scanPo } from '../grammar/po-entries.ts';
import { headerField } from '../grammar/po-header.ts';
import { decodeBytes } from '../text/decode.ts';
import { positionsOf } from '../text/position.ts';
import { FUZZY, readComments } from './comments.ts';
import {
  END_OF_FILE,
  type ExchangeDocument,
  type ExchangeFile,
  type ExchangeFormat,
  type ExchangeUnit,
  lacksUtf8,
  type Returned,
  type ReturnedRow,
} from './exchange.ts';
import { ExchangeRows, namedEncoding } from './xml.ts';

export const exchangePo: ExchangeFormat = {
  name: 'po',
  extension: 'po',
  write,
  lacks: lacksUtf8,
  read,
};

/**
 * An obsolete entry. gettext and translate-toolkit keep it at the end of the file. With it the last text is known to be whole, also
 * after a tool broke its lines.
 */
const LAST_LINES = [`#~ msgid "${END_OF_FILE}"`, `#~ msgstr "${END_OF_FILE}"`, ''];

function write({ sourceLanguage, language, files }: ExchangeDocument): Uint8Array {
  const header = [
    'Project-Id-Version: dragoman',
    'PO-Revision-Date: YEAR-MO-DA HO:MI+ZONE',
    'Last-Translator: FULL NAME <EMAIL@ADDRESS>',
    `Language-Team: ${language}`,
    `Language: ${language.replaceAll('-', '_')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: 8bit',
    `X-Source-Language: ${sourceLanguage}`,
    'X-Generator: dragoman',
  ];
  const head = ['msgid ""', 'msgstr ""', ...header.map((line) => literal(`${line}\n`)), ''];
  const entries = files.flatMap((file) => file.units.flatMap((unit) => entryLines(file, unit)));
  return Buffer.from([...head, ...entries, ...LAST_LINES].join('\n'));
}

function entryLines({ project, path }: ExchangeFile, unit: ExchangeUnit): string[] {
  const { id, key, source, target, was, state, previousSource, maxLength, notes } = unit;
  const said = [
    ...(key === '' ? [] : [`key: ${key}`]),
    ...notes,
    ...(maxLength === undefined ? [] : [`at most ${plural(maxLength, 'character')}`]),
    `project: ${project}`,
    `file: ${path}`,
    `state: ${state}`,
    `target: ${was}`,
  ];
  const isFuzzy = target !== '' && FUZZY.has(state);
  return [
    ...said.map((line) => `#. ${line.replace(/\s+/g, ' ')}`),
    // Programs that make another format of the file drop the msgctxt, but keep the reference.
    `#: ${id}`,
    ...(isFuzzy ? ['#, fuzzy'] : []),
    ...(isFuzzy && previousSource !== undefined ? [`#| msgid ${literal(previousSource)}`] : []),
    `msgctxt ${literal(id)}`,
    `msgid ${literal(source)}`,
    `msgstr ${literal(target)}`,
    '',
  ];
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '\\': '\\\\',
    '"': '\\"',
    '\n': '\\n',
    '\t': '\\t',
    '\r': '\\r',
  }),
);

function literal(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be escaped
  const escaped = text.replace(/[\\"\u0000-\u001f\u007f]/g, (sign) => {
    const octal = sign.charCodeAt(0).toString(8).padStart(3, '0');
    return ESCAPES.get(sign) ?? `\\${octal}`;
  });
  return `"${escaped}"`;
}

function read(bytes: Uint8Array, file: string): Returned {
  const named = namedEncoding(bytes, /charset=([\w-]+)/i);
  const text = lettersWritten(decodeBytes(bytes, { file, ...named }).text, named.fallback);
  const po = scanPo(text, file);
  const positionAt = positionsOf(text);
  const rows = new ExchangeRows();
  const last = [...po.entries.values()].at(-1);
  for (const entry of po.entries.values()) {
    const line = positionAt(entry.msgid.start).line;
    rows.add(line, () => {
      const row = rowOf(entry, line);
      if (entry !== last || !mayBeCut(entry, text)) return row;
      if (row.was !== targetHash(row.target)) throw new Error(MAY_BE_CUT);
      return { ...row, mayBeCut: true };
    });
  }
  const language = headerField(po, 'Language')?.trim() ?? '';
  return { ...rows.returned, languages: language === '' ? [] : [language] };
}

/** A backslash for itself, or letters as the escapes of their bytes: `msgcat --escape` writes `\\303\\274` for `ü`. */
const ESCAPED_BYTES = /\\\\|(?:\\(?:[23][0-7]{2}|x[89a-f][\da-f]))+/gi;

/** Replaces the escapes of bytes by the letters that they mean in the encoding of the file. */
function lettersWritten(text: string, encoding = 'utf-8'): string {
  return text.replace(ESCAPED_BYTES, (run) => {
    if (run === '\\\\') return run;
    const bytes = [...run.matchAll(/\\(x?)(\w+)/g)].map(([, hex, digits = '']) =>
      Number.parseInt(digits, hex === '' ? 8 : 16),
    );
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(Uint8Array.from(bytes));
    } catch {
      return run;
    }
  });
}

const MAY_BE_CUT =
  'the file ends in this text, which may be cut: get the file again; if it is complete, add an empty line at its end';

/** Columns of a line that gettext may have broken (at 79 columns), counted without the last word. */
const LONG_LINE = 70;

/** Programs write a long text on several lines. A file that is cut between them looks complete. */
function mayBeCut({ msgid, forms }: PoEntry, text: string): boolean {
  const form = forms.get(0);
  if (form === undefined || !/^\s*$/.test(text.slice(form.end))) return false;
  const lines = text.slice(form.start, form.end).split(/[\r\n]+/);
  if (lines.length === 1 || /\n[ \t]*\r?\n/.test(text.slice(form.end))) return false;
  const breaks = (of: string) => of.split('\n').length;
  const columns = (lines.at(-1) ?? '').replace(/[\u1100-\uffff]/g, '  ').length;
  const isUnlike = breaks(form.text) < breaks(msgid.text) || endOf(form.text) !== endOf(msgid.text);
  return isUnlike || columns >= LONG_LINE;
}

function endOf(text: string): string {
  const kinds = { space: /\s$/, hyphen: /\p{Pd}$/u, sign: /\p{P}$/u } as const;
  return Object.entries(kinds).find(([, kind]) => kind.test(text))?.[0] ?? 'letter';
}

function rowOf(
  { context = '', msgid, forms, comments, plural }: PoEntry,
  line: number,
): ReturnedRow {
  if (plural !== undefined) throw new Error('plural forms are entries of their own here');
  const linesOf = (mark: string) =>
    comments.flatMap(({ text }) => (text.startsWith(mark) ? [text.slice(mark.length).trim()] : []));
  const { row, isReviewed, wasFuzzy } = readComments(linesOf('#.'));
  const isFuzzy = comments.some(({ text }) => /^#,.*\bfuzzy\b/.test(text));
  const references = linesOf('#:').flatMap((line) => line.split(/\s+/));
  return {
    id: findExchangeId([context, ...references]) ?? context,
    source: msgid.text,
    target: forms.get(0)?.text ?? '',
    ...row,
    // Removing `fuzzy` means that the text is right. For an entry that was not fuzzy, nothing was asked.
    word: isReviewed || (wasFuzzy && !isFuzzy) ? 'final' : 'open',
    line,
  };
}
