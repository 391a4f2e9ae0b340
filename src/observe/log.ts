/** The log: events as lines. Coloured text on a terminal, JSON elsewhere, with priorities for the journal. It holds no source text and no secrets. */

import { type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Event, Listener } from '../event.ts';
import { adviceFor, describeFailure } from '../failure.ts';
import { describeHold } from '../job.ts';
import { plural } from '../language.ts';
import { describeStart, describeTeamEvent } from './team-line.ts';

export type LogStyle = 'terminal' | 'journal' | 'json';
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Names of fields that could hold a secret; they are replaced, also one level deeper. */
const SECRETS = ['key', 'authorization', 'document_key', 'signature', 'url', 'secret', 'token'];

export interface LogOptions {
  /** A reload may change it. */
  level(): LogLevel;
  readonly style: LogStyle;
  /** Gets whole lines. */
  readonly stream: { write(line: string): unknown };
  /** A sentence as people read it, with short paths. */
  shown(sentence: string): string;
}

/** @returns a listener for events */
export function openEventLog(options: LogOptions): Listener {
  const logger = pino(
    {
      level: options.level(),
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
    },
    destination(options),
  );
  return (event) => {
    logger.level = options.level();
    writeEvent(logger, event, options);
  };
}

function destination({ style, stream }: LogOptions): { write(line: string): unknown } {
  switch (style) {
    case 'terminal': {
      // Not its stream, which ends with the first line that the terminal does not take.
      const pretty = prettyFactory({
        colorize: true,
        ignore: 'kind',
        translateTime: 'SYS:HH:MM:ss',
      });
      return { write: (line) => stream.write(pretty(line)) };
    }
    case 'journal':
      return { write: (line) => stream.write(`<${priorityOf(line)}>${line}`) };
    case 'json':
      return stream;
  }
}

// sd-daemon(3): `<N>` before a line is its syslog priority.
function priorityOf(line: string): number {
  const level = Number(/"level":(\d+)/.exec(line)?.[1] ?? 30);
  if (level >= 50) return 3;
  if (level >= 40) return 4;
  return level >= 30 ? 6 : 7;
}

function writeEvent(logger: Logger, event: Event, { shown }: Pick<LogOptions, 'shown'>): void {
  const { level, message, ...fields } = describeEvent(event);
  logger[level]({ kind: event.kind, ...fields }, shown(message));
}

interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** One event as a line for people. */
export function describeEvent(event: Event): LogLine {
  return logLine(event.kind, event);
}

type EventOfKind<Kind extends Event['kind']> = Extract<Event, { kind: Kind }>;

function logLine<Kind extends Event['kind']>(kind: Kind, event: EventOfKind<Kind>): LogLine {
  return LINES[kind](event);
}

/** What a person did, by how it was done. */
const SAVED = {
  page: 'saved on the Review page',
  import: 'imported with "dragoman review import"',
  mark: 'marked with "dragoman review mark"',
} as const;

