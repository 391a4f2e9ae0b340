/** The log of texts that people changed on this machine: who and when, on the page or by an import. It never leaves this machine. */
import { appendFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { type Clock, DAY_MS } from '../clock.ts';
import { unlessAbsent, writeFailure } from '../files/disk.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { Mutex } from '../files/mutex.ts';
import { readText } from '../files/read-file.ts';
import { replaceFile } from '../files/replace.ts';
import type { LanguageTag } from '../language.ts';
import type { ReviewState } from '../segments/review.ts';
import type { Mark, TargetHash } from '../segments/statements.ts';

/** One text of one translation. */
export interface EditedText {
  readonly project: string;
  readonly language: LanguageTag;
  /** Path of the source, relative to the project's root. */
  readonly path: string;
  /** Id of the segment. */
  readonly id: string;
}

export interface PersonEdit extends EditedText {
  /** ISO 8601. */
  readonly at: string;
  /** Name of a reviewer, or of the user of this machine. */
  readonly by: string;
  readonly how: EditedHow;
  readonly source: string;
  /** The source that the person translated, if it is an older one; empty: unknown. */
  readonly older?: string;
  /** The text before the edit, null: there was none; `made`: who wrote it. */
  readonly before: string | null;
  readonly made: Mark;
  /** The state of its review before; absent in logs of older versions. */
  readonly state?: ReviewState;
  /** Whether the lock asked for a reviewer before; absent in logs of older versions. */
  readonly wanted?: boolean;
  /** The text after the edit; equal to `before` when the person only looked at it. */
  readonly after: string;
  /** Hash of the text as it is read from the target again. */
  readonly targetHash: TargetHash;
  readonly reviewed: boolean;
  /** The edit undid an earlier one: the text is not this person's. */
  readonly undone?: true;
}

/** How a person changed or confirmed a text; `mark`: with the command `review mark`. */
export type EditedHow = 'page' | 'import' | 'mark';

/** A text as it was before an edit. */
type TextBeforeEdit = Pick<PersonEdit, 'at' | 'state' | 'before'>;

/** Milliseconds that the edits of this process are kept in memory: no list on the page is open for longer. */
const RECENT_MS = DAY_MS;

/** Who made the present text, and when. */
export interface Editing extends Pick<PersonEdit, 'at' | 'by' | 'how' | 'targetHash' | 'undone'> {
  /** The source that the person translated; absent: unknown. */
  readonly translated?: string;
}

export class EditLog {
  readonly #file: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #mutex = new Mutex();
  /**
   * False until this process has written: the last line of a killed process may be incomplete, so the first write begins a new
   * line.
   */
  #isBelow = false;
  /** The last edit of each text; undefined until it is needed. */
  #last: Promise<Map<string, Editing>> | undefined;

  /** Edits of this process by file and text, oldest first. */
  readonly #recent = new Map<string, Map<string, TextBeforeEdit[]>>();

  constructor(file: string, clock: Pick<Clock, 'now'>) {
    this.#file = file;
    this.#clock = clock;
  }

  /** @throws JobFailure `unwritable`, `disk-full` */
  async record(edits: readonly PersonEdit[]): Promise<void> {
    if (edits.length === 0) return;
    using _alone = await this.#mutex.take('');
    const last = await this.#known();
    await makeFolder(dirname(this.#file), PRIVATE);
    const lines = edits.map((edit) => `${JSON.stringify(edit)}\n`).join('');
    await appendFile(this.#file, this.#isBelow ? lines : `\n${lines}`, { mode: 0o600 }).catch(
      (error: unknown) => {
        throw writeFailure(this.#file, error);
      },
    );
    this.#isBelow = true;
    for (const edit of edits) {
      last.set(editedTextKey(edit), editingOf(edit));
      this.#remember(edit);
    }
  }

  #remember(edit: PersonEdit): void {
    const { id, at, before, state } = edit;
    const file = this.#recent.get(editedFileKey(edit)) ?? new Map<string, TextBeforeEdit[]>();
    const edits = file.get(id) ?? [];
    edits.push({ at, before, ...(state && { state }) });
    this.#recent.set(editedFileKey(edit), file.set(id, edits));
  }

  /** Edits of a file by this process within a day, by segment id, oldest first; undefined: none. */
  recentIn(
    file: Omit<EditedText, 'id'>,
  ): ReadonlyMap<string, readonly TextBeforeEdit[]> | undefined {
    return this.#recent.get(editedFileKey(file));
  }

  /** Who made the present text; undefined: nobody on this machine, or it was changed since. */
  async of(text: EditedText & { readonly targetHash: TargetHash }): Promise<Editing | undefined> {
    const last = (await this.#known()).get(editedTextKey(text));
    const isOurs = last?.targetHash === text.targetHash && last.undone === undefined;
    return isOurs ? last : undefined;
  }

  /** All edits, oldest first. */
  async all(): Promise<readonly PersonEdit[]> {
    const text = (await unlessAbsent(readText(this.#file))) ?? '';
    return text.split('\n').flatMap((line) => readLine(line) ?? []);
  }

  /** Removes edits that are older than `keepMs`. */
  async expire(keepMs: number): Promise<void> {
    using _alone = await this.#mutex.take('');
    this.#forgetRecent();
    const oldest = this.#clock.now() - keepMs;
    const all = await this.all();
    const left = all.filter(({ at }) => Date.parse(at) >= oldest);
    if (left.length === all.length) return;
    const content = left.map((edit) => `${JSON.stringify(edit)}\n`).join('');
    const root = dirname(this.#file);
    await replaceFile({ path: this.#file, root, content, mode: 0o600 });
    this.#last = undefined;
  }

  #forgetRecent(): void {
    const oldest = this.#clock.now() - RECENT_MS;
    for (const [name, texts] of this.#recent) {
      const isOld = texts
        .values()
        .every((edits) => edits.every(({ at }) => Date.parse(at) < oldest));
      if (isOld) this.#recent.delete(name);
    }
  }

  #known(): Promise<Map<string, Editing>> {
    this.#last ??= this.all().then(
      (edits) => new Map(edits.map((edit) => [editedTextKey(edit), editingOf(edit)])),
    );
    return this.#last;
  }
}

/** The user of this machine, for edits without a reviewer's link. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, the user may have no name.
    return 'somebody';
  }
}

function readLine(line: string): PersonEdit | undefined {
  if (line === '') return undefined;
  try {
    return JSON.parse(line) as PersonEdit;
  } catch {
    return undefined;
  }
}

function editedFileKey({ project, language, path }: Omit<EditedText, 'id'>): string {
  return [project, language, path].join('\n');
}

function editedTextKey({ project, language, path, id }: EditedText): string {
  return [project, language, path, id].join('\n');
}

function editingOf({ at, by, how, targetHash, undone, source, older }: PersonEdit): Editing {
  const translated = older ?? source;
  return {
    ...{ at, by, how, targetHash, ...(undone && { undone }) },
    ...(translated === '' ? {} : { translated }),
  };
}
