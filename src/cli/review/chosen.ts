/** Chooses the texts for `review list` and `review export`: by their state, or because their source changed since a commit. */
import { join } from 'node:path';
import type { SoundConfig } from '../../config/parse.ts';
import type { Control } from '../../control/control.ts';
import { countStates } from '../../control/review/texts.ts';
import type { ReviewFile, ReviewReport } from '../../control/review-report.ts';
import type { ReviewText } from '../../control/review-text.ts';
import { bytesIn } from '../../files/disk.ts';
import { readSourceTexts } from '../../intake/source-texts.ts';
import type { SourceText } from '../../intake/thread-work.ts';
import { type CommandCall, UsageError } from '../command.ts';
import { requirePaths, scopeFrom } from '../scope.ts';
import { type OpenedSince, openSince } from '../since.ts';
import { type ReviewOptions, requireLock, reviewStatesFrom } from './options.ts';

interface Choosing {
  readonly control: Control;
  readonly setup: SoundConfig;
  readonly paths: readonly string[];
}

/** The texts that the options name. @throws UsageError for wrong options; CommandFailure 78 without a lock */
export async function chosenTexts(
  call: CommandCall<ReviewOptions>,
  { control, setup, paths }: Choosing,
): Promise<ReviewReport> {
  const { only, since } = call.options;
  const isChanged = only?.includes('changed') === true;
  if (isChanged !== (since !== undefined)) {
    throw new UsageError('--only changed and --since REF go together');
  }
  const states = reviewStatesFrom(only, ['changed']);
  const scope = scopeFrom(call, paths, setup);
  const report = await control.reviewList({ scope, states: isChanged ? [] : states });
  requireLock(report);
  await requirePaths(call, control, { scope, setup });
  if (since === undefined) return report;
  await using then = await openSince(call, setup, since);
  const changed = await changedSince(setup, then);
  const files = report.files
    .map((file) => ({
      ...file,
      texts: file.texts.filter((text) => states.includes(text.state) || changed(file, text)),
    }))
    .filter(({ texts }) => texts.length > 0);
  return { ...report, files, counts: countStates(files.flatMap(({ texts }) => texts)) };
}

/** @returns whether the source of a text changed; new texts count as changed. Reads only files that git reports as changed */
async function changedSince(
  { config }: SoundConfig,
  { files, earlier }: OpenedSince,
): Promise<(file: ReviewFile, text: ReviewText) => boolean> {
  const touched = new Set(files.map((path) => path.normalize('NFC')));
  const known = new Map<string, EarlierTexts | undefined>();
  for (const project of config.projects) {
    const before = earlier.setup?.config.projects.find(({ name }) => name === project.name);
    for (const path of touched) {
      if (!path.startsWith(`${project.root}/`)) continue;
      const source = path.slice(project.root.length + 1);
      const match = earlier.setup?.router.match(project.name, source);
      const isThere = before !== undefined && match?.kind === 'source';
      const size = isThere ? await bytesIn(join(before.root, source)) : 0;
      const texts =
        isThere && size > 0
          ? await readSourceTexts({ project: before }, { source: { raw: source, size }, match })
          : [];
      known.set(`${project.name}\n${source}`, earlierOf(texts));
    }
  }
  return ({ project, source }, { id, key, source: text }) => {
    const before = known.get(`${project}\n${source}`);
    if (before === undefined) return false;
    // In files without keys an id is only a number, so the text itself is looked for.
    return key === '' ? !before.texts.has(text) : before.byId.get(id) !== text;
  };
}

interface EarlierTexts {
  readonly byId: ReadonlyMap<string, string>;
  readonly texts: ReadonlySet<string>;
}

function earlierOf(texts: readonly SourceText[]): EarlierTexts {
  return {
    byId: new Map(texts.map(({ id, source }) => [id, source])),
    texts: new Set(texts.map(({ source }) => source)),
  };
}
