import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');

/**
 * A folder of `examples` with old times: dragoman waits for a file that was just written.
 * @returns the absolute path of the copy
 */
export async function copyOfExample(name: string): Promise<string> {
  const folder = await temporaryFolder();
  cpSync(join(EXAMPLES, name), folder, { recursive: true, preserveTimestamps: true });
  return folder;
}
