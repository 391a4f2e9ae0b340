/** Checks the shape of a part of the config with zod, and turns each issue of zod into a message at its setting. */
import type * as z from 'zod';
import { didYouMean } from '../routes/suggest.ts';
import type { SettingPath } from '../setting.ts';
import type { Anchor } from './yaml-text.ts';

/** The message for a setting that is required. */
export const MISSING = 'is missing';

/** Reports a fault. @param path of the setting; the receiver knows its line and column */
export type Report = (path: SettingPath, message: string, anchor?: Anchor) => void;

/** A config is read once: without this, zod compiles the schemas first, which costs 25 ms at the start of each command. */
export const READ_ONCE = { jitless: true };

interface ReadData {
  readonly data: unknown;
  readonly report: Report;
  /** Settings beside those of the schema, for suggestions: another schema reads them. */
  readonly besides?: readonly string[];
}

/**
 * Reads one part of the config. A setting with a fault is reported and left out, so that the rest is checked, too.
 * @param report gets the faults, with paths relative to the part
 * @returns the part with its defaults; undefined when a required setting is missing or wrong
 */
export function readShape<S extends z.ZodType>(
  schema: S,
  { data, report, besides = [] }: ReadData,
): z.output<S> | undefined {
  const first = schema.safeParse(data, READ_ONCE);
  if (first.success) return first.data;
  const issues = first.error.issues.flatMap((issue) => leafIssues(issue, data));
  for (const issue of issues) reportIssue(issue, { schema, data, report, besides });
  return schema.safeParse(withoutFaults(data, issues), READ_ONCE).data;
}

type Issue = z.core.$ZodIssue;

// The issue of a union says only that no branch matches. The issues inside the intended branch say more.
function leafIssues(issue: Issue, data: unknown): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = meantBranch(issue, valueAt(data, issue.path));
  if (meant === undefined) return [issue];
  return meant.flatMap((inner) => {
    const located = { ...inner, path: [...issue.path, ...inner.path] } as Issue;
    return leafIssues(located, data);
  });
}

function meantBranch(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  value: unknown,
): Issue[] | undefined {
  if (!isRecord(value)) return undefined;
  const candidates = issue.errors.filter(
    (branch) => !branch.some((inner) => inner.path.length === 0 && isMistype(inner)),
  );
  // Among several kinds of settings, the intended one has the fewest unknown names.
  const unknown = candidates.map(countUnknownNames);
  const fewest = Math.min(...unknown);
  const best = candidates.filter((_, index) => unknown[index] === fewest);
  return best.length === 1 ? best[0] : undefined;
}

function countUnknownNames(branch: readonly Issue[]): number {
  const names = branch.filter((inner) => inner.path.length === 0);
  return names.reduce((sum, inner) => sum + ('keys' in inner ? inner.keys.length : 0), 0);
}

function isMistype(issue: Issue): boolean {
  return issue.code === 'invalid_type' || issue.code === 'invalid_value';
}

interface ConfigPart {
  readonly schema: z.ZodType;
  readonly data: unknown;
  readonly report: Report;
  readonly besides: readonly string[];
}

function reportIssue(issue: Issue, { schema, data, report, besides }: ConfigPart): void {
  const inside = issue.path as SettingPath;
  if (issue.code === 'unrecognized_keys') {
    const known = [...settingsAt(schema, inside), ...(inside.length === 0 ? besides : [])];
    for (const key of issue.keys) {
      // The name is known in another kind of these settings, such as { id: … } or { name: …, csv: … }.
      const message = known.includes(key)
        ? 'does not go with the settings beside it'
        : `unknown setting${didYouMean(key, known)}`;
      report([...inside, key], message, 'name');
    }
    return;
  }
  const value = valueAt(data, inside);
  const anchor = issue.code === 'invalid_key' ? 'name' : 'value';
  report(inside, describeIssue(issue, value), anchor);
}

function describeIssue(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return MISSING;
      return isDefaultMessage(issue)
        ? `expected ${typeName(issue.expected)}, found ${found(value)}`
        : issue.message;
    case 'invalid_value':
      return describeChoice(issue, value);
    case 'too_small':
      return isDefaultMessage(issue) ? `must be at least ${issue.minimum}` : issue.message;
    case 'too_big':
      return isDefaultMessage(issue) ? `must be at most ${issue.maximum}` : issue.message;
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message;
    case 'invalid_union':
      return value === undefined ? MISSING : issue.message;
    case 'not_multiple_of':
    case 'invalid_format':
    case 'invalid_element':
    case 'unrecognized_keys':
    case 'custom':
      return issue.message;
  }
}

function describeChoice(issue: Extract<Issue, { code: 'invalid_value' }>, value: unknown): string {
  if (value === undefined) return MISSING;
  if (!isDefaultMessage(issue)) return issue.message;
  const choices = issue.values.map(String);
  const hint = typeof value === 'string' ? didYouMean(value, choices) : '';
  return `expected ${choices.join(' | ')}, found ${found(value)}${hint}`;
}

// The default messages of zod begin like this. Every other message is written in the schema and says what is allowed.
function isDefaultMessage(issue: Issue): boolean {
  return /^(Invalid|Too (small|big))/.test(issue.message);
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    object: 'settings',
    record: 'settings',
    array: 'a list',
    string: 'text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
  }),
);

function typeName(expected: string): string {
  return TYPE_NAMES.get(expected) ?? expected;
}

function found(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'settings';
  return JSON.stringify(value);
}

function withoutFaults(data: unknown, issues: readonly Issue[]): unknown {
  const copy = structuredClone(data);
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) removeValue(copy, [...issue.path, key]);
    } else {
      removeValue(copy, issue.path);
    }
  }
  return copy;
}

// A list is removed whole: without one item, the other items would have wrong indexes.
function removeValue(data: unknown, path: readonly PropertyKey[]): void {
  const list = path.findIndex((_, depth) => Array.isArray(valueAt(data, path.slice(0, depth))));
  const end = (list < 0 ? path.length : list) - 1;
  const holder = valueAt(data, path.slice(0, end));
  const name = path[end];
  if (isRecord(holder) && name !== undefined) delete holder[String(name)];
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const step of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Names of the settings that the schema allows at a path. */
function settingsAt(schema: z.core.$ZodType, path: SettingPath): string[] {
  const def = (schema as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
      return settingsAt(def.innerType, path);
    case 'pipe':
      return settingsAt(def.in, path);
    case 'union':
      return def.options.flatMap((option) => settingsAt(option, path));
    case 'array':
      return settingsAt(def.element, path.slice(1));
    case 'record':
      return path.length === 0 ? [] : settingsAt(def.valueType, path.slice(1));
    case 'object':
      return settingsInside(def.shape, path);
    default:
      return [];
  }
}

function settingsInside(shape: z.core.$ZodShape, [step, ...rest]: SettingPath): string[] {
  if (step === undefined) return Object.keys(shape);
  const inner = shape[step];
  return inner === undefined ? [] : settingsAt(inner, rest);
}
