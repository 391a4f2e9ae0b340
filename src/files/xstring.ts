/** How spreadsheets write characters that XML does not allow: `_x000D_` (ECMA-376 part 1, 22.9.2.19, ST_Xstring). Pure. */

const ESCAPE = /_x([\dA-Fa-f]{4})_/g;
// Cells contain line feed and tab unescaped. XML has no lone surrogates (Cs), and no U+FFFE and U+FFFF.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what ST_Xstring is for.
const CONTROL = /[\0-\x08\x0B-\x1F\uFFFE\uFFFF\p{Cs}]/gu;

export function decodeXstring(written: string): string {
  return written.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** When the text itself looks like an escape, its underscore is escaped: so it is read back as text. */
export function encodeXstring(text: string): string {
  return text
    .replace(ESCAPE, (literal) => `_x005F${literal}`)
    .replace(CONTROL, (mark) => {
      const hex = mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      return `_x${hex}_`;
    });
}
