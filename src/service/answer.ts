/** Reads answers: text of limited length, and JSON of the expected shape; anything else is `bad-answer`. */
import type * as z from 'zod';
import { JobFailure } from '../failure.ts';
import { isWebPage } from './foreign-answer.ts';
import type { HttpAnswer } from './http.ts';
import { faultOf } from './shape.ts';

// A glossary may hold 10 MiB, and JSON may write a character in six bytes.
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Reads the whole body as UTF-8.
 * @throws JobFailure `bad-answer` when it is longer than `maxBytes` or not UTF-8, `unanswered` when it ends too early
 */
export async function readAnswerText(
  answer: HttpAnswer,
  maxBytes = MAX_ANSWER_BYTES,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw badAnswer(answer, `more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw badAnswer(answer, 'not UTF-8', error);
  }
}

/**
 * Makes a reader for answers of one shape. Unknown fields are dropped; the schema decides about unknown enum values. Its messages name
 * fields and types, never the content, which may be the customer's text.
 */
export function jsonAnswer<T>(schema: z.ZodType<T>): (answer: HttpAnswer) => Promise<T> {
  return async (answer) => {
    const text = await readAnswerText(answer);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw notJson(answer, text);
    }
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const { parameter, rule } = faultOf(result.error, 'body');
    throw badAnswer(answer, `${parameter} ${rule}`);
  };
}

/** For hosts of files, which are free to send anything: reads and drops the body, if there is one. */
export async function anyContent(answer: HttpAnswer): Promise<void> {
  await answer.discard();
}

/**
 * For answers of the API whose content does not matter: none, or JSON.
 * @throws JobFailure `bad-answer` for anything else, such as the page of a proxy: the service may not have got the request
 */
export async function noContent(answer: HttpAnswer): Promise<void> {
  const text = await readAnswerText(answer);
  if (text.trim() === '') return;
  try {
    JSON.parse(text);
  } catch {
    throw notJson(answer, text);
  }
}

function notJson(answer: HttpAnswer, text: string): JobFailure {
  const { operation, origin, status, traceId } = answer;
  if (text.trim() === '') return badAnswer(answer, `it is empty (${status})`);
  if (!isWebPage(answer, text)) return badAnswer(answer, `not JSON (${text.length} characters)`);
  const message = `${origin} answered ${status} with a web page`;
  return new JobFailure(
    { kind: 'bad-answer', operation, message, isPage: true },
    traceId === undefined ? {} : { traceId },
  );
}

export function badAnswer(
  { operation, traceId }: HttpAnswer,
  message: string,
  cause?: unknown,
): JobFailure {
  return new JobFailure(
    { kind: 'bad-answer', operation, message },
    { cause, ...(traceId === undefined ? {} : { traceId }) },
  );
}
