/** The sources of a tree under torture, and what persons do: they edit, move and remove sources, and correct translations. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { silence } from '../lanes/voice/voice-rig.ts';
import type { Seeded } from '../seeded.ts';
import type { Member } from '../shared-team.ts';
import { hasItsNumbers } from './numbers.ts';

/** Of the files that are not on the shelf. */
export const LANGUAGES = ['de', 'fr', 'ja'] as const;
const KEYS = 5;
/** A text whose source stays: persons correct its translations. */
const CORRECTED = 'corrected';
/** Most files are JSON; the first of so many is another one, whose target is compared with that of a daemon on its own. */
const OTHERS: readonly { readonly of: number; readonly source: string; readonly target: string }[] =
  [
    { of: 500, source: 'spoken/NAME.wav', target: 'heard/LANGUAGE/NAME.txt' },
    { of: 50, source: 'en/NAME.txt', target: 'LANGUAGE/NAME.txt' },
    { of: 25, source: 'en/NAME.srt', target: 'LANGUAGE/NAME.srt' },
  ];
export const ROUTES =
  ', { from: "{locale}/*.srt" }, { from: "spoken/*.wav", to: { transcript: "heard/{locale}/{name}.txt" } }';
export const RECORDING_SECONDS = 2;
/** A setting of the project. Its terms are in no text, so that every version of them leads to the same translations. */
export const GLOSSARY = ' glossary: { name: shop, csv: "terms/{source}-{locale}.csv" },';

export interface Pair {
  readonly source: string;
  readonly targets: readonly string[];
}

export class Sources {
  readonly #tree: Member;
  readonly #random: Seeded;
  /** By number; undefined: the file is removed. */
  readonly #files: (Pair | undefined)[];
  /** What was written last into each source that is there, by path. */
  readonly #written = new Map<string, Buffer>();
  /** What persons said in each target: the corrected text, by number of the file, and by language. */
  readonly #said = new Map<number, Map<string, string>>();
  /** The corrections of removed files. */
  readonly #gone: string[] = [];
  #names = 0;
  #corrections = 0;
  #terms = 0;
  #edits = 0;

  constructor(tree: Member, { files, random }: { files: number; random: Seeded }) {
    this.#tree = tree;
    this.#random = random;
    this.#files = Array.from({ length: files }, () => undefined);
    for (let file = 0; file < files; file++) this.#edit(file);
    this.changeTerms();
    this.#edits = 0;
  }

  /** Those that are there. */
  get pairs(): readonly Pair[] {
    return this.#files.filter((pair) => pair !== undefined);
  }

  get happened(): string {
    const { size } = this.#said;
    return `${this.#edits} edits, ${this.#corrections} corrections in translations (${size} files have some, ${this.#gone.length} were removed), ${this.#terms} versions of terms`;
  }

  get corrections(): number {
    return this.#corrections;
  }

  /** The terms, as the service should have them, by language. */
  get terms(): ReadonlyMap<string, string> {
    return new Map(LANGUAGES.map((language) => [language, `zebra\tZ ${this.#terms} ${language}`]));
  }

