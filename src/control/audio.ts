/** Audio that several jobs wait to send. One upload of a recording is used for all its languages, so it counts once. Pure. */

export interface Sound {
  readonly project: string;
  readonly source: string;
  /** Seconds or minutes: the sum has the same unit. */
  readonly length: number;
}

export function soundOf(sounds: Iterable<Sound>): number {
  const bySource = new Map<string, number>();
  for (const { project, source, length } of sounds) {
    const key = `${project}/${source}`;
    bySource.set(key, Math.max(length, bySource.get(key) ?? 0));
  }
  return bySource.values().reduce((sum, each) => sum + each, 0);
}
