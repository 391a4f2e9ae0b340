import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');

/**
 * A folder of `examples` as one has it after a while: a file that was written just now is waited for until it stands still.
 * @returns the absolute path of the copy
 */
export async function copyOfExample(name: string): Promise<string> {
  const folder = await temporaryFolder();
  cpSync(join(EXAMPLES, name), folder, { recursive: true, preserveTimestamps: true });
  return folder;
}
