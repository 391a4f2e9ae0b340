/** What a person is to know of the language that was taken for the source. Pure. */
import { type LanguageTag, sameLanguage } from '../../language.ts';
import type { DeclaredSource } from './declared-source.ts';
import type { SeenLanguage } from './layout-rules.ts';
import { type LayoutFiles, sourcesOf } from './layouts.ts';
import type { Repository } from './repository.ts';

interface Known {
  readonly declared: DeclaredSource | undefined;
  readonly taken: readonly Taken[];
  readonly repository: Repository;
}

interface Taken {
  readonly place: LayoutFiles;
  readonly source: SeenLanguage | undefined;
}

export function sourceNotes(source: LanguageTag, { declared, taken, repository }: Known): string[] {
  if (declared?.isSure === true) return [];
  const isEnglish = sameLanguage(source, 'en' as LanguageTag);
  if (declared !== undefined) {
    if (isEnglish) return [];
    return [
      `${declared.file} names ${source}: it is taken for the source; --source says another one.`,
    ];
  }
  if (!isEnglish) {
    return [`No English is there: ${source} is taken for the source; --source says another one.`];
  }
  const fuller = fullerThan(source, { taken, repository });
  if (fuller === undefined) return [];
  return [
    `${source} is taken for the source, and there is more text in ${fuller}: --source ${fuller} says that ${fuller} is the source.`,
  ];
}

/** A translation is at most so much longer than its source; German and Russian have a third more. */
const MUCH_MORE = 1.6;

function fullerThan(
  source: LanguageTag,
  { taken, repository }: Omit<Known, 'declared'>,
): LanguageTag | undefined {
  const sizes = new Map<LanguageTag, number>();
  for (const each of taken) {
    if (each.place.hasPlainSource) continue;
    if (each.place.content !== 'strings' || each.source?.tag !== source) continue;
    for (const [tag, { spelled }] of each.place.languages) {
      const files = sourcesOf(each.place.route, spelled, repository.paths);
      const size = files.reduce((sum, file) => sum + (repository.head(file)?.length ?? 0), 0);
      sizes.set(tag, (sizes.get(tag) ?? 0) + size);
    }
  }
  const own = sizes.get(source) ?? 0;
  const [fullest] = [...sizes].toSorted(([, a], [, b]) => b - a);
  return fullest !== undefined && own > 0 && fullest[1] > own * MUCH_MORE ? fullest[0] : undefined;
}
