/** `dragoman review list`: which translations ask for a person, text by text. */
import type { ReviewFile, ReviewReport } from '../../control/review/report.ts';
import { seen, standpointOf } from '../attention-lines.ts';
import type { Call, ExitCode } from '../command.ts';
import { oneLine } from '../one-line.ts';
import { withControl } from '../open-control.ts';
import { countLine } from '../review-lines.ts';
import { scopeOf } from '../scope.ts';
import { type ReviewOptions, requireLock, statesOf } from './options.ts';

export async function list(call: Call<ReviewOptions>, paths: readonly string[]): Promise<ExitCode> {
  const states = statesOf(call.options.only);
  return await withControl(call, async (control, setup) => {
    const report = await control.reviewList({ scope: scopeOf(call, paths, setup), states });
    requireLock(report);
    if (call.options.json === true) call.terminal.json(report);
    else print(call, report, standpointOf(call, setup));
    return report.unreadable.length > 0 ? 1 : 0;
  });
}

function print(
  { terminal }: Call<ReviewOptions>,
  { files, counts, unreadable }: ReviewReport,
  from: ReturnType<typeof standpointOf>,
): void {
  for (const file of files)
    for (const line of fileLines(file, seen(file.target, from))) terminal.out(line);
  for (const { file, reason } of unreadable) terminal.note(`${seen(file, from)}: ${reason}`);
  terminal.out(countLine(counts));
}

function fileLines({ texts }: ReviewFile, name: string): string[] {
  return texts.map(({ state, key, source, target }) => {
    const to = target === null || target === '' ? '' : ` -> ${target}`;
    return oneLine(`${name} ${key === '' ? '' : `${key} `}(${state}): ${source}${to}`);
  });
}
