/** `dragoman review mark`: a person has looked at translations, or wants somebody to. */
import { resolve } from 'node:path';
import { plural } from '../../language.ts';
import { seen, standpointOf } from '../attention-lines.ts';
import { type Call, CommandFailure, type ExitCode, UsageError } from '../command.ts';
import { oneLine } from '../one-line.ts';
import { withControl } from '../open-control.ts';
import { scopeOf } from '../scope.ts';
import { type ReviewOptions, requireLock } from './options.ts';

export async function mark(
  call: Call<ReviewOptions>,
  [name, key]: readonly string[],
): Promise<ExitCode> {
  const { reviewed = false, wanted = false, project, language } = call.options;
  if (reviewed === wanted) throw new UsageError('say one of --reviewed, --wanted');
  if (name === undefined) throw new UsageError('name a file');
  const file = resolve(call.cwd, name);
  return await withControl(call, async (control, setup) => {
    scopeOf(call, [name], setup);
    const report = await control.reviewMark({
      ...{ file, projects: project, languages: language },
      ...(key === undefined ? {} : { key }),
      mark: reviewed ? 'reviewed' : 'wanted',
    });
    requireLock(report);
    const { marked, unchanged, refused } = report;
    const from = standpointOf(call, setup);
    if (call.options.json === true) call.terminal.json(report);
    else {
      for (const { file: target, key: text, reason } of refused) {
        call.terminal.note(oneLine(`${seen(target, from)} ${text}: ${reason}`));
      }
      const had = unchanged === 0 ? '' : `, ${unchanged} had the mark already`;
      call.terminal.out(`${plural(marked.length, 'text')} marked${had}.`);
    }
    if (marked.length + unchanged + refused.length === 0) {
      throw new CommandFailure(
        1,
        `no translated text in ${name}${key === undefined ? '' : ` named ${key}`}`,
      );
    }
    return refused.length > 0 && key !== undefined ? 1 : 0;
  });
}
