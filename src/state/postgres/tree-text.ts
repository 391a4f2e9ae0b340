/** Escapes JSON for the database, which refuses U+0000 and lone surrogates in texts. Pure. */

/**
 * A character of the private use area. The mark and the four hexadecimal digits after it stand for one UTF-16 code unit; so the mark
 * itself is escaped, too.
 */
const ESCAPE_MARK = '\ue000';
const UNFIT = /\\u(?:0000|d[89a-f])|\ue000/;
const ESCAPES = /\\u(0000|d[89a-f][0-9a-f]{2})|\\.|\ue000/g;

/** @param json from `JSON.stringify`, which escapes lone surrogates */
export function fitJson(json: string): string {
  if (!UNFIT.test(json)) return json;
  return json.replace(ESCAPES, (found, unit: string | undefined) => {
    if (found === ESCAPE_MARK) return `${ESCAPE_MARK}e000`;
    return unit === undefined ? found : `${ESCAPE_MARK}${unit}`;
  });
}

/** Escapes an id. */
export function fitText(text: string): string {
  return JSON.parse(fitJson(JSON.stringify(text))) as string;
}

/** Reads a record from escaped JSON. */
export function recordFrom<T>(json: string): T {
  return JSON.parse(json.includes(ESCAPE_MARK) ? json.replace(MARKED, '\\u$1') : json) as T;
}

/** Reads an escaped id. */
export function textFrom(text: string): string {
  if (!text.includes(ESCAPE_MARK)) return text;
  return text.replace(MARKED, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}

const MARKED = /\ue000([0-9a-f]{4})/g;
