/** The main thread's side of drafts on a thread: it opens them there and calls them like local ones. */
import type { BaselineRecord } from '../baseline.ts';
import { learnRevisions, revisionsKnown } from '../files/git-history.ts';
import type { OpenUnit } from '../lane.ts';
import type { ParserThread } from '../parsing/thread.ts';
import type { Subject, ThreadCall } from '../parsing/thread-call.ts';
import { tsvOf } from '../segments/dictionary.ts';
import type { TermIndex } from '../segments/terms.ts';
import type { Draft, DraftFacts } from './draft.ts';
import {
  CALL_DRAFT,
  CLOSE_DRAFT,
  OPEN_DRAFT,
  PREPARE_DRAFT,
  SEND_TERMS,
  TELL_DRAFT,
  TELL_MOVED,
} from './draft-calls.ts';
import type { Finished } from './draft-outcome.ts';
import { type DraftCall, type Opening, packCase } from './draft-wire.ts';
import type { OrderableText } from './orderable-text.ts';
import type { TextCase } from './text-case.ts';

export interface ThreadDraft {
  readonly thread: ParserThread;
  readonly subject: Subject;
}

let count = 0;

/** @throws JobFailure as the format or the disk threw it; ThreadLost when another file ended the thread */
export async function openOnThread(text: TextCase, on: ThreadDraft): Promise<Draft> {
  const draft = ++count;
  const ask = <Input, Output>(
    parser: ThreadCall<Input, Output>,
    input: Input,
    subject = on.subject,
  ) => on.thread.run(parser, input, subject);
  // Only this thread has the memory and the baselines.
  const stored = await text.baseline.stored.read();
  try {
    const revisions = await revisionsKnown(text.sourcePath);
    const { terms } = text.projectTerms;
    const number = terms && (await sendTerms(terms.index, on));
    const packed = packCase(text, number, (await text.moved?.mayFind()) === true);
    const asked = { draft, text: packed, ...(stored && { stored }), revisions };
    const { opening, revisions: told } = await ask(OPEN_DRAFT, asked);
    // The next thread that opens a draft of this file need not ask git again.
    learnRevisions(text.sourcePath, told);
    const facts = await followOpening(opening, {
      asks: async ({ asked }) => ask(TELL_DRAFT, { draft, found: await text.memory.find(asked) }),
      seeks: async ({ format, sought }) =>
        ask(TELL_MOVED, { draft, moved: (await text.moved?.find(format, sought)) ?? [] }),
    });
    const paid: Subject = { ...on.subject, isPaid: true };
    const call = (method: DraftCall['method'], ...args: readonly unknown[]) =>
      ask(CALL_DRAFT, { draft, method, args }, method === 'finish' ? paid : on.subject);
    const prepare = async () => {
      await text.baseline.stored.write(await ask(PREPARE_DRAFT, draft));
    };
    return draftOver(call, {
      facts,
      prepare,
      close: () => void ask(CLOSE_DRAFT, draft).catch(() => {}),
    });
  } catch (error) {
    void ask(CLOSE_DRAFT, draft).catch(() => {});
    throw error;
  }
}

interface OpeningAnswers {
  asks(opening: Extract<Opening, { kind: 'asks' }>): Promise<Opening>;
  seeks(opening: Extract<Opening, { kind: 'seeks' }>): Promise<Opening>;
}

/** Answers the questions of a draft until it is open, a portion at a time, so that the event loop is not blocked. */
async function followOpening(opening: Opening, answers: OpeningAnswers): Promise<DraftFacts> {
  let now = opening;
  while (now.kind !== 'open') {
    now = now.kind === 'asks' ? await answers.asks(now) : await answers.seeks(now);
  }
  return now.facts;
}

function draftOver(
  call: (method: DraftCall['method'], ...args: readonly unknown[]) => Promise<unknown>,
  { facts, prepare, close }: { facts: DraftFacts; prepare(): Promise<void>; close(): void },
): Draft {
  return {
    facts,
    texts: async (from) => (await call('texts', from)) as readonly OrderableText[],
    answer: async (answers) => void (await call('answer', answers)),
    tryToCompose: async (at) => void (await call('tryToCompose', at)),
    frameConflicts: async (at) => (await call('frameConflicts', at)) as number,
    finish: async (at) => (await call('finish', at)) as Finished,
    records: async (at) => (await call('records', at)) as BaselineRecord | undefined,
    prepare,
    staleTerms: async () => (await call('staleTerms')) as readonly string[],
    openUnits: async () => (await call('openUnits')) as readonly OpenUnit[],
    sample: async (characters) => (await call('sample', characters)) as string,
    [Symbol.dispose]: close,
  };
}

const numbers = new WeakMap<TermIndex, number>();
/** By their numbers: what a thread has, or is about to get. */
const sent = new WeakMap<ParserThread, Map<number, Promise<void>>>();
let numbered = 0;

/**
 * Resolves when the thread has the terms: drafts are not opened in the order in which they ask for it. A glossary of 10 MiB is sent once
 * per thread, not with each of a thousand files.
 * @returns their number
 */
async function sendTerms(index: TermIndex, { thread, subject }: ThreadDraft): Promise<number> {
  const number = numbers.get(index) ?? ++numbered;
  numbers.set(index, number);
  const known = sent.get(thread) ?? new Map<number, Promise<void>>();
  sent.set(thread, known);
  // The report about a bought text asks for terms on this thread, too.
  await index.prepare();
  // It may fail because of the file that it was sent for: then it is sent again for this one.
  await known.get(number)?.catch(() => {});
  const sending =
    known.get(number) ?? thread.run(SEND_TERMS, { number, tsv: tsvOf(index.entries) }, subject);
  known.set(number, sending);
  try {
    await sending;
  } catch (error) {
    if (known.get(number) === sending) known.delete(number);
    throw error;
  }
  return number;
}
