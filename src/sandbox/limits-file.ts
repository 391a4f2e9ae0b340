/** Parses the file of `--limits`: the limits to change, by their names in limits.ts. */
import * as z from 'zod';
import { type Limits, serviceLimits } from './limits.ts';

const amount = z.number().nonnegative();
const { upload: _, ...plain } = serviceLimits;

const limits = z
  .strictObject({
    ...Object.fromEntries(Object.keys(plain).map((name) => [name, amount])),
    upload: z.record(z.string(), amount),
  })
  .partial();

/** @throws Error that says which limit is unknown or wrong. */
export function parseLimits(value: unknown): Partial<Limits> {
  const parsed = limits.safeParse(value);
  if (!parsed.success)
    throw new Error(`not the limits of a service: ${z.prettifyError(parsed.error)}`);
  return parsed.data as Partial<Limits>;
}
