/** What the page's script may ask to be done: shapes that are checked before the daemon hears of them. */
import { z } from 'zod';

const Text = z.string().max(20_000);
const Job = { project: Text, language: Text, file: Text.startsWith('/') };

export const SessionRequest = z.strictObject({ token: Text });

export const ConflictsRequest = z.strictObject(Job);

export const ReleaseRequest = z.strictObject({
  project: Text,
  languages: z.array(Text).min(1),
  files: z.array(Job.file).min(1),
  verb: z.enum(['retry', 'approve']),
  act: z.enum(['price', 'release']),
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

export const Nothing = z.strictObject({});
