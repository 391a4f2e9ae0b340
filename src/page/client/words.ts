/** Figures, dates and phases as words for people. Pure. */
import {
  type LanguageLine,
  nameOfProject,
  type RunningLine,
  type Task,
} from '../../control/report.ts';

export function characters(count: number): string {
  return `${number(count)} ${count === 1 ? 'character' : 'characters'}`;
}

export interface Priced {
  readonly price_characters: number | null;
  readonly price_seconds?: number;
}

/** @returns the price of releasing all of them; empty when it is 0 */
export function priceWords(priced: readonly Priced[]): string {
  const billed = priced.reduce((sum, each) => sum + (each.price_characters ?? 0), 0);
  const seconds = priced.reduce((sum, each) => sum + (each.price_seconds ?? 0), 0);
  return [
    ...(billed > 0 ? [characters(billed)] : []),
    ...(seconds > 0 ? [`${number(Math.ceil(seconds))} seconds of audio`] : []),
  ].join(' and ');
}

/** The files and languages of a task in one line. */
export function nameOfTask({
  project,
  sources,
  languages,
}: Pick<Task, 'project' | 'sources' | 'languages'>): string {
  const [first = ''] = sources.lines;
  const one = first === '*' ? nameOfProject(project) : first;
  const files = sources.total > 1 ? `${number(sources.total)} files` : one;
  if (languages.length === 0) return files;
  return `${files} → ${languages.length > 6 ? `${languages.length} languages` : languages.join(', ')}`;
}

export function number(count: number): string {
  return count.toLocaleString('en-US');
}

/** @param isCounting whether there may be more */
export function countSoFar(count: number, isCounting: boolean): string {
  return `${number(count)}${isCounting ? '+' : ''}`;
}

/** @param iso a date or time in UTC */
export function date(iso: string): string {
  return new Date(iso).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
}

/** @param iso a time, shown in the time zone of the visitor */
export function moment(iso: string): string {
  return new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

export function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`;
}

export function phaseWords(phase: RunningLine['phase']): string {
  switch (phase) {
    case 'working':
      return 'translating';
    case 'waiting':
      return 'waiting for the service';
    case 'publishing':
      return 'putting it in place';
  }
}

/** Rounded up, so that the time is not over before the work. */
export function timeLeft(seconds: number): string {
  if (seconds < 60) return 'less than a minute left';
  if (seconds < 3600) return `about ${Math.ceil(seconds / 60)} min left`;
  return `about ${Math.ceil(seconds / 3600)} h left`;
}

export interface StateBadge {
  /** A symbol beside the text, so that colour is never the only sign. */
  readonly symbol: string;
  readonly tone: 'good' | 'calm' | 'care' | 'risk';
  readonly words: string;
}

/** The state of a language of a project. */
export function languageBadge({ done, held, failed, total }: LanguageLine): StateBadge {
  if (total === 0) return { symbol: '–', tone: 'calm', words: 'no file yet' };
  if (failed > 0) {
    const words = held > 0 ? `${failed} failed, ${held} held` : `${failed} failed`;
    return { symbol: '✕', tone: 'risk', words };
  }
  if (held > 0) return { symbol: '‖', tone: 'care', words: `${held} held` };
  if (done === total) return { symbol: '✓', tone: 'good', words: 'complete' };
  return { symbol: '…', tone: 'calm', words: `${total - done} to do` };
}
