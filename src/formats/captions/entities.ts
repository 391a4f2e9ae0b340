/** Named and numeric characters of WebVTT: decoded, and encoded where WebVTT requires it. Pure. */
import { XML_ENTITIES } from '../../files/xml-characters.ts';
import type { SubtitleFormat } from './timing.ts';

const CHARACTER_OF_ENTITY = new Map([
  ...XML_ENTITIES,
  ...Object.entries({
    nbsp: '\u00a0',
    lrm: '\u200e',
    rlm: '\u200f',
    shy: '\u00ad',
    hellip: '…',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    laquo: '«',
    raquo: '»',
    iexcl: '¡',
    iquest: '¿',
    szlig: 'ß',
    oslash: 'ø',
    Oslash: 'Ø',
    aelig: 'æ',
    AElig: 'Æ',
    oelig: 'œ',
    OElig: 'Œ',
    copy: '©',
    deg: '°',
    euro: '€',
    pound: '£',
  }),
]);

/** `eacute` is an e with an acute accent; Unicode composes the two. */
const ACCENTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    grave: '\u0300',
    acute: '\u0301',
    circ: '\u0302',
    tilde: '\u0303',
    uml: '\u0308',
    ring: '\u030a',
    cedil: '\u0327',
  }),
);

/**
 * WebVTT, "cue text tokenizer": its texts hold the character references of HTML, by number or by name. In SRT `&` is an ampersand. A name
 * that is not listed stays as it is.
 */
export function unescapeText(text: string, format: SubtitleFormat): string {
  if (format === 'srt' || !text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi,
    (whole, decimal?: string, hexadecimal?: string, name?: string) =>
      (name === undefined
        ? numbered(Number.parseInt(decimal ?? hexadecimal ?? '', decimal === undefined ? 16 : 10))
        : namedEntity(name)) ?? whole,
  );
}

/** WebVTT, "cue text": `&` and `<` must be escaped. SRT has no entities. */
export function escapeText(text: string, format: SubtitleFormat): string {
  if (format === 'srt') return text;
  return text.replace(/[&<>]/g, (sign) =>
    sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : '&gt;',
  );
}

function namedEntity(name: string): string | undefined {
  const known = CHARACTER_OF_ENTITY.get(name);
  if (known !== undefined) return known;
  const [, letter = '', accent = ''] = /^([A-Za-z])([a-z]+)$/.exec(name) ?? [];
  const mark = ACCENTS.get(accent);
  return mark === undefined ? undefined : `${letter}${mark}`.normalize('NFC');
}

/** Undefined for line breaks and NUL: they would change the structure. */
function numbered(point: number): string | undefined {
  const isSign = point >= 0x20 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return isSign ? String.fromCodePoint(point) : undefined;
}
