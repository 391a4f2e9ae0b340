/** Events -> messages for hooks. Pure. */
import type { Config } from '../../config.ts';
import type { Event } from '../../event.ts';
import { adviceFor, describeFailure } from '../../failure.ts';
import { adviceForHold, describeHold, shellWords } from '../../job.ts';

export type HookEvent = keyof Config['on'];

/** The message to a hook: one JSON object, on standard input or as the body. It holds no source text and no secrets. */
export interface HookMessage {
  readonly event: HookEvent;
  /** The same for every try, so that a receiver recognizes a message that it gets twice. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly project?: string;
  readonly source?: string;
  readonly language?: string;
  readonly wrote?: readonly string[];
  readonly reason?: string;
  readonly next_step?: string;
  readonly scope?: string;
  readonly unit?: 'characters' | 'minutes';
  readonly used?: number;
  readonly limit?: number;
}

/** @returns the message without its stamp; undefined for events that are not for hooks */
export function messageFor(event: Event): Omit<HookMessage, 'id' | 'at'> | undefined {
  if (!isSent(event)) return undefined;
  switch (event.kind) {
    case 'job-delivered': {
      if (event.wrote.length === 0) return undefined;
      const { project, source, language, wrote } = event;
      return { event: 'delivered', project, source, language, wrote };
    }
    case 'job-held': {
      const { project, source, language, hold } = event;
      const advice = {
        reason: describeHold(hold),
        next_step: adviceForHold(hold, shellWords(source)),
      };
      return { event: 'held', project, source, language, ...advice };
    }
    case 'job-failed': {
      const { project, source, language, failure } = event;
      const advice = { reason: describeFailure(failure), next_step: adviceFor(failure) };
      return { event: 'failed', project, source, language, ...advice };
    }
    case 'budget-warning': {
      const { kind: _, ...budget } = event;
      return { event: 'budget', ...budget };
    }
  }
}

function isSent(event: Event): event is SentEvent {
  return IS_SENT[event.kind];
}

type SentEvent = Extract<Event, { kind: SentKind }>;
type SentKind = {
  [Kind in Event['kind']]: (typeof IS_SENT)[Kind] extends true ? Kind : never;
}[Event['kind']];

/** Whether hooks get an event. The compiler asks for each new event here, and for its message above. */
const IS_SENT = {
  started: false,
  'config-reloaded': false,
  'config-refused': false,
  'config-doubted': false,
  stopping: false,
  'page-served': false,
  'page-broken': false,
  'watcher-degraded': false,
  'root-offline': false,
  'root-online': false,
  scanned: false,
  'state-recovered': false,
  'state-doubted': false,
  'housekeeping-failed': false,
  'team-state-away': false,
  'team-state-back': false,
  'runner-given-up': false,
  'team-state-refuses': false,
  'tree-taken': false,
  'tree-led': false,
  'tree-troubles': false,
  'rules-changed': false,
  'rules-refused': false,
  'terms-missing': false,
  'rules-synced': false,
  'source-changed': false,
  'source-moved': false,
  'source-skipped': false,
  'target-edited': false,
  'mass-deletion': false,
  trashed: false,
  deleted: false,
  'jobs-not-offered': false,
  'job-queued': false,
  'job-started': false,
  'job-delivered': true,
  'job-held': true,
  'job-failed': true,
  'job-retried': false,
  'job-superseded': false,
  'disk-full': false,
  'source-damaged': false,
  'translations-removed': false,
  'result-doubted': false,
  billed: false,
  'answer-lost': false,
  'budget-warning': true,
  'paid-work-stopped': false,
  'paid-work-resumed': false,
  'glossary-compared': false,
  'style-compared': false,
  'hook-failed': false,
  request: false,
  throttled: false,
  'request-repeated': false,
} as const satisfies Readonly<Record<Event['kind'], boolean>>;
