/** JSON of records as the database takes it: it refuses what no text in it may hold, a zero and half of a pair of surrogates. Pure. */

/** Of the private use area: four hexadecimal digits behind it are a unit of UTF-16, and it stands for itself so as well. */
const MARK = '\ue000';
const UNFIT = /\\u(?:0000|d[89a-f])|\ue000/;
const ESCAPES = /\\u(0000|d[89a-f][0-9a-f]{2})|\\.|\ue000/g;

/** @param json as `JSON.stringify` writes it: surrogates without their other half are escaped */
export function fitJson(json: string): string {
  if (!UNFIT.test(json)) return json;
  return json.replace(ESCAPES, (found, unit: string | undefined) => {
    if (found === MARK) return `${MARK}e000`;
    return unit === undefined ? found : `${MARK}${unit}`;
  });
}

/** An id as the database has it. */
export function fitText(text: string): string {
  return JSON.parse(fitJson(JSON.stringify(text))) as string;
}

/** A record, from its text. */
export function recordFrom<T>(json: string): T {
  return JSON.parse(json.includes(MARK) ? json.replace(MARKED, '\\u$1') : json) as T;
}

/** An id. */
export function textFrom(text: string): string {
  return text.replace(MARKED, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}

const MARKED = /\ue000([0-9a-f]{4})/g;
