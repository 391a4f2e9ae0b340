/** The shapes of requests from the page's script. Each body is checked before it is used. */
import * as z from 'zod';
import { REVIEW_STATES } from '../segments/review.ts';

const Text = z.string().max(20_000);
const Job = { project: Text, language: Text, file: Text.startsWith('/') };

export const SessionRequest = z.strictObject({ token: Text });

export const ChangeRequest = z.strictObject({ project: Text, file: Text.startsWith('/') });

export const ConflictsRequest = z.strictObject(Job);

const PriceRequest = z.strictObject({
  price_characters: z.number().nonnegative(),
  price_seconds: z.number().nonnegative(),
});
export type PriceRequest = z.infer<typeof PriceRequest>;

/** Without `at_most`, asks for the price. With it, releases the task if it costs no more than the person saw. */
export const ReleaseRequest = z.strictObject({
  task: Text,
  verb: z.enum(['retry', 'approve']),
  at_most: PriceRequest.optional(),
});

export const ResolveRequest = z.strictObject({
  ...Job,
  key: Text.optional(),
  choice: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('human') }),
    z.strictObject({ kind: z.literal('machine') }),
    z.strictObject({ kind: z.literal('text'), text: Text }),
  ]),
});

const Count = z.int().nonnegative().max(10_000_000);

export const ReviewListRequest = z.strictObject({
  project: Text.optional(),
  language: Text.optional(),
  file: Text.optional(),
  states: z.array(z.enum(REVIEW_STATES)),
  text: Text.optional(),
  since: z.iso.datetime().optional(),
  partial: z.boolean().optional(),
  from: Count,
  count: Count,
});

export const ReviewSaveRequest = z.strictObject({
  ...{ project: Text, language: Text, file: Text, id: Text, source: Text, was: Text },
  /** Its length is checked later, with a message of its own. */
  text: z.string(),
  reviewed: z.boolean(),
});

export const ReviewUndoRequest = z.strictObject({
  ...{ project: Text, language: Text, file: Text, id: Text, source: Text, was: Text, at: Text },
});

export const Nothing = z.strictObject({});
