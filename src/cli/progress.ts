/** Progress of a run: one calm line on a terminal, one line per file elsewhere. */
import type { Clock } from '../clock.ts';
import type { Event, Listener } from '../event.ts';
import { adviceFor, describeFailure } from '../failure.ts';
import { describeHold, type JobId } from '../job.ts';
import { oneLine } from './one-line.ts';
import type { Terminal } from './terminal.ts';

/** What has happened so far. */
interface Tally {
  readonly queued: Set<JobId>;
  readonly ended: Set<JobId>;
  characters: number;
  isStopped: boolean;
  readonly startedAt: number;
}

/** The line is drawn anew at most so often, in milliseconds. */
const REDRAW_MS = 100;

/** @returns a listener for the events of the run; disposing it clears the line */
export function showProgress(
  terminal: Terminal,
  stderr: NodeJS.WriteStream,
  clock: Clock,
): Listener & Disposable {
  const tally: Tally = {
    queued: new Set(),
    ended: new Set(),
    characters: 0,
    isStopped: false,
    startedAt: clock.now(),
  };
  let drawnAt = 0;
  const isLive = terminal.interactive && stderr.isTTY;
  const draw = () => {
    if (!isLive || clock.now() - drawnAt < REDRAW_MS) return;
    drawnAt = clock.now();
    stderr.write(`\r\u001b[K${progressLine(tally, clock.now())}`.slice(0, terminal.columns));
  };
  const clear = () => {
    if (isLive) stderr.write('\r\u001b[K');
  };
  const listener = (event: Event) => {
    count(tally, event);
    // The key's own stop and that of the jobs which met it are one to a person.
    const isStop = event.kind === 'paid-work-stopped';
    if (isStop && tally.isStopped) return;
    tally.isStopped ||= isStop;
    for (const line of linesFor(event)) {
      clear();
      terminal.note(oneLine(line));
    }
    draw();
  };
  return Object.assign(listener, { [Symbol.dispose]: clear });
}

function count(tally: Tally, event: Event): void {
  switch (event.kind) {
    case 'job-queued':
      tally.queued.add(event.job);
      break;
    case 'job-delivered':
    case 'job-held':
    case 'job-failed':
      tally.ended.add(event.job);
      break;
    case 'paid-work-resumed':
      tally.isStopped = false;
      break;
    case 'billed':
      tally.characters += event.characters;
      break;
    default:
      break;
  }
}

function progressLine({ queued, ended, characters, startedAt }: Tally, now: number): string {
  const seconds = Math.round((now - startedAt) / 1000);
  const open = queued.size - ended.size;
  const left = ended.size === 0 ? '' : `, about ${Math.ceil((seconds * open) / ended.size)} s left`;
  return `${ended.size}/${queued.size} jobs, ${characters.toLocaleString('en-US')} characters, ${seconds} s${left}`;
}

function linesFor(event: Event): string[] {
  switch (event.kind) {
    case 'job-delivered':
      return event.wrote.map((path) => `wrote   ${path}`);
    case 'job-held':
      return [`held    ${event.source} -> ${event.language}: ${describeHold(event.hold)}`];
    case 'job-failed':
      return [
        `failed  ${event.source} -> ${event.language}: ${describeFailure(event.failure)}`,
        `        ${adviceFor(event.failure)}`,
      ];
    case 'source-moved':
      return [`moved   ${event.from} -> ${event.to}`];
    case 'terms-missing':
      return event.findings.map(
        (finding) => `term    ${event.source} -> ${event.language}: ${finding}`,
      );
    case 'result-doubted':
      return [`doubt   ${event.source} -> ${event.language}: ${event.finding}`];
    case 'rules-synced':
      return [`synced  ${event.what} ${event.name}`];
    case 'trashed':
      return [`trashed ${event.path}`];
    case 'deleted':
      return [`deleted ${event.path}`];
    case 'state-recovered':
    case 'source-skipped':
    case 'root-offline':
    case 'paid-work-stopped':
      return [noteFor(event)];
    default:
      return [];
  }
}

function noteFor(
  event: Extract<
    Event,
    { kind: 'state-recovered' | 'source-skipped' | 'root-offline' | 'paid-work-stopped' }
  >,
): string {
  switch (event.kind) {
    case 'state-recovered':
      return `note    ${event.file}: ${event.message}`;
    case 'source-skipped':
      return `skipped ${event.path}: ${event.reason}`;
    case 'root-offline':
      return `offline ${event.root}: ${event.reason}; nothing is deleted`;
    case 'paid-work-stopped':
      return `stopped ${describeFailure(event.failure)}. ${adviceFor(event.failure)}`;
  }
}
