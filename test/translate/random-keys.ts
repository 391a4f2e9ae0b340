/** Random files of keys with the German that a person wrote for them, and random edits of their English. */
import type { Seeded } from '../seeded.ts';

export interface Entry {
  /** The same before and after an edit. */
  readonly id: number;
  readonly key: string;
  readonly en: string;
  /** What the person wrote. Absent: the entry is new. */
  readonly de?: string;
  /** A comment of the source above it, which the person's file may have, too. */
  readonly remark?: string;
  /** A comment of the person above it. */
  readonly note?: string;
  /** The person has it, and the source does not. */
  readonly isOwn?: true;
}

/** The object, table or section of some entries. */
export interface Group {
  readonly id: number;
  readonly key: string;
  readonly note?: string;
  readonly entries: readonly Entry[];
  /** An entry that only the person has. */
  readonly own?: Entry;
}

const ENDINGS: readonly (readonly [en: string, de: string])[] = [
  ['of us', 'Über uns'],
  ["isn't here", "gibt's nicht"],
  ['the "best" part', 'der „beste“ "Teil"'],
  ['fish & chips', 'Fisch & Chips'],
  ['number # 3; more', 'Nummer # 3; mehr'],
  ['time: now = here', 'Zeit: jetzt = hier'],
  ['a \\ b', 'ein \\ b'],
  ['50 % off', '50 % weniger'],
  ['yes, or no', 'ja, oder nein'],
  ['more…', 'weiter…'],
];

export class RandomKeys {
  readonly #random: Seeded;
  readonly #hasGroups: boolean;
  #ids = 0;

  constructor(random: Seeded, hasGroups: boolean) {
    this.#random = random;
    this.#hasGroups = hasGroups;
  }

  file(): Group[] {
    const groups = this.#hasGroups ? 2 + this.#random.below(2) : 1;
    return Array.from({ length: groups }, () => this.#group());
  }

  /** The file after some edits of its English. */
  after(file: readonly Group[], edits: number): readonly Group[] {
    let now = file;
    for (let left = edits; left > 0; ) {
      const next = this.#edited(now);
      if (next === undefined) continue;
      now = next;
      left -= 1;
    }
    return now;
  }

  /** Undefined when the edit is not possible there. */
  #edited(file: readonly Group[]): readonly Group[] | undefined {
    const from = this.#random.pick(file);
    const entry = this.#random.pick(from.entries);
    const without = replaced(file, { ...from, entries: from.entries.filter((e) => e !== entry) });
    const change = (now: Entry) =>
      replaced(file, { ...from, entries: from.entries.map((e) => (e === entry ? now : e)) });
    switch (this.#random.pick(this.#hasGroups ? EDITS : FLAT_EDITS)) {
      case 'change':
        return change({ ...entry, en: `${entry.en} now${this.#next()}` });
      case 'rename':
        return change({ ...entry, key: `key_${this.#next()}` });
      case 'add':
        return this.#with(file, from, this.#entry('new'));
      case 'remove':
        return from.entries.length > 1 ? without : undefined;
      case 'move':
        return from.entries.length > 1
          ? this.#with(without, without.find(({ id }) => id === from.id) ?? from, entry)
          : undefined;
      case 'carry': {
        const to = this.#random.pick(file);
        return to === from || from.entries.length < 2 ? undefined : this.#with(without, to, entry);
      }
      case 'add group':
        return inserted(file, this.#random.below(file.length + 1), this.#group('new'));
      case 'remove group':
        return file.length > 1 ? file.filter((group) => group !== from) : undefined;
      case 'rename group':
        return replaced(file, { ...from, key: `group_${this.#next()}` });
    }
  }

  #with(file: readonly Group[], to: Group, entry: Entry): readonly Group[] {
    const at = this.#random.below(to.entries.length + 1);
    return replaced(file, { ...to, entries: inserted(to.entries, at, entry) });
  }

  #group(age?: 'new'): Group {
    const id = this.#next();
    const entries = Array.from({ length: 2 + this.#random.below(4) }, () => this.#entry(age));
    const note = age === undefined && this.#random.isOneIn(3) ? `zur Gruppe ${id}` : undefined;
    const own = age === undefined && this.#random.isOneIn(3) ? this.#entry() : undefined;
    return {
      ...{ id, key: `group_${id}`, entries },
      ...(note === undefined ? {} : { note }),
      ...(own === undefined ? {} : { own: { ...own, isOwn: true } }),
    };
  }

  #entry(age?: 'new'): Entry {
    const id = this.#next();
    const [en, de] = this.#random.pick(ENDINGS);
    const entry = { id, key: `key_${id}`, en: `Words${id} ${ownWords(id)} ${en}` };
    if (age === 'new') return entry;
    return {
      ...{ ...entry, de: `Worte${id} ${de}` },
      ...(this.#random.isOneIn(4) ? { remark: `about ${id}` } : {}),
      ...(this.#random.isOneIn(3) ? { note: `Anna zu ${id}` } : {}),
    };
  }

  #next(): number {
    this.#ids += 1;
    return this.#ids;
  }
}

const FLAT_EDITS = ['change', 'change', 'rename', 'add', 'add', 'remove', 'move'] as const;
const EDITS = [...FLAT_EDITS, 'carry', 'add group', 'remove group', 'rename group'] as const;

/** Two words that no other entry has. */
function ownWords(id: number): string {
  const syllable = (at: number) =>
    `${'bdfgklmnprstvz'[(id * 5 + at * 3) % 14]}${'aeiou'[(id + at * 2) % 5]}`;
  return `${[0, 1, 2].map(syllable).join('')} ${[3, 4, 5].map(syllable).join('')}`;
}

function replaced(file: readonly Group[], now: Group): readonly Group[] {
  return file.map((group) => (group.id === now.id ? now : group));
}

function inserted<T>(all: readonly T[], at: number, one: T): T[] {
  return [...all.slice(0, at), one, ...all.slice(at)];
}
