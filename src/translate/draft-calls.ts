/** The calls that a thread of drafts answers: open a draft step by step, call its methods, close it. */
import type { ThreadCall } from '../parsing/thread-call.ts';
import type {
  BegunDraft,
  DraftCall,
  OpenedDraft,
  Opening,
  SentDraft,
  SentMoved,
  SentTerms,
} from './draft-wire.ts';

export const OPEN_DRAFT: ThreadCall<OpenedDraft, BegunDraft> = {
  name: 'open draft',
  load: async () => (await import('./draft-host.ts')).open,
};

/** Terms for the drafts that are opened later. */
export const SEND_TERMS: ThreadCall<SentTerms, void> = {
  name: 'send terms',
  load: async () => (await import('./draft-host.ts')).sendTerms,
};

export const TELL_DRAFT: ThreadCall<SentDraft, Opening> = {
  name: 'tell draft',
  load: async () => (await import('./draft-host.ts')).sendDraft,
};

export const TELL_MOVED: ThreadCall<SentMoved, Opening> = {
  name: 'tell moved texts',
  load: async () => (await import('./draft-host.ts')).sendMoved,
};

export const CALL_DRAFT: ThreadCall<DraftCall, unknown> = {
  name: 'call draft',
  load: async () => (await import('./draft-host.ts')).call,
};

/** The baseline of an open draft's target, as bytes; it is stored before the target is replaced. */
export const PREPARE_DRAFT: ThreadCall<number, Uint8Array> = {
  name: 'prepare draft',
  load: async () => (await import('./draft-host.ts')).prepare,
};

export const CLOSE_DRAFT: ThreadCall<number, void> = {
  name: 'close draft',
  load: async () => (await import('./draft-host.ts')).close,
};
