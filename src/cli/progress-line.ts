/** One line that says how far a run is: files, segments, characters billed, and the time that is left. Pure. */
import { plural } from '../language.ts';

export interface Progress {
  /** One for each file and language. */
  readonly files: { readonly ended: number; readonly all: number };
  /** Texts that were bought. */
  readonly segments: number;
  readonly characters: number;
  /** Characters that the run may bill; undefined without a budget of its own. */
  readonly limit: number | undefined;
  readonly elapsedMs: number;
}

/** @param columns of the terminal: what does not fit is left out, the last first */
export function progressLine(progress: Progress, columns: number): string {
  const { files, segments, characters, limit } = progress;
  if (files.all === 0) return 'looking at the files …';
  const of = limit === undefined ? '' : ` of ${grouped(limit)}`;
  const parts = [
    `${grouped(files.ended)} of ${plural(files.all, 'file')}`,
    timeLeft(progress),
    `${grouped(characters)}${of} characters`,
    ...(segments === 0 ? [] : [plural(segments, 'segment')]),
  ];
  while (parts.length > 1 && parts.join(', ').length >= columns) parts.pop();
  return parts.join(', ').slice(0, Math.max(0, columns - 1));
}

/** How long it took so far, until there is something to tell the rest from. */
function timeLeft({ files, elapsedMs }: Progress): string {
  if (files.ended === 0) return `${duration(elapsedMs)} so far`;
  return `about ${duration((elapsedMs * (files.all - files.ended)) / files.ended)} left`;
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
