/** The parsers of reviews: the texts of a file as a reviewer sees them, what a person writes, and exchange files. */
import type { Returned } from '../../formats/exchange/exchange.ts';
import type { Parser } from '../../parsing/parser.ts';
import type { ExchangeToWrite, ReturnedFile, WrittenExchange } from './exchange-readings.ts';
import type {
  AskedLine,
  AskedReview,
  BegunReview,
  Corrections,
  Suggested,
  TextsAtLine,
  TextsPortion,
} from './readings.ts';
import type { ReviewWriting, ReviewWritten } from './write-readings.ts';

export const READ_REVIEW: Parser<AskedReview, BegunReview> = {
  name: 'read review',
  load: async () => (await import('./readings.ts')).review,
};

/** On the thread that began with the file. */
export const READ_MORE_TEXTS: Parser<number, TextsPortion> = {
  name: 'read more texts',
  load: async () => (await import('./readings.ts')).more,
};

export const FIND_TEXTS: Parser<AskedLine, TextsAtLine> = {
  name: 'find texts',
  load: async () => (await import('./readings.ts')).find,
};

export const WRITE_REVIEW: Parser<ReviewWriting, ReviewWritten> = {
  name: 'write review',
  load: async () => (await import('./write-readings.ts')).write,
};

/** 100,000 texts take seconds. */
export const SUGGEST_TERMS: Parser<Corrections, readonly Suggested[]> = {
  name: 'suggest terms',
  load: async () => (await import('./readings.ts')).suggest,
};

export const READ_EXCHANGE: Parser<ReturnedFile, Returned> = {
  name: 'read exchange',
  load: async () => (await import('./exchange-readings.ts')).read,
};

/** Writing shares its grammar with the readers, so it runs where they do. */
export const WRITE_EXCHANGE: Parser<ExchangeToWrite, WrittenExchange> = {
  name: 'write exchange',
  load: async () => (await import('./exchange-readings.ts')).write,
};
