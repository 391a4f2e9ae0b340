/** Makes the folder of the quickstart: the bundled example, a config without variables, and a script that starts dragoman. */

import { chmod, cp, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readText } from '../files/read-file.ts';

export interface QuickstartFolder {
  /** The folder to make. It belongs to dragoman and is deleted first. */
  readonly folder: string;
  /** The folder of the package, with `examples` and `config`. */
  readonly home: string;
  readonly sandbox: { readonly url: string; readonly key: string };
  /** The command that starts dragoman: node and the file of the program. */
  readonly program: readonly string[];
}

const KEY_FILE = 'sandbox.key';
/** Only the owner of the file reads the key. */
const PRIVATE = 0o600;
const EXECUTABLE = 0o755;

export async function makeQuickstartFolder(options: QuickstartFolder): Promise<void> {
  const { folder, home, sandbox, program } = options;
  await rm(folder, { recursive: true, force: true });
  await cp(join(home, 'examples', 'quickstart'), folder, { recursive: true });
  const config = join(folder, 'dragoman.yaml');
  const example = await readText(config);
  const schema = relative(folder, join(home, 'config', 'dragoman.schema.json'));
  await writeFile(config, ownConfig(example, { url: sandbox.url, schema }));
  await writeFile(join(folder, KEY_FILE), `${sandbox.key}\n`, { mode: PRIVATE });
  const script = join(folder, 'dragoman');
  await writeFile(script, startScript(program));
  await chmod(script, EXECUTABLE);
}

/** The config of the example with the address of this sandbox, so that commands work without a variable. */
export function ownConfig(
  example: string,
  { url, schema }: { url: string; schema: string },
): string {
  const again = `./dragoman sandbox --port ${new URL(url).port}`;
  return example
    .replace(/(?<=\$schema=).*/, () => schema)
    .replace(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the example reads a variable
      'url: ${DRAGOMAN_URL}',
      () => `url: ${url} # the sandbox of the quickstart; it is started again by: ${again}`,
    )
    .replace('key: { env: DRAGOMAN_KEY }', () => `key: { file: ${KEY_FILE} }`);
}

/** A shell script that runs the program with the Node of this process, since the PATH may have another Node or none. */
export function startScript(program: readonly string[]): string {
  const words = program.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`;
}