const LINES: { readonly [Kind in Event['kind']]: (event: EventOfKind<Kind>) => LogLine } = {
  started: (event) => info(describeStart(event)),
  'config-reloaded': (event) =>
    info(`config reloaded: ${event.changed.join('; ') || 'nothing changed'}`),
  'config-refused': (event) =>
    error(
      `the changed config is refused, the earlier one stays in force: ${event.faults.join('; ')}`,
    ),
  'config-doubted': (event) =>
    error(
      `the service does not support languages or features that the config needs: ${event.faults.join('; ')}`,
    ),
  stopping: (event) =>
    info(`stopping (${event.signal}): running jobs continue to their next safe step`),
  'page-served': (event) =>
    event.wanted === undefined
      ? info(`the page is at ${event.address}; "dragoman dashboard" opens it`)
      : warn(
          `port ${event.wanted} is taken; the page is at ${event.address}, "dragoman dashboard" opens it`,
        ),
  'page-broken': (event) => error(`the page could not answer ${event.path}: ${event.message}`),
  'watcher-degraded': (event) =>
    warn(`no reliable events from the system (${event.reason}); scanning more often`),
  'root-offline': (event) =>
    warn(`${event.project}: ${event.root} is offline (${event.reason}); nothing is deleted`),
  'root-online': (event) => info(`${event.project}: ${event.root} is back`),
  scanned: (event) => debug(`scanned ${plural(event.files, 'file')} in ${event.durationMs} ms`),
  'state-recovered': (event) => warn(`${event.file}: ${event.message}`),
  'state-doubted': (event) =>
    warn(
      `the state folder ${event.folder} is on ${event.on}: if other machines can use it too, name a folder on a disk of this machine as "folder" in "state"`,
    ),
  'housekeeping-failed': (event) =>
    warn(`${event.what} did not work, and is tried again later: ${event.message}`),
  'team-state-back': (event) => info(describeTeamEvent(event)),
  'tree-taken': (event) => info(describeTeamEvent(event)),
  'tree-led': (event) => info(describeTeamEvent(event)),
  'tree-troubles': (event) =>
    (event.troubles.length === 0 ? info : error)(describeTeamEvent(event)),
  'team-state-away': (event) => warn(describeTeamEvent(event)),
  'runner-given-up': (event) => warn(describeTeamEvent(event)),
  'team-state-refuses': (event) => error(describeTeamEvent(event)),
  'source-changed': (event) => debug(`${event.project}: ${event.path} is ${event.change}`),
  'source-moved': (event) =>
    info(`${event.project}: ${event.from} moved to ${event.to}; its translations move along`),
  'source-skipped': (event) => warn(`${event.path} is skipped: ${event.reason}`),
  'target-edited': ({ project, path, saved }) =>
    info(
      saved === undefined
        ? `${project}: ${path} differs from the records of dragoman; it is kept`
        : `${project}: ${path} has what a person ${SAVED[saved]}`,
    ),
  'mass-deletion': (event) =>
    warn(
      `${event.project}: ${event.files} of ${event.of} sources vanished at once; nothing is deleted until "dragoman approve --all"`,
    ),
  trashed: (event) => info(`${event.project}: ${event.path} went to ${event.into}`),
  deleted: (event) => info(`${event.project}: ${event.path} is deleted, since its source is gone`),
  'jobs-not-offered': (event) =>
    error(
      `${plural(event.jobs, 'job')} (the first is ${event.first}) were missing in the queue, and are in it now. This is an error of dragoman: please report it`,
    ),
  'job-queued': (event) => debug(`job queued: ${event.job}`),
  'job-started': (event) => debug(`job started: ${event.job}`),
  'job-delivered': (event) =>
    event.wrote.length === 0
      ? debug(`${event.job}: already up to date`)
      : info(`wrote ${event.wrote.join(', ')} (${event.project}, ${event.language})`, {
          durationMs: event.durationMs,
        }),
  'job-held': (event) =>
    warn(`held: ${event.source} -> ${event.language}: ${describeHold(event.hold)}`),
  'job-failed': (event) =>
    error(
      `failed: ${event.source} -> ${event.language}: ${describeFailure(event.failure)}. ${adviceFor(event.failure)}`,
      event.traceId === undefined ? {} : { traceId: event.traceId },
    ),
  'job-retried': (event) =>
    info(`${event.job} again in ${event.inMs} ms: ${describeFailure(event.failure)}`),
  'disk-full': (event) =>
    error(
      `${describeFailure(event.failure)}. Jobs that write there wait. ${adviceFor(event.failure)}`,
    ),
  'job-superseded': (event) =>
    debug(`${event.job}: the source changed meanwhile, the newer content wins`),
  'answer-lost': (event) =>
    warn(
      `${event.project}: an answer was lost; up to ${plural(event.characters, 'character')} may have been billed for it`,
    ),
  billed: (event) =>
    debug(`billed ${event.characters} characters for ${event.project}, ${event.language}`),
  'budget-warning': (event) => warn(budgetWords(event)),
  'hook-failed': (event) => warn(`hook ${event.hook} failed: ${event.reason}`),
  'paid-work-stopped': (event) =>
    error(`paid work stops: ${describeFailure(event.failure)}. ${adviceFor(event.failure)}`),
  'paid-work-resumed': () => info('paid work resumes'),
  'rules-changed': () => info('changed glossary and style files are in force'),
  'rules-refused': (event) =>
    error(`glossaries and style lists stay as they were: ${event.faults.join('; ')}`),
  'terms-missing': (event) =>
    warn(`${event.source} -> ${event.language}: ${event.findings.join('; ')}`),
  'source-damaged': (event) => warn(event.findings.join('; ')),
  'translations-removed': (event) => warn(event.findings.join('; ')),
  'result-doubted': (event) => warn(`${event.source} -> ${event.language}: ${event.finding}`),
  'rules-synced': (event) =>
    info(`${event.what} ${event.name} was made equal to its file (${plural(event.calls, 'call')})`),
  'glossary-compared': (event) =>
    debug(
      `${event.project}: glossary ${event.pair} ${event.differs ? 'differs from' : 'is as'} the file`,
    ),
  'style-compared': (event) =>
    debug(`style ${event.file} ${event.differs ? 'differs on the service' : 'is the same there'}`),
  request: (event) => debug(`${event.operation}: ${event.status} in ${event.durationMs} ms`),
  'request-repeated': (event) =>
    debug(`${event.operation} again in ${event.inMs} ms: ${describeFailure(event.failure)}`),
  throttled: (event) => info(`the service asked to wait ${event.waitMs} ms (${event.operation})`),
};

function budgetWords({
  scope,
  project,
  unit,
  used,
  limit,
}: Extract<Event, { kind: 'budget-warning' }>): string {
  const what = unit === 'minutes' ? 'minutes of audio' : 'characters';
  const whose = project === undefined ? '' : ` of ${project}`;
  const which =
    scope === 'key' || scope === 'account' ? `limit of the ${scope}` : `${scope} budget`;
  return `${Math.round(used)} of ${limit} ${what} of the ${which}${whose} are used`;
}

type LogFields = Readonly<Record<string, unknown>>;
const line =
  (level: LogLevel) =>
  (message: string, fields: LogFields = {}): LogLine => ({ level, message, ...fields });
const debug = line('debug');
const info = line('info');
const warn = line('warn');
const error = line('error');
