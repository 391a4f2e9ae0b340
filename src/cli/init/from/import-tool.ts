/** `init --from FILE`: reads the config of another tool, and never changes it. */
import { dirname, join, relative, resolve } from 'node:path';
import { JobFailure } from '../../../failure.ts';
import { readText } from '../../../files/read-file.ts';
import { parse } from '../../../parsing/parse.ts';
import { CommandFailure, UsageError } from '../../command.ts';
import type { Imported } from './imported.ts';
import { READ_TOOL_CONFIG } from './thread-calls.ts';
import { TOOL_FILES, TOOLS } from './tools.ts';

/** @returns the imported settings, with the root relative to `cwd` @throws UsageError for a wrong file; CommandFailure 1 when it has faults or no routes */
export async function importTool(given: string, cwd: string): Promise<Imported> {
  const file = resolve(cwd, given);
  if (/\.[cm]?[jt]s$/.test(given)) {
    throw new UsageError(
      `--from ${given}: dragoman does not run programs; write the exported settings into a JSON file, such as .tolgeerc.json`,
    );
  }
  const tool = TOOLS.find(({ pattern }) => pattern.test(file.replaceAll('\\', '/')));
  if (tool === undefined) throw new UsageError(`--from ${given}: expected ${TOOL_FILES}`);
  const text = await readText(file).catch(() => {
    throw new UsageError(`--from ${given}: the file does not exist or cannot be read`);
  });
  const imported = tool.read(tool.language === 'INI' ? text : await dataOf(text, file));
  if (imported.routes.length === 0) {
    throw new CommandFailure(1, `no route follows from ${given}; nothing was written`);
  }
  // The config of Tolgee may be in the folder .config.
  const above = tool.above + (/[/\\]\.config$/.test(dirname(file)) ? 1 : 0);
  const folder = above === 0 ? dirname(file) : dirname(dirname(file));
  const root = relative(cwd, join(folder, imported.root ?? '.'));
  if (root === '') {
    const { root: _, ...rest } = imported;
    return rest;
  }
  if (root.startsWith('..')) {
    throw new UsageError(`--from ${given}: its files are outside of this folder; run init there`);
  }
  return { ...imported, root };
}

async function dataOf(text: string, file: string): Promise<unknown> {
  try {
    return await parse(READ_TOOL_CONFIG, { text, file }, { file, bytes: text.length });
  } catch (error) {
    if (!(error instanceof JobFailure) || error.failure.kind !== 'malformed') throw error;
    const { where, message } = error.failure;
    throw new CommandFailure(1, `${file}:${where.line ?? 1}: ${message}; nothing was written`);
  }
}
