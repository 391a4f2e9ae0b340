/** Writes what is made from the schema: `node src/config/schema-file.ts`. Tests assert that both files are current. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ConfigSettings } from '../config.ts';
import { referenceText } from './reference.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SCHEMA_FILE = join(ROOT, 'config', 'dragoman.schema.json');
const REFERENCE_FILE = join(ROOT, 'docs', 'config.md');

/** The JSON Schema (draft 7, which YAML editors know) of what a person may write. */
export function schemaText(): string {
  return `${JSON.stringify(schema(), null, 2)}\n`;
}

/** The same for people. */
export function referencePage(): string {
  return referenceText(schema());
}

function schema(): object {
  return z.toJSONSchema(ConfigSettings, { io: 'input', target: 'draft-7' });
}

if (import.meta.main) {
  writeFileSync(SCHEMA_FILE, schemaText());
  writeFileSync(REFERENCE_FILE, referencePage());
}
