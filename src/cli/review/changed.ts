/** Which texts have another source than they had at an earlier commit. */
import { join } from 'node:path';
import type { SoundConfig } from '../../config/parse.ts';
import type { ReviewText } from '../../control/review/parsers.ts';
import type { ReviewFile } from '../../control/review/report.ts';
import { bytesIn } from '../../files/disk.ts';
import { sayingsNow } from '../../intake/notices.ts';
import type { Saying } from '../../intake/parsers.ts';
import type { OpenedSince } from '../since.ts';

/** Texts that were not there are changed ones. Of files that git calls unchanged nothing is read. */
export async function changedSince(
  { config }: SoundConfig,
  { files, earlier }: OpenedSince,
): Promise<(file: ReviewFile, text: ReviewText) => boolean> {
  const touched = new Set(files.map((path) => path.normalize('NFC')));
  const known = new Map<string, Earlier | undefined>();
  for (const project of config.projects) {
    const before = earlier.setup?.config.projects.find(({ name }) => name === project.name);
    for (const path of touched) {
      if (!path.startsWith(`${project.root}/`)) continue;
      const source = path.slice(project.root.length + 1);
      const claim = earlier.setup?.router.claim(project.name, source);
      const isThere = before !== undefined && claim?.kind === 'source';
      const size = isThere ? await bytesIn(join(before.root, source)) : 0;
      const texts =
        isThere && size > 0
          ? await sayingsNow({ project: before }, { source: { raw: source, size }, claim })
          : [];
      known.set(`${project.name}\n${source}`, earlierOf(texts));
    }
  }
  return ({ project, source }, { id, key, source: text }) => {
    const before = known.get(`${project}\n${source}`);
    if (before === undefined) return false;
    // Without keys an id is a number: what counts is whether the text was there.
    return key === '' ? !before.texts.has(text) : before.byId.get(id) !== text;
  };
}

interface Earlier {
  readonly byId: ReadonlyMap<string, string>;
  readonly texts: ReadonlySet<string>;
}

function earlierOf(texts: readonly Saying[]): Earlier {
  return {
    byId: new Map(texts.map(({ id, source }) => [id, source])),
    texts: new Set(texts.map(({ source }) => source)),
  };
}
