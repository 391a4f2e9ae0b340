/** One thing that a request names and that may have to be brought in step first. */

import { faultMessage } from '../config/fault.ts';
import { JobFailure } from '../failure.ts';
import type { LoadedGlossary } from '../terminology/load-glossaries.ts';
import type { Note, NoteKey } from './notes.ts';

export interface Need {
  readonly key: NoteKey;
  /** Known without a question. */
  readonly fresh: Note | undefined;
  /** Asks the service, and makes it equal to the file. */
  bring(): Promise<Note>;
  /** Its id, where the request is to name it. */
  pick(note: Note): string | undefined;
}

/** Equal questions wait for one answer: jobs wait for a sync that another job began. */
export class Needs {
  readonly #underway = new Map<string, Promise<Note>>();

  async note({ key, fresh, bring }: Need): Promise<Note> {
    if (fresh !== undefined) return fresh;
    const name = `${key.kind} ${key.file}`;
    const underway = this.#underway.get(name);
    if (underway !== undefined) return await underway;
    const note = bring().finally(() => this.#underway.delete(name));
    this.#underway.set(name, note);
    return await note;
  }
}

/**
 * Nothing of a file at fault is sent: half of a glossary would take the other half away from the service.
 * @throws JobFailure `malformed` with the first fault
 */
export function requireSound({ faults }: Pick<LoadedGlossary, 'faults'>): void {
  const [first] = faults;
  if (first === undefined) return;
  const { file, line, column } = first;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const message = `${faultMessage(first)}${more}`;
  throw new JobFailure({ kind: 'malformed', where: { file, line, column }, message });
}
