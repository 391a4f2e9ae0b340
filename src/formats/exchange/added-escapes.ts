/**
 * The escapes that a program added to the texts of a file. `po2csv` of the Translate Toolkit writes the text of a PO entry with its escapes:
 * `\` becomes `\\`, and a control character `\\007`. A PO file that `csv2po` makes from it has them too.
 */
import { parseExchangeId } from '../../segments/exchange-id.ts';
import { sourceHash, targetHash } from '../../segments/statements.ts';
import { decodePo } from '../grammar/po-entries.ts';
import type { Returned, ReturnedRow } from './exchange.ts';

type Decode = (text: string) => string;

const asIs: Decode = (text) => text;
/** The Translate Toolkit does not know the escapes of control characters, and takes them for text. */
const decodeControls: Decode = (text) =>
  text.replace(/\\(0[0-3][0-7]|177)/g, (octal) => decodePo(octal));
const DECODES: readonly Decode[] = [
  ...[asIs, decodePo, decodeControls],
  (text) => decodeControls(decodePo(text)),
];

/**
 * Removes added escapes. The ids show whether a program added them: an id has the hash of the source that was exported. When one source
 * of the file got escapes, its program has escaped all texts.
 */
export function withoutAddedEscapes(returned: Returned): Returned {
  const ofSources = returned.rows.map(decodeOfSource);
  const isEscaped = ofSources.some((decode) => decode !== undefined && decode !== asIs);
  const rows = returned.rows.map((row, at) => {
    const others = isEscaped ? decodePo : asIs;
    const source = ofSources[at] ?? others;
    return decodedRow(row, { source, target: decodeOfTarget(row) ?? source });
  });
  return { ...returned, rows };
}

/** @returns undefined when the source does not show it: it would be the same with escapes, or it is not the exported one */
function decodeOfSource({ id, source = '' }: ReturnedRow): Decode | undefined {
  if (!source.includes('\\')) return undefined;
  const exported = parseExchangeId(id)?.source;
  return DECODES.find((decode) => sourceHash(decode(source)) === exported);
}

/** @returns undefined when a person has changed the translation */
function decodeOfTarget({
  id,
  target,
  was = parseExchangeId(id)?.target,
}: ReturnedRow): Decode | undefined {
  if (!target.includes('\\')) return undefined;
  return DECODES.find((decode) => targetHash(decode(target)) === was);
}

function decodedRow(
  row: ReturnedRow,
  decode: { readonly source: Decode; readonly target: Decode },
): ReturnedRow {
  const source = row.source === undefined ? {} : { source: decode.source(row.source) };
  return { ...row, ...source, target: decode.target(row.target) };
}
