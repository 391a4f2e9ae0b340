/** Reads and writes characters of XML: references and escapes. Pure. */

/** The references that XML defines (XML 1.0, 4.6). */
export const XML_ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);

/** The text of character data or of an attribute. References that XML does not define stay as they are. */
export function decodeXml(raw: string): string {
  return raw.replace(/&(?:#(\d+)|#x([\da-fA-F]+)|(\w+));/g, (reference, decimal, hex, named) => {
    if (named !== undefined) return XML_ENTITIES.get(named) ?? reference;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : reference;
  });
}

// Characters that XML 1.0 does not allow (2.2, Char), also lone surrogates.
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Character data for a text: escapes `&`, `<` and `>`, and removes characters that XML does not allow. */
export function encodeXml(text: string): string {
  return text
    .replace(NOT_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
