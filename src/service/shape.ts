/** Checks the types of a caller's values, for callers without type checks: plain JavaScript, JSON. */
import * as z from 'zod';
import { JobFailure } from '../failure.ts';

export interface Shaped {
  readonly operation: string;
  readonly shape: z.ZodType;
  /** The name of the whole value in messages; absent: `request`. */
  readonly name?: string;
}

/** Without this, zod compiles each schema at its first use: 8 ms at the start of each command that connects. */
const UNCOMPILED = { jitless: true };

/** @throws JobFailure `invalid-request` that names the first field with a wrong type, also for an absent request */
export function requireShape(value: unknown, { operation, shape, name = 'request' }: Shaped): void {
  const { error } = shape.safeParse(value, UNCOMPILED);
  if (error === undefined) return;
  throw new JobFailure({ kind: 'invalid-request', operation, ...faultOf(error, name) });
}

/** The first field that is wrong, and the rule for it, in words for people. @param name of the whole value */
export function faultOf(
  { issues: [issue] }: z.ZodError,
  name: string,
): { readonly parameter: string; readonly rule: string } {
  if (issue === undefined) return { parameter: name, rule: 'is not valid' };
  return {
    parameter: issue.path.length === 0 ? name : pathOf(issue.path),
    rule: ruleOf(issue),
  };
}

/** `dictionaries[0].entries` */
function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${NOUNS.get(issue.expected) ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string') return 'must not be empty';
      return `must be ${issue.inclusive === true ? 'at least' : 'above'} ${issue.minimum}`;
    default:
      return issue.message;
  }
}

const NOUNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    array: 'an array',
    object: 'an object',
    record: 'an object',
    int: 'a whole number',
  }),
);

/** A single text counts as a list of one. */
export const Texts = z.union([z.string(), z.array(z.string())], {
  error: 'must be a text or an array of texts',
});

/** A function of the caller. */
export const Callback = z.custom<unknown>((value) => typeof value === 'function', {
  error: 'must be a function',
});

/** The receiver of a result, piece by piece. */
export const Sink = z.looseObject({ headers: Callback, write: Callback });

/** Includes Infinity, which is not a number for zod. */
export const Milliseconds = z.custom<number>((value) => typeof value === 'number' && value >= 0, {
  error: 'must be a number of milliseconds',
});

export const Signal = z.custom<AbortSignal>((value) => value instanceof AbortSignal, {
  error: 'must be an AbortSignal',
});
