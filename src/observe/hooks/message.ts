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
    default:
      return undefined;
  }
}
