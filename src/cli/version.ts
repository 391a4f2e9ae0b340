/** The version of this package, as its package.json says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function version(): string {
  const file = join(import.meta.dirname, '..', '..', 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
