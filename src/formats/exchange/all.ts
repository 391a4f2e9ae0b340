/** The formats of exchange files, by name. The format of a returned file is found by its content. */

import { xliffVersion } from '../../parsing/markup.ts';
import { exchangeCsv } from './csv.ts';
import { cleanUnit, type ExchangeFormat, type ExchangeFormatName } from './exchange.ts';
import { exchangePo } from './po.ts';
import { xliff1 } from './xliff-1.ts';
import { xliff2 } from './xliff-2.ts';
import { xlsx } from './xlsx.ts';

export const EXCHANGE_FORMATS: Readonly<Record<ExchangeFormatName, ExchangeFormat>> = {
  xliff: withCleanUnits(xliff1),
  xliff2: withCleanUnits(xliff2),
  po: withCleanUnits(exchangePo),
  csv: withCleanUnits(exchangeCsv),
  xlsx: withCleanUnits(xlsx),
};

function withCleanUnits(format: ExchangeFormat): ExchangeFormat {
  return {
    ...format,
    write: ({ files, ...document }) => {
      const readable = files.map((file) => ({ ...file, units: file.units.map(cleanUnit) }));
      return format.write({ ...document, files: readable });
    },
  };
}

/** Undefined: the content has none of these formats. */
export function recognise(bytes: Uint8Array, file: string): ExchangeFormat | undefined {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1').replaceAll('\0', '');
  if (head.startsWith('PK\u0003\u0004')) return xlsx;
  const version = /^\d/.exec(xliffVersion(head) ?? '')?.[0];
  if (version !== undefined) return version === '1' ? xliff1 : xliff2;
  if (/\.po$/i.test(file)) return exchangePo;
  return /\.(?:csv|tsv|txt)$/i.test(file) ? exchangeCsv : undefined;
}
