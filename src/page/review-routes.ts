/** Answers to the Review page: a portion of the texts, a save, an undo. A save names the text that the person saw. */
import type { z } from 'zod';
import { given } from '../config/resolve-project.ts';
import type { Control, ReviewPortionQuery } from '../control/control.ts';
import { tooLongMessage } from '../control/review/longest-text.ts';
import type { ReviewRow, ReviewSaved } from '../control/review-report.ts';
import { parseLanguage } from '../language.ts';
import { userName } from '../state/edit-log.ts';
import { Refused } from './reply.ts';
import type { ReviewListRequest, ReviewSaveRequest, ReviewUndoRequest } from './requests.ts';
import type { Visitor } from './sessions.ts';

/** Saves of one link, or of all sessions of the owner, in a minute: a person makes about thirty, a script about a thousand. */
const MOST_SAVES = 3000;
const MINUTE_MS = 60_000;

export class SaveLimit {
  readonly #now: () => number;
  readonly #times = new Map<string, number[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a save. @throws Refused 429 when there are too many */
  take(visitor: Visitor): void {
    const now = this.#now();
    const who = visitor.kind === 'owner' ? '' : visitor.link;
    const times = (this.#times.get(who) ?? []).filter((time) => now - time < MINUTE_MS);
    this.#times.set(who, times);
    if (times.length >= MOST_SAVES) {
      throw new Refused(429, 'too many texts were saved within a minute: wait a moment');
    }
    times.push(now);
  }
}

interface VisitorQuery {
  readonly query: z.output<typeof ReviewListRequest>;
  readonly visitor: Visitor;
}

/** @throws Refused 403 for a language that the link does not have */
export async function answerList(
  control: Pick<Control, 'reviewPortion'>,
  { query, visitor }: VisitorQuery,
): Promise<object> {
  if (query.language !== undefined) requireLanguage(visitor, query.language);
  const allowed = visitor.kind === 'owner' ? undefined : visitor.languages;
  return await control.reviewPortion(given<ReviewPortionQuery>({ ...query, allowed }));
}

interface ReviewCall<Schema extends z.ZodType> {
  readonly request: z.output<Schema>;
  readonly visitor: Visitor;
}

/** @throws Refused 403 for another language, 409 with the present text, 422 with the reason */
export async function answerSave(
  control: Pick<Control, 'reviewSave'>,
  { request, visitor }: ReviewCall<typeof ReviewSaveRequest>,
): Promise<object> {
  requireLanguage(visitor, request.language);
  const tooLong = tooLongMessage(request.text);
  if (tooLong !== undefined) throw new Refused(422, tooLong);
  const asked = { ...request, by: editorName(visitor) };
  return answerOf(await control.reviewSave(asked), asked);
}

/** @throws Refused as `answerSave`; 422 also when the save is of another person */
export async function answerUndo(
  control: Pick<Control, 'reviewUndo'>,
  { request, visitor }: ReviewCall<typeof ReviewUndoRequest>,
): Promise<object> {
  requireLanguage(visitor, request.language);
  const asked = { ...request, by: editorName(visitor) };
  return answerOf(await control.reviewUndo(asked), asked);
}

/** The name for the record of edits. A link with the name of this machine's user gets another name, so that it cannot undo saves of that user. */
function editorName(visitor: Visitor): string {
  const user = userName();
  if (visitor.kind === 'owner') return user;
  return visitor.name === user ? `${user} (link)` : visitor.name;
}

interface ShownToPerson {
  /** Hash of the source that the person saw. */
  readonly source: string;
  readonly by: string;
}

function answerOf(saved: ReviewSaved, asked: ShownToPerson): object {
  switch (saved.kind) {
    case 'saved':
      return { row: saved.row };
    case 'changed':
      throw new Refused(409, changeWords(saved.row, asked), { row: saved.row });
    case 'refused':
      throw new Refused(422, saved.reason);
  }
}

function changeWords({ text, edited }: ReviewRow, { source, by }: ShownToPerson): string {
  if (text.source_hash !== source) return 'its source changed since it was shown';
  return edited?.by === by
    ? 'you changed this text in another place since it was shown'
    : 'somebody changed this text since it was shown';
}

/** Checked before anything is read: the answer must not reveal whether the language exists. */
function requireLanguage(visitor: Visitor, code: string): void {
  if (visitor.kind === 'owner') return;
  const language = parseLanguage(code);
  if (language !== undefined && visitor.languages.includes(language)) return;
  throw new Refused(403, 'your link is for other languages');
}
