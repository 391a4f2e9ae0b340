/** The parsers of reviews: the texts of a file as a reviewer sees them, what a person writes, and exchange files. */
import type { Returned } from '../../formats/exchange/exchange.ts';
import type { ThreadCall } from '../../parsing/thread-call.ts';
import type { ExchangeToWrite, ReturnedFile, WrittenExchange } from './exchange-work.ts';
import type {
  AskedLine,
  AskedReview,
  BegunReview,
  Corrections,
  Suggested,
  TextsAtLine,
  TextsPortion,
} from './thread-work.ts';
import type { ReviewWriting, ReviewWritten } from './write-work.ts';

export const READ_REVIEW: ThreadCall<AskedReview, BegunReview> = {
  name: 'read review',
  load: async () => (await import('./thread-work.ts')).review,
};

/** On the thread that began with the file. */
export const READ_MORE_TEXTS: ThreadCall<number, TextsPortion> = {
  name: 'read more texts',
  load: async () => (await import('./thread-work.ts')).more,
};

export const FIND_TEXTS: ThreadCall<AskedLine, TextsAtLine> = {
  name: 'find texts',
  load: async () => (await import('./thread-work.ts')).find,
};

export const WRITE_REVIEW: ThreadCall<ReviewWriting, ReviewWritten> = {
  name: 'write review',
  load: async () => (await import('./write-work.ts')).write,
};

/** 100,000 texts take seconds. */
export const SUGGEST_TERMS: ThreadCall<Corrections, readonly Suggested[]> = {
  name: 'suggest terms',
  load: async () => (await import('./thread-work.ts')).suggest,
};

export const READ_EXCHANGE: ThreadCall<ReturnedFile, Returned> = {
  name: 'read exchange',
  load: async () => (await import('./exchange-work.ts')).read,
};

/** Writing shares its grammar with the readers, so it runs where they do. */
export const WRITE_EXCHANGE: ThreadCall<ExchangeToWrite, WrittenExchange> = {
  name: 'write exchange',
  load: async () => (await import('./exchange-work.ts')).write,
};
