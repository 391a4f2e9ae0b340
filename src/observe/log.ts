/** The log: events as lines. Pretty on a terminal, JSON elsewhere, with priorities under the journal. Never source text, never secrets. */

import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Event, Listener } from '../event.ts';
import { adviceFor, describeFailure } from '../failure.ts';
import { describeHold } from '../job.ts';
import { plural } from '../language.ts';
import { describeTeamEvent, type TeamEvent } from './team-line.ts';

export type LogStyle = 'terminal' | 'journal' | 'json';
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Names under which a secret could travel, at any depth that we write. */
const SECRETS = ['key', 'authorization', 'document_key', 'signature', 'url', 'secret', 'token'];

export interface LogOptions {
  readonly level: LogLevel;
  readonly style: LogStyle;
  /** Receives whole lines. */
  readonly stream: { write(line: string): unknown };
}

/** @returns a listener for events */
export function openLog(options: LogOptions): Listener {
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
    },
    destination(options),
  );
  return (event) => write(logger, event);
}

function destination({ style, stream }: LogOptions): { write(line: string): unknown } {
  switch (style) {
    case 'terminal':
      return pretty({
        sync: true,
        colorize: true,
        ignore: 'kind',
        translateTime: 'SYS:HH:MM:ss',
        destination: stream as NodeJS.WritableStream,
      });
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

function write(logger: Logger, event: Event): void {
  const line = describeEvent(event);
  if (line === undefined) return;
  const { level, message, ...fields } = line;
  logger[level]({ kind: event.kind, ...fields }, message);
}

interface Line {
  readonly level: LogLevel;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** One event as a line for people; undefined for what only metrics want. */
export function describeEvent(event: Event): Line | undefined {
  switch (event.kind) {
    case 'started':
      return info(`watching ${plural(event.projects, 'project')}`);
    case 'config-reloaded':
      return info(`config reloaded: ${event.changed.join('; ') || 'nothing changed'}`);
    case 'config-refused':
      return error(`the changed config is refused, the old one stays: ${event.faults.join('; ')}`);
    case 'config-doubted':
      return error(
        `the service does not have what the config asks for: ${event.faults.join('; ')}`,
      );
    case 'stopping':
      return info(`stopping (${event.signal}): running jobs go on to their next safe step`);
    case 'page-served':
      return event.wanted === undefined
        ? info(`the page is at ${event.address}; "dragoman dashboard" opens it`)
        : warn(
            `port ${event.wanted} is taken; the page is at ${event.address}, "dragoman dashboard" opens it`,
          );
    case 'page-broken':
      return error(`the page could not answer ${event.path}: ${event.message}`);
    case 'watcher-degraded':
      return warn(`no reliable events from the system (${event.reason}); scanning more often`);
    case 'root-offline':
      return warn(
        `${event.project}: ${event.root} is offline (${event.reason}); nothing is deleted`,
      );
    case 'root-online':
      return info(`${event.project}: ${event.root} is back`);
    case 'scanned':
      return debug(`scanned ${plural(event.files, 'file')} in ${event.durationMs} ms`);
    case 'state-recovered':
      return warn(`${event.file}: ${event.message}`);
    case 'housekeeping-failed':
      return warn(`${event.what} did not work, and is tried again later: ${event.message}`);
    case 'team-state-back':
    case 'tree-taken':
      return info(describeTeamEvent(event));
    case 'team-state-away':
    case 'runner-given-up':
      return warn(describeTeamEvent(event));
    case 'team-state-refuses':
      return error(describeTeamEvent(event));
    case 'source-changed':
      return debug(`${event.project}: ${event.path} is ${event.change}`);
    case 'source-moved':
      return info(
        `${event.project}: ${event.from} moved to ${event.to}; its translations move along`,
      );
    case 'source-skipped':
      return warn(`${event.path} is skipped: ${event.reason}`);
    case 'target-edited':
      return info(`${event.project}: a person edited ${event.path}; it is kept`);
    case 'mass-deletion':
      return warn(
        `${event.project}: ${event.files} of ${event.of} sources vanished at once; nothing is deleted until "dragoman approve --all"`,
      );
    case 'trashed':
      return info(`${event.project}: ${event.path} went to ${event.into}`);
    case 'deleted':
      return info(`${event.project}: ${event.path} is deleted, since its source is gone`);
    default:
      return describeWork(event);
  }
}

type FileEvent = Extract<
  Event,
  {
    kind:
      | 'started'
      | 'config-reloaded'
      | 'config-refused'
      | 'config-doubted'
      | 'stopping'
      | 'page-served'
      | 'page-broken'
      | 'watcher-degraded'
      | 'root-offline'
      | 'root-online'
      | 'scanned'
      | 'state-recovered'
      | 'housekeeping-failed'
      | TeamEvent['kind']
      | 'source-changed'
      | 'source-moved'
      | 'source-skipped'
      | 'target-edited'
      | 'mass-deletion'
      | 'trashed'
      | 'deleted';
  }
>;

function describeWork(event: Exclude<Event, FileEvent>): Line | undefined {
  switch (event.kind) {
    case 'jobs-not-offered':
      return error(
        `${plural(event.jobs, 'job')} waited and nobody would have taken ${event.jobs === 1 ? 'it' : 'them'} up, among them ${event.first}: offered now. This is an error of dragoman`,
      );
    case 'job-queued':
    case 'job-started':
      return debug(`${event.kind.replace('-', ' ')}: ${event.job}`);
    case 'job-delivered':
      return event.wrote.length === 0
        ? debug(`${event.job}: already as it should be`)
        : info(`wrote ${event.wrote.join(', ')} (${event.project}, ${event.language})`, {
            durationMs: event.durationMs,
          });
    case 'job-held':
      return warn(`held: ${event.source} -> ${event.language}: ${describeHold(event.hold)}`);
    case 'job-failed':
      return error(
        `failed: ${event.source} -> ${event.language}: ${describeFailure(event.failure)}. ${adviceFor(event.failure)}`,
        event.traceId === undefined ? {} : { traceId: event.traceId },
      );
    case 'job-retried':
      return info(`${event.job} again in ${event.inMs} ms: ${describeFailure(event.failure)}`);
    case 'disk-full':
      return error(
        `${describeFailure(event.failure)}. Jobs that write there wait. ${adviceFor(event.failure)}`,
      );
    case 'job-superseded':
      return debug(`${event.job}: the source changed meanwhile, the newer content wins`);
    case 'billed':
      return debug(`billed ${event.characters} characters for ${event.project}, ${event.language}`);
    case 'budget-warning':
      return warn(budgetWords(event));
    case 'hook-failed':
      return warn(`hook ${event.hook} failed: ${event.reason}`);
    case 'paid-work-stopped':
      return error(
        `paid work stops: ${describeFailure(event.failure)}. ${adviceFor(event.failure)}`,
      );
    case 'paid-work-resumed':
      return info('paid work goes on');
    case 'rules-changed':
      return info('glossaries and style lists are taken over from their files');
    case 'rules-refused':
      return error(`glossaries and style lists stay as they were: ${event.faults.join('; ')}`);
    case 'terms-missing':
      return warn(`${event.source} -> ${event.language}: ${event.findings.join('; ')}`);
    case 'source-damaged':
      return warn(event.findings.join('; '));
    case 'result-doubted':
      return warn(`${event.source} -> ${event.language}: ${event.finding}`);
    case 'rules-synced':
      return info(
        `${event.what} ${event.name} was made equal to its file (${plural(event.calls, 'call')})`,
      );
    case 'glossary-compared':
      return debug(
        `${event.project}: glossary ${event.pair} ${event.differs ? 'differs from' : 'is as'} the file`,
      );
    case 'style-compared':
      return debug(
        `style ${event.file} ${event.differs ? 'differs on the service' : 'is the same there'}`,
      );
    case 'request':
      return debug(`${event.operation}: ${event.status} in ${event.durationMs} ms`);
    case 'request-repeated':
      return debug(
        `${event.operation} again in ${event.inMs} ms: ${describeFailure(event.failure)}`,
      );
    case 'throttled':
      return info(`the service asked to wait ${event.waitMs} ms (${event.operation})`);
  }
}

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

type Fields = Readonly<Record<string, unknown>>;
const line =
  (level: LogLevel) =>
  (message: string, fields: Fields = {}): Line => ({ level, message, ...fields });
const debug = line('debug');
const info = line('info');
const warn = line('warn');
const error = line('error');
