/**
 * Ids of nested formats: `nav.items[0].title`. A dot, bracket, hash, quote or backslash inside a key is escaped with a backslash, and an
 * empty key is `""`. So every path has exactly one id.
 */

/** A key of an object, or an index of a list. */
export type KeyStep = string | number;
export type KeyPath = readonly KeyStep[];

export function joinKey(path: KeyPath): string {
  let id = '';
  for (const step of path) {
    if (typeof step === 'number') id += `[${step}]`;
    else id += (id === '' ? '' : '.') + escapeKey(step);
  }
  return id;
}

/** The path of an id; the number of a duplicate (`#1`) is left out. */
export function splitKey(id: string): KeyStep[] {
  const path: KeyStep[] = [];
  const steps = /\.?((?:[^\\.[#"]|\\.)+|"")|\[(\d+)\]|#\d+$/gs;
  for (const [, key, index] of id.matchAll(steps)) {
    if (index !== undefined) path.push(Number(index));
    else if (key !== undefined) path.push(key === '""' ? '' : key.replace(/\\(.)/gs, '$1'));
  }
  return path;
}

function escapeKey(key: string): string {
  return key === '' ? '""' : key.replace(/[\\.[#"]/g, '\\$&');
}

const LIST_OR_FORM = /(?<!\\)(?:\[|_(?:zero|one|two|few|many|other)$).*$/s;
const FORM = /^(.+)\.(?:zero|one|two|few|many|other)$/s;

/** `Format.messageOf` of formats whose keys have plural forms (`item_one`, `item.one`) and lists (`faq[0].answer`). */
export function messageOfKey(id: string, isId: (id: string) => boolean): string {
  const name = id.replace(LIST_OR_FORM, '');
  const group = FORM.exec(name)?.[1];
  return shortestId(group !== undefined && isId(`${group}.other`) ? group : name, isId);
}

/** The shortest path above a key that is an id, too; the key itself when there is none. */
export function shortestId(id: string, isId: (id: string) => boolean): string {
  const steps = [...id.matchAll(/(?<!\\)\./g)].map(({ index }) => id.slice(0, index));
  return steps.find((step) => isId(step)) ?? id;
}

/** `Format.messageOf` of formats whose forms are numbered in brackets at the end: `id[0]`. */
export function messageOfForm(id: string): string {
  return id.replace(/(?<!\\)\[[^[\]]*\]$/, '');
}
