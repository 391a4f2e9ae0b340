/** The fields of a request, JSON or form, read one by one with their rules; the fields that are left are unknown. */
import { badParameter, type Refusal } from './refusal.ts';

export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #encoding: 'json' | 'form';
  readonly #path: string;
  readonly #asked = new Set<string>();

  /** @param path of a nested object, for messages: `dictionaries[0].` */
  constructor(
    values: Readonly<Record<string, unknown>>,
    encoding: 'json' | 'form' = 'json',
    path = '',
  ) {
    this.#values = values;
    this.#encoding = encoding;
    this.#path = path;
  }

  /** 400 that names a field of this object. */
  bad(name: string, rule: string): Refusal {
    return badParameter(`${this.#path}${name}`, rule);
  }

  /** Whether the caller sent it; null counts as absent. */
  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  /** Whether it was sent as null, for fields where null has a meaning. */
  isNull(name: string): boolean {
    this.#asked.add(name);
    return Object.hasOwn(this.#values, name) && this.#values[name] === null;
  }

  /** The value as it was sent, for structures with readers of their own. */
  raw(name: string): unknown {
    this.#asked.add(name);
    return Object.hasOwn(this.#values, name) ? (this.#values[name] ?? undefined) : undefined;
  }

  text(name: string): string | undefined {
    const value = this.#single(name);
    if (value === undefined || typeof value === 'string') return value;
    throw this.bad(name, 'must be a string');
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw this.bad(name, 'is required');
    return value;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = allowed.find((each) => each === value);
    if (found === undefined) throw this.bad(name, `must be one of ${allowed.join(', ')}`);
    return found;
  }

  /** In forms `1` and `0` (docs/design/api.md, "Conventions"). */
  flag(name: string): boolean | undefined {
    const value = this.#single(name);
    if (value === undefined || typeof value === 'boolean') return value;
    if (this.#encoding === 'form' && (value === '1' || value === 'true')) return true;
    if (this.#encoding === 'form' && (value === '0' || value === 'false')) return false;
    throw this.bad(name, this.#encoding === 'form' ? 'must be 1 or 0' : 'must be a boolean');
  }

  integer(name: string, range: { min: number; max: number }): number | undefined {
    const value = this.#single(name);
    if (value === undefined) return undefined;
    const number = this.#encoding === 'form' && value !== '' ? Number(value) : value;
    if (
      typeof number !== 'number' ||
      !Number.isInteger(number) ||
      number < range.min ||
      number > range.max
    ) {
      throw this.bad(name, `must be an integer from ${range.min} to ${range.max}`);
    }
    return number;
  }

  /** An array of strings; in forms the field repeated. */
  list(name: string): readonly string[] | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
    throw this.bad(name, 'must be an array of strings');
  }

  /** An array of objects. */
  objects(name: string): readonly Fields[] | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw this.bad(name, 'must be an array of objects');
    return value.map((each: unknown, i) => {
      if (!isObject(each)) throw this.bad(`${name}[${i}]`, 'must be an object');
      return new Fields(each, this.#encoding, `${this.#path}${name}[${i}].`);
    });
  }

  /** A text of at most so many characters (Unicode code points). */
  shortText(name: string, most: number): string {
    const value = this.requiredText(name);
    if ([...value].length <= most) return value;
    throw this.bad(name, `may hold at most ${most} characters`);
  }

  /**
   * Refuses fields that are not documented; deployments ignore them (docs/design/api.md, "Where deployments differ").
   * @throws Refusal 400 that names the first unknown field.
   */
  refuseUnknown(dialect: 'document' | 'deployed'): void {
    if (dialect === 'deployed') return;
    const unknown = Object.keys(this.#values).find((name) => !this.#asked.has(name));
    if (unknown !== undefined) throw this.bad(unknown, 'is not known here');
  }

  #single(name: string): unknown {
    const value = this.raw(name);
    if (this.#encoding === 'json' || !Array.isArray(value)) return value;
    if (value.length > 1) throw this.bad(name, 'may be given only once');
    return value[0];
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
