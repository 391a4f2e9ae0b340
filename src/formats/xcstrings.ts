/** Apple's string catalogs: one JSON file for all languages; a translation is inserted beside the others. */
import type {
  Doc,
  Edit,
  Format,
  FormatOptions,
  Insertion,
  Segment,
  SegmentState,
} from '../format.ts';
import { partsText } from '../format.ts';
import { parseLanguage } from '../language.ts';
import type { Addition } from './grammar/insertions.ts';
import { openJson } from './grammar/json-file.ts';
import type { LiteralFile } from './grammar/literal-file.ts';
import type { LiteralValue } from './grammar/literal-insert.ts';
import type { LiteralEntry, LiteralNode } from './grammar/literal-tree.ts';
import { duplicatesIn } from './grammar/shadowed.ts';
import {
  catalogTexts,
  childOf,
  childrenOf,
  descendantOf,
  isLeftAlone,
  lastBefore,
  localizations,
  substitutionOf,
  textAndStatePaths,
} from './grammar/string-catalog.ts';
import { refusal } from './text/duplicates.ts';
import { joinKey, type KeyPath, type KeyStep, messageOfKey, splitKey } from './text/key-path.ts';
import { keyPlurals, pluralOfKey } from './text/key-plurals.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment } from './text/segment.ts';

export const xcstrings: Format = {
  name: 'xcstrings',
  shape: 'keyed',
  messageOf: (id, isId) => messageOfKey(baseOf({ id }), isId),
  multiLocale: true,
  parse: (text, options) => {
    const file = opened(text, options.file);
    refuseRepeated(file, options.file);
    return new StringCatalog(file, options).doc();
  },
  expect: (source, target) =>
    keyPlurals(source.segments, target, { wanted: baseOf, existing: baseOf }),
  expectsByMaker: 'shapes',
};

let last: WeakRef<LiteralFile> | undefined;

/**
 * The parsed catalog is kept as long as somebody uses it. One catalog is read as the source, as the target of each language, and again
 * after it is written.
 */
function opened(text: string, path: string): LiteralFile {
  const known = last?.deref();
  if (known?.text === text && known.file === path) return known;
  const file = openJson(text, 'json', path);
  last = new WeakRef(file);
  return file;
}

/** A text has variations by number and device, or none. */
function baseOf({ id }: Pick<Segment, 'id'>): string {
  const at = id.indexOf('.variations.');
  return at < 0 ? id : id.slice(0, at);
}

/**
 * JSON readers take the last entry of a repeated key, but Xcode refuses such a file. So nobody would ever see a translation that was bought
 * for it.
 */
function refuseRepeated({ repeated, text }: LiteralFile, file: string): void {
  if (repeated.length === 0) return;
  const positionAt = positionsOf(text);
  const [first, ...more] = duplicatesIn(repeated, (offset) => positionAt(offset).line);
  if (first !== undefined) throw refusal([first, ...more], file);
}

/** A text of one language; `unit` is absent when the key itself is the source text. */
interface CatalogSegment {
  readonly id: string;
  readonly entry: LiteralEntry;
  readonly span: { readonly start: number; readonly end: number };
  readonly unit?: LiteralNode;
  readonly isPhrase?: boolean;
}

class StringCatalog {
  readonly #file: LiteralFile;
  readonly #options: FormatOptions;
  readonly #entries: readonly LiteralEntry[];
  readonly #byKey: ReadonlyMap<string, LiteralEntry>;
  /** The spelling of the language in the file. */
  readonly #language: string;

  constructor(file: LiteralFile, options: FormatOptions) {
    this.#file = file;
    this.#options = options;
    this.#entries = childrenOf(childOf(file.root, 'strings')?.value);
    this.#byKey = new Map(this.#entries.map((entry) => [String(entry.step), entry]));
    this.#language = this.#spelling();
  }

  doc(): Doc {
    const texts = this.#entries.flatMap((entry) => this.#textsOf(entry));
    const byId = new Map(texts.map((text) => [text.id, text]));
    const pluralOf = pluralOfKey([...byId.keys()]);
    const positionAt = positionsOf(this.#file.text);
    const segments = texts.map((text) => {
      const plural = pluralOf(text.id);
      const line = positionAt(text.span.start).line;
      return this.#segment(text, { line, ...(plural === undefined ? {} : { plural }) });
    });
    return {
      segments,
      warnings: [],
      insert: (insertions) => this.#insert(insertions),
      remove: (ids) => this.#removal(ids),
      stateEdits: (states) => stateEdits(byId, states),
    };
  }

  #spelling(): string {
    const { role, language } = this.#options;
    const source = childOf(this.#file.root, 'sourceLanguage')?.value;
    if (role === 'source' && source?.kind === 'string') return this.#read(source);
    const spellings = this.#entries.flatMap((entry) =>
      childrenOf(localizations(entry)?.value).map(({ step }) => String(step)),
    );
    return spellings.find((spelling) => parseLanguage(spelling) === language) ?? language ?? '';
  }

