/** One thing that a request names and that may have to be brought in step first. */

import type { Clock } from '../clock.ts';
import { faultMessage } from '../config/fault.ts';
import { JobFailure } from '../failure.ts';
import { StaleRecord } from '../ledger.ts';
import type { Leases } from '../state/leases.ts';
import type { LoadedGlossary } from '../terminology/load-glossaries.ts';
import type { Note, NoteKey } from './notes.ts';

export interface Need {
  readonly key: NoteKey;
  /** Known without a question. */
  readonly fresh: Note | undefined;
  /** Its file changed since the service had all of it: known without a question, too. */
  readonly isBehind: boolean;
  /** Asks the service, and makes it equal to the file. */
  bring(): Promise<Note>;
  /** Its id, where the request is to name it. */
  pick(note: Note): string | undefined;
}

/** Milliseconds: a sync that failed sooner is tried again by the next job. */
const LONG_MS = 10_000;

interface InVain {
  readonly until: number;
  readonly error: unknown;
}

/**
 * Equal questions wait for one answer: jobs wait for a sync that another job began. One that was waited for long and in
 * vain is not begun again for as long: a thousand jobs would wait a minute each for a service that refuses it.
 */
export class Needs {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #leases: Leases | undefined;
  readonly #underway = new Map<string, Promise<Note>>();
  readonly #inVain = new Map<string, InVain>();

  /** @param leases of a team: two runners that miss a glossary at once would make two of one name */
  constructor(clock: Pick<Clock, 'now'>, leases?: Leases) {
    this.#clock = clock;
    this.#leases = leases;
  }

  async note({ key, fresh, bring }: Need): Promise<Note> {
    if (fresh !== undefined) return fresh;
    const name = `${key.kind} ${key.file}`;
    const underway = this.#underway.get(name);
    if (underway !== undefined) return await underway;
    const inVain = this.#inVain.get(name);
    if (inVain !== undefined && inVain.until > this.#clock.now()) throw inVain.error;
    const note = this.#bring(name, bring).finally(() => this.#underway.delete(name));
    this.#underway.set(name, note);
    return await note;
  }

  async #bring(name: string, bring: Need['bring']): Promise<Note> {
    const began = this.#clock.now();
    try {
      const once = () => this.#leases?.exclusively(name, bring) ?? bring();
      return await once().catch((error: unknown) => {
        // Another daemon brought it meanwhile, because this one stood still: what is there now is looked at anew.
        if (error instanceof StaleRecord) return once();
        throw error;
      });
    } catch (error) {
      const now = this.#clock.now();
      if (now - began >= LONG_MS) this.#inVain.set(name, { until: now + (now - began), error });
      throw error;
    }
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
