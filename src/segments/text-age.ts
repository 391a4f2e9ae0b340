/** Whether a translation is older than its source, by the versions that the history has of both. Pure. */
import type { History } from './decide.ts';

/** The texts of both files at one commit. */
export interface Version {
  readonly commit: string;
  /** Of the source: what stands at a place, and whether a text stands anywhere. */
  source(id: string): string | undefined;
  hasSource(id: string, text: string): boolean;
  hasTarget(id: string, text: string): boolean;
}

export interface AgedText {
  readonly id: string;
  readonly source: string;
  readonly target: string;
}

/**
 * What is not committed yet is the newest. A translation that changed with its source or later belongs to it.
 * @param versions the newest first
 */
export function ageOf({ id, source, target }: AgedText, versions: readonly Version[]): History {
  const since = (holds: (version: Version) => boolean) => {
    const end = versions.findIndex((version) => !holds(version));
    return end < 0 ? versions.length : end;
  };
  const ofSource = since((version) => version.hasSource(id, source));
  const ofTarget = since((version) => version.hasTarget(id, target));
  if (ofTarget <= ofSource) return { kind: 'current' };
  const made = versions[ofTarget - 1];
  return { kind: 'older', source: made?.source(id) ?? '', commit: made?.commit ?? '' };
}
