/** Settings of the service: where it is, who we are to it, how much at a time. */
import * as z from 'zod';
import { Duration, HttpAddress, PositiveCount, Secret, Size, Text } from './values.ts';

const LaneCounts = z.strictObject({
  document: PositiveCount.optional(),
  text: PositiveCount.optional(),
  subtitle: PositiveCount.optional(),
  voice: PositiveCount.optional(),
});

/** It stands in a header, before the key. */
const Scheme = Text.regex(/^[\x20-\x7e]+$/, 'must be one line of ASCII characters');

export const ServiceSettings = z
  .strictObject({
    url: HttpAddress.meta({ description: 'Base address of the API, or of the sandbox' }),
    key: Secret.default({ env: 'DRAGOMAN_KEY' }).meta({ description: 'Where the API key is' }),
    admin_key: Secret.optional().meta({
      description: 'Where the admin key is; for the commands keys and analytics only',
    }),
    scheme: Scheme.default('Service-Auth-Key').meta({
      description: 'Token before the key in the Authorization header',
    }),
    signature_scheme: Scheme.default('Service-Signature').meta({
      description: 'Token before the signature of a voice upload or download',
    }),
    headers: z
      .record(
        z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is no name of a header'),
        z
          .string()
          .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be one line of ASCII or Latin-1 characters'),
      )
      .default({})
      .meta({ description: 'Further request headers' }),
    concurrency: PositiveCount.max(256).default(8).meta({ description: 'Requests at a time' }),
    rate: z
      .strictObject({ per_second: z.number().positive() })
      .optional()
      .meta({ description: 'Without it the client finds the rate by itself' }),
    dialect: z.enum(['document', 'deployed']).default('document').meta({
      description:
        'document: as the API document says; deployed: as deployments are known to differ',
    }),
    capabilities: z.array(z.enum(['document_style', 'instruction_edit'])).default([]),
    ca_file: Text.optional().meta({ description: 'PEM file with further certificate authorities' }),
    limits: z
      .record(Text, Size)
      .default({})
      .meta({ description: 'Upload sizes per extension, where they differ: { docx: 30MB }' }),
    voice: z
      .strictObject({
        max_size: Size.default(1_073_741_824).meta({
          description: 'Bytes of one upload; absent: 1GiB',
        }),
        max_duration: Duration.default(10_800_000).meta({
          description: 'Of one recording; absent: 3h',
        }),
        jobs: PositiveCount.default(10).meta({ description: 'Voice jobs at a time' }),
      })
      .prefault({})
      .meta({
        description: 'What the service takes of recordings: size, duration, jobs at a time',
      }),
    lanes: LaneCounts.default({}).meta({ description: 'Jobs at a time, per lane' }),
    verify_every: Duration.default(3_600_000).meta({
      description: 'How often remote glossaries and styles are looked at again, such as 1h',
    }),
  })
  .meta({ description: 'The service and how to talk to it' });
export type ServiceSettings = z.output<typeof ServiceSettings>;
