/** Query parameters: pages, flags, required values. */
import { badParameter } from './refusal.ts';

/** `page` (0 when absent) and `page_size` (1 to 25, 10 when absent) as a range of indices. */
export function readPage(query: URLSearchParams): { start: number; end: number } {
  const page = integer(query, 'page', { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? 0;
  const size = integer(query, 'page_size', { min: 1, max: 25 }) ?? 10;
  return { start: page * size, end: (page + 1) * size };
}

export function queryFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw badParameter(name, 'must be true or false');
  return value === 'true';
}

export function requiredQuery(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null || value === '') throw badParameter(name, 'is required');
  return value;
}

function integer(
  query: URLSearchParams,
  name: string,
  range: { min: number; max: number },
): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  const number = /^\d+$/u.test(value) ? Number(value) : Number.NaN;
  if (number >= range.min && number <= range.max) return number;
  throw badParameter(name, `must be an integer from ${range.min} to ${range.max}`);
}