  #read({ start, end }: { readonly start: number; readonly end: number }): string {
    return this.#file.strings.read(start + 1, end - 1);
  }

  #textsOf(entry: LiteralEntry): CatalogSegment[] {
    if (isLeftAlone(entry, this.#file.text)) return [];
    const language = childOf(localizations(entry)?.value, this.#language);
    if (language !== undefined) {
      return [...catalogTexts(language.value)].map(({ path, value, unit, isPhrase }) => ({
        id: joinKey([entry.step, ...path]),
        entry,
        span: value,
        unit,
        isPhrase,
      }));
    }
    if (this.#options.role !== 'source') return [];
    return [{ id: joinKey([entry.step]), entry, span: { start: entry.start, end: entry.keyEnd } }];
  }

  #segment(
    { id, entry, span, unit, isPhrase }: CatalogSegment,
    extra: Pick<Segment, 'line' | 'plural'>,
  ): Segment {
    const { strings, text } = this.#file;
    const [start, end] = [span.start + 1, span.end - 1];
    const comment = childOf(entry.value, 'comment')?.value;
    const state = stringState(unit, text);
    return makeSegment(text, {
      id,
      start,
      end,
      ...extra,
      ...(comment?.kind === 'string' ? { context: this.#read(comment) } : {}),
      ...(state === undefined ? {} : { state }),
      ...(isPhrase ? { positional: true } : {}),
      parts: [strings.read(start, end)],
      syntax: 'apple',
      encode: (parts) => strings.rewrite(start, end, partsText(parts)),
    });
  }

  #insert(insertions: readonly Insertion[]): readonly Edit[] {
    const made = new Set<string>();
    const additions = insertions
      .flatMap((one) => this.#additions(one))
      .filter(({ path }) => {
        const key = joinKey(path);
        const isNew = !made.has(key) && !this.#holds(path);
        made.add(key);
        return isNew;
      });
    return this.#file.insert(additions);
  }

  /** Called for every text of a language, so it looks up the key and does not walk through all entries. */
  #holds([, key, ...path]: KeyPath): boolean {
    return descendantOf(this.#byKey.get(String(key))?.value, path) !== undefined;
  }

  #additions({ segment, parts, state, after: sibling }: Insertion): Addition<LiteralValue>[] {
    const [key = '', ...path] = splitKey(segment.id);
    const base = ['strings', key, 'localizations', this.#language];
    const after = this.#neighbour(String(key), sibling);
    const places = textAndStatePaths(path);
    const word = STATE_WORDS.get(state ?? 'needs-review') ?? 'needs_review';
    return [
      ...this.#substitution(key, path).map(({ path: own, literal }) => ({
        path: [...base, ...own],
        after,
        value: { literal },
      })),
      { path: [...base, ...places.state], after, value: { text: word } },
      { path: [...base, ...places.value], after, value: { text: partsText(parts) } },
    ];
  }

  /** The argument of a substitution (`argNum`, `formatSpecifier`), as in the source language. */
  #substitution(
    key: KeyStep,
    path: KeyPath,
  ): { readonly path: KeyPath; readonly literal: string }[] {
    const substitution = substitutionOf(path);
    if (substitution === undefined) return [];
    const language = childOf(this.#file.root, 'sourceLanguage')?.value;
    const source = language?.kind === 'string' ? this.#read(language) : '';
    const from = ['strings', key, 'localizations', source, ...substitution];
    return childrenOf(descendantOf(this.#file.root, from))
      .filter(({ value }) => value.kind === 'string' || value.kind === 'literal')
      .map(({ step, value: { start, end } }) => ({
        path: [...substitution, step],
        literal: this.#file.text.slice(start, end),
      }));
  }

  // Xcode sorts languages and members by name; the forms of one text follow the source.
  #neighbour(key: string, sibling: string | null): KeyPath | null {
    const [siblingKey, ...path] = sibling === null ? [] : splitKey(sibling);
    if (siblingKey === key) {
      return ['strings', key, 'localizations', this.#language, ...textAndStatePaths(path).value];
    }
    const entry = this.#byKey.get(key);
    if (entry === undefined) return null;
    const languages = localizations(entry);
    if (languages === undefined) {
      const before = lastBefore(childrenOf(entry.value), 'localizations');
      return before === undefined ? null : ['strings', key, before];
    }
    const before = lastBefore(childrenOf(languages.value), this.#language);
    return before === undefined ? null : ['strings', key, 'localizations', before];
  }

  #removal(ids: ReadonlySet<string>): readonly Edit[] {
    const removed = new Set<LiteralEntry>();
    for (const entry of this.#entries) {
      const texts = this.#textsOf(entry);
      const gone = texts.filter(({ id }) => ids.has(id));
      const language = childOf(localizations(entry)?.value, this.#language);
      if (gone.length === 0 || language === undefined) continue;
      if (gone.length === texts.length) removed.add(language);
      else for (const { unit } of gone) for (const child of childrenOf(unit)) removed.add(child);
    }
    return this.#file.remove({ removed, kept: new Set(this.#entries.map(({ value }) => value)) });
  }
}

const STATE_WORDS: ReadonlyMap<SegmentState, string> = new Map([
  ['new', 'new'],
  ['needs-review', 'needs_review'],
  ['review-wanted', 'needs_review'],
  ['translated', 'translated'],
  ['reviewed', 'translated'],
  ['final', 'translated'],
]);

function stringState(unit: LiteralNode | undefined, text: string): SegmentState | undefined {
  const value = childOf(unit, 'state')?.value;
  const word = value === undefined ? '' : text.slice(value.start + 1, value.end - 1);
  return [...STATE_WORDS].find(([, spelled]) => spelled === word)?.[0];
}

function stateEdits(
  texts: ReadonlyMap<string, CatalogSegment>,
  states: ReadonlyMap<string, SegmentState>,
): Edit[] {
  // The phrases of a set share one state.
  const edits = new Map<number, Edit>();
  for (const [id, state] of states) {
    const value = childOf(texts.get(id)?.unit, 'state')?.value;
    const word = STATE_WORDS.get(state);
    if (value?.kind !== 'string' || word === undefined) continue;
    edits.set(value.start, { start: value.start + 1, end: value.end - 1, text: word });
  }
  return [...edits.values()];
}
