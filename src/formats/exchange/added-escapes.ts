/**
 * The escapes that a program added to the texts of a file. `po2csv` of the Translate Toolkit writes the text of a PO entry with its escapes:
 * `\` becomes `\\`, and a control character `\\007`. A PO file that `csv2po` makes from it has them too.
 */
import { parseExchangeId } from '../../segments/exchange-id.ts';
import { sourceHash } from '../../segments/statements.ts';
import { decodePo } from '../grammar/po-entries.ts';
import type { Returned, ReturnedRow } from './exchange.ts';

type Decode = (text: string) => string;

const asIs: Decode = (text) => text;
/** For a text with control characters: the Translate Toolkit does not know their escapes, and escapes these again. */
const decodeControls: Decode = (text) =>
  decodePo(text).replace(/\\(0[0-3][0-7]|177)/g, (octal) => decodePo(octal));
const DECODES: readonly Decode[] = [asIs, decodePo, decodeControls];

/**
 * Removes added escapes. The ids show whether a program added them: an id has the hash of the source that was exported. When one source
 * of the file got escapes, its program has escaped all texts.
 */
export function withoutAddedEscapes(returned: Returned): Returned {
  const decodes = returned.rows.map(decodeOf);
  if (decodes.every((decode) => decode === undefined || decode === asIs)) return returned;
  const rows = returned.rows.map((row, at) => decodedRow(row, decodes[at] ?? decodePo));
  return { ...returned, rows };
}

/** @returns undefined when the source does not show it: it would be the same with escapes, or it is not the exported one */
function decodeOf({ id, source = '' }: ReturnedRow): Decode | undefined {
  if (!source.includes('\\')) return undefined;
  const exported = parseExchangeId(id)?.source;
  return DECODES.find((decode) => sourceHash(decode(source)) === exported);
}

function decodedRow(row: ReturnedRow, decode: Decode): ReturnedRow {
  const source = row.source === undefined ? {} : { source: decode(row.source) };
  return { ...row, ...source, target: decode(row.target) };
}
