/** `dragoman resolve FILE [KEY] --human | --machine | --edit`: ends a conflict between a person's text and the machine's. */

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { ConflictsRequest, Control, ResolveRequest } from '../control/control.ts';
import type { ConflictLine } from '../control/report.ts';
import { readText } from '../files/read-file.ts';
import { type CliCommand, type CommandCall, CommandFailure, UsageError } from './command.ts';
import { conflictLines } from './conflict-lines.ts';
import { withControl } from './open-control.ts';
import { requireRest } from './require-rest.ts';
import { addScope, type ScopeOptions, scopeFrom } from './scope.ts';

interface ResolveOptions extends ScopeOptions {
  readonly human?: boolean;
  readonly machine?: boolean;
  readonly edit?: boolean;
}

export const command: CliCommand<ResolveOptions> = {
  describe(command: Command) {
    addScope(command)
      .argument('<file>', 'the target, or its source for all languages')
      .argument('[key]', 'one segment; all conflicts of the file when absent')
      .option('--human', "keep the person's text")
      .option('--machine', "use the machine's text")
      .option('--edit', 'write another text in $EDITOR (needs a key)')
      .addHelpText(
        'after',
        `
Examples:
  dragoman resolve locales/de/app.json                      show the texts, and where they come from
  dragoman resolve locales/de/app.json --human              keep every edited text
  dragoman resolve locales/de/app.json nav.home --machine   use the new translation
  dragoman resolve locales/de/app.json nav.home --edit      write another text`,
      );
  },
  async run(call: CommandCall<ResolveOptions>) {
    const [file, key] = call.args;
    if (file === undefined) throw new UsageError('name a file');
    await withControl(call, async (control, setup) => {
      const { projects, languages } = scopeFrom(call, [], setup);
      const named = { file: resolve(call.cwd, file), projects, languages };
      const about = { ...named, ...(key !== undefined && { key }) };
      const choice = await chooseText(call, control, about);
      const report = await control.resolve({ ...about, choice });
      if (call.options.json) call.terminal.json(report);
      else call.terminal.out(`${report.resolved.length} resolved`);
      requireRest(call, report.busy);
      if (report.resolved.length === 0) throw new CommandFailure(1, `no conflict in ${file}`);
    });
    return 0;
  },
};

async function chooseText(
  call: CommandCall<ResolveOptions>,
  control: Control,
  about: ConflictsRequest,
): Promise<ResolveRequest['choice']> {
  const { human, machine, edit } = call.options;
  const chosen = [human, machine, edit].filter((each) => each === true).length;
  if (chosen === 0 && call.options.json !== true) await showTexts(call, control, about);
  if (chosen !== 1) throw new UsageError('add one of --human, --machine, --edit');
  if (human === true) return { kind: 'human' };
  if (machine === true) return { kind: 'machine' };
  if (about.key === undefined) throw new UsageError('--edit needs a key');
  const { conflicts, busy } = await control.conflicts(about);
  const [conflict] = conflicts;
  if (conflict !== undefined) return { kind: 'text', text: await editText(call, conflict) };
  requireRest(call, busy);
  throw new CommandFailure(1, `no conflict at ${about.key}`);
}

/** Shows the texts of the conflicts to a person who has not chosen yet. */
async function showTexts(
  call: CommandCall<ResolveOptions>,
  control: Control,
  about: ConflictsRequest,
): Promise<void> {
  const { conflicts, busy } = await control.conflicts(about);
  for (const line of conflicts.flatMap((each) => conflictLines(each, call.cwd)))
    call.terminal.out(line);
  requireRest(call, busy);
}

async function editText(
  call: CommandCall<ResolveOptions>,
  conflict: ConflictLine,
): Promise<string> {
  const editor = call.env['VISUAL'] ?? call.env['EDITOR'];
  if (editor === undefined) throw new CommandFailure(64, '--edit needs $EDITOR');
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-'));
  try {
    const file = join(folder, 'text.txt');
    await writeFile(file, editorText(conflict, call.cwd));
    const { status } = spawnSync(editor, [file], { stdio: 'inherit', shell: true });
    if (status !== 0) throw new CommandFailure(1, 'the editor failed; nothing was changed');
    return readEdited(await readText(file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function editorText(conflict: ConflictLine, cwd: string): string {
  const comments = conflictLines(conflict, cwd)
    .flatMap((text) => text.split('\n'))
    .map((line) => `# ${line}`);
  return `${conflict.human}\n${comments.join('\n')}\n`;
}

function readEdited(text: string): string {
  const lines = text.split('\n').filter((line) => !line.startsWith('# '));
  return lines.join('\n').trimEnd();
}