  /** One change by a person. @returns what it was, for the protocol; undefined for an edit: there are many */
  change(): string | undefined {
    const any = this.#random.below(this.#files.length);
    const file = this.#random.isOneIn(5) ? any - (any % 25) : any;
    const pair = this.#files[file];
    const corrected = [...this.#said.keys()].filter((each) => this.#files[each] !== undefined);
    if (corrected.length > 0 && this.#random.isOneIn(15)) {
      const gone = this.#random.pick(corrected);
      return this.#remove(gone, this.#files[gone] as Pair);
    }
    if (pair !== undefined && this.#random.isOneIn(5)) return this.#move(file, pair);
    if (pair !== undefined && this.#random.isOneIn(8)) return this.#remove(file, pair);
    this.#edit(file);
    return undefined;
  }

  /** A person replaces a translation, as an editor does: nothing is written where somebody else wrote meanwhile. */
  correct(): void {
    const file = this.#random.below(this.#files.length);
    const language = this.#random.pick(LANGUAGES);
    const target = this.#files[file]?.targets[LANGUAGES.indexOf(language)];
    if (target?.endsWith('.json') !== true || !this.#tree.has(target)) return;
    const before = this.#tree.read(target);
    const entries = JSON.parse(before) as Record<string, string>;
    const said = `Von Hand gesagt, ${this.#corrections + 1}`;
    const beside = `${target}.new`;
    this.#tree.write(beside, jsonOf({ ...entries, [CORRECTED]: said }));
    if (
      entries[CORRECTED] === undefined ||
      !this.#tree.has(target) ||
      this.#tree.read(target) !== before
    ) {
      rmSync(this.#tree.path(beside));
      return;
    }
    renameSync(this.#tree.path(beside), this.#tree.path(target));
    this.#corrections += 1;
    const known = this.#said.get(file) ?? new Map<string, string>();
    this.#said.set(file, known.set(language, said));
  }

  changeTerms(): void {
    this.#terms += 1;
    for (const [language, terms] of this.terms) {
      this.#replace(`terms/en-${language}.csv`, `${terms.replace('\t', ',')}\n`);
    }
  }

  /** Texts that are not as they should be. Each has one translation, of what it says now, and no two texts of a language the same one. */
  get wrong(): readonly string[] {
    return LANGUAGES.flatMap((language, nth) => {
      const targets = new Map<string, string>();
      const sources = new Map<string, string>();
      const wrong: string[] = [];
      for (const [file, pair] of this.#files.entries()) {
        const target = pair?.targets[nth];
        if (pair === undefined || target === undefined) continue;
        if (!target.endsWith('.json')) {
          if (!this.#tree.has(target)) wrong.push(target);
          continue;
        }
        const found = this.#tree.has(target) ? this.#entries(target) : {};
        for (const [key, source] of Object.entries(this.#entries(pair.source))) {
          const text = found[key] ?? '';
          const said = key === CORRECTED ? this.#said.get(file)?.get(language) : undefined;
          if (said !== undefined) {
            if (text !== said) wrong.push(`${target}#${key} has lost "${said}"`);
            continue;
          }
          const isTaken = (sources.get(text) ?? source) !== source;
          const isOther = (targets.get(source) ?? text) !== text;
          if (!hasItsNumbers(text, source) || isTaken || isOther) wrong.push(`${target}#${key}`);
          targets.set(source, text);
          sources.set(text, source);
        }
      }
      return wrong;
    });
  }

  /** Sources that are not as the last person left them. */
  get changed(): readonly string[] {
    return [...this.#written].flatMap(([path, content]) =>
      this.#tree.has(path) && readFileSync(this.#tree.path(path)).equals(content) ? [] : [path],
    );
  }

  /** Files that should not be there: targets of files that were moved or removed, and temporary ones. */
  get leftBehind(): readonly string[] {
    const targets = new Set(this.pairs.flatMap((pair) => pair.targets));
    return ['en', 'spoken', 'heard', 'terms', ...LANGUAGES].flatMap((folder) =>
      filesIn(this.#tree.path(''), folder).filter(
        (path) => !(targets.has(path) || this.#written.has(path)),
      ),
    );
  }

  /** Corrections of removed files that are nowhere any more, neither in a translation nor in the trash. */
  get lost(): readonly string[] {
    const trash = filesIn(this.#tree.path(''), '.dragoman-spool/trash');
    const targets = this.pairs.flatMap((pair) => pair.targets);
    const kept = [...trash, ...targets].filter((path) => path.endsWith('.json'));
    const texts = kept.map((path) => this.#tree.read(path));
    return this.#gone.filter((said) => !texts.some((text) => text.includes(`"${said}"`)));
  }

  /** A file that was removed is there again; under another name where a person had corrected it. */
  #edit(file: number): void {
    this.#edits += 1;
    const pair = this.#files[file] ?? this.#place(file, pairOf(file, this.#nameOf(file)));
    const { source } = pair;
    const text = () => `Text ${this.#random.below(100_000)} of file ${file}`;
    if (source.endsWith('.json')) {
      const entries = Array.from({ length: KEYS }, (_, key) => [`key_${key}`, text()]);
      const kept = `Text that stays in file ${file}`;
      this.#replace(source, jsonOf({ ...Object.fromEntries(entries), [CORRECTED]: kept }));
    } else if (source.endsWith('.wav')) {
      this.#replace(source, silence(RECORDING_SECONDS, this.#random.below(200)));
    } else {
      const time = source.endsWith('.srt') ? '1\n00:00:01,000 --> 00:00:04,000\n' : '';
      this.#replace(source, `${time}${text()}\n`);
    }
  }

  #nameOf(file: number): string {
    const said = this.#said.get(file);
    this.#said.delete(file);
    return said === undefined ? `file_${file}` : `file_${file}_${++this.#names}`;
  }

  #move(file: number, { source }: Pair): string {
    const to = this.#place(file, pairOf(file, `file_${file}_${++this.#names}`));
    mkdirSync(dirname(this.#tree.path(to.source)), { recursive: true });
    renameSync(this.#tree.path(source), this.#tree.path(to.source));
    this.#written.set(to.source, this.#written.get(source) ?? Buffer.alloc(0));
    this.#written.delete(source);
    return `${source} moved to ${to.source}`;
  }

  #remove(file: number, { source }: Pair): string {
    this.#tree.remove(source);
    this.#written.delete(source);
    this.#gone.push(...(this.#said.get(file)?.values() ?? []));
    this.#files[file] = undefined;
    return `${source} removed`;
  }

  #place(file: number, pair: Pair): Pair {
    this.#files[file] = pair;
    return pair;
  }

  #replace(path: string, content: string | Uint8Array): void {
    const beside = `${path}.new`;
    this.#tree.write(beside, content);
    renameSync(this.#tree.path(beside), this.#tree.path(path));
    this.#written.set(path, Buffer.from(content));
  }

  #entries(path: string): Record<string, string> {
    return JSON.parse(this.#tree.read(path)) as Record<string, string>;
  }
}

function pairOf(file: number, name: string): Pair {
  const other = OTHERS.find(({ of }) => file % of === 0);
  const { source, target } = other ?? { source: 'en/NAME.json', target: 'LANGUAGE/NAME.json' };
  const targets = LANGUAGES.map((each) => target.replace('LANGUAGE', each).replace('NAME', name));
  return { source: source.replace('NAME', name), targets };
}

function jsonOf(entries: object): string {
  return `${JSON.stringify(entries, null, 2)}\n`;
}

/** @returns paths relative to `root`; none where there is no such folder */
function filesIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((each) => {
    const path = join(folder, each.name);
    return each.isDirectory() ? filesIn(root, path) : [path];
  });
}
