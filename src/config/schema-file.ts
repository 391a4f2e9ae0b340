/** Writes `config/dragoman.schema.json`, which editors read: `node src/config/schema-file.ts`. A test asserts that it is current. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigSettings } from './schema.ts';

const SCHEMA_FILE = join(import.meta.dirname, '..', '..', 'config', 'dragoman.schema.json');

/** The JSON Schema (draft 7, which YAML editors know) of what a person may write. */
export function schemaText(): string {
  const schema = z.toJSONSchema(ConfigSettings, { io: 'input', target: 'draft-7' });
  return `${JSON.stringify(schema, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(SCHEMA_FILE, schemaText());
