/** What the lock of another tool says of translations: which source text each was made from. Pure. */
import { hash } from 'node:crypto';
import { type LanguageTag, parseLanguage } from '../../../language.ts';
import { type Assertion, type SourceHash, sourceHash } from '../../../segments/statements.ts';
import { type Settings, settingsIn, stringIn, withoutSource } from './imported.ts';

/** A text that stands in a target. */
export interface LockedText {
  /** Of the source, relative to the folder of the tool's config. */
  readonly path: string;
  /** As people write it. */
  readonly key: string;
  readonly language: LanguageTag;
  /** The source text now. */
  readonly text: string;
}

/** @returns undefined where the lock knows nothing of the text */
export type ToolLock = (standing: LockedText) => Omit<Assertion, 'target'> | undefined;

/** The lock of a team's own words for "made from another text than this one, nobody knows which". */
const OTHER_TEXT = '--------' as SourceHash;

/** The file of the lock beside a config, and how it is read. */
export interface LockOfTool {
  readonly file: string;
  read(content: unknown, source: string): ToolLock;
}

export const LOCKS: Readonly<Record<string, LockOfTool>> = {
  'DeepL sync': { file: '.deepl-sync.lock', read: (content) => deeplLock(settingsIn(content)) },
  'lingo.dev': {
    file: 'i18n.lock',
    read: (content, source) => lingoLock(settingsIn(content), source),
  },
};

/** `entries[path][key]`: the text that was seen last, and for each language the hash of the text that it was made from. */
function deeplLock(content: Settings): ToolLock {
  const entries = settingsIn(content['entries']);
  return ({ path, key, language }) => {
    const entry = settingsIn(settingsIn(entries[path])[key]);
    const made = Object.entries(settingsIn(entry['translations'])).find(
      ([code]) => parseLanguage(code) === language,
    );
    const translation = settingsIn(made?.[1]);
    if (made === undefined || translation['status'] === 'failed') return undefined;
    const text = stringIn(entry['source_text']);
    const isLatest = text !== undefined && translation['hash'] === entry['source_hash'];
    const isReviewed = Object.values(translation).includes('human_reviewed');
    return {
      source: isLatest ? sourceHash(text) : OTHER_TEXT,
      mark: 'machine',
      ...(isReviewed ? { review: 'reviewed' } : {}),
    };
  };
}

/**
 * `checksums[hash of the path's pattern][key]`: the hash of the text that the translations were made from. Who made them it does
 * not say. Keys of groups are joined by slashes, each part encoded as in an address.
 */
function lingoLock(content: Settings, source: string): ToolLock {
  const sections = settingsIn(content['checksums']);
  const read = new Map<string, Map<string, unknown>>();
  const sectionOf = (path: string) => {
    const known = read.get(path);
    if (known !== undefined) return known;
    const pattern = (withoutSource(path, source) ?? path).replace('{}', '[locale]');
    const sums = Object.entries(settingsIn(sections[lingoHash(pattern)]));
    const section = new Map(sums.map(([key, sum]) => [plainKey(key), sum]));
    read.set(path, section);
    return section;
  };
  return ({ path, key, text }) => {
    const sum = sectionOf(path).get(key);
    if (sum === undefined) return undefined;
    return { source: sum === lingoHash(text) ? sourceHash(text) : OTHER_TEXT, mark: 'adopted' };
  };
}

/** object-hash of a string, as lingo.dev takes it. */
function lingoHash(text: string): string {
  return hash('md5', `string:${text.length}:${text}`);
}

function plainKey(key: string): string {
  return key.split('/').map(decoded).join('.');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
