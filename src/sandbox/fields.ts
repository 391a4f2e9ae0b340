/** Fields of a request, JSON or form, read one by one with their rules; whatever is left over is unknown. */
import { badParameter } from './refusal.ts';

export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #encoding: 'json' | 'form';
  readonly #asked = new Set<string>();

  constructor(values: Readonly<Record<string, unknown>>, encoding: 'json' | 'form') {
    this.#values = values;
    this.#encoding = encoding;
  }

  /** Whether the caller sent it; null counts as absent. */
  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  /** The value as it came, for structures that have readers of their own. */
  raw(name: string): unknown {
    this.#asked.add(name);
    return Object.hasOwn(this.#values, name) ? (this.#values[name] ?? undefined) : undefined;
  }

  text(name: string): string | undefined {
    const value = this.#single(name);
    if (value === undefined || typeof value === 'string') return value;
    throw badParameter(name, 'must be a string');
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw badParameter(name, 'is required');
    return value;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = allowed.find((each) => each === value);
    if (found === undefined) throw badParameter(name, `must be one of ${allowed.join(', ')}`);
    return found;
  }

  /** In forms `1` and `0` (API document, show_billed_characters). */
  flag(name: string): boolean | undefined {
    const value = this.#single(name);
    if (value === undefined || typeof value === 'boolean') return value;
    if (this.#encoding === 'form' && (value === '1' || value === 'true')) return true;
    if (this.#encoding === 'form' && (value === '0' || value === 'false')) return false;
    throw badParameter(name, this.#encoding === 'form' ? 'must be 1 or 0' : 'must be a boolean');
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
      throw badParameter(name, `must be an integer from ${range.min} to ${range.max}`);
    }
    return number;
  }

  /** An array of strings; in forms the field repeated. */
  list(name: string): readonly string[] | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
    throw badParameter(name, 'must be an array of strings');
  }

  /**
   * The document lists every field, so that others are refused; deployments ignore them.
   * @throws Refusal 400 that names the first field nobody asked for.
   */
  refuseUnknown(dialect: 'document' | 'deployed'): void {
    if (dialect === 'deployed') return;
    const unknown = Object.keys(this.#values).find((name) => !this.#asked.has(name));
    if (unknown !== undefined) throw badParameter(unknown, 'is not known here');
  }

  #single(name: string): unknown {
    const value = this.raw(name);
    if (this.#encoding === 'json' || !Array.isArray(value)) return value;
    if (value.length > 1) throw badParameter(name, 'may be given only once');
    return value[0];
  }
}
