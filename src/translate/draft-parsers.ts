/** The calls that a thread of drafts answers: open a draft step by step, call its methods, close it. */
import type { Parser } from '../parsing/parser.ts';
import type {
  BegunDraft,
  DraftCall,
  OpenedDraft,
  Opening,
  SentDraft,
  SentTerms,
} from './draft-wire.ts';

export const OPEN_DRAFT: Parser<OpenedDraft, BegunDraft> = {
  name: 'open draft',
  load: async () => (await import('./draft-host.ts')).open,
};

/** Terms for the drafts that are opened later. */
export const SEND_TERMS: Parser<SentTerms, void> = {
  name: 'send terms',
  load: async () => (await import('./draft-host.ts')).sendTerms,
};

export const TELL_DRAFT: Parser<SentDraft, Opening> = {
  name: 'tell draft',
  load: async () => (await import('./draft-host.ts')).sendDraft,
};

export const CALL_DRAFT: Parser<DraftCall, unknown> = {
  name: 'call draft',
  load: async () => (await import('./draft-host.ts')).call,
};

/** The baseline of an open draft's target, as bytes; it is stored before the target is replaced. */
export const PREPARE_DRAFT: Parser<number, Uint8Array> = {
  name: 'prepare draft',
  load: async () => (await import('./draft-host.ts')).prepare,
};

export const CLOSE_DRAFT: Parser<number, void> = {
  name: 'close draft',
  load: async () => (await import('./draft-host.ts')).close,
};
