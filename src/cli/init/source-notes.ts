/** Notes about the choice of the source language. Pure. */
import { type LanguageTag, sameLanguage } from '../../language.ts';
import type { DeclaredSource } from './declared-source.ts';
import type { SeenLanguage } from './known-layouts.ts';
import { type LayoutFiles, sourcesOf } from './layouts.ts';
import type { Repository } from './repository.ts';

interface FolderFindings {
  readonly declared: DeclaredSource | undefined;
  readonly taken: readonly SeenFolder[];
  readonly repository: Repository;
}

interface SeenFolder {
  readonly layoutFiles: LayoutFiles;
  readonly source: SeenLanguage | undefined;
}

export function sourceNotes(
  source: LanguageTag,
  { declared, taken, repository }: FolderFindings,
): string[] {
  if (declared?.isSure === true) return [];
  const isEnglish = sameLanguage(source, 'en' as LanguageTag);
  if (declared !== undefined) {
    if (isEnglish) return [];
    return [`The source language is ${source}, from ${declared.file}; --source sets another one.`];
  }
  if (!isEnglish) {
    return [
      `The source language is ${source}, since there is no English; --source sets another one.`,
    ];
  }
  const fuller = fullerThan(source, { taken, repository });
  if (fuller === undefined) return [];
  return [
    `The source language is ${source}, but there is more text in ${fuller}: if ${fuller} is the source, add --source ${fuller}.`,
  ];
}

/** The greatest ratio of a translation's length to that of its source; German and Russian are about a third longer. */
const MUCH_MORE = 1.6;

function fullerThan(
  source: LanguageTag,
  { taken, repository }: Omit<FolderFindings, 'declared'>,
): LanguageTag | undefined {
  const sizes = new Map<LanguageTag, number>();
  for (const each of taken) {
    if (each.layoutFiles.hasPlainSource) continue;
    if (each.layoutFiles.content !== 'strings' || each.source?.tag !== source) continue;
    for (const [tag, { spelled }] of each.layoutFiles.languages) {
      const files = sourcesOf(each.layoutFiles.route, spelled, repository.paths);
      const size = files.reduce((sum, file) => sum + (repository.head(file)?.length ?? 0), 0);
      sizes.set(tag, (sizes.get(tag) ?? 0) + size);
    }
  }
  const own = sizes.get(source) ?? 0;
  const [fullest] = [...sizes].toSorted(([, a], [, b]) => b - a);
  return fullest !== undefined && own > 0 && fullest[1] > own * MUCH_MORE ? fullest[0] : undefined;
}
