/** Characters of XML: references read, and what must not stand there escaped. Pure. */

const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

/** Text of character data or an attribute; references that XML does not define stay as they are. */
export function decodeXml(raw: string): string {
  return raw.replace(/&(?:#(\d+)|#x([\da-fA-F]+)|(\w+));/g, (reference, decimal, hex, named) => {
    if (named !== undefined) return NAMED[named] ?? reference;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : reference;
  });
}

// What XML 1.0 cannot hold at all (2.2, Char), lone surrogates included.
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Character data for a text: the three marks escaped, what XML cannot hold left out. */
export function encodeXml(text: string): string {
  return text
    .replace(NOT_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
