/** Progress of a run: on a terminal, one line that is drawn again; elsewhere, one line per file. */

import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { oneLine } from '../config/one-line.ts';
import type { Event, Listener } from '../event.ts';
import { adviceFor, describeFailure } from '../failure.ts';
import { adviceForHold, describeHold, type JobId, shellWords } from '../job.ts';
import { inEnglish, plural } from '../language.ts';
import { describeTeamEvent } from '../observe/team-line.ts';
import { shownFrom } from '../routes/shown-paths.ts';
import type { Terminal } from './terminal.ts';

/** Counts of the run so far. */
interface RunCounts {
  readonly queued: Set<JobId>;
  readonly ended: Set<JobId>;
  /** Number of files. */
  written: number;
  segments: number;
  characters: number;
  readonly startedAt: number;
}

/** Milliseconds between two drawings of the line. */
const REDRAW_MS = 250;
/** Number of written files that are named on a terminal; the progress line counts the others. */
const FEW = 20;
const CLEAR_LINE = '\r\u001b[K';

export interface ProgressOptions {
  readonly terminal: Terminal;
  readonly stderr: NodeJS.WriteStream;
  readonly clock: Clock;
  /** Characters that the run may bill; undefined without a budget for the run. */
  readonly limit?: number | undefined;
  /** Paths are shown relative to this folder. */
  readonly cwd: string;
  /** Also on a terminal, one line for each written file. */
  readonly verbose: boolean;
  /** `run`: one run, with a progress line to its end. `stopped`: a daemon, which has no line while it has no work. */
  readonly until: 'run' | 'stopped';
  /** The command that a person can type about a held job. */
  advice(job: JobId): string | undefined;
  /** Two projects may have files of the same name. */
  rootOf(project: string): string | undefined;
}

/** The report of a run says the same about each. Of held jobs that are alike, it names only the first. */
const IN_REPORT: ReadonlySet<string> = new Set([
  'root-offline',
  'job-failed',
] satisfies Event['kind'][]);

/** @returns a listener for the events of the run; disposing it clears the line */
export function showProgress(options: ProgressOptions): Listener & Disposable {
  const { terminal, stderr, clock } = options;
  const tally = newTally(clock);
  const end = new AbortController();
  const isLive = terminal.interactive && stderr.isTTY;
  const isAtRest = () => options.until === 'stopped' && tally.ended.size >= tally.queued.size;
  const draw = () => {
    if (!isLive || end.signal.aborted) return;
    if (isAtRest()) Object.assign(tally, newTally(clock));
    // Without work the line stays empty: a shell prompt or another program may use it.
    else stderr.write(`${CLEAR_LINE}${runProgress(tally, options)}`);
  };
  const clear = () => {
    if (isLive) stderr.write(CLEAR_LINE);
  };
  const isShown = (event: Event) => {
    // The report at the end of a run covers these, with advice.
    if (event.kind === 'source-skipped') return options.until !== 'run' || !event.isReported;
    if (IN_REPORT.has(event.kind)) return options.until !== 'run';
    return event.kind !== 'job-delivered' || !isLive || options.verbose || tally.written <= FEW;
  };
  const listener = (event: Event) => {
    count(tally, event);
    const lines = isShown(event) ? linesFor(event, options) : [];
    if (lines.length === 0) return;
    clear();
    for (const line of lines) terminal.note(oneLine(shownFrom(options, line)));
    draw();
  };
  if (isLive) void redraw(draw, clock, end.signal);
  return Object.assign(listener, {
    [Symbol.dispose]() {
      end.abort();
      clear();
    },
  });
}

function newTally(clock: Clock): RunCounts {
  return {
    queued: new Set(),
    ended: new Set(),
    written: 0,
    segments: 0,
    characters: 0,
    startedAt: clock.now(),
  };
}

/** Draws the line again also without events, since its times change. */
async function redraw(draw: () => void, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    draw();
    await clock.sleep(REDRAW_MS, signal).catch(() => {});
  }
}

function runProgress(tally: RunCounts, { terminal, clock, limit }: ProgressOptions): string {
  const { queued, ended, segments, characters, startedAt } = tally;
  const files = { ended: ended.size, all: queued.size };
  const elapsedMs = clock.now() - startedAt;
  return progressLine({ files, segments, characters, limit, elapsedMs }, terminal.columns);
}

