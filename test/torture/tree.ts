/** The sources of a torture run, and what persons do to them: edits, moves, deletions, swaps, and corrections in targets. */
import { mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { wordFile } from '../lanes/document/word-file.ts';
import { silence } from '../lanes/voice/voice-rig.ts';
import type { Rig } from '../rig.ts';
import type { Seeded } from '../seeded.ts';

export const CONFIG = `
defaults: { settle_ms: 50 }
projects:
  app:
    source: en
    targets: [de, fr]
    glossary: { name: torture, csv: terms.csv }
    routes:
      - { from: "locales/{locale}/**/*.json" }
      - { from: "docs/{locale}/**/*.md" }
      - { from: "films/{locale}/**/*.srt" }
      - { from: "in/**/*.{docx,html}", to: "out/{locale}/{dir}/{name}.{ext}", lane: document }
      - { from: "spoken/**/*.wav", to: { transcript: "heard/{locale}/{dir}/{name}.txt", subtitles: "heard/{locale}/{dir}/{name}.srt" } }
`;
/** Texts, paragraphs and cues hold one of these words. */
export const TERMS = 'en,de,fr\nSentence,Satz,phrase\nParagraph,Absatz,paragraphe\n';
export const LANGUAGES = ['de', 'fr'];
/** The length of every recording, so that uploads take seconds. */
export const RECORDING_SECONDS = 2;
/** Entries that a person translates; their source text never changes. */
const OWN_KEYS = 3;
const OTHER_KEYS = 25;

interface Sort {
  readonly folder: string;
  readonly extension: string;
  readonly files: number;
  /**
   * @param number of the writing: an edit has another one
   * @param identity of the file, for as long as it exists
   */
  content(number: number, identity: number): string | Uint8Array;
}

interface File {
  readonly sort: Sort;
  readonly identity: number;
  readonly content: string | Uint8Array;
}

const SORTS: readonly Sort[] = [
  { folder: 'locales/en', extension: 'json', files: 4, content: json },
  { folder: 'docs/en', extension: 'md', files: 2, content: markdown },
  { folder: 'films/en', extension: 'srt', files: 2, content: film },
  { folder: 'in', extension: 'docx', files: 2, content: (n) => wordFile(`Words of letter ${n}`) },
  { folder: 'in', extension: 'html', files: 1, content: html },
  {
    folder: 'spoken',
    extension: 'wav',
    files: 1,
    content: (number) => silence(RECORDING_SECONDS, number % 200),
  },
];

/** A text that a person wrote into a target. */
export interface Correction {
  readonly target: string;
  readonly key: string;
  readonly text: string;
  /** Of the target's source as it is named now; undefined: that was deleted. */
  source: string | undefined;
}

export class Tree {
  readonly corrections: Correction[] = [];
  readonly #rig: Rig;
  readonly #random: Seeded;
  readonly #files = new Map<string, File>();
  #made = 0;

  constructor(rig: Rig, random: Seeded) {
    this.#rig = rig;
    this.#random = random;
    for (const sort of SORTS) for (let n = 0; n < sort.files; n++) this.#add(sort);
  }

  /** The present contents, by path. */
  get files(): ReadonlyMap<string, { readonly content: string | Uint8Array }> {
    return this.#files;
  }

  /** One change by a person. @returns what it was, for the protocol */
  change(): string {
    const changes = [
      () => this.#edit(),
      () => this.#edit(),
      () => this.#swap(),
      () => this.#move(),
    ];
    const rare = [() => this.#delete(), () => this.#add(this.#random.pick(SORTS))];
    return this.#random.pick([...changes, ...rare])();
  }

  /** A person corrects a target, if there is one. Only while nothing runs, as no editor merges. */
  correct(): string {
    const sources = [...this.#files.keys()].filter((path) => path.startsWith('locales/en/'));
    const source = this.#pick(sources);
    const language = this.#random.pick(LANGUAGES);
    const target = source?.replace('/en/', `/${language}/`);
    const key = `own${this.#random.below(OWN_KEYS)}`;
    const isFree = !this.corrections.some((each) => each.source === source && each.key === key);
    if (source === undefined || target === undefined || !isFree) return 'no correction';
    if (!this.#rig.exists(target)) return 'no correction';
    const written = this.#rig.json(target);
    if (!(key in written)) return 'no correction';
    const text = `Von Hand ${this.#made++}`;
    this.#rig.write(target, pretty({ ...written, [key]: text }));
    this.corrections.push({ source, target, key, text });
    return `corrected ${key} of ${target}`;
  }

  #add(sort: Sort): string {
    const path = this.#freePath(sort);
    const identity = this.#made++;
    this.#put(path, { sort, identity, content: sort.content(identity, identity) });
    return `added ${path}`;
  }

  #edit(): string {
    const path = this.#pick([...this.#files.keys()]);
    const file = this.#files.get(path ?? '');
    if (path === undefined || file === undefined) return 'nothing to edit';
    this.#put(path, { ...file, content: file.sort.content(this.#made++, file.identity) });
    return `edited ${path}`;
  }

  /** Like `git checkout` of another branch and back: each file is replaced by another one, and then by its first content. */
  #swap(): string {
    // A change of half the files, or of all of them.
    const share = 1 + this.#random.below(2);
    const paths = [...this.#files].filter(() => this.#random.isOneIn(share));
    // The first content comes back as another file with another time, as git writes it.
    for (const [path, { sort, identity }] of paths) {
      this.#replace(path, sort.content(this.#made++, identity));
    }
    for (const [path, { content }] of paths) this.#replace(path, content);
    return `swapped ${paths.length} files and back`;
  }

  #move(): string {
    const from = this.#pick([...this.#files.keys()]);
    const file = this.#files.get(from ?? '');
    if (from === undefined || file === undefined) return 'nothing to move';
    const to = this.#freePath(file.sort);
    mkdirSync(dirname(this.#rig.path(to)), { recursive: true });
    renameSync(this.#rig.path(from), this.#rig.path(to));
    this.#files.delete(from);
    this.#files.set(to, file);
    for (const correction of this.corrections) {
      if (correction.source === from) correction.source = to;
    }
    return `moved ${from} to ${to}`;
  }

  #delete(): string {
    const path = this.#pick([...this.#files.keys()]);
    if (path === undefined || this.#files.size < 6) return 'nothing to delete';
    this.#rig.remove(path);
    this.#files.delete(path);
    for (const correction of this.corrections) {
      if (correction.source === path) correction.source = undefined;
    }
    return `deleted ${path}`;
  }

  #put(path: string, file: File): void {
    this.#files.set(path, file);
    this.#rig.write(path, file.content);
  }

  #replace(path: string, content: string | Uint8Array): void {
    this.#rig.write('aside', content);
    renameSync(this.#rig.path('aside'), this.#rig.path(path));
  }

  #freePath({ folder, extension }: Sort): string {
    const deeper = this.#random.isOneIn(3) ? '/deeper' : '';
    return `${folder}${deeper}/file${this.#made++}.${extension}`;
  }

  #pick(paths: readonly string[]): string | undefined {
    return paths.length === 0 ? undefined : this.#random.pick(paths);
  }
}

/**
 * Most of its texts stay with the file through edits, as in real ones. A file that came while one went, and that shares half of its texts,
 * is that one, renamed. It takes over what people wrote there.
 */
function json(number: number, identity: number): string {
  const own = Array.from({ length: OWN_KEYS }, (_, n) => [`own${n}`, `Own text ${n}`]);
  const other = Array.from({ length: OTHER_KEYS }, (_, n) => {
    const isNew = (number + n) % 5 === 0;
    const old = n % 3 === 0 ? 'all' : `file ${identity}`;
    return [`key${n}`, `Text ${n} of ${isNew ? `writing ${number}` : old}`];
  });
  return pretty(Object.fromEntries([...own, ...other]));
}

function pretty(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function markdown(number: number): string {
  const paragraph = (n: number) =>
    `Paragraph ${n} has **words** of writing ${number - (number % n)}.`;
  return `# Page ${number}\n\n${[1, 2, 3, 4, 5].map(paragraph).join('\n\n')}\n`;
}

function film(number: number): string {
  const cue = (n: number) =>
    `${n}\n00:00:0${n},000 --> 00:00:0${n},900\nSentence ${n} of film ${number - (number % n)}.\n`;
  return [1, 2, 3, 4, 5].map(cue).join('\n');
}

function html(number: number): string {
  return `<!doctype html><html><body><p>Words of page ${number}.</p></body></html>\n`;
}
