/** The sources of a tree under torture, and what persons do to them: edits, moves, removals. */
import { mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { silence } from '../lanes/voice/voice-rig.ts';
import type { Seeded } from '../seeded.ts';
import type { Member } from '../shared-team.ts';

const KEYS = 5;
/** Most files are JSON; the first of so many is another one, whose target is compared with that of a daemon on its own. */
const OTHERS: readonly { readonly of: number; readonly source: string; readonly target: string }[] =
  [
    { of: 500, source: 'spoken/NAME.wav', target: 'heard/de/NAME.txt' },
    { of: 50, source: 'en/NAME.txt', target: 'de/NAME.txt' },
    { of: 25, source: 'en/NAME.srt', target: 'de/NAME.srt' },
  ];
export const ROUTES =
  ', { from: "{locale}/*.srt" }, { from: "spoken/*.wav", to: { transcript: "heard/{locale}/{name}.txt" } }';
export const RECORDING_SECONDS = 2;

export interface Pair {
  readonly source: string;
  readonly target: string;
}

export class Sources {
  readonly #tree: Member;
  readonly #random: Seeded;
  /** By number; undefined: the file is removed. */
  readonly #files: (Pair | undefined)[];
  readonly #ever = new Set<string>();
  #moves = 0;

  constructor(tree: Member, { files, random }: { files: number; random: Seeded }) {
    this.#tree = tree;
    this.#random = random;
    this.#files = Array.from({ length: files }, () => undefined);
    for (let file = 0; file < files; file++) this.#edit(file);
  }

  /** Those that are there. */
  get pairs(): readonly Pair[] {
    return this.#files.filter((pair) => pair !== undefined);
  }

  /** Targets that still exist although their files were moved or removed. */
  get leftBehind(): readonly string[] {
    const present = new Set(this.pairs.map(({ target }) => target));
    return [...this.#ever].filter((target) => !present.has(target) && this.#tree.has(target));
  }

  /** One change by a person. @returns what it was, for the protocol; undefined for an edit: there are many */
  change(): string | undefined {
    const any = this.#random.below(this.#files.length);
    const file = this.#random.isOneIn(5) ? any - (any % 25) : any;
    const pair = this.#files[file];
    if (pair !== undefined && this.#random.isOneIn(5)) return this.#move(file, pair);
    if (pair !== undefined && this.#random.isOneIn(8)) return this.#remove(file, pair);
    this.#edit(file);
    return undefined;
  }

  /** A file that was removed is there again. */
  #edit(file: number): void {
    const { source } = this.#files[file] ?? this.#place(file, pairOf(file, `file_${file}`));
    const text = () => `Text ${this.#random.below(100_000)} of file ${file}`;
    if (source.endsWith('.json')) {
      const entries = Array.from({ length: KEYS }, (_, key) => [`key_${key}`, text()]);
      this.#tree.write(source, JSON.stringify(Object.fromEntries(entries), null, 2));
    } else if (source.endsWith('.wav')) {
      this.#tree.write(source, silence(RECORDING_SECONDS, this.#random.below(200)));
    } else {
      const time = source.endsWith('.srt') ? '1\n00:00:01,000 --> 00:00:04,000\n' : '';
      this.#tree.write(source, `${time}${text()}\n`);
    }
  }

  #move(file: number, { source }: Pair): string {
    const to = this.#place(file, pairOf(file, `file_${file}_${++this.#moves}`));
    mkdirSync(dirname(this.#tree.path(to.source)), { recursive: true });
    renameSync(this.#tree.path(source), this.#tree.path(to.source));
    return `${source} moved to ${to.source}`;
  }

  #remove(file: number, { source }: Pair): string {
    this.#tree.remove(source);
    this.#files[file] = undefined;
    return `${source} removed`;
  }

  #place(file: number, pair: Pair): Pair {
    this.#files[file] = pair;
    this.#ever.add(pair.target);
    return pair;
  }
}

function pairOf(file: number, name: string): Pair {
  const other = OTHERS.find(({ of }) => file % of === 0);
  const { source, target } = other ?? { source: 'en/NAME.json', target: 'de/NAME.json' };
  return { source: source.replace('NAME', name), target: target.replace('NAME', name) };
}