function count(tally: RunCounts, event: Event): void {
  switch (event.kind) {
    case 'job-queued':
      tally.queued.add(event.job);
      break;
    case 'job-delivered':
      tally.written += event.wrote.length;
      tally.ended.add(event.job);
      break;
    case 'job-held':
    case 'job-failed':
      tally.ended.add(event.job);
      break;
    case 'billed':
      tally.characters += event.characters;
      tally.segments += event.texts ?? 0;
      break;
    default:
      break;
  }
}

type LineOptions = Pick<ProgressOptions, 'advice' | 'rootOf'>;

function linesFor(event: Event, { advice, rootOf }: LineOptions): string[] {
  const at = (path: string) =>
    'project' in event ? join(rootOf(event.project ?? '') ?? '', path) : path;
  const job = 'source' in event ? `${at(event.source)} -> ${event.language}` : '';
  switch (event.kind) {
    case 'job-delivered':
      return event.wrote.map((path) => `wrote   ${at(path)}`);
    case 'job-held':
      return [
        `held    ${job}: ${describeHold(event.hold)}`,
        `        ${advice(event.job) ?? adviceForHold(event.hold, shellWords(event.source))}`,
      ];
    case 'job-failed':
      return [
        `failed  ${job}: ${describeFailure(event.failure)}`,
        `        ${adviceFor(event.failure)}`,
      ];
    case 'source-moved':
      return [`moved   ${at(event.from)} -> ${at(event.to)}`];
    case 'terms-missing':
      return event.findings.map((finding) => `term    ${job}: ${finding}`);
    case 'result-doubted':
      return [`doubt   ${job}: ${event.finding}`];
    case 'rules-synced':
      return [`synced  ${event.what} ${event.name}`];
    case 'trashed':
      return [`trashed ${at(event.path)}`];
    case 'deleted':
      return [`deleted ${at(event.path)}`];
    case 'team-state-away':
    case 'team-state-back':
    case 'team-state-refuses':
    case 'runner-given-up':
    case 'tree-taken':
    case 'tree-troubles':
      return [`team    ${describeTeamEvent(event)}`];
    case 'state-recovered':
    case 'source-skipped':
    case 'root-offline':
    case 'paid-work-stopped':
    case 'disk-full':
    case 'answer-lost':
      return [noteFor(event)];
    default:
      return [];
  }
}

function noteFor(
  event: Extract<
    Event,
    {
      kind:
        | 'state-recovered'
        | 'source-skipped'
        | 'root-offline'
        | 'paid-work-stopped'
        | 'disk-full'
        | 'answer-lost';
    }
  >,
): string {
  switch (event.kind) {
    case 'state-recovered':
      return `note    ${event.file}: ${event.message}`;
    case 'source-skipped':
      return `skipped ${event.path}: ${event.reason}`;
    case 'root-offline':
      return `offline ${event.root}: ${event.reason}; nothing is deleted`;
    case 'disk-full':
      return `waits   ${describeFailure(event.failure)}. ${adviceFor(event.failure)}`;
    case 'answer-lost': {
      const billed = plural(event.characters, 'character');
      return `lost    ${event.project}: an answer of the service; up to ${billed} may have been billed for it`;
    }
    case 'paid-work-stopped':
      return `stopped ${describeFailure(event.failure)}. ${adviceFor(event.failure)}`;
  }
}

/** The figures of the progress line: files, segments, billed characters, time. Pure. */
export interface RunProgress {
  /** Each language of a file counts as one. */
  readonly files: { readonly ended: number; readonly all: number };
  /** Number of bought texts. */
  readonly segments: number;
  readonly characters: number;
  /** Characters that the run may bill; undefined without a budget of its own. */
  readonly limit: number | undefined;
  readonly elapsedMs: number;
}

/** The progress line. @param columns width of the terminal; parts that do not fit are left out, the last one first */
export function progressLine(progress: RunProgress, columns: number): string {
  const { files, segments, characters, limit } = progress;
  if (files.all === 0) return 'reading the files …';
  const of = limit === undefined ? '' : ` of ${inEnglish(limit)}`;
  const parts = [
    `${inEnglish(files.ended)} of ${plural(files.all, 'file')}`,
    timeLeft(progress),
    `${inEnglish(characters)}${of} characters`,
    ...(segments === 0 ? [] : [plural(segments, 'segment')]),
  ];
  while (parts.length > 1 && parts.join(', ').length >= columns) parts.pop();
  return parts.join(', ').slice(0, Math.max(0, columns - 1));
}

/** The estimated time that is left; before the first file is done, the time so far. */
function timeLeft({ files, elapsedMs }: RunProgress): string {
  if (files.ended === 0) return `${duration(elapsedMs)} so far`;
  return `about ${duration((elapsedMs * (files.all - files.ended)) / files.ended)} left`;
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
