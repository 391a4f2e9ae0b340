/** Parses faults from the control endpoint's body, or from the file of `--faults`. */
import * as z from 'zod';
import type { SimulatedFault } from './fault.ts';
import { isObject } from './fields.ts';
import { Refusal } from './refusal.ts';

const aim = {
  operation: z.string().optional(),
  times: z.union([z.int().positive(), z.literal('always')]).optional(),
  skip: z.int().nonnegative().optional(),
  target_lang: z.string().optional(),
  matches: z.string().optional(),
};

const milliseconds = z.number().nonnegative();
const count = z.int().nonnegative();

const fault = z.discriminatedUnion('kind', [
  kind('status', {
    status: z.int().min(200).max(599),
    retry_after: z.union([z.number().nonnegative(), z.string()]).optional(),
    message: z.string().optional(),
    format: z.enum(['json', 'html']).optional(),
  }),
  kind('latency', { ms: milliseconds }),
  kind('reset', {}),
  kind('quota', { characters: count }),
  kind('no_answer', { how: z.enum(['reset', 'silence']).optional() }),
  kind('slow_headers', { ms: milliseconds }),
  kind('slow_body', { ms: milliseconds }),
  kind('cut_body', { bytes: count }),
  kind('empty', {}),
  kind('damage', {
    how: z.enum([
      'drop',
      'duplicate',
      'move',
      'empty_pair',
      'eat_space',
      'translate_id',
      'unescape',
    ]),
  }),
  kind('newlines', { how: z.enum(['add', 'lose']) }),
  kind('delete_glossary', { answer: z.enum(['not_found', 'untranslated']).optional() }),
  kind('not_ready', {}),
  kind('seconds_remaining', { seconds: z.number() }),
  kind('unknown_state', { state: z.string() }),
  kind('lost_job', {}),
  kind('keep_result', {}),
  kind('wrong_result', { text: z.string(), encoding: z.enum(['utf8', 'latin1']).optional() }),
  kind('failed_job', { message: z.string() }),
  kind('out_of_step', {}),
  kind('expired_signature', {}),
]);

const faults = z.union([z.array(fault), fault.transform((one) => [one])]);

const KINDS: readonly string[] = fault.options.map(({ shape }) => shape.kind.value);

/** Parses one fault or an array of them. @throws Refusal 400 with the reason. */
export function parseFaults(value: unknown): readonly SimulatedFault[] {
  for (const each of [value].flat()) checkKind(each);
  const parsed = faults.safeParse(value);
  if (!parsed.success) throw new Refusal(400, `Not a fault: ${z.prettifyError(parsed.error)}`);
  for (const { matches } of parsed.data) checkPattern(matches);
  return parsed.data as readonly SimulatedFault[];
}

function checkKind(value: unknown): void {
  const found = isObject(value) ? value['kind'] : undefined;
  if (KINDS.some((each) => each === found)) return;
  const known = `kind must be one of ${KINDS.join(', ')}`;
  throw new Refusal(400, `Not a fault: ${known}, not ${JSON.stringify(found) ?? 'absent'}.`);
}

function kind<K extends SimulatedFault['kind'], Shape extends z.ZodRawShape>(
  name: K,
  shape: Shape,
) {
  return z.strictObject({ kind: z.literal(name), ...shape, ...aim });
}

function checkPattern(pattern: string | undefined): void {
  try {
    new RegExp(pattern ?? '', 'u');
  } catch {
    throw new Refusal(400, `Not a fault: matches is no regular expression: ${pattern}`);
  }
}
