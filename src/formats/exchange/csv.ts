/** CSV with a byte order mark, as Excel opens it; read with commas, semicolons or tabs. */
import { scanRows, writeField } from '../grammar/csv-rows.ts';
import { decodeBytes } from '../text/decode.ts';
import { positionsOf } from '../text/position.ts';
import {
  type ExchangeDocument,
  type ExchangeFormat,
  lacksUtf8,
  type Returned,
} from './exchange.ts';
import { MOST_TITLES, readExchangeTable, refuseTooMany, tableOf } from './table.ts';
import { isCertainlyWestern } from './western.ts';

export const exchangeCsv: ExchangeFormat = {
  name: 'csv',
  extension: 'csv',
  write,
  lacks: lacksUtf8,
  read,
};

const BYTE_ORDER_MARK = '\uFEFF';

function write(document: ExchangeDocument): Uint8Array {
  const lines = tableOf(document).map((row) =>
    row.map((text) => writeField(text, { isQuoted: false, delimiter: ',' })).join(','),
  );
  return Buffer.from(`${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`);
}

function read(bytes: Uint8Array, file: string): Returned {
  const { text, encoding } = decodeBytes(bytes, { file, fallback: 'windows-1252' });
  const [first = '', ...more] = text.split(/[\r\n]+/, MOST_TITLES + 1);
  const head = [first, ...more].find((line) => /\btarget\b/i.test(line)) ?? first;
  const count = (sign: string) => head.split(sign).length;
  const delimiter = [';', '\t'].find((sign) => count(sign) > count(',')) ?? ',';
  const positionAt = positionsOf(text);
  const counted = (cells: number) => refuseTooMany(cells, file);
  const endsInLineFeed = /^\r?\n/.test(text.slice(text.indexOf(head) + head.length));
  const dialect = { delimiter, file, counted, endsInLineFeed };
  const rows = scanRows(text, dialect).map(({ start, end, fields }) => ({
    line: positionAt(start).line,
    cells: fields.map((field) => ({ text: field.text })),
    ...(end < text.length ? {} : { isLast: true as const }),
  }));
  const returned = readExchangeTable(rows, { file, delimiter });
  if (encoding !== 'windows-1252') return returned;
  return { ...returned, read: isCertainlyWestern(bytes) ? encoding : 'unclear' };
}
