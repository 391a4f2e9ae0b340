/**
 * What delays the work although nothing is wrong with it. A service does not answer, files are slow to read, or files change all the time.
 * The parts that know it are asked.
 */
import { relative } from 'node:path';
import type { Config } from '../config.ts';
import { describeFailure } from '../failure.ts';
import type { ChangingFile } from '../jobs/changing-files.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { plural } from '../language.ts';
import { threads } from '../parsing/parse.ts';
import type { ParserLoad } from '../parsing/threads.ts';
import type { Service } from '../service/client.ts';

/** Milliseconds of requests without an answer after which they are reported. */
const SILENT_MS = 5000;
/** Milliseconds of tries after which a file that changes at each of them is reported. */
const CHANGING_MS = 30_000;

export interface DelaysOptions {
  readonly workspace: {
    readonly service: { readonly contact: Pick<Service['contact'], 'repeated'> };
  };
  readonly runner: {
    readonly changingFiles: Iterable<ChangingFile>;
    readonly delayedRecordings: JobRunner['delayedRecordings'];
  };
  readonly inForce: { readonly config: Pick<Config, 'base'> };
}

/** @returns one sentence for each reason */
export function describeDelays(options: DelaysOptions): readonly string[] {
  const { base } = options.inForce.config;
  const parser = parserNote({ load: threads.load, now: performance.now(), base });
  const all = [notAnswered(options), parser, ...recordingNotes(options), ...changingNotes(options)];
  return all.filter((sentence) => sentence !== undefined);
}

function notAnswered({ workspace }: DelaysOptions): string | undefined {
  const { repeated } = workspace.service.contact;
  if (repeated === undefined || repeated.ago < SILENT_MS) return undefined;
  const at = new Date(repeated.since).toISOString();
  return `requests are tried again since ${at}: ${describeFailure(repeated.failure)}`;
}

function recordingNotes({ runner }: DelaysOptions): string[] {
  return runner.delayedRecordings
    .filter(({ ago }) => ago > SILENT_MS)
    .map(({ source, since, reason }) => {
      const at = new Date(since).toISOString();
      return `${source}: its results, which are paid, do not come since ${at} (${reason}); they are asked for again`;
    });
}

function changingNotes({ runner, inForce }: DelaysOptions): string[] {
  return [...runner.changingFiles]
    .filter(({ ago }) => ago > CHANGING_MS)
    .map(({ file, since }) => {
      const shown = relative(inForce.config.base, file);
      return `${shown} has changed at each try since ${new Date(since).toISOString()}: its job waits until it stays the same`;
    });
}

/** Milliseconds after which a file that is read, or waits, is reported. */
const LONG_MS = 3000;

export interface ParserNotesOptions {
  readonly load: ParserLoad;
  /** By `performance.now`. */
  readonly now: number;
  /** Paths are shown relative to this folder. */
  readonly base: string;
}

/** @returns one sentence; undefined while no file is read or waits for long */
export function parserNote({ load, now, base }: ParserNotesOptions): string | undefined {
  const seconds = (since: number) => Math.round((now - since) / 1000);
  const isLong = ({ since }: { readonly since: number }) => now - since >= LONG_MS;
  const waiting = new Set(load.waiting.map(({ file }) => file));
  const [slow] = load.reading.toSorted((a, b) => a.since - b.since);
  if (!load.waiting.some(isLong) && !(slow !== undefined && isLong(slow))) return undefined;
  const reads =
    slow === undefined
      ? ''
      : `, which has read ${relative(base, slow.file)} for ${seconds(slow.since)} s`;
  if (slow !== undefined && waiting.size === 0) {
    return `the parser has read ${relative(base, slow.file)} for ${seconds(slow.since)} s`;
  }
  return `${plural(waiting.size, 'file')} ${waiting.size === 1 ? 'waits' : 'wait'} for the parser${reads}`;
}
