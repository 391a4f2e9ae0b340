/** The folder of the quickstart: the bundled example, with a config that needs no variable and a program to type there. */
import { chmod, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

export interface QuickstartFolder {
  /** Where it is made: the program's own folder, which is deleted first. */
  readonly folder: string;
  /** The folder of the package, with `examples` and `config`. */
  readonly home: string;
  readonly sandbox: { readonly url: string; readonly key: string };
  /** How the command line is started: node and the file of the program. */
  readonly program: readonly string[];
}

const KEY_FILE = 'sandbox.key';
/** Only their owner reads a key. */
const PRIVATE = 0o600;
const EXECUTABLE = 0o755;

export async function makeQuickstartFolder(options: QuickstartFolder): Promise<void> {
  const { folder, home, sandbox, program } = options;
  await rm(folder, { recursive: true, force: true });
  await cp(join(home, 'examples', 'quickstart'), folder, { recursive: true });
  const config = join(folder, 'dragoman.yaml');
  const example = await readFile(config, 'utf8');
  const schema = relative(folder, join(home, 'config', 'dragoman.schema.json'));
  await writeFile(config, ownConfig(example, { url: sandbox.url, schema }));
  await writeFile(join(folder, KEY_FILE), `${sandbox.key}\n`, { mode: PRIVATE });
  const script = join(folder, 'dragoman');
  await writeFile(script, startScript(program));
  await chmod(script, EXECUTABLE);
}

/** The example's config with the address of this sandbox in it: commands work without a variable. */
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

/** The Node that runs this may be found by nobody else: the checkout brings its own. */
export function startScript(program: readonly string[]): string {
  const words = program.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`;
}
