/** What the Review page may ask: texts a portion at a time, and one text saved with the text that was seen. */
import type { z } from 'zod';
import { given } from '../config/resolve-project.ts';
import type { Control, ReviewDeskQuery } from '../control/control.ts';
import { tooLongWords } from '../control/review/longest-text.ts';
import type { ReviewSaved } from '../control/review/report.ts';
import { parseLanguage } from '../language.ts';
import { userName } from '../state/edit-log.ts';
import { Refused } from './reply.ts';
import type { ReviewListRequest, ReviewSaveRequest, ReviewUndoRequest } from './requests.ts';
import type { Visitor } from './sessions.ts';

/** Saves of one link, or of all the owner's sessions, within a minute: a person makes thirty, a script some thousand. */
const MOST_SAVES = 3000;
const MINUTE_MS = 60_000;

export class SaveLimit {
  readonly #now: () => number;
  readonly #times = new Map<string, number[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws Refused 429 */
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

interface ListAsked {
  readonly query: z.output<typeof ReviewListRequest>;
  readonly visitor: Visitor;
}

/** @throws Refused 403 for a language that is not the link's */
export async function answerList(
  control: Pick<Control, 'reviewDesk'>,
  { query, visitor }: ListAsked,
): Promise<object> {
  if (query.language !== undefined) requireLanguage(visitor, query.language);
  const allowed = visitor.kind === 'owner' ? undefined : visitor.languages;
  return await control.reviewDesk(given<ReviewDeskQuery>({ ...query, allowed }));
}

interface Asked<Schema extends z.ZodType> {
  readonly request: z.output<Schema>;
  readonly visitor: Visitor;
}

/** @throws Refused 403; 409 with the text that stands there, 422 with the reason */
export async function answerSave(
  control: Pick<Control, 'reviewSave'>,
  { request, visitor }: Asked<typeof ReviewSaveRequest>,
): Promise<object> {
  requireLanguage(visitor, request.language);
  const tooLong = tooLongWords(request.text);
  if (tooLong !== undefined) throw new Refused(422, tooLong);
  return answerOf(await control.reviewSave({ ...request, by: nameOf(visitor) }));
}

/** @throws Refused as `answerSave` does; 422 where the save is not the visitor's */
export async function answerUndo(
  control: Pick<Control, 'reviewUndo'>,
  { request, visitor }: Asked<typeof ReviewUndoRequest>,
): Promise<object> {
  requireLanguage(visitor, request.language);
  return answerOf(await control.reviewUndo({ ...request, by: nameOf(visitor) }));
}

/** A link in the name of this machine's user is not that user: it takes nothing back that they saved. */
function nameOf(visitor: Visitor): string {
  const user = userName();
  if (visitor.kind === 'owner') return user;
  return visitor.name === user ? `${user} (link)` : visitor.name;
}

function answerOf(saved: ReviewSaved): object {
  switch (saved.kind) {
    case 'saved':
      return { row: saved.row };
    case 'changed':
      throw new Refused(409, 'somebody changed this text since it was shown', { row: saved.row });
    case 'refused':
      throw new Refused(422, saved.reason);
  }
}

/** Before anything is read: what is answered must not tell whether there is such a language. */
function requireLanguage(visitor: Visitor, code: string): void {
  if (visitor.kind === 'owner') return;
  const language = parseLanguage(code);
  if (language !== undefined && visitor.languages.includes(language)) return;
  throw new Refused(403, 'your link is for other languages');
}
