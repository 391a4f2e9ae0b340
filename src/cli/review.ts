/** `dragoman review`: which translations a person is to look at, and what they said of them. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Control } from '../control/control.ts';
import type { ReviewFile, ReviewReport } from '../control/review/report.ts';
import { plural } from '../language.ts';
import { REVIEW_STATES, type ReviewState } from '../segments/review.ts';
import { seen, standpointOf } from './attention-lines.ts';
import {
  type Call,
  type CliCommand,
  CommandFailure,
  type ExitCode,
  UsageError,
} from './command.ts';
import { oneLine } from './one-line.ts';
import { withControl } from './open-control.ts';
import { countLine } from './review-lines.ts';
import { addScope, type ScopeOptions, scopeOf } from './scope.ts';

interface ReviewOptions extends ScopeOptions {
  readonly only?: readonly string[];
  readonly reviewed?: boolean;
  readonly wanted?: boolean;
}

/** What a reviewer is asked for when nobody says otherwise. */
const ASKED: readonly ReviewState[] = ['missing', 'stale', 'held', 'unreviewed'];

export const command: CliCommand<ReviewOptions> = {
  describe(command: Command) {
    addScope(command)
      .argument('<action>', 'list or mark')
      .argument('[file...]', 'files or folders; for mark a file, and a key')
      .option('--only <states>', `of ${REVIEW_STATES.join(', ')} (list)`, listed)
      .option('--reviewed', 'a person has looked at it (mark)')
      .option('--wanted', 'a person is to look at it (mark)')
      .addHelpText(
        'after',
        `
What was reviewed stands in the lock of the team. Nothing is bought or sent.

Examples:
  dragoman review list --language de                            what needs a person
  dragoman review list --only unreviewed locales/de
  dragoman review mark locales/de/app.json --reviewed           all of a file
  dragoman review mark locales/de/app.json nav.home --reviewed  one text
  dragoman review mark locales/en/app.json --wanted             a source: in all languages`,
      );
  },
  async run(call: Call<ReviewOptions>) {
    const [action, ...rest] = call.args;
    switch (action) {
      case 'list':
        return await list(call, rest);
      case 'mark':
        return await mark(call, rest);
      default:
        throw new UsageError(`review does list or mark, not ${action ?? 'nothing'}`);
    }
  },
};

function listed(value: string): string[] {
  return value.split(',').map((name) => name.trim());
}

async function list(call: Call<ReviewOptions>, paths: readonly string[]): Promise<ExitCode> {
  const states = statesOf(call.options.only);
  return await withControl(call, async (control, setup) => {
    const report = await control.reviewList({ scope: scopeOf(call, paths, setup), states });
    requireLock(report);
    if (call.options.json === true) call.terminal.json(report);
    else print(call, report, standpointOf(call, setup));
    return report.unreadable.length > 0 ? 1 : 0;
  });
}

/** @throws UsageError */
function statesOf(only: readonly string[] | undefined): readonly ReviewState[] {
  if (only === undefined) return ASKED;
  const isState = (name: string): name is ReviewState =>
    REVIEW_STATES.some((state) => state === name);
  return only.map((name) => {
    if (isState(name)) return name;
    throw new UsageError(`--only knows ${REVIEW_STATES.join(', ')}, not "${name}"`);
  });
}

function requireLock({ lock }: { readonly lock: string | null }): void {
  if (lock !== null) return;
  throw new CommandFailure(
    78,
    'the config names no lock, and reviews are written down there; add "lock: dragoman.lock"',
  );
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

async function mark(call: Call<ReviewOptions>, [name, key]: readonly string[]): Promise<ExitCode> {
  const { reviewed = false, wanted = false, project, language } = call.options;
  if (reviewed === wanted) throw new UsageError('say one of --reviewed, --wanted');
  if (name === undefined) throw new UsageError('name a file');
  const file = resolve(call.cwd, name);
  return await withControl(call, async (control: Control, setup) => {
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
